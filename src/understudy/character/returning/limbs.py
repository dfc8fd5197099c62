"""The limbs that bear weight: which joints of a clip's skeleton they have, and what hangs on them.

Letters: T frames, J joints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from understudy.character.character import Character
from understudy.character.fitting.matching import Matching
from understudy.motion import Clip, Skeleton
from understudy.rotations import Array, BoolArray

_LEG, _ARM = ("thigh", "shin", "foot", "toes"), ("upper_arm", "lower_arm", "hand")


@dataclass(frozen=True)
class Limb:
    """A leg or an arm of a clip's skeleton.

    Attributes:
        part: the body part at its end that a body of the character drives: a foot, a hand, or toes.
        upper, middle, lower, end: joints of hip, knee and ankle (shoulder, elbow, wrist), and of ``part``; the last two
            may be one.
        toes: joint of the toes beyond a foot, where there is one.
        effector: which end effector of the character it is, counted from 0.
    """

    part: str
    upper: int
    middle: int
    lower: int
    end: int
    toes: int | None
    effector: int

    @property
    def is_leg(self) -> bool:
        return self.part.endswith(("foot", "toes"))


def limbs_of(character: Character, matching: Matching) -> tuple[Limb, ...]:
    """The limbs whose ends are end effectors of the character and whose joints are known."""
    joints, result = matching.joints, []
    effectors = {name: index for index, name in enumerate(character.end_effectors)}
    for side in ("left", "right"):
        for chain in (_LEG, _ARM):
            names = [f"{side}_{part}" for part in chain]
            ends = [part for part in names[2:] if part in matching.shared and character.roles[part] in effectors]
            if ends and all(part in joints for part in names[:3]):
                upper, middle, lower = (joints[part] for part in names[:3])
                toes = joints.get(f"{side}_toes") if ends[-1].endswith("foot") else None
                effector = effectors[character.roles[ends[-1]]]
                result.append(Limb(ends[-1], upper, middle, lower, joints[ends[-1]], toes, effector))
    return tuple(result)


def below(skeleton: Skeleton, joints: Iterable[int]) -> BoolArray:
    """(J,) whether joints are among those given or hang on one of them."""
    result = np.zeros(len(skeleton), bool)
    result[list(joints)] = True
    for joint in range(1, len(skeleton)):
        result[joint] |= result[skeleton.parents[joint]]
    return result


def heights_below(clip: Clip, joint: int) -> Array:
    """(T, N) heights [m] of a joint, of what hangs on it, and of the ends of that."""
    skeleton = clip.skeleton
    mask = below(skeleton, (joint,))
    ends = mask[skeleton.end_parents]
    return np.concatenate([clip.joint_positions_w[:, mask, 2], clip.end_positions_w[:, ends, 2]], axis=1)
