"""The whole body moved a little, so that the limbs need not bend all the way to where they should be.

Letters: T frames.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.character.fitting.floor import lift
from understudy.character.returning.contacts import faded
from understudy.character.returning.editing import moved
from understudy.character.returning.holding import Hold
from understudy.character.returning.limbs import below
from understudy.motion import Clip
from understudy.rotations import Array

_STAY = 1.0  # how much the hips count that would rather stay, beside 1 for each limb that rests
_LEG_FADE_S, _ARM_FADE_S = 0.15, 0.3
_SMOOTH_S = 0.05
_REACH = 0.9995  # of the length of a leg
_REACH_ROUNDS = 2
_UP = np.array([0.0, 0.0, 1.0])


def shifted(shown: Clip, held: Sequence[Hold], floor_m: float) -> Clip:
    """The clip moved part of the way its resting limbs should go, to where its legs reach, and out of the floor."""
    if not held:
        return shown
    goals = [(hold, hold.goals(shown)) for hold in held if hold.contact.limb.is_leg]
    shown = moved(shown, _mean_way(shown, held))
    for _ in range(_REACH_ROUNDS):
        shown = moved(shown, np.sum([_towards(shown, hold, goal) for hold, goal in goals], axis=0))
    rest = ~below(shown.skeleton, [hold.contact.limb.lower for hold in held])
    heights = shown.joint_positions_w[:, rest, 2].min(axis=1) - floor_m
    return moved(shown, lift(heights, shown.rate_hz)[:, None] * _UP)


def _mean_way(shown: Clip, held: Sequence[Hold]) -> Array:
    """(T, 3) the weighted mean of staying and of the ways of all limbs [m]."""
    from scipy.ndimage import gaussian_filter1d

    total, weight = np.zeros((shown.frame_count, 3)), np.full((shown.frame_count, 1), _STAY)
    for hold in held:
        own = _weight(shown, hold)
        total, weight = total + own * hold.ways(shown), weight + own
    return gaussian_filter1d(total / weight, _SMOOTH_S * shown.rate_hz, axis=0, mode="nearest")


def _weight(shown: Clip, hold: Hold) -> Array:
    fade_s = _LEG_FADE_S if hold.contact.limb.is_leg else _ARM_FADE_S
    return faded(hold.contact.any_rests, shown.rate_hz, fade_s)


def _towards(shown: Clip, hold: Hold, goal: Array) -> Array:
    """(T, 3) the way [m] to where a stretched leg reaches a goal (T, 3)."""
    limb, places = hold.contact.limb, shown.joint_positions_w
    upper, middle, lower, end = (places[:, joint] for joint in (limb.upper, limb.middle, limb.lower, limb.end))
    length = np.linalg.norm(middle - upper, axis=1) + np.linalg.norm(lower - middle, axis=1)
    way = goal - (end - lower) - upper
    distance = np.linalg.norm(way, axis=1)
    beyond = np.maximum(distance - _REACH * length, 0.0) * _weight(shown, hold)[:, 0]
    return way * (lift(-beyond, shown.rate_hz) / np.maximum(distance, 1e-9))[:, None]
