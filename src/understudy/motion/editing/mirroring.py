"""The mirror: left becomes right."""

from __future__ import annotations

from collections import Counter

import numpy as np

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.body_parts import body_parts
from understudy.motion.clip import Clip
from understudy.motion.editing.reflections import reflections_at_rest, reflections_by_motion
from understudy.motion.joint_names import Side, sideless, sides
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array, IntArray

_ACROSS = np.diag([1.0, -1.0, 1.0])  # the reflection in the x-z plane


def mirror(clip: Clip) -> Clip:
    """The motion as seen in a mirror in the x-z plane: left and right change roles, the skeleton stays.

    World rotations R_j become S R_m(j) A_j: S is the reflection in the plane, m(j) the joint on the other side, and the
    reflection A_j takes joint j's own axes to those of m(j). In a pose that is its own mirror image, with rotations B,
    B_j = S B_m(j) A_j, so A_j = B_m(j)^-1 S B_j; then A_m(j) A_j = 1 and mirroring twice gives the clip back. Places
    follow by forward kinematics, with every bone's own length. Such a pose is the rest pose of most skeletons; where it
    is not, A is found from the bones' directions and the motion itself (see ``reflections_by_motion``).

    Raises:
        ClipError: when no joint has a counterpart on the other side.
    """
    skeleton = clip.skeleton
    other = counterparts(skeleton, clip.joint_positions_w[0])
    reflections = reflections_at_rest(skeleton, other)
    if reflections is None:
        reflections = reflections_by_motion(clip, other)
    across = clip.joint_rotations_w[:, other] * np.array([1.0, -1.0, 1.0, -1.0])  # S R S, as quaternions
    turned_w = rotations.multiply(across, rotations.from_matrix(_ACROSS @ reflections))
    turned = np.array(turned_w)
    turned[:, 1:] = rotations.multiply(rotations.conjugate(turned_w[:, skeleton.parents[1:]]), turned_w[:, 1:])
    alone = _alone(skeleton, other)
    turned[:, alone] = clip.rotations[:, alone]
    return clip.with_(root_positions=clip.root_positions @ _ACROSS, rotations=rotations.normalize(turned))


def counterparts(skeleton: Skeleton, pose: Array | None = None) -> IntArray:
    """(J,) each joint's counterpart on the other side of the body; joints without one, as in the middle, themselves.

    Two joints belong together when their names are the same but for the side, or when they are the same part of the
    body, by name or by shape, with ``pose`` as in ``body_parts``.
    """
    names = skeleton.names
    side = sides(names, skeleton.parents.tolist())
    seen: Counter[tuple[Side, str]] = Counter()
    at: dict[tuple[Side, str, int], int] = {}
    for joint, name in enumerate(names):
        key = (side[joint], sideless(name))
        at[*key, seen[key]] = joint  # names without a side of their own may repeat: counted
        seen[key] += 1
    other = list(range(len(names)))
    for (on, stem, count), joint in at.items():
        if on:
            other[joint] = at.get(("right" if on == "left" else "left", stem, count), joint)
    for left, right in _paired_parts(skeleton, pose):
        if other[left] == left and other[right] == right:
            other[left], other[right] = right, left
    if all(other[j] == j for j in range(len(names))):
        raise ClipError(
            f"can't be mirrored: no joint of {', '.join(names[:5])}{', ...' if len(names) > 5 else ''} is named left "
            "or right (LeftArm and RightArm, l_arm and r_arm, arm.L and arm.R), and the shape shows no two sides"
        )
    return np.array(other)


def _paired_parts(skeleton: Skeleton, pose: Array | None) -> list[tuple[int, int]]:
    """The left and the right joint of each body part."""
    parts = body_parts(skeleton, pose).joints
    opposite = {part: part.replace("left_", "right_") for part in parts if part.startswith("left_")}
    return [(parts[left], parts[right]) for left, right in opposite.items() if right in parts]


def _alone(skeleton: Skeleton, other: IntArray) -> IntArray:
    """Joints of one side without a counterpart; they keep their local rotations."""
    side = sides(skeleton.names, skeleton.parents.tolist())
    return np.array([j for j in range(len(skeleton)) if other[j] == j and side[j]], int)
