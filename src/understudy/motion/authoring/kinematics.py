"""Forward kinematics of the puppet over many frames at once, with derivatives by every angle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.motion.authoring.body import Places, Puppet
from understudy.motion.clip import Clip
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array


@dataclass(frozen=True)
class Posed:
    """A puppet in T poses: parts' places (T, P, 3) [m] and rotation matrices (T, P, 3, 3), hinges' pivots and axes
    (T, D, 3)."""

    puppet: Puppet
    places: Array
    turned: Array
    pivots: Array
    axes: Array

    def points(self, places: Places) -> Array:
        """World places (T, K, 3) [m] of points fixed to parts."""
        return self.places[:, places.parts] + np.einsum("tkij,kj->tki", self.turned[:, places.parts], places.offsets)

    def jacobian(self, places: Places, points_w: Array) -> Array:
        """(T, K, 3, 3 + D) change of ``points(places)`` by the root's place [m] and by each hinge [rad]."""
        frames, count = points_w.shape[:2]
        result = np.zeros((frames, count, 3, 3 + len(self.puppet.names)))
        result[..., 0, 0] = result[..., 1, 1] = result[..., 2, 2] = 1.0
        for hinge in range(len(self.puppet.names)):
            moved = np.flatnonzero(self.puppet.moves[hinge, places.parts])
            arms = points_w[:, moved] - self.pivots[:, None, hinge]
            result[..., 3 + hinge][:, moved] = cross(self.axes[:, None, hinge], arms)
        return result


def cross(a: Array, b: Array) -> Array:
    """a x b (..., 3); faster than numpy's for long arrays."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def pose(puppet: Puppet, x: Array) -> Posed:
    """The puppet in poses x (T, 3 + D): the root's place [m], then the angles [rad]."""
    frames, parts, hinges = len(x), len(puppet.parents), len(puppet.names)
    places, turned = np.empty((frames, parts, 3)), np.empty((frames, parts, 3, 3))
    pivots, axes = np.empty((frames, hinges, 3)), np.empty((frames, hinges, 3))
    turns = rotations.to_matrix(rotations.exp(x[:, 3:, None] * puppet.axes))  # (T, D, 3, 3)
    for part, parent in enumerate(puppet.parents):
        if parent < 0:
            places[:, part], frame = x[:, :3], np.broadcast_to(np.eye(3), (frames, 3, 3))
        else:
            frame = turned[:, parent]
            places[:, part] = places[:, parent] + frame @ puppet.offsets[part]
        for hinge in np.flatnonzero(puppet.parts == part):
            pivots[:, hinge], axes[:, hinge] = places[:, part], frame @ puppet.axes[hinge]
            frame = frame @ turns[:, hinge]
        turned[:, part] = frame
    return Posed(puppet, places, turned, pivots, axes)


def clip_of(puppet: Puppet, skeleton: Skeleton, x: Array, rate_hz: float, name: str) -> Clip:
    """Poses x (T, 3 + D) as a Clip of the neutral skeleton."""
    local = np.empty((len(x), len(puppet.parents), 4))
    turns = rotations.exp(x[:, 3:, None] * puppet.axes)
    for part, parent in enumerate(puppet.parents):
        turn = rotations.conjugate(puppet.bind[parent]) if parent >= 0 else rotations.IDENTITY
        for hinge in np.flatnonzero(puppet.parts == part):
            turn = rotations.multiply(turn, turns[:, hinge])
        local[:, part] = rotations.multiply(turn, puppet.bind[part])
    return Clip(skeleton, rate_hz, x[:, :3], rotations.continuous(local), name)
