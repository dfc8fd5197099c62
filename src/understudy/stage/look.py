"""How everything is dressed: a pale room, a soft sun, and a few colours that mean the same in pictures and plots."""

from __future__ import annotations

import mujoco
import numpy as np

from understudy.rotations import Array

Colour = tuple[float, float, float]

LEFT: Colour = (0.10, 0.56, 0.60)  # teal
RIGHT: Colour = (0.93, 0.47, 0.33)  # coral
CENTRE: Colour = (0.25, 0.31, 0.42)  # slate
GHOST: Colour = (0.42, 0.45, 0.95)  # violet
CONTACT: Colour = (0.98, 0.72, 0.14)  # amber
FORCE: Colour = (0.20, 0.66, 0.36)  # green
INK: Colour = (0.13, 0.16, 0.22)
FAINT: Colour = (0.52, 0.56, 0.63)
PAPER: Colour = (0.965, 0.970, 0.980)
PALETTE: tuple[Colour, ...] = (LEFT, RIGHT, CENTRE, GHOST, CONTACT, FORCE, INK, PAPER)

_HORIZON: Colour = (0.955, 0.962, 0.972)
_ZENITH: Colour = (0.800, 0.860, 0.930)
_TILES: tuple[Colour, Colour] = ((0.905, 0.915, 0.930), (0.862, 0.876, 0.898))
_PROP: Colour = (0.74, 0.77, 0.81)
_PLAIN = (0.5, 0.5, 0.5, 1.0)  # MuJoCo's colour of a geom that was given none

TILE_M = 0.5
_SUN_FROM = np.array([-0.55, 0.45, 1.3])  # where the light comes from, seen by the camera: ahead, right, up


def dress(spec: mujoco.MjSpec, scale: float) -> None:
    """Replace sky, ground colours and lights of a scene by ours; scale is the figure's height over a person's."""
    for texture in [t for t in spec.textures if t.type == mujoco.mjtTexture.mjTEXTURE_SKYBOX]:
        spec.delete(texture)
    for light in list(spec.lights):
        spec.delete(light)
    spec.add_texture(
        name="understudy/sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=_ZENITH,
        rgb2=_HORIZON,
        width=128,
        height=128 * 6,
    )
    _tile(spec, scale)
    spec.worldbody.add_light(
        name="understudy/sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=(0, 0, 4 * scale),
        dir=(0, 0, -1),
        castshadow=True,
        ambient=(0, 0, 0),
        diffuse=(0.50, 0.49, 0.47),
        specular=(0.12, 0.12, 0.12),
    )
    _set_visuals(spec, scale)


def sun_direction(azimuth_rad: float) -> Array:
    """(3,) where sunlight goes, for a camera that looks along that azimuth: the sun goes round with it."""
    ahead = np.array([np.cos(azimuth_rad), np.sin(azimuth_rad), 0.0])
    right = np.array([ahead[1], -ahead[0], 0.0])
    from_w = _SUN_FROM @ np.array([ahead, right, [0.0, 0.0, 1.0]])
    return -from_w / np.linalg.norm(from_w)


def add_ground(spec: mujoco.MjSpec) -> None:
    """An endless floor at z = 0, to be dressed."""
    spec.worldbody.add_geom(
        name="understudy/ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=(0, 0, 1), contype=0, conaffinity=0
    )


def _tile(spec: mujoco.MjSpec, scale: float) -> None:
    """Planes become a pale chequered floor that casts no shadow on itself; plain props become grey."""
    spec.add_texture(
        name="understudy/tiles",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=_TILES[0],
        rgb2=_TILES[1],
        width=256,
        height=256,
    )
    repeats = 1.0 / (2.0 * TILE_M * scale)  # the texture holds two tiles a side
    material = spec.add_material(
        name="understudy/tiles", texrepeat=(repeats, repeats), texuniform=True, specular=0.0, shininess=0.0
    )
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "understudy/tiles"
    for geom in spec.worldbody.geoms:
        if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
            geom.material, geom.castshadow = "understudy/tiles", False
        elif not geom.material and tuple(geom.rgba) == _PLAIN:
            geom.rgba = (*_PROP, 1.0)


def _set_visuals(spec: mujoco.MjSpec, scale: float) -> None:
    visual = spec.visual
    visual.quality.shadowsize, visual.quality.offsamples = 1024, 0  # smoothing is done by drawing at twice the size
    visual.quality.numslices, visual.quality.numstacks = 24, 12
    visual.headlight.active = 1
    visual.headlight.ambient = (0.44, 0.45, 0.47)
    visual.headlight.diffuse = (0.26, 0.26, 0.26)
    visual.headlight.specular = (0.04, 0.04, 0.04)
    visual.map.haze = 0.5
    visual.map.shadowclip, visual.map.znear, visual.map.zfar = 1.0, 0.02, 150.0
    visual.rgba.haze = (*_HORIZON, 1.0)
    spec.stat.extent, spec.stat.center = 1.7 * scale, (0.0, 0.0, 0.9 * scale)
