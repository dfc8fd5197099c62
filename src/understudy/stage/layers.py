"""Layers laid over the plain picture: a soft shadow on flat ground, the translucent ghost, and arrows.

Each is made of a scene whose geoms are recoloured so that its picture is a mask: drawn by itself a layer is even and
smooth where shadow maps and blended geoms are not, and on a software renderer it is several times as fast.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from understudy.rotations import Array, BoolArray
from understudy.stage import look

Picture = NDArray[np.uint8]
"""(height, width, 3) pixels, top row first."""

_SHADOW_STRENGTH = 0.40
_SHADOW_LIFT = 1e-3  # of the scene's scale: what is flattened lies this far above the ground [m]
GHOST_STRENGTH, ARROW_STRENGTH = 0.5, 0.9
_GHOST_GLOW = 0.35
_GHOST_BEHIND_M = 0.012  # a ghost this close to the figure's surface is hidden by it, so that equal poses don't flicker


def paint_shadow(scene: mujoco.MjvScene, sun_direction: Array, scale: float) -> None:
    """Recolour the scene's geoms green, and add each one red, flattened onto z = 0 along the sun's direction (3,)."""
    flatten = _flattening(sun_direction)
    for index in range(scene.ngeom):
        geom = scene.geoms[index]
        _paint(geom, (0.0, 1.0, 0.0), glow=1.0)
        if scene.ngeom >= scene.maxgeom:
            continue
        shadow = scene.geoms[scene.ngeom]
        scene.ngeom += 1
        mujoco.mjv_initGeom(shadow, geom.type, np.ones(3), np.zeros(3), np.eye(3).ravel(), np.ones(4, np.float32))
        shadow.size[:], shadow.dataid, shadow.category = geom.size, geom.dataid, geom.category
        shadow.mat[:], shadow.pos[:] = flatten @ geom.mat, flatten @ geom.pos
        shadow.pos[2] = _SHADOW_LIFT * scale
        _paint(shadow, (1.0, 0.0, 0.0), glow=1.0)


def flattened(places_w: Array, sun_direction: Array) -> Array:
    """Places (N, 3) [m] moved onto z = 0 along the sun's direction (3,): where their shadow falls."""
    return places_w @ _flattening(sun_direction).T


def _flattening(sun_direction: Array) -> Array:
    """(3, 3) the map of places to their shadows."""
    flatten = np.eye(3) - np.outer(sun_direction / sun_direction[2], [0.0, 0.0, 1.0])
    flatten[2] = 0.0
    return flatten


def lay_shadow(picture: Picture, mask: Picture, blur_px: float) -> Picture:
    """The picture darkened where the mask is red, blurred, and not green."""
    red, green, _ = Image.fromarray(mask).split()
    box = red.getbbox()
    if box is None:
        return picture
    edge = int(3 * blur_px) + 1
    left, upper, right, lower = box[0] - edge, box[1] - edge, box[2] + edge, box[3] + edge
    box = max(left, 0), max(upper, 0), min(right, red.width), min(lower, red.height)
    dark = np.asarray(red.crop(box).filter(ImageFilter.GaussianBlur(blur_px)), np.float32)
    open_ground = 255.0 - np.asarray(green.crop(box), np.float32)
    part = np.s_[box[1] : box[3], box[0] : box[2]]
    result = picture.copy()
    result[part] = picture[part] * (1.0 - (_SHADOW_STRENGTH / 255.0**2) * dark * open_ground)[..., None]
    return result


def paint_ghost(scene: mujoco.MjvScene, ghost_geoms: BoolArray, towards_camera: Array, scale: float) -> None:
    """Colour the ghost's geoms; turn the others black and move them a little along towards_camera (3,)."""
    nearer = _GHOST_BEHIND_M * scale * towards_camera
    for geom in scene.geoms[: scene.ngeom]:
        if geom.objid >= 0 and ghost_geoms[geom.objid]:
            _paint(geom, look.GHOST, glow=_GHOST_GLOW)
        else:
            _paint(geom, (0.0, 0.0, 0.0), glow=0.0)
            geom.pos[:] += nearer


def cover_of(pixels: Picture) -> NDArray[np.uint8]:
    """(height, width) 255 where anything is drawn that is not black."""
    drawn = (pixels[..., 0] | pixels[..., 1] | pixels[..., 2]) > 0
    return drawn.astype(np.uint8) * np.uint8(255)


def lay_over(picture: Picture, layer: Picture, cover: NDArray[np.uint8], strength: float) -> Picture:
    """The layer over the picture, cover (height, width) saying how much of each pixel it fills, of 255."""
    box = Image.fromarray(cover).getbbox()
    if box is None:
        return picture
    part = np.s_[box[1] : box[3], box[0] : box[2]]
    left = 1.0 - cover[part][..., None].astype(np.float32) * np.float32(strength / 255.0)
    result = picture.copy()  # the layer is black around, so it is weighted by its cover already
    result[part] = np.minimum(picture[part] * left + np.float32(strength) * layer[part], 255.0)
    return result


def _paint(geom: mujoco.MjvGeom, colour: look.Colour, glow: float) -> None:
    geom.matid, geom.texid = -1, -1
    geom.rgba[:] = (*colour, 1.0)
    geom.emission, geom.specular, geom.reflectance = glow, 0.0, 0.0
