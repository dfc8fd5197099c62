"""Residuals that keep a motion to what gravity and a flat floor allow.

Per unit of body mass, with p the places of mass points of share m and a their accelerations, the floor must give the
force F = sum m (a + g z) and, about a point s, the moment M = sum m (p - s) x (a + g z). In flight both are zero (about
the centre of mass). With planted balls the force pushes, lies in the cone of friction, and acts at a point of the
floor inside the hull of what is planted (the zero-moment point; M. Vukobratovic and B. Borovac, "Zero-moment point:
thirty five years of its life", Int. J. Humanoid Robotics 1, 2004): about the nearest such point M has no level part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from understudy.motion.authoring.banded import Normal
from understudy.motion.authoring.body import Puppet
from understudy.motion.authoring.kinematics import Posed, cross
from understudy.motion.authoring.targets import GRAVITY
from understudy.rotations import Array, BoolArray

FRICTION = 0.8
FORCE, MOMENT, TWIST = 0.1, 0.05, 0.3  # tolerances per unit of mass [m/s^2, m^2/s^2, m^2/s^2]
INSIDE = 3.0  # how much freer a zero-moment point inside the hull is to move, in one step, than one outside
MARGIN_M = 0.01  # how far inside the hull the zero-moment point is asked to stay
EFFORT = 1.5  # [m/s^2] an acceleration of the centre of mass that costs as much as a pose out by its tolerance
LEAST_PUSH = 1.0  # [m/s^2] below it the zero-moment point is not asked for


@dataclass(frozen=True)
class Demand:
    """What a motion asks of the floor in F inner frames.

    The force (F, 3) per unit of mass [m/s^2], the zero-moment point (F, 2), and the centre of mass (F, 3) [m].
    """

    force: Array
    point: Array
    centre: Array


def demand(puppet: Puppet, masses_w: Array, rate_hz: float) -> Demand:
    """The demand of mass points' places (E, N, 3), for frames 1 to E - 2."""
    shares = puppet.masses.sizes
    pull = (masses_w[2:] - 2.0 * masses_w[1:-1] + masses_w[:-2]) * rate_hz**2 + [0.0, 0.0, GRAVITY]
    force = np.einsum("k,tki->ti", shares, pull)
    moment = np.einsum("k,tki->ti", shares, cross(masses_w[1:-1], pull))
    push = np.maximum(force[:, 2:], LEAST_PUSH)
    point = np.stack([-moment[:, 1], moment[:, 0]], axis=1) / push
    return Demand(force, point, np.einsum("k,tki->ti", shares, masses_w[1:-1]))


def nearest_in_hull(point: Array, corners: Array, margin_m: float) -> Array:
    """The point (2,) of the hull of corners (C, 2), shrunk towards its middle by a margin, nearest to point (2,)."""
    middle = corners.mean(axis=0)
    away = corners - middle
    reach = np.linalg.norm(away, axis=1, keepdims=True)
    corners = middle + away * np.maximum(1.0 - margin_m / np.maximum(reach, 1e-9), 0.0)
    try:
        corners = corners[ConvexHull(corners).vertices]
    except (QhullError, ValueError):  # one point, or all on a line: the sides below are the segment there and back
        spread = corners - corners.mean(axis=0)
        along = spread @ np.linalg.svd(spread)[2][0]
        corners = corners[[np.argmin(along), np.argmax(along)]]
    sides = np.roll(corners, -1, axis=0) - corners
    to = point - corners
    if len(corners) > 2 and np.all(sides[:, 0] * to[:, 1] - sides[:, 1] * to[:, 0] >= 0.0):
        return point
    share = np.clip(np.sum(to * sides, axis=1) / np.maximum(np.sum(sides**2, axis=1), 1e-12), 0.0, 1.0)
    candidates = corners + share[:, None] * sides
    return candidates[np.argmin(np.linalg.norm(candidates - point, axis=1))]


