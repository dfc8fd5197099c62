"""Rotation maths on arrays: unit quaternions, w first, float64, over any leading shape.

Letters: ``...`` is any leading shape, broadcast as numpy does; a quaternion is (..., 4), a vector (..., 3).
A quaternion ``q`` turns a vector from the child's frame into the parent's: ``v_parent = rotate(q, v_child)``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.flags.writeable = False

_TINY = 1e-12


def normalize(q: ArrayLike) -> Array:
    """Unit quaternions, or unit vectors, in the direction of q; what is zero stays zero."""
    q = np.asarray(q, float)
    return q / np.maximum(np.linalg.norm(q, axis=-1, keepdims=True), _TINY)


def conjugate(q: ArrayLike) -> Array:
    """The inverse rotation of unit quaternions (..., 4)."""
    return np.asarray(q, float) * np.array([1.0, -1.0, -1.0, -1.0])


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """The rotation that does b first and then a: (..., 4)."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Vectors v (..., 3) turned by q (..., 4)."""
    q, v = np.asarray(q, float), np.asarray(v, float)
    u = q[..., 1:]
    t = 2.0 * cross(u, v)
    return v + q[..., :1] * t + cross(u, t)


def cross(a: ArrayLike, b: ArrayLike) -> Array:
    """Cross products (..., 3); four times as fast as numpy's on the arrays of one joint."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    result[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    result[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    result[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return result


def exp(r: ArrayLike) -> Array:
    """Quaternions of rotation vectors r (..., 3) [rad]."""
    r = np.asarray(r, float)
    half = 0.5 * np.linalg.norm(r, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * r * np.sinc(half / np.pi)], axis=-1)


def log(q: ArrayLike) -> Array:
    """Rotation vectors (..., 3) [rad] of unit quaternions, the shorter way round (at most pi)."""
    q = np.asarray(q, float)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    return q[..., 1:] * np.where(sine > 1e-9, angle / np.maximum(sine, _TINY), 2.0)


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Angle [rad] of the rotation that leads from a to b, (...)."""
    return np.linalg.norm(log(multiply(conjugate(a), b)), axis=-1)


def from_matrix(m: ArrayLike) -> Array:
    """Quaternions (..., 4) of rotation matrices (..., 3, 3), by Shepperd's largest-component choice."""
    m = np.asarray(m, float)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    candidates = np.stack(
        [
            np.stack(
                [
                    1 + xx + yy + zz,
                    m[..., 2, 1] - m[..., 1, 2],
                    m[..., 0, 2] - m[..., 2, 0],
                    m[..., 1, 0] - m[..., 0, 1],
                ],
                -1,
            ),
            np.stack(
                [
                    m[..., 2, 1] - m[..., 1, 2],
                    1 + xx - yy - zz,
                    m[..., 0, 1] + m[..., 1, 0],
                    m[..., 0, 2] + m[..., 2, 0],
                ],
                -1,
            ),
            np.stack(
                [
                    m[..., 0, 2] - m[..., 2, 0],
                    m[..., 0, 1] + m[..., 1, 0],
                    1 - xx + yy - zz,
                    m[..., 1, 2] + m[..., 2, 1],
                ],
                -1,
            ),
            np.stack(
                [
                    m[..., 1, 0] - m[..., 0, 1],
                    m[..., 0, 2] + m[..., 2, 0],
                    m[..., 1, 2] + m[..., 2, 1],
                    1 - xx - yy + zz,
                ],
                -1,
            ),
        ],
        axis=-2,
    )  # (..., 4 choices, 4)
    best = np.argmax(np.stack([xx + yy + zz, xx - yy - zz, yy - xx - zz, zz - xx - yy], axis=-1), axis=-1)
    return normalize(np.take_along_axis(candidates, best[..., None, None], axis=-2)[..., 0, :])


