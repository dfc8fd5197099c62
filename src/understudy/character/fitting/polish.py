"""Inverse kinematics of all frames at once, by damped least squares (Levenberg and Marquardt).

Every frame's pose is moved to where the sum of these squares is least: bodies turned as their targets say, the hips and
the points that touch the floor where they should be, nothing below the floor, joints within their limits, and joints
that nothing asks for near their rest pose.

Letters: T frames, B bodies with targets, P points, G shapes, V degrees of freedom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.character.fitting.ground import Shape, lowest_points
from understudy.character.fitting.kinematics import Kinematics, Postures
from understudy.character.fitting.limits import Limits
from understudy.character.fitting.steady import Footholds
from understudy.character.fitting.targets import BodyTarget, PointTarget
from understudy.character.fitting.touching import Touching
from understudy.progress import Progress
from understudy.rotations import Array, BoolArray, IntArray

_FLOOR_PER_M = 200.0  # weights beside 1 for a body turned wrong by a radian
_NEAR = 0.5
_SMOOTH_S = 0.03
_DAMPING, _LEAST_DAMPING, _MOST_DAMPING = 1e-2, 1e-4, 1e6
_LARGEST_STEP = 0.3  # [rad, m]
_ENOUGH = 1e-5  # a relative gain at which a frame is done
_CHANCES, _NOTHING = 2, 0.02
_BLOCK = 128  # frames solved together, to bound memory


@dataclass(frozen=True)
class Wishes:
    """What a polish should bring about.

    Attributes:
        bodies: how bodies should be turned.
        points: where points should be.
        footholds: points that meet the floor, and where they should be; None when they need not be anywhere.
        shapes: parts that should stay above z = 0; none when they need not.
        near: (T, nq) poses to stay near, to keep the motion smooth; None when there are none.
    """

    bodies: tuple[BodyTarget, ...]
    points: tuple[PointTarget, ...]
    footholds: tuple[Touching, Footholds] | None = None
    shapes: tuple[Shape, ...] = ()
    near: Array | None = None


def polish(
    kinematics: Kinematics,
    limits: Limits,
    qpos: Array,
    wishes: Wishes,
    iterations: int = 8,
    progress: Progress | None = None,
) -> Array:
    """Positions (T, nq) near qpos that meet the wishes as well as can be, within the joints' limits."""
    problem, frames = _Problem(kinematics, limits, wishes), np.arange(len(qpos))
    result, costs = _solve_in_blocks(problem, qpos, frames, iterations, progress)
    for _ in range(_CHANCES):
        _try_neighbours(problem, result, costs, iterations)
    return limits.clipped(result)


def _try_neighbours(problem: _Problem, result: Array, costs: Array, iterations: int) -> None:
    """Solve frames that came out much worse than a neighbour again, from the neighbour's poses."""
    if len(costs) < 2:
        return
    before, after = np.roll(costs, 1), np.roll(costs, -1)
    before[0], after[-1] = np.inf, np.inf
    stuck = np.flatnonzero(costs > 2.0 * np.minimum(before, after) + _NOTHING)
    start = result[np.where(before[stuck] <= after[stuck], stuck - 1, stuck + 1)]
    found, new = _solve_in_blocks(problem, start, stuck, iterations)
    better = new < costs[stuck]
    result[stuck[better]], costs[stuck[better]] = found[better], new[better]


def _solve_in_blocks(
    problem: _Problem, qpos: Array, frames: IntArray, iterations: int, progress: Progress | None = None
) -> tuple[Array, Array]:
    """What ``_solve`` gives, some frames at a time."""
    result, costs = np.array(qpos), np.empty(len(qpos))
    for begin in range(0, len(frames), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        result[block], costs[block] = _solve(problem, result[block], frames[block], iterations)
        if progress is not None:
            progress(min(begin + _BLOCK, len(frames)), len(frames))
    return result, costs


def smoothed(kinematics: Kinematics, before: Array, after: Array, rate_hz: float) -> Array:
    """Positions (T, nq) with what a polish changed, from before to after, low-passed in time."""
    from scipy.ndimage import gaussian_filter1d

    change = gaussian_filter1d(kinematics.difference(before, after), _SMOOTH_S * rate_hz, axis=0, mode="nearest")
    return kinematics.advance(before, change)


@dataclass(frozen=True)
class _Problem:
    """What is to be solved for every frame."""

    kinematics: Kinematics
    limits: Limits
    wishes: Wishes


@dataclass(frozen=True)
class _Normal:
    """Cost (T,), its slope (T, V) and its curvature (T, V, V) at poses."""

    cost: Array
    slope: Array
    squares: Array

    def where(self, better: BoolArray, other: _Normal) -> _Normal:
        """The other's frames where it is better (T,), these elsewhere."""
        return _Normal(
            np.where(better, other.cost, self.cost),
            np.where(better[:, None], other.slope, self.slope),
            np.where(better[:, None, None], other.squares, self.squares),
        )


def _solve(problem: _Problem, qpos: Array, frames: IntArray, iterations: int) -> tuple[Array, Array]:
    """Poses (T, nq) of lowest cost near qpos for some frames (T,), and their costs (T,)."""
    best = _normal(problem, qpos, frames)
    damping = np.full(len(qpos), _DAMPING)
    eye = np.eye(best.slope.shape[1])
    for _ in range(iterations):
        step = -np.linalg.solve(best.squares + damping[:, None, None] * eye, best.slope[..., None])[..., 0]
        step = step * np.minimum(1.0, _LARGEST_STEP / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-9))
        trial = problem.kinematics.advance(qpos, step)
        new = _normal(problem, trial, frames)
        better = new.cost < best.cost
        gain = (best.cost - new.cost) / np.maximum(best.cost, 1e-9)
        qpos, best = np.where(better[:, None], trial, qpos), best.where(better, new)
        damping = np.clip(damping * np.where(better, 0.2, 10.0), _LEAST_DAMPING, _MOST_DAMPING)
        if better.all() and gain.max() < _ENOUGH:
            break
    return qpos, best.cost


