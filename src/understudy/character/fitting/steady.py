"""Where points that touch the floor should be: still while they rest, and smoothly led over from one rest to the next.

Letters: T frames, P points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.character.fitting.footfall import speeds
from understudy.character.fitting.kinematics import Postures
from understudy.character.fitting.spans import nearest, neighbours, runs
from understudy.character.fitting.touching import Touching
from understudy.rotations import Array, BoolArray

_RESTING_PER_M, _MOVING_PER_M = 200.0, 20.0  # weights beside 1 for a body turned wrong by a radian
_FADE_S = 0.12
_LEAST_CLEARANCE_M, _CLEARANCE_M_S = 0.015, 0.25


@dataclass(frozen=True)
class RestSettings:
    """When a point of a foot or hand counts as resting: a rest begins below the first two and ends above the others."""

    begin_height_m: float = 0.03
    begin_speed_m_s: float = 0.4
    end_height_m: float = 0.05
    end_speed_m_s: float = 0.7
    shortest_s: float = 0.06
    farthest_m: float = 0.08  # a rest in which the point strays farther is cut in two


@dataclass(frozen=True)
class Footholds:
    """Where the touching points should be.

    Attributes:
        places_w: (T, P, 3) [m].
        weights: (T, P) how much a metre off counts, beside 1 for a body turned wrong by a radian.
        rests: (T, P) whether they rest.
    """

    places_w: Array
    weights: Array
    rests: BoolArray


def footholds(touching: Touching, postures: Postures, rate_hz: float) -> Footholds:
    """Places near where the touching points are, on the floor and still while they rest, and clear of it when not."""
    settings = RestSettings()
    points = touching.points(postures)
    heights = touching.heights(postures)
    rests = resting(points, heights, rate_hz, settings)
    places, weights = np.array(points), np.empty(rests.shape)
    for p in range(points.shape[1]):
        partner = (touching.limbs == touching.limbs[p]) & (np.arange(points.shape[1]) != p)
        both = rests[:, p] & rests[:, partner].all(axis=1)
        shift = np.full((len(points), 3), np.nan)
        for start, stop in _short_enough(points[:, p], runs(rests[:, p]), settings.farthest_m):
            flat = both[start:stop] if both[start:stop].any() else np.ones(stop - start, bool)
            place = points[start:stop, p][flat].mean(axis=0)
            shift[start:stop, :2] = place[:2] - points[start:stop, p, :2]
            shift[start:stop, 2] = -heights[start:stop, p]
        away_s = _time_to_rest(rests[:, p], rate_hz)
        shift = _bridged(shift)
        least = np.minimum(_LEAST_CLEARANCE_M, _CLEARANCE_M_S * away_s)
        shift[:, 2] = np.maximum(shift[:, 2], least - heights[:, p])
        places[:, p] += shift
        fade = np.clip(away_s / _FADE_S, 0.0, 1.0)
        weights[:, p] = _RESTING_PER_M * (_MOVING_PER_M / _RESTING_PER_M) ** fade
    return Footholds(places, weights, rests)


def resting(points: Array, heights: Array, rate_hz: float, settings: RestSettings) -> BoolArray:
    """(T, P) whether points at (T, P, 3), so high above the floor (T, P), rest."""
    speed = speeds(points, rate_hz)
    begins = (heights < settings.begin_height_m) & (speed < settings.begin_speed_m_s)
    lasts = (heights < settings.end_height_m) & (speed < settings.end_speed_m_s)
    result = np.zeros(begins.shape, bool)
    shortest = max(1, round(settings.shortest_s * rate_hz))
    for p in range(points.shape[1]):
        for start, stop in runs(lasts[:, p] | begins[:, p]):
            if begins[start:stop, p].any() and stop - start >= shortest:
                result[start:stop, p] = True
    return result


def _short_enough(places: Array, rests: list[tuple[int, int]], farthest_m: float) -> list[tuple[int, int]]:
    """The rests, cut in halves as long as the point strays too far from its mean place in one of them."""
    result, waiting = [], list(rests)
    while waiting:
        start, stop = waiting.pop()
        within = places[start:stop, :2]
        if stop - start > 2 and np.linalg.norm(within - within.mean(axis=0), axis=1).max() > farthest_m:
            middle = (start + stop) // 2
            waiting += [(start, middle), (middle, stop)]
        else:
            result.append((start, stop))
    return result


def _time_to_rest(rests: BoolArray, rate_hz: float) -> Array:
    """(T,) time [s] to the nearest frame of rest, before or after."""
    known = np.flatnonzero(rests)
    if not len(known):
        return np.full(len(rests), np.inf)
    return np.abs(nearest(known, len(rests)) - np.arange(len(rests))) / rate_hz


def _bridged(shift: Array) -> Array:
    """Shifts (T, 3), what is missing led over smoothly from the one before to the one after; zero when none is known."""
    known = np.flatnonzero(np.isfinite(shift[:, 0]))
    if not len(known):
        return np.zeros_like(shift)
    before, after = neighbours(known, len(shift))
    share = np.clip((np.arange(len(shift)) - before) / np.maximum(after - before, 1), 0.0, 1.0)[:, None]
    share = share**2 * (3.0 - 2.0 * share)
    return shift[before] + share * (shift[after] - shift[before])
