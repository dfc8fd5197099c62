"""From keys to a pose for every frame: the first guess the solver starts from and stays near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from understudy.motion.authoring.body import REGIONS, Puppet
from understudy.motion.authoring.kinematics import pose
from understudy.motion.authoring.score import Score, within
from understudy.rotations import Array, BoolArray
from understudy.spans import runs

GRAVITY = 9.81
SMOOTHING_S = 0.03  # rounds the accelerations at keys, which the splines leave to jump

HOLD_EDGE_S = 0.15  # a held key is still but for this long at either end of its hold


@dataclass(frozen=True)
class Targets:
    """What the solver aims at in each of T frames of ``rate_hz``.

    Attributes:
        x: (T, 3 + D) root places [m] and angles [rad].
        placed: (T, 3) whether the score gives the root's place along x, y, z.
        weight: (T,) how firmly the pose is kept.
        planted: (T, K) which balls are planted.
        rolling: (T, G) which regions of the body touch the floor wherever they are lowest.
        held: (T,) whether a key is being held.
        shift: (3 + D,) from a frame to the same frame one cycle on; None when the clip does not repeat.
    """

    rate_hz: float
    x: Array
    placed: BoolArray
    weight: Array
    planted: BoolArray
    rolling: BoolArray
    held: BoolArray
    shift: Array | None

    @property
    def flying(self) -> BoolArray:
        """(T,) whether nothing touches the floor."""
        return _untouched(self.planted, self.rolling)


def targets(puppet: Puppet, score: Score, rate_hz: float) -> Targets:
    """The targets of a score: shape-preserving splines through the keys, holds kept still, curves laid over."""
    count = round(score.duration_s * rate_hz) + (0 if score.cycle else 1)
    times = np.arange(count) / rate_hz
    planted = np.zeros((count, len(puppet.ball_names)), bool)
    for contact in score.contacts:
        rows = within(times, contact.from_s, contact.to_s, score.duration_s if score.cycle else None)
        for ball in contact.balls:
            planted[:, puppet.ball(ball)] |= rows
    rolling = np.zeros((count, len(REGIONS)), bool)
    for roll in score.rolls:
        rolling[:, list(REGIONS).index(roll.region)] |= within(times, roll.from_s, roll.to_s, None)
    angles = _through_keys(score, times, np.array([key.angles_rad for key in score.keys]), rate_hz)
    for name, values in score.curves_rad.items():
        angles[:, puppet.names.index(name)] = _periodic(values, times / score.duration_s)
    weight = _through_keys(score, times, np.array([[key.weight] for key in score.keys]), rate_hz)[:, 0]
    held = np.zeros(count, bool)
    for key in score.keys:
        start, end = key.at_s + HOLD_EDGE_S, key.at_s + key.hold_s - HOLD_EDGE_S
        if end > start:
            held |= within(times, start, end, None)
    x = np.concatenate([np.zeros((count, 3)), angles], axis=1)
    flying = _untouched(planted, rolling)
    x[:, :3], placed = _root(puppet, score, times, x, flying)
    shift = None
    if score.cycle:
        shift = np.zeros(puppet.size)
        shift[0] = score.cycle.advance_m
    return Targets(rate_hz, x, placed, weight, planted, rolling, held, shift)


def _untouched(planted: BoolArray, rolling: BoolArray) -> BoolArray:
    """(T,) whether nothing is planted and nothing rolls."""
    return np.asarray(~(np.any(planted, axis=1) | np.any(rolling, axis=1)), bool)


def _through_keys(score: Score, times: Array, values: Array, rate_hz: float) -> Array:
    """(T, n) values (keys, n) at the keys' times, still during holds and before the first and after the last key."""
    at, rows = [], []
    for key, row in zip(score.keys, values, strict=True):
        at.append(key.at_s)
        rows.append(row)
        if key.hold_s > 0.0:
            at.append(key.at_s + key.hold_s)
            rows.append(row)
    if len(at) == 1:
        return np.tile(rows[0], (len(times), 1))
    values = PchipInterpolator(at, np.array(rows), axis=0)(np.clip(times, at[0], at[-1]))
    mode: Literal["wrap", "nearest"] = "wrap" if score.cycle else "nearest"
    return gaussian_filter1d(values, SMOOTHING_S * rate_hz, axis=0, mode=mode)


def _periodic(values: Array, phases: Array) -> Array:
    """A cubic spline through values at even steps of one period, at phases in cycles."""
    closed = np.append(values, values[0])
    return CubicSpline(np.linspace(0.0, 1.0, len(closed)), closed, bc_type="periodic")(phases % 1.0)


def _root(puppet: Puppet, score: Score, times: Array, x: Array, flying: BoolArray) -> tuple[Array, BoolArray]:
    """A guess of the root's places (T, 3): where the keys say, else at rest on the floor, parabolas in flight."""
    lowest = np.min(pose(puppet, x).points(puppet.balls)[..., 2] - puppet.balls.sizes, axis=1)
    place = np.zeros((len(times), 3))
    place[:, 2] = -lowest
    for start, end in runs(flying):
        since = times[start:end] - times[start]
        place[start:end, 2] += 0.5 * GRAVITY * since * (since[-1] - since)
    if score.cycle:
        place[:, 0] = score.cycle.advance_m * times / score.duration_s
    placed = np.zeros(place.shape, bool)
    if not score.cycle:
        placed[0, :2] = True
    for axis in range(3):
        said = [key for key in score.keys if np.isfinite(key.place[axis])]
        if not said:
            continue
        only = np.array([key.place[axis] for key in said])
        at = np.array([key.at_s for key in said])
        place[:, axis] = PchipInterpolator(at, only)(np.clip(times, at[0], at[-1])) if len(at) > 1 else only[0]
        for key in said:
            placed[:, axis] |= (times >= key.at_s - 0.02) & (times <= key.at_s + key.hold_s + 0.02)
    return place, placed