def _normal(problem: _Problem, qpos: Array, frames: IntArray) -> _Normal:
    """The normal equations of all wishes at poses qpos (T, nq) of some frames (T,)."""
    kinematics, wishes = problem.kinematics, problem.wishes
    postures = kinematics.postures(qpos)
    dofs = kinematics.moves.shape[1]
    cost, slope = np.zeros(len(qpos)), np.zeros((len(qpos), dofs))
    squares = np.zeros((len(qpos), dofs, dofs))
    for residual, jacobian in (
        _turning(kinematics, postures, wishes.bodies, frames),
        _placing(kinematics, postures, wishes, frames),
        _above_floor(kinematics, postures, wishes.shapes),
        problem.limits.residuals(qpos),
    ):
        transposed = np.swapaxes(jacobian, 1, 2)
        cost += np.sum(residual**2, axis=1)
        slope += (transposed @ residual[..., None])[..., 0]
        squares += transposed @ jacobian
    if wishes.near is not None:
        away = _NEAR * kinematics.difference(wishes.near[frames], qpos)
        cost += np.sum(away**2, axis=1)
        slope += _NEAR * away
        squares[:, range(dofs), range(dofs)] += _NEAR**2
    return _Normal(cost, slope, squares)


def _turning(
    kinematics: Kinematics, postures: Postures, targets: tuple[BodyTarget, ...], frames: IntArray
) -> tuple[Array, Array]:
    """Residuals (T, 3 B) and Jacobian (T, 3 B, V) of the bodies' rotations, along each target's axes."""
    bodies = np.array([target.body for target in targets])
    wanted = np.stack([target.rotations_w[frames] for target in targets], axis=1)
    measure = np.stack([target.weights[:, None] * target.axes_b for target in targets])  # (B, 3, 3)
    now = postures.rotations_w[:, bodies]
    error = rotations.log(rotations.multiply(rotations.conjugate(wanted), now))
    to_axes = measure @ np.swapaxes(rotations.to_matrix(now), -1, -2)  # from the world, (T, B, 3, 3)
    jacobian = to_axes @ kinematics.turning(postures, bodies)
    count = len(error)
    return np.einsum("bij,tbj->tbi", measure, error).reshape(count, -1), jacobian.reshape(count, -1, jacobian.shape[-1])


def _placing(kinematics: Kinematics, postures: Postures, wishes: Wishes, frames: IntArray) -> tuple[Array, Array]:
    """Residuals (T, 3 P) and Jacobian (T, 3 P, V) of the points with targets and of those that meet the floor."""
    count = len(postures.positions_w)
    bodies = np.array([point.body for point in wishes.points])
    places_b = np.stack([point.place_b for point in wishes.points])
    points = postures.positions_w[:, bodies] + rotations.rotate(postures.rotations_w[:, bodies], places_b)
    wanted = np.stack([point.places_w[frames] for point in wishes.points], axis=1)
    weights = np.tile([point.weight for point in wishes.points], (count, 1))
    if wishes.footholds is not None:
        touching, holds = wishes.footholds
        bodies = np.concatenate([bodies, touching.bodies])
        points = np.concatenate([points, touching.points(postures)], axis=1)
        wanted = np.concatenate([wanted, holds.places_w[frames]], axis=1)
        weights = np.concatenate([weights, holds.weights[frames]], axis=1)
    jacobian = weights[..., None, None] * kinematics.moving(postures, bodies, points)
    residual = weights[..., None] * (points - wanted)
    return residual.reshape(count, -1), jacobian.reshape(count, -1, jacobian.shape[-1])


def _above_floor(kinematics: Kinematics, postures: Postures, shapes: tuple[Shape, ...]) -> tuple[Array, Array]:
    """Residuals (T, G) and Jacobian (T, G, V) of how deep each shape's lowest point is below the floor."""
    count, dofs = len(postures.positions_w), kinematics.moves.shape[1]
    if not shapes:
        return np.zeros((count, 0)), np.zeros((count, 0, dofs))
    points = lowest_points(shapes, postures)
    below = np.flatnonzero(points[..., 2].min(axis=0) < 0.0)  # in any pose; the others need no Jacobian
    points, bodies = points[:, below], np.array([shape.body for shape in shapes], int)[below]
    depth = np.minimum(points[..., 2], 0.0)
    jacobian = kinematics.moving(postures, bodies, points)[:, :, 2] * (depth < 0.0)[..., None]
    return _FLOOR_PER_M * depth, _FLOOR_PER_M * jacobian