def to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices (..., 3, 3) of unit quaternions."""
    q = np.asarray(q, float)
    columns = [rotate(q, axis) for axis in np.eye(3)]
    return np.stack(columns, axis=-1)


def from_axis_angle(axis: ArrayLike, angle_rad: ArrayLike) -> Array:
    """Quaternions of turns by angle_rad (...) about axis (..., 3), which need not be of unit length."""
    return exp(normalize(axis) * np.asarray(angle_rad, float)[..., None])


def from_euler(order: str, angles_rad: ArrayLike) -> Array:
    """Quaternions (..., 4) of angles (..., n) about moving axes, multiplied in the given order.

    ``from_euler("ZXY", [a, b, c])`` is Rz(a) Rx(b) Ry(c), as a BVH file with channels Z X Y means it.
    """
    half = 0.5 * np.asarray(angles_rad, float)
    axes = ["XYZ".index(letter) for letter in order.upper()]
    cosine, sine = np.cos(half), np.sin(half)
    if len(set(axes)) == len(axes) == 3:
        return _from_three_axes(axes, cosine, sine)
    result = np.broadcast_to(IDENTITY, (*half.shape[:-1], 4))
    for i, axis in enumerate(axes):
        turn = np.zeros((*half.shape[:-1], 4))
        turn[..., 0], turn[..., 1 + axis] = cosine[..., i], sine[..., i]
        result = multiply(result, turn)
    return result


def _from_three_axes(axes: list[int], cosine: Array, sine: Array) -> Array:
    """The product of three turns about different axes, multiplied out: a fifth of the work of two ``multiply``."""
    i, j, k = axes
    sign = 1.0 if (j - i) % 3 == 1 else -1.0  # cyclic orders are right-handed
    (ci, cj, ck), (si, sj, sk) = np.moveaxis(cosine, -1, 0), np.moveaxis(sine, -1, 0)
    cc, ss, sc, cs = ci * cj, sign * si * sj, si * cj, ci * sj
    result = np.empty((*ci.shape, 4))
    result[..., 0] = cc * ck - ss * sk
    result[..., 1 + i] = sc * ck + sign * cs * sk
    result[..., 1 + j] = cs * ck - sign * sc * sk
    result[..., 1 + k] = cc * sk + ss * ck
    return result


def to_euler(order: str, q: ArrayLike) -> Array:
    """Angles (..., 3) [rad] with ``from_euler(order, angles) == q``; order is three different letters.

    The middle angle is within +-pi/2; at that limit the last angle is zero.
    """
    i, j, k = ("XYZ".index(letter) for letter in order.upper())
    sign = 1.0 if (j - i) % 3 == 1 else -1.0  # cyclic orders are right-handed
    m = to_matrix(q)
    sine = np.clip(sign * m[..., i, k], -1.0, 1.0)
    middle = np.arcsin(sine)
    locked = np.abs(sine) > 1.0 - 1e-12
    first = np.where(
        locked,
        np.arctan2(sign * m[..., k, j], m[..., j, j]),
        np.arctan2(-sign * m[..., j, k], m[..., k, k]),
    )
    last = np.where(locked, 0.0, np.arctan2(-sign * m[..., i, j], m[..., i, i]))
    return np.stack([first, middle, last], axis=-1)


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> Array:
    """Spherical interpolation from a (t = 0) to b (t = 1) the shorter way round; t is (...)."""
    a = np.asarray(a, float)
    step = log(multiply(conjugate(a), b))
    return multiply(a, exp(step * np.asarray(t, float)[..., None]))


def continuous(q: ArrayLike) -> Array:
    """The same rotations (T, ..., 4) with signs chosen so that neighbours in time lie close together."""
    q = np.array(q, float)
    flips = np.sum(q[1:] * q[:-1], axis=-1) < 0.0
    signs = np.where(np.cumsum(flips, axis=0) % 2 == 1, -1.0, 1.0)
    q[1:] *= signs[..., None]
    return q


def between(a: ArrayLike, b: ArrayLike) -> Array:
    """The smallest rotations (..., 4) that turn the direction of a (..., 3) into that of b."""
    a, b = np.broadcast_arrays(normalize(a), normalize(b))
    cross = np.cross(a, b)
    dot = np.sum(a * b, axis=-1, keepdims=True)
    other = np.where(np.abs(a[..., :1]) < 0.6, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    half_turn = np.concatenate([np.zeros_like(dot), normalize(np.cross(a, other))], axis=-1)
    return np.where(dot < -1.0 + 1e-9, half_turn, normalize(np.concatenate([1.0 + dot, cross], axis=-1)))


def twist(q: ArrayLike, axis: ArrayLike) -> Array:
    """The part of q (..., 4) that turns about the unit vector axis (3,): q = swing * twist."""
    q, axis = np.asarray(q, float), np.asarray(axis, float)
    along = np.sum(q[..., 1:] * axis, axis=-1, keepdims=True) * axis
    part = np.concatenate([q[..., :1], along], axis=-1)
    size = np.linalg.norm(part, axis=-1, keepdims=True)
    return np.where(size < 1e-9, IDENTITY, part / np.maximum(size, _TINY))


def mean(q: ArrayLike, weights: ArrayLike | None = None) -> Array:
    """The mean rotation (4,) of q (N, 4): the largest eigenvector of the sum of q q^T (Markley 2007)."""
    q = np.asarray(q, float).reshape(-1, 4)
    weights = np.ones(len(q)) if weights is None else np.asarray(weights, float)
    values, vectors = np.linalg.eigh((q * weights[:, None]).T @ q)
    best = vectors[:, np.argmax(values)]
    return best if best[0] >= 0 else -best


def angular_velocity(q: ArrayLike, rate_hz: float) -> Array:
    """Angular velocities (T, ..., 3) [rad/s] in the child's frame of rotations q (T, ..., 4).

    Central differences on SO(3), one-sided at the two ends; zero for a single frame.
    """
    q = np.asarray(q, float)
    if len(q) < 2:
        return np.zeros((*q.shape[:-1], 3))
    steps = log(multiply(conjugate(q[:-1]), q[1:])) * rate_hz
    return np.concatenate([steps[:1], 0.5 * (steps[:-1] + steps[1:]), steps[-1:]])


def heading(q: ArrayLike, forward: ArrayLike = (1.0, 0.0, 0.0)) -> Array:
    """Angle [rad] about the vertical of where q (..., 4) points its own ``forward`` axis, (...)."""
    pointing = rotate(q, np.asarray(forward, float))
    return np.arctan2(pointing[..., 1], pointing[..., 0])


def about_z(angle_rad: ArrayLike) -> Array:
    """Quaternions of turns by angle_rad (...) about the vertical."""
    return from_axis_angle(np.array([0.0, 0.0, 1.0]), angle_rad)
