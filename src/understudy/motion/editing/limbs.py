"""Limbs: inverse kinematics of two bones for all frames at once, and joints turned as seen in the world.

Letters: T frames.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy import rotations
from understudy.motion.clip import Clip
from understudy.rotations import Array

_STRETCH = 0.9998  # of the length of the limb: the farthest it reaches
_PULL = 0.05  # weight of the usual axis beside that of a joint bent by a right angle


def two_bone_turns(root: Array, middle: Array, end: Array, goal: Array, axis: Array) -> tuple[Array, Array]:
    """World turns (T, 4) of the upper and of the lower bone that bring the end of a limb to its goal, or towards it.

    The limb stays in its plane as far as it can: the middle joint bends, and the limb then swings by the smallest turn.

    Args:
        root, middle, end, goal: (T, 3) places [m].
        axis: (T, 3) the axis the middle joint bends about, bending being positive; tells where the limb is straight.
    """
    upper, lower = middle - root, end - middle
    a, b = np.linalg.norm(upper, axis=1), np.linalg.norm(lower, axis=1)
    across = rotations.cross(upper, lower) / np.maximum(a * b, 1e-12)[:, None]
    sign = np.where(np.sum(across * axis, axis=1) < 0.0, -1.0, 1.0)[:, None]
    hinge = rotations.normalize(sign * across + _PULL * axis)
    now = np.arctan2(np.sum(across * hinge, axis=1), np.sum(upper * lower, axis=1) / np.maximum(a * b, 1e-12))
    reach = np.clip(np.linalg.norm(goal - root, axis=1), np.abs(a - b) / _STRETCH, _STRETCH * (a + b))
    cosine = (reach**2 - a**2 - b**2) / np.maximum(2.0 * a * b, 1e-12)
    bend = rotations.from_axis_angle(hinge, np.arccos(np.clip(cosine, -1.0, 1.0)) - now)
    swing = rotations.between(upper + rotations.rotate(bend, lower), goal - root)
    return swing, rotations.multiply(swing, bend)


def hinge_axis(clip: Clip, upper: int, middle: int, lower: int) -> Array:
    """(3,) the axis in the frame of its middle joint that a limb of these three joints bends about in a clip."""
    root, bend, end = (clip.joint_positions_w[:, joint] for joint in (upper, middle, lower))
    inward = rotations.conjugate(clip.joint_rotations_w[:, middle])
    across = rotations.rotate(inward, rotations.cross(bend - root, end - bend))
    return rotations.normalize(across.sum(axis=0))


def turned_by(clip: Clip, ways: Mapping[int, Array]) -> Clip:
    """The clip with some joints turned in the world by ways (T, 4) or (4,), and all that hangs on a joint with it."""
    own, local = clip.joint_rotations_w, np.array(clip.rotations)
    of_all = {-1: rotations.IDENTITY}
    for joint, parent in enumerate(clip.skeleton.parents):
        of_all[joint] = ways.get(joint, of_all[parent])
        if joint in ways:
            above = rotations.IDENTITY if parent < 0 else rotations.multiply(of_all[parent], own[:, parent])
            turns = rotations.multiply(ways[joint], own[:, joint])
            local[:, joint] = rotations.multiply(rotations.conjugate(above), turns)
    return clip.with_(rotations=local)
