"""Space-time fitting of an authored clip: near its keys, planted where planted, and moved by forces the floor can give.

All frames are solved at once by Gauss-Newton steps, after A. Witkin and M. Kass, "Spacetime constraints", 1988.
The unknowns are the puppet's poses; what counts, each divided by a tolerance, is: the distance from the keys, angular
accelerations, planted balls' heights and slides, balls below the floor, angles past their limits, and the total force
and moment that the motion needs (see ``dynamics``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.motion.authoring.banded import Normal
from understudy.motion.authoring.body import REGIONS, Puppet
from understudy.motion.authoring.dynamics import add_dynamics
from understudy.motion.authoring.kinematics import Posed, pose
from understudy.motion.authoring.targets import Targets
from understudy.rotations import Array, BoolArray, IntArray

POSE_RAD, ROOT_M, PLACED_M = 0.15, 1.0, 0.03
LOOSE = {"toes": 4.0, "hand": 2.0, "pelvis": 1.0, "clavicle": 2.0}  # tolerances of the pose as multiples of POSE_RAD
ACCELERATION, CORRECTION = 150.0, 25.0  # [rad/s^2] of the motion itself, of what differs from the keys
HEIGHT_M, SLIDE_M_S, PENETRATION_M = 0.001, 0.005, 0.001
ROLL_HEIGHT_M, ROLL_SLIDE_M_S = 0.002, 0.15
ENDS = 6.0  # a clip that doesn't repeat begins and ends this much nearer its keys, and its heading the square of it
LIMIT_RAD, REST_RAD_S, HELD_RAD_S = 0.03, 0.02, 0.02
BEARING_M = 0.025  # while the trunk rolls, a ball this near the floor may push on it
LARGEST_STEP_RAD = 0.4


@dataclass(frozen=True)
class Frames:
    """Frames in the order of time, with one more at either end when the clip repeats.

    Attributes:
        index: (E,) which unknown frame each is.
        own: the frames that count once, one for each unknown.
        shift: (E, n) what to add to the unknown.
    """

    index: IntArray
    own: IntArray
    shift: Array


def frames_of(goal: Targets) -> Frames:
    """The frames of targets."""
    count = len(goal.x)
    if goal.shift is None:
        return Frames(np.arange(count), np.arange(count), np.zeros((count, 1)))
    index = np.concatenate([[count - 1], np.arange(count), [0]])
    times = np.concatenate([[-1.0], np.zeros(count), [1.0]])
    return Frames(index, np.arange(1, count + 1), times[:, None] * goal.shift)


def solve(puppet: Puppet, goal: Targets, start: Array, physics: tuple[float, ...]) -> Array:
    """Poses (T, 3 + D) that fit the targets, from a start, with one Gauss-Newton step for each weight of physics."""
    x = start.copy()
    frames = frames_of(goal)
    for weight in physics:
        normal = Normal(frames.index, len(x), puppet.size, 60.0 / goal.rate_hz)
        extended = x[frames.index] + frames.shift
        posed = pose(puppet, extended)
        _add_pose(normal, puppet, goal, frames, extended)
        _add_contacts(normal, puppet, goal, frames, posed, extended)
        if weight > 0.0:
            add_dynamics(normal, posed, goal.rate_hz, bearing(puppet, goal, frames, posed), weight)
        step = normal.solve()
        largest = np.max(np.abs(step))
        x += step * min(1.0, LARGEST_STEP_RAD / max(largest, 1e-12))
        if largest < 1e-4:
            break
    return x


def _pose_tolerance(puppet: Puppet) -> Array:
    """(3 + D,) how far from the target each number may be."""
    loose = [LOOSE.get(name.split(".")[0].split("_")[-1], 1.0) for name in puppet.names]
    tolerance = POSE_RAD * np.array(loose)
    tolerance[puppet.names.index("pelvis.spin")] *= 0.3  # upright, it does the same as the heading
    return np.concatenate([np.full(3, ROOT_M), tolerance])


def _add_pose(normal: Normal, puppet: Puppet, goal: Targets, frames: Frames, x: Array) -> None:
    tolerance = _pose_tolerance(puppet)
    own, rate = frames.own, goal.rate_hz
    wanted = goal.x[frames.index] + frames.shift
    weights = np.sqrt(goal.weight)[:, None] / tolerance
    if goal.shift is None:
        weights[[0, -1]] *= ENDS
        weights[[0, -1], 3 + puppet.names.index("pelvis.heading")] *= ENDS
    weights[:, :3] = np.where(goal.placed, 1.0 / PLACED_M, 1.0 / ROOT_M)
    normal.add_plain(own, (0,), (1.0,), weights, (x - wanted)[own])
    inner = np.arange(1, len(x) - 1)
    unit = np.concatenate([np.full(3, 0.4), np.ones(len(puppet.names))])  # metres count like 0.4 rad
    for values, size in ((x, ACCELERATION), (x - wanted, CORRECTION)):
        bend = (values[2:] - 2.0 * values[1:-1] + values[:-2]) * rate**2
        each = np.tile(rate**2 / (size * unit), (len(inner), 1))
        normal.add_plain(inner, (-1, 0, 1), (1.0, -2.0, 1.0), each, bend / rate**2)
    if goal.shift is None:
        for first in (0, len(x) - 2):
            rest = np.full((1, puppet.size), rate / REST_RAD_S)
            normal.add_plain(np.array([first]), (0, 1), (-1.0, 1.0), rest, (x[first + 1] - x[first])[None])
    still = np.flatnonzero(goal.held[frames.index][:-1] & goal.held[frames.index][1:])
    slow = np.full((len(still), puppet.size), rate / HELD_RAD_S)
    normal.add_plain(still, (0, 1), (-1.0, 1.0), slow, x[still + 1] - x[still])
    low, high = puppet.limits_rad.T
    angles = x[own][:, 3:]
    past = np.minimum(angles - low, 0.0) + np.maximum(angles - high, 0.0)
    beyond = np.concatenate([np.zeros((len(own), 3)), past], axis=1)
    normal.add_plain(own, (0,), (1.0,), (beyond != 0.0) / LIMIT_RAD, beyond)


def _add_contacts(normal: Normal, puppet: Puppet, goal: Targets, frames: Frames, posed: Posed, x: Array) -> None:
    places = posed.points(puppet.balls)
    jacobian = posed.jacobian(puppet.balls, places)
    height = places[..., 2] - puppet.balls.sizes
    planted = goal.planted[frames.index]
    touching = rolling_balls(puppet, goal.rolling[frames.index], height) & ~planted
    tolerance = np.where(planted, HEIGHT_M, np.where(touching, ROLL_HEIGHT_M, PENETRATION_M))
    counts = planted | touching | (height < 0.0)
    own = np.isin(np.arange(len(planted)), frames.own)
    for ball in range(len(puppet.ball_names)):
        rows = np.flatnonzero(counts[:, ball] & own)
        weight = 1.0 / tolerance[rows, ball]
        normal.add(
            rows, (0,), (jacobian[rows, ball, 2:] * weight[:, None, None],), (height[rows, ball] * weight)[:, None]
        )
        _add_slide(normal, posed, goal, ball, planted[:, ball], touching[:, ball], jacobian, places, x)


def bearing(puppet: Puppet, goal: Targets, frames: Frames, posed: Posed) -> BoolArray:
    """(E, K) which balls may push on the floor: the planted ones, and near the floor while the trunk rolls."""
    height = posed.points(puppet.balls)[..., 2] - puppet.balls.sizes
    rolling = goal.rolling[frames.index]
    low = (height < BEARING_M) & np.any(rolling, axis=1, keepdims=True)
    return goal.planted[frames.index] | low | rolling_balls(puppet, rolling, height)


def rolling_balls(puppet: Puppet, rolling: BoolArray, height: Array) -> BoolArray:
    """(E, K) the lowest ball of each region (E, G) of the body that rolls or lies."""
    result = np.zeros(height.shape, bool)
    for region, names in enumerate(REGIONS.values()):
        balls = np.array([puppet.ball(name) for name in names])
        rows = np.flatnonzero(rolling[:, region])
        result[rows, balls[np.argmin(height[rows][:, balls], axis=1)]] = True
    return result


def _add_slide(
    normal: Normal,
    posed: Posed,
    goal: Targets,
    ball: int,
    planted: BoolArray,
    touching: BoolArray,
    jacobian: Array,
    places: Array,
    x: Array,
) -> None:
    """A planted ball stays where it is; a rolling one turns without slip on the point of the floor below it."""
    puppet = posed.puppet
    stays = planted[:-1] & planted[1:]
    rows = np.flatnonzero(stays | (touching[:-1] & ~stays))
    weight = goal.rate_hz / np.where(stays, SLIDE_M_S, ROLL_SLIDE_M_S)[rows][:, None]
    radius = np.where(stays, 0.0, puppet.balls.sizes[ball])[rows]
    axes = posed.axes[rows] * (puppet.moves[:, puppet.balls.parts[ball]] * radius[:, None])[..., None]
    below = np.zeros((len(rows), 2, puppet.size))  # the turn of the ball moves its lowest point against its centre
    below[:, 0, 3:], below[:, 1, 3:] = -axes[..., 1], axes[..., 0]
    slide = (places[rows + 1, ball] - places[rows, ball])[:, :2]
    slide = slide + np.einsum("tid,td->ti", below, x[rows + 1] - x[rows])
    before, after = -jacobian[rows, ball, :2] - below, jacobian[rows + 1, ball, :2] + below
    normal.add(rows, (0, 1), (before * weight[..., None], after * weight[..., None]), slide * weight)
