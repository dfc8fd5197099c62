"""Hands and feet that would be rammed into the floor are bent to lie on it.

Recordings seldom have a wrist's bend when a hand bears weight: the hand goes straight on along the forearm, through the
floor. It is turned, by no more than needed, the way that brings the palm (or the back of the hand, when that is nearer)
down; a foot likewise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations
from understudy.character.fitting.ground import Shape, lowest_point
from understudy.character.fitting.kinematics import Postures
from understudy.character.fitting.targets import BodyTarget
from understudy.rotations import Array, BoolArray
from understudy.spans import nearest, runs

_STEPS = 12
_SMOOTH_S = 0.08
_BACK = 0.3  # a palm that faces up by more than this sine comes down on its back
SUNK_M = {"hand": 0.005, "foot": 0.03}
"""How deep hands and feet may be in the floor before they are bent [m]; feet roll over toes that can't bend."""


def landed(target: BodyTarget, part: str, parts: tuple[Shape, ...], postures: Postures, rate_hz: float) -> BodyTarget:
    """The target of a hand or foot (``part`` says which), bent where it would be rammed into the floor.

    Args:
        postures: poses that meet the targets; only the places of the wrist or ankle count.
    """
    own = tuple(shape for shape in parts if shape.body == target.body)
    if not own:
        return target
    place, shares = postures.positions_w[:, target.body], np.linspace(0.0, 1.0, _STEPS + 1)
    sunk = np.min([lowest_point(shape, place, target.rotations_w)[:, 2] for shape in own], axis=0) < -SUNK_M[part]
    if not sunk.any():
        return target
    palm = rotations.rotate(target.rotations_w, -target.axes_b[2])  # palms and soles face down in the T-pose
    ground = np.zeros_like(palm)
    ground[:, 2] = _by_run(sunk, np.where(palm[:, 2] > _BACK, 1.0, -1.0))
    bend = rotations.log(rotations.between(palm, ground))
    turns = [rotations.multiply(rotations.exp(share * bend), target.rotations_w) for share in shares]
    lowest = np.array([np.min([lowest_point(shape, place, turn)[:, 2] for shape in own], axis=0) for turn in turns])
    enough = lowest > -SUNK_M[part]
    share = _smooth(np.where(enough.any(axis=0), shares[np.argmax(enough, axis=0)], 1.0), rate_hz)
    return replace(target, rotations_w=rotations.multiply(rotations.exp(share[:, None] * bend), target.rotations_w))


def _by_run(labels: BoolArray, signs: Array) -> Array:
    """(T,) one sign for each row of true labels (T,), that of most of its frames; the nearest row's elsewhere."""
    chosen = np.zeros(len(signs))
    for start, stop in runs(labels):
        chosen[start:stop] = np.sign(signs[start:stop].sum() - 0.5)
    return chosen[nearest(np.flatnonzero(labels), len(signs))]


def _smooth(share: Array, rate_hz: float) -> Array:
    """(T,) the shares or more, without jumps in time."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    frames = max(1, round(_SMOOTH_S * rate_hz))
    size = frames + 1 - frames % 2
    highest = maximum_filter1d(share, 2 * frames + 1, mode="nearest")
    return uniform_filter1d(uniform_filter1d(highest, size, mode="nearest"), size, mode="nearest")
