"""How high the floor is under a character's poses."""

from __future__ import annotations

import numpy as np

from understudy.character.fitting.footfall import speeds
from understudy.character.fitting.ground import lowest_points
from understudy.character.fitting.kinematics import Postures
from understudy.character.fitting.touching import Touching
from understudy.rotations import Array

_SLOW_M_S = 0.3
_WIDTH_M = 0.015
_ENOUGH_S = 0.1
_NEAR_M = 0.03
_MANY = 10_000  # heights are enough
_SMOOTH_S = 0.12


def floor_height(touching: Touching, postures: Postures, rate_hz: float) -> float:
    """The height [m] that flat feet rest at most of the time; without them, where the body rests, or is lowest.

    A clip may stand on a mat, or dip into one: the height which the most resting frames agree on is the floor.
    """
    soles, flat = touching.points(postures)[:, touching.feet], touching.level(postures)[:, touching.feet]
    lowest = lowest_points(touching.parts, postures)
    for places, level in ((soles, flat), (lowest, np.ones(lowest.shape[:2], bool))):
        if places.shape[1]:
            near_lowest = places[..., 2] < places[..., 2].min(axis=1, keepdims=True) + _NEAR_M
            heights = places[..., 2][(speeds(places, rate_hz) < _SLOW_M_S) & near_lowest & level]
            if len(heights) >= _ENOUGH_S * rate_hz:
                return _commonest(heights)
    return float(np.quantile(lowest[..., 2].min(axis=1), 0.05))


def _commonest(heights: Array) -> float:
    """The height (N,) -> () around which most lie."""
    heights = heights[:: len(heights) // _MANY + 1]
    grid = np.linspace(heights.min(), heights.max(), 400)
    near = np.exp(-0.5 * ((grid[:, None] - heights[None]) / _WIDTH_M) ** 2).sum(axis=1)
    centre = grid[int(np.argmax(near))]
    close = np.abs(heights - centre) < 2.0 * _WIDTH_M
    return float(heights[close].mean()) if close.any() else float(centre)


def lift(heights: Array, rate_hz: float) -> Array:
    """(T,) how far to lift poses [m], smoothly in time, so that their lowest parts, at heights (T,), are above 0."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    frames = max(1, round(_SMOOTH_S * rate_hz))
    need = np.maximum(-heights, 0.0)
    highest = maximum_filter1d(need, 2 * frames + 1, mode="nearest")
    once = uniform_filter1d(highest, frames + 1 - frames % 2, mode="nearest")  # twice a box is close to a bell
    return np.maximum(uniform_filter1d(once, frames + 1 - frames % 2, mode="nearest"), need)
