"""Angles of a row of hinges that turn a body as wanted, along one steady branch of the solutions over time.

Letters: T frames, N hinges, K candidate solutions of a frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.rotations import Array, BoolArray

_ITERATIONS = 12
_CANDIDATES = 8
_DAMPING = 1e-3
_OUTSIDE = 4.0  # what an angle beyond its limits costs, compared with missing the wanted rotation by as much
_FAR = 0.03  # what an angle from the rest pose costs: of two equal ways, the shorter
_JUMP = 0.3  # and what a change of angle between frames costs


@dataclass(frozen=True)
class HingeRow:
    """N hinges one after the other; the rotation after hinge i is that before it, times ``fixed[i]``, times its turn.

    Attributes:
        fixed: (N + 1, 4) constant rotations before each hinge, and after the last one.
        axes: (N, 3) in the frame that ``fixed[i]`` leads to.
        low, high: (N,) limits [rad], infinite where there are none.
    """

    fixed: Array
    axes: Array
    low: Array
    high: Array

    def turned(self, angles: Array) -> tuple[Array, Array]:
        """The rotation (..., 4) at the row's end for angles (..., N), and its axes (..., N, 3) in the frame there."""
        count = len(self.axes)
        turns = [rotations.from_axis_angle(self.axes[i], angles[..., i]) for i in range(count)]
        result = np.broadcast_to(self.fixed[-1], (*angles.shape[:-1], 4))
        axes = np.empty((*angles.shape, 3))
        for i in reversed(range(count)):
            axes[..., i, :] = rotations.rotate(rotations.conjugate(result), self.axes[i])
            result = rotations.multiply(self.fixed[i], rotations.multiply(turns[i], result))
        return result, axes


def solve_row(row: HingeRow, wanted: Array, axes_b: Array, weights: Array) -> Array:
    """Angles (T, N) that bring the row's end to rotations wanted (T, 4) before its first hinge's frame.

    Errors count by weights (3,) along axes_b (3, 3), as a BodyTarget has them.
    """
    candidates = _starts(row, len(wanted))
    count, measure = len(row.axes), weights[:, None] * axes_b
    for _ in range(_ITERATIONS):
        error, jacobian = _error(row, candidates, wanted, measure)
        squares = np.swapaxes(jacobian, -1, -2) @ jacobian + _DAMPING * np.eye(count)
        candidates = candidates - np.linalg.solve(squares, np.swapaxes(jacobian, -1, -2) @ error[..., None])[..., 0]
    candidates = _nearest_turn(row, candidates)
    error, _ = _error(row, candidates, wanted, measure)
    outside = np.maximum(candidates - row.high, 0.0) + np.maximum(row.low - candidates, 0.0)
    cost = np.linalg.norm(error, axis=-1) + _OUTSIDE * outside.sum(axis=-1) + _FAR * np.abs(candidates).sum(axis=-1)
    return _steadiest(candidates, cost)


def _starts(row: HingeRow, frames: int) -> Array:
    """(T, K, N) angles to start from: all zero, and spread over the ranges."""
    low, high = np.maximum(row.low, -np.pi), np.minimum(row.high, np.pi)
    spread = np.random.default_rng(0).uniform(0.1, 0.9, (_CANDIDATES, len(row.axes)))
    spread = low + spread * (high - low)
    spread[0] = np.clip(0.0, low, high)
    return np.tile(spread, (frames, 1, 1))


def _error(row: HingeRow, angles: Array, wanted: Array, measure: Array) -> tuple[Array, Array]:
    turned, axes = row.turned(angles)
    error = rotations.log(rotations.multiply(rotations.conjugate(wanted)[:, None], turned)) @ measure.T
    return error, measure @ np.swapaxes(axes, -1, -2)


def _nearest_turn(row: HingeRow, angles: Array) -> Array:
    """The angles, less whole turns, nearest to the middle of their ranges."""
    middle = np.where(np.isfinite(row.low + row.high), 0.5 * (row.low + row.high), 0.0)
    return middle + (angles - middle + np.pi) % (2.0 * np.pi) - np.pi


def _steadiest(candidates: Array, cost: Array) -> Array:
    """The cheapest path (T, N) through candidates (T, K, N) of cost (T, K) that moves little (Viterbi)."""
    frames, count = cost.shape
    best, came_from = cost[0], np.zeros((frames, count), int)
    for t in range(1, frames):
        change = candidates[t][:, None] - candidates[t - 1][None]
        total = best[None] + _JUMP * np.abs((change + np.pi) % (2.0 * np.pi) - np.pi).sum(axis=-1)
        came_from[t] = np.argmin(total, axis=1)
        best = cost[t] + total[np.arange(count), came_from[t]]
    choice = int(np.argmin(best))
    path = np.empty((frames, candidates.shape[2]))
    for t in reversed(range(frames)):
        path[t] = candidates[t, choice]
        choice = int(came_from[t, choice])
    return path


def unwrapped(angles: Array, limited: BoolArray) -> Array:
    """Angles (T, N) without jumps by whole turns, where a hinge has no limits to keep to."""
    return np.where(limited, angles, np.unwrap(angles, axis=0))