def add_dynamics(normal: Normal, posed: Posed, rate_hz: float, bearing: BoolArray, weight: float) -> None:
    """Add the residuals of all inner frames; bearing (E, K) says which balls may push on the floor."""
    puppet = posed.puppet
    places = posed.points(puppet.masses)
    jacobian = posed.jacobian(puppet.masses, places)
    needs = demand(puppet, places, rate_hz)
    flying: BoolArray = ~np.any(bearing[1:-1], axis=1)
    about = needs.centre.copy()
    balls = posed.points(puppet.balls)[1:-1, :, :2]
    for frame in np.flatnonzero(~flying):
        corners = balls[frame, bearing[1 + frame]]
        about[frame] = [*nearest_in_hull(needs.point[frame], corners, MARGIN_M), 0.0]
    force, moment = _derivatives(puppet, places, jacobian, about, rate_hz)
    rows = np.arange(1, len(places) - 1)
    residual, directions = _wanted(needs.force, flying)
    normal.add(
        rows,
        (-1, 0, 1),
        tuple(weight / FORCE * (directions @ part) for part in force.parts),
        weight / FORCE * residual,
    )
    calm = weight / EFFORT * ~flying[:, None]  # of all forces that would do, the evenest
    effort = (force.value - [0.0, 0.0, GRAVITY]) * calm
    normal.add(rows, (-1, 0, 1), tuple(part * calm[..., None] for part in force.parts), effort)
    inside = ~flying & (np.linalg.norm(about[:, :2] - needs.point, axis=1) < 1e-9)
    level = np.where(inside, INSIDE * MOMENT, MOMENT)
    scale = weight / np.stack([level, level, np.where(flying, MOMENT, TWIST)], axis=1)
    normal.add(rows, (-1, 0, 1), tuple(part * scale[..., None] for part in moment.parts), moment.value * scale)


@dataclass(frozen=True)
class _Derived:
    """A vector (F, 3) and its derivatives (F, 3, n) by the frame before, the frame itself and the frame after."""

    value: Array
    parts: tuple[Array, Array, Array]


def _derivatives(
    puppet: Puppet, places: Array, jacobian: Array, about: Array, rate_hz: float
) -> tuple[_Derived, _Derived]:
    shares, square = puppet.masses.sizes, rate_hz**2
    centre = np.einsum("k,tkin->tin", shares, jacobian)
    pull = (places[2:] - 2.0 * places[1:-1] + places[:-2]) * square + [0.0, 0.0, GRAVITY]
    force = np.einsum("k,tki->ti", shares, pull)
    arms = places[1:-1] - about[:, None]
    moment = np.einsum("k,tki->ti", shares, cross(arms, pull))
    lever = _skew(arms * shares[:, None] * square)
    moments = [np.einsum("tkij,tkjn->tin", lever, jacobian[first : first + len(arms)]) for first in (0, 1, 2)]
    moved = np.einsum("tkij,tkjn->tin", _skew(-pull * shares[:, None]), jacobian[1:-1])
    force_parts = (centre[:-2] * square, centre[1:-1] * (-2.0 * square), centre[2:] * square)
    return _Derived(force, force_parts), _Derived(moment, (moments[0], moved - 2.0 * moments[1], moments[2]))


def _skew(v: Array) -> Array:
    """Matrices (..., 3, 3) with ``_skew(v) @ u == cross(v, u)``."""
    zero = np.zeros(v.shape[:-1])
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    return np.stack([np.stack([zero, -z, y], -1), np.stack([z, zero, -x], -1), np.stack([-y, x, zero], -1)], -2)


def _wanted(force: Array, flying: BoolArray) -> tuple[Array, Array]:
    """Residuals (F, 3) of forces (F, 3) and the directions (F, 3, 3) they are measured along.

    In flight all three components; on the floor only a pull (row 2), and what exceeds friction (row 0).
    """
    directions = np.where(flying[:, None, None], np.eye(3), 0.0)
    residual = np.where(flying[:, None], force, 0.0)
    level = np.linalg.norm(force[:, :2], axis=1)
    pulls = ~flying & (force[:, 2] < 0.0)
    directions[pulls, 2, 2] = 1.0
    residual[pulls, 2] = force[pulls, 2]
    slips = ~flying & (level > FRICTION * np.maximum(force[:, 2], 0.0))
    directions[slips, 0, :2] = force[slips, :2] / level[slips, None]
    directions[slips, 0, 2] = np.where(force[slips, 2] > 0.0, -FRICTION, 0.0)
    residual[slips, 0] = level[slips] - FRICTION * np.maximum(force[slips, 2], 0.0)
    return residual, directions
