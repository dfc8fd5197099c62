"""The Canvas: draws a staged performance, its ghost and its contacts into pictures."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from understudy.errors import UnderstudyError
from understudy.stage import layers, look
from understudy.stage.camera import Camera, View
from understudy.stage.graphics import offscreen_context
from understudy.stage.layers import Picture
from understudy.stage.marks import MOST_MARKS, add_arrows, add_discs
from understudy.stage.performance import Performance, Touches
from understudy.stage.staging import GHOST_GROUP, Staging

_SHADOW_BLUR_M = 0.02  # at a person's scale
_SMALLEST, _LARGEST = 16, 4096  # pixels


class Canvas:
    """Draws one performance; to be closed, or used with ``with``.

    Pictures are drawn at ``smoothing`` times their size and averaged, which on a software renderer is cheaper than
    multisampling. On flat ground the shadow is a soft layer of its own; on other ground MuJoCo's shadow map.
    """

    def __init__(
        self,
        performance: Performance,
        ghost: Performance | None = None,
        *,
        size: tuple[int, int] = (854, 480),
        shadows: bool = True,
        smoothing: int = 2,
        moments: Sequence[float] | None = None,
    ) -> None:
        """size is (width, height) in pixels; moments, when only a few will be drawn, as Camera has them."""
        width, height = size
        if not (min(size) >= _SMALLEST and max(size) <= _LARGEST):
            raise UnderstudyError(
                f"pictures are {_SMALLEST} to {_LARGEST} pixels wide and high, not {width} x {height}"
            )
        self.size = size
        self._smoothing = smoothing
        self._rect = mujoco.MjrRect(0, 0, width * smoothing, height * smoothing)
        self.staging = Staging(performance, ghost, (self._rect.width, self._rect.height))
        self.camera = Camera(self.staging, width / height, moments=moments)
        self._soft_shadows = shadows and self.staging.is_flat
        self._open(shadows and not self.staging.is_flat)

    def _open(self, shadow_maps: bool) -> None:
        model = self.staging.model
        self._gl = offscreen_context(self._rect.width, self._rect.height)
        self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self._scene = mujoco.MjvScene(model, 2 * model.ngeom + MOST_MARKS)
        self._option = mujoco.MjvOption()
        self._free_camera = mujoco.MjvCamera()
        self._scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = shadow_maps
        self._scene.flags[mujoco.mjtRndFlag.mjRND_HAZE] = True
        self._scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False

    def __enter__(self) -> Canvas:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the graphics memory back."""
        self._gl.make_current()
        self._context.free()
        self._gl.free()

    def draw(self, time_s: float, view: View | None = None) -> Picture:
        """The picture at that time, seen as the camera does unless another view is given."""
        view = view or self.camera.view(time_s)
        self._stage(time_s, view)
        touches = self.staging.touches_at(time_s)
        if touches is not None:
            add_discs(self._scene, touches, self.staging.scale)
        picture = self._shrink(self._render())
        if self._soft_shadows:
            picture = self._with_shadow(picture, view)
        if self.staging.ghost is not None:
            picture = self._with_ghost(picture, view)
        if touches is not None and (touches.loads or touches.pushes):
            picture = self._with_arrows(picture, touches)
        return picture

    def segments(self, time_s: float, view: View | None = None) -> NDArray[np.int32]:
        """(height, width) for each pixel the model's geom drawn there, -1 where there is none; no ghost."""
        self._stage(time_s, view or self.camera.view(time_s))
        with self._flags({mujoco.mjtRndFlag.mjRND_SEGMENT: True, mujoco.mjtRndFlag.mjRND_IDCOLOR: True}):
            pixels = self._render()[:: self._smoothing, :: self._smoothing][::-1].astype(np.int32)
        geoms = np.full(self._scene.ngeom + 1, -1, np.int32)
        for geom in self._scene.geoms[: self._scene.ngeom]:
            if geom.segid >= 0 and geom.objtype == mujoco.mjtObj.mjOBJ_GEOM:
                geoms[geom.segid + 1] = geom.objid
        return geoms[pixels @ np.array([1, 256, 65536], np.int32)]

    def _stage(self, time_s: float, view: View) -> None:
        """Fill the scene with all but the ghost at that time, sun and camera following."""
        self.staging.pose(time_s)
        camera = self._free_camera
        camera.lookat[:], camera.distance = view.lookat_w, view.distance_m
        camera.azimuth, camera.elevation = np.degrees(view.azimuth_rad), np.degrees(view.elevation_rad)
        self._fill_scene(mujoco.mjtCatBit.mjCAT_ALL, ghost=False)
        direction = look.sun_direction(view.azimuth_rad)
        for light in self._scene.lights[: self._scene.nlight]:
            if not light.headlight:
                light.pos[:] = view.lookat_w - 3.0 * self.staging.scale * direction
                light.dir[:] = direction

    def _fill_scene(self, category: mujoco.mjtCatBit, *, ghost: bool) -> None:
        self._option.geomgroup[GHOST_GROUP] = ghost
        staging = self.staging
        mujoco.mjv_updateScene(
            staging.model, staging.data, self._option, None, self._free_camera, int(category), self._scene
        )

    @contextlib.contextmanager
    def _flags(self, changes: Mapping[mujoco.mjtRndFlag, bool]) -> Iterator[None]:
        """Other render flags for a while."""
        before = self._scene.flags.copy()
        for flag, value in changes.items():
            self._scene.flags[flag] = value
        try:
            yield
        finally:
            self._scene.flags[:] = before

    def _render(self) -> Picture:
        """The scene's pixels at full size, bottom row first."""
        self._gl.make_current()
        mujoco.mjr_render(self._rect, self._scene, self._context)
        pixels = np.empty((self._rect.height, self._rect.width, 3), np.uint8)
        mujoco.mjr_readPixels(pixels, None, self._rect, self._context)
        return pixels

    def _render_layer(self) -> Picture:
        """The same on black, without shadows."""
        with self._flags({mujoco.mjtRndFlag.mjRND_SHADOW: False, mujoco.mjtRndFlag.mjRND_SKYBOX: False}):
            return self._render()

    def _shrink(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The means of blocks of pixels, top row first."""
        return np.asarray(Image.fromarray(pixels).reduce(self._smoothing))[::-1]

    def _with_shadow(self, picture: Picture, view: View) -> Picture:
        self._fill_scene(mujoco.mjtCatBit.mjCAT_DYNAMIC, ghost=False)
        layers.paint_shadow(self._scene, look.sun_direction(view.azimuth_rad), self.staging.scale)
        pixels_per_m = self.size[1] / view.visible_height_m
        blur_px = _SHADOW_BLUR_M * self.staging.scale * pixels_per_m
        return layers.lay_shadow(picture, self._shrink(self._render_layer()), blur_px)

    def _with_ghost(self, picture: Picture, view: View) -> Picture:
        """The ghost over the picture where the figure does not hide it."""
        self._fill_scene(mujoco.mjtCatBit.mjCAT_DYNAMIC, ghost=True)
        layers.paint_ghost(self._scene, self.staging.ghost_geoms, -view.axes_w[2], self.staging.scale)
        return self._lay_over(picture, layers.GHOST_STRENGTH)

    def _with_arrows(self, picture: Picture, touches: Touches) -> Picture:
        """Arrows over everything, for they begin inside of feet."""
        self._scene.ngeom = 0
        add_arrows(self._scene, touches, self.staging.weight_n, self.staging.scale)
        return self._lay_over(picture, layers.ARROW_STRENGTH) if self._scene.ngeom else picture

    def _lay_over(self, picture: Picture, strength: float) -> Picture:
        pixels = self._render_layer()
        return layers.lay_over(picture, self._shrink(pixels), self._shrink(layers.cover_of(pixels)), strength)
