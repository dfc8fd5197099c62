"""The Painter: MuJoCo's renderer on an offscreen context; it draws windows of a picture at several times their size."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from understudy.stage import look
from understudy.stage.camera import View
from understudy.stage.graphics import offscreen_context
from understudy.stage.layers import Picture
from understudy.stage.marks import MOST_MARKS
from understudy.stage.staging import GHOST_GROUP, Staging
from understudy.stage.window import Window


class Painter:
    """Draws the scene it is filled with; to be closed.

    Attributes:
        scene: what will be drawn; its geoms may be changed between ``fill`` and ``paint``.
    """

    def __init__(self, staging: Staging, size: tuple[int, int], smoothing: int, *, shadow_maps: bool) -> None:
        """size is the picture's (width, height) in pixels."""
        self._staging, self._size, self._smoothing = staging, size, smoothing
        self._gl = offscreen_context(smoothing * size[0], smoothing * size[1])
        self._context = mujoco.MjrContext(staging.model, mujoco.mjtFontScale.mjFONTSCALE_100)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self.scene = mujoco.MjvScene(staging.model, 2 * staging.model.ngeom + MOST_MARKS)
        self._option, self._camera = mujoco.MjvOption(), mujoco.MjvCamera()
        self.scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = shadow_maps
        self.scene.flags[mujoco.mjtRndFlag.mjRND_HAZE] = True
        self.scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False

    def close(self) -> None:
        """Give the graphics memory back."""
        self._gl.make_current()
        self._context.free()
        self._gl.free()

    def fill(self, view: View, category: mujoco.mjtCatBit, *, ghost: bool = False) -> None:
        """Put the staging's geoms of that category into the scene, in their present pose, and the sun."""
        camera = self._camera
        camera.lookat[:], camera.distance = view.lookat_w, view.distance_m
        camera.azimuth, camera.elevation = np.degrees(view.azimuth_rad), np.degrees(view.elevation_rad)
        self._option.geomgroup[GHOST_GROUP] = ghost
        model, data = self._staging.model, self._staging.data
        mujoco.mjv_updateScene(model, data, self._option, None, camera, int(category), self.scene)
        direction = look.sun_direction(view.azimuth_rad)
        for light in self.scene.lights[: self.scene.nlight]:
            if not light.headlight:
                light.pos[:] = view.lookat_w - 3.0 * self._staging.scale * direction
                light.dir[:] = direction

    def paint(self, window: Window, *, smooth: bool = True) -> Picture:
        """The scene's pixels in that window, ``smoothing`` times as many if smooth, bottom row first."""
        times = self._smoothing if smooth else 1
        rect = mujoco.MjrRect(0, 0, times * window.width, times * window.height)
        self._gl.make_current()
        pixels = np.empty((rect.height, rect.width, 3), np.uint8)
        with self._cropped(window):
            mujoco.mjr_render(rect, self.scene, self._context)
        mujoco.mjr_readPixels(pixels, None, rect, self._context)
        return pixels

    def paint_layer(self, window: Window) -> Picture:
        """The same on black, without shadows."""
        with self._flags({mujoco.mjtRndFlag.mjRND_SHADOW: False, mujoco.mjtRndFlag.mjRND_SKYBOX: False}):
            return self.paint(window)

    def paint_segments(self, window: Window) -> NDArray[np.int32]:
        """(height, width) the model's geom at each pixel, -1 where there is none; top row first."""
        with self._flags({mujoco.mjtRndFlag.mjRND_SEGMENT: True, mujoco.mjtRndFlag.mjRND_IDCOLOR: True}):
            pixels = self.paint(window, smooth=False)[::-1].astype(np.int32)
        geoms = np.full(self.scene.ngeom + 1, -1, np.int32)
        for geom in self.scene.geoms[: self.scene.ngeom]:
            if geom.segid >= 0 and geom.objtype == mujoco.mjtObj.mjOBJ_GEOM:
                geoms[geom.segid + 1] = geom.objid
        return geoms[pixels @ np.array([1, 256, 65536], np.int32)]

    def shrink(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The means of blocks of smoothly painted pixels, top row first."""
        return np.asarray(Image.fromarray(pixels).reduce(self._smoothing))[::-1]

    @contextlib.contextmanager
    def _flags(self, changes: Mapping[mujoco.mjtRndFlag, bool]) -> Iterator[None]:
        """Other render flags for a while."""
        before = self.scene.flags.copy()
        for flag, value in changes.items():
            self.scene.flags[flag] = value
        try:
            yield
        finally:
            self.scene.flags[:] = before

    @contextlib.contextmanager
    def _cropped(self, window: Window) -> Iterator[None]:
        """The cameras' field of view narrowed to the window for a while."""
        width, height = self._size
        eyes = self.scene.camera
        before = [(eye.frustum_center, eye.frustum_bottom, eye.frustum_top) for eye in eyes]
        for eye, (centre, bottom, top) in zip(eyes, before, strict=True):
            pixel = (top - bottom) / height
            eye.frustum_center = centre + pixel * (0.5 * (window.left + window.right) - 0.5 * width)
            eye.frustum_top, eye.frustum_bottom = top - pixel * window.upper, top - pixel * window.lower
        try:
            yield
        finally:
            for eye, saved in zip(eyes, before, strict=True):
                eye.frustum_center, eye.frustum_bottom, eye.frustum_top = saved
