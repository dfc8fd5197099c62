"""The Canvas: draws a staged performance, its ghost and its contacts into pictures."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

import mujoco
import numpy as np
from numpy.typing import NDArray

from understudy.errors import UnderstudyError
from understudy.stage import layers, look
from understudy.stage.camera import Camera, View
from understudy.stage.layers import Picture
from understudy.stage.marks import add_arrows, add_discs, arrow_ends
from understudy.stage.painter import Painter
from understudy.stage.performance import Performance, Touches
from understudy.stage.staging import Staging
from understudy.stage.window import Window, whole, window_around

_SHADOW_BLUR_M = 0.02  # at a person's scale
_SMALLEST, _LARGEST = 16, 4096  # pixels
_ALL, _MOVING = mujoco.mjtCatBit.mjCAT_ALL, mujoco.mjtCatBit.mjCAT_DYNAMIC


class Canvas:
    """Draws one performance; to be closed, or used with ``with``.

    The part of the picture around the figure is drawn at ``smoothing`` times its size and averaged, which on a software
    renderer is cheaper than multisampling; bare ground and sky need none of it. On flat ground the shadow is a soft
    layer of its own; on other ground it is MuJoCo's shadow map, and the whole picture is smooth.
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
        self.staging = Staging(performance, ghost, (smoothing * width, smoothing * height))
        self.camera = Camera(self.staging, width / height, moments=moments)
        self._soft_shadows = shadows and self.staging.is_flat
        self._painter = Painter(self.staging, size, smoothing, shadow_maps=shadows and not self.staging.is_flat)

    def __enter__(self) -> Canvas:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the graphics memory back."""
        self._painter.close()

    def draw(self, time_s: float, view: View | None = None) -> Picture:
        """The picture at that time, seen as the camera does unless another view is given."""
        view = view or self.camera.view(time_s)
        self.staging.pose(time_s)
        touches = self.staging.touches_at(time_s)
        self._painter.fill(view, _ALL)
        if touches is not None:
            add_discs(self._painter.scene, touches, self.staging.scale)
        window = self._window(view, touches)
        part = self._painter.shrink(self._painter.paint(window))
        if window == whole(self.size):
            picture = part.copy()
        else:
            picture = self._painter.paint(whole(self.size), smooth=False)[::-1].copy()
        picture[window.slices] = self._with_layers(part, window, view, touches)
        return picture

    def segments(self, time_s: float, view: View | None = None) -> NDArray[np.int32]:
        """(height, width) for each pixel the model's geom drawn there, -1 where there is none; no ghost."""
        view = view or self.camera.view(time_s)
        self.staging.pose(time_s)
        self._painter.fill(view, _ALL)
        return self._painter.paint_segments(whole(self.size))

    def _with_layers(self, part: Picture, window: Window, view: View, touches: Touches | None) -> Picture:
        if self._soft_shadows:
            part = self._with_shadow(part, window, view)
        if self.staging.ghost is not None:
            part = self._with_ghost(part, window, view)
        if touches is not None and (touches.loads or touches.pushes):
            part = self._with_arrows(part, window, view, touches)
        return part

    def _window(self, view: View, touches: Touches | None) -> Window:
        """What is around the figure, the ghost, the shadow and the arrows; all of it when there is scenery."""
        staging = self.staging
        if staging.has_scenery:
            return whole(self.size)
        figure, ghost = staging.corners(staging.figure_geoms), staging.corners(staging.ghost_geoms)
        shadow = layers.flattened(figure, look.sun_direction(view.azimuth_rad))
        places = [figure, ghost, shadow]
        if touches is not None:
            places += [touches.places_w, arrow_ends(touches, staging.weight_n, staging.scale)]
        everything = np.concatenate(places)
        if not len(everything):
            return whole(self.size)
        return window_around(everything, view, self.size, margin_px=4.0 + 3.0 * self._blur_px(view))

    def _blur_px(self, view: View) -> float:
        return _SHADOW_BLUR_M * self.staging.scale * self.size[1] / view.visible_height_m

    def _with_shadow(self, part: Picture, window: Window, view: View) -> Picture:
        painter = self._painter
        painter.fill(view, _MOVING)
        layers.paint_shadow(painter.scene, look.sun_direction(view.azimuth_rad), self.staging.scale)
        return layers.lay_shadow(part, painter.shrink(painter.paint_layer(window)), self._blur_px(view))

    def _with_ghost(self, part: Picture, window: Window, view: View) -> Picture:
        """The ghost over the picture where the figure does not hide it."""
        self._painter.fill(view, _MOVING, ghost=True)
        layers.paint_ghost(self._painter.scene, self.staging.ghost_geoms, -view.axes_w[2], self.staging.scale)
        return self._lay_over(part, window, layers.GHOST_STRENGTH)

    def _with_arrows(self, part: Picture, window: Window, view: View, touches: Touches) -> Picture:
        """Arrows over everything, for they begin inside of feet."""
        self._painter.fill(view, _MOVING)
        self._painter.scene.ngeom = 0
        add_arrows(self._painter.scene, touches, self.staging.weight_n, self.staging.scale)
        return self._lay_over(part, window, layers.ARROW_STRENGTH) if self._painter.scene.ngeom else part

    def _lay_over(self, part: Picture, window: Window, strength: float) -> Picture:
        pixels = self._painter.paint_layer(window)
        shrink = self._painter.shrink
        return layers.lay_over(part, shrink(pixels), shrink(layers.cover_of(pixels)), strength)
