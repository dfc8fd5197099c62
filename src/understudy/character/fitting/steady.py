"""Where points that touch the floor should be: still while they rest, and smoothly led over from one rest to the next.

Letters: T frames, P points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.character.fitting.footfall import speeds
from understudy.character.fitting.kinematics import Postures
from understudy.character.fitting.touching import Touching
from understudy.rotations import Array, BoolArray
from understudy.spans import bridged, runs, time_to

_RESTING_PER_M, _MOVING_PER_M = 200.0, 60.0  # weights beside 1 for a body turned wrong by a radian
_FADE_S = 0.12
_CLEARANCE_M, _CLEARANCE_M_S = 0.015, 0.6  # how high moving feet are at least, and how fast they get there


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
    places, away_s = np.array(points), np.empty(rests.shape)
    for p in range(points.shape[1]):
        partner = (touching.limbs == touching.limbs[p]) & (np.arange(points.shape[1]) != p)
        both = rests[:, p] & rests[:, partner].all(axis=1)
        away_s[:, p] = time_to(rests[:, p], rate_hz)
        shift = _shifts(points[:, p], heights[:, p], rests[:, p], both, settings)
        places[:, p] += bridged(shift, np.isfinite(shift[:, 0]))
    least = points[..., 2] - heights + np.minimum(_CLEARANCE_M, _CLEARANCE_M_S * away_s)
    places[..., 2] = np.maximum(places[..., 2], least)
    fade = np.clip(away_s / _FADE_S, 0.0, 1.0)
    for limb in np.unique(touching.limbs[touching.feet]):
        heel, tip = np.flatnonzero(touching.limbs == limb)
        length = float(np.linalg.norm(touching.places[heel] - touching.places[tip]))
        places[:, heel], places[:, tip] = _as_long_as(
            length, places[:, heel], places[:, tip], fade[:, heel], fade[:, tip]
        )
    places[..., 2] = np.maximum(places[..., 2], least)
    return Footholds(places, _RESTING_PER_M * (_MOVING_PER_M / _RESTING_PER_M) ** fade, rests)


def lowered(holds: Footholds, touching: Touching, postures: Postures) -> Footholds:
    """The footholds with resting hands as high as their bodies, turned as in given poses, lie on the floor."""
    places = np.array(holds.places_w)
    hands = holds.rests & ~touching.feet
    places[..., 2] = np.where(hands, touching.points(postures)[..., 2] - touching.heights(postures), places[..., 2])
    return Footholds(places, holds.weights, holds.rests)


def _shifts(places: Array, heights: Array, rests: BoolArray, both: BoolArray, settings: RestSettings) -> Array:
    """(T, 3) from where a point is to where it rests; not a number when it does not rest.

    It rests where it is on average, where it can while its whole foot rests (``both``).
    """
    shift = np.full((len(places), 3), np.nan)
    for start, stop in _short_enough(places, runs(rests), settings.farthest_m):
        flat = both[start:stop] if both[start:stop].any() else np.ones(stop - start, bool)
        shift[start:stop, :2] = places[start:stop][flat].mean(axis=0)[:2] - places[start:stop, :2]
        shift[start:stop, 2] = -heights[start:stop]
    return shift


def _as_long_as(length: float, heel: Array, tip: Array, heel_free: Array, tip_free: Array) -> tuple[Array, Array]:
    """Places (T, 3) of both ends of a foot moved to be ``length`` [m] apart; the freer (T,) of the two moves more."""
    along = tip - heel
    size = np.linalg.norm(along, axis=1, keepdims=True)
    excess = along * (1.0 - length / np.maximum(size, 1e-9))
    share = ((heel_free + 1e-6) / (heel_free + tip_free + 2e-6))[:, None]
    return heel + share * excess, tip - (1.0 - share) * excess


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
