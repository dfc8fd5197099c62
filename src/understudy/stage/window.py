"""The Window: the part of a picture that is drawn smoothly, because the figure is in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.rotations import Array
from understudy.stage.camera import View

_NEAREST = 0.05  # of the camera's distance; places nearer to the camera are taken to be this far ahead
_WHOLE = 0.7  # of the picture; a larger window is made the whole of it


@dataclass(frozen=True)
class Window:
    """Pixels of a picture from left and upper up to, not including, right and lower."""

    left: int
    upper: int
    right: int
    lower: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.lower - self.upper

    @property
    def slices(self) -> tuple[slice, slice]:
        """Where it is in an array of pixels, rows first."""
        return slice(self.upper, self.lower), slice(self.left, self.right)


def whole(size: tuple[int, int]) -> Window:
    """The whole picture, size being (width, height)."""
    return Window(0, 0, *size)


def window_around(places_w: Array, view: View, size: tuple[int, int], margin_px: float) -> Window:
    """The least window that shows places (N, 3) [m] with a margin around them."""
    width, height = size
    right, up, ahead = view.axes_w @ (places_w - view.position_w).T
    pixels_per_ratio = height * view.distance_m / view.visible_height_m
    ahead = np.maximum(ahead, _NEAREST * view.distance_m)
    x, y = 0.5 * width + pixels_per_ratio * right / ahead, 0.5 * height - pixels_per_ratio * up / ahead
    low = np.floor([x.min() - margin_px, y.min() - margin_px]).clip(0, [width - 1, height - 1]).astype(int)
    high = np.ceil([x.max() + margin_px, y.max() + margin_px]).clip(low + 1, [width, height]).astype(int)
    if np.prod(high - low) > _WHOLE * width * height:
        return whole(size)
    return Window(int(low[0]), int(low[1]), int(high[0]), int(high[1]))
