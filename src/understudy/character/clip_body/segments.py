"""A skeleton cut into rigid segments: joints that matter, with the bones that move with each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.character.clip_body.rest import RestPose
from understudy.motion import BodyParts, Clip
from understudy.rotations import Array, BoolArray, IntArray

_SAME_PLACE = 1e-3  # of the height
_SMALL = 0.12  # of the height: a side branch that reaches no farther is part of what it hangs on
_STILL_RAD = 1e-3
_EXTREMITIES = ("head", "left_hand", "right_hand", "left_toes", "right_toes", "left_foot", "right_foot")


@dataclass(frozen=True)
class Segment:
    """A rigid part of the body, turning about its near joint.

    Attributes:
        name: the joint's.
        joint: its index in the skeleton.
        parent: index of the segment it hangs on, -1 for the root.
        part: the body part it is, or empty.
        place, turn: (3,) [m] and (4,) of its joint in the rest pose.
        bones: (N, 2, 3) from joints to joints and limb ends that move with it [m].
    """

    name: str
    joint: int
    parent: int
    part: str
    place: Array
    turn: Array
    bones: Array

    @property
    def tip(self) -> Array:
        """(3,) the end of its bones that is farthest from its joint [m]; the joint itself when it has none."""
        if len(self.bones) == 0:
            return self.place
        ends = self.bones[:, 1]
        return ends[np.argmax(np.linalg.norm(ends - self.place, axis=1))]


def cut(clip: Clip, parts: BodyParts, rest: RestPose) -> tuple[Segment, ...]:
    """The segments of a clip's skeleton, parents before children.

    Joints without a body part are merged into their parents when they never turn in the clip, lie beyond a hand, foot
    or head, or are small side branches; when their bones have no length, what hangs on them hangs on their parents.
    """
    part_of = {joint: part for part, joint in reversed(list(parts.joints.items()))}
    kept = _kept(clip, part_of, rest)
    owner = _owners(clip.skeleton.parents, kept)
    order = [int(j) for j in np.flatnonzero(kept)]
    result = []
    for joint in order:
        parent = -1 if joint == 0 else order.index(int(owner[clip.skeleton.parents[joint]]))
        part = part_of.get(joint, "")
        bones = _bones(clip, rest, owner, joint)
        name = clip.skeleton.names[joint]
        result.append(Segment(name, joint, parent, part, rest.places[joint], rest.turns[joint], bones))
    return tuple(result)


def _kept(clip: Clip, part_of: dict[int, str], rest: RestPose) -> BoolArray:
    skeleton = clip.skeleton
    count, height = len(skeleton), max(rest.height, 1e-9)
    turning = rotations.angle_between(clip.rotations[:1], clip.rotations).max(axis=0) > _STILL_RAD
    turning |= clip.frame_count == 1
    reach, matters = (
        np.zeros(count),
        np.zeros(count, bool),
    )  # how far it goes beyond a joint, and whether to a body part
    long_bone = np.zeros(count, bool)
    for end, joint in enumerate(skeleton.end_parents):
        reach[joint] = max(reach[joint], np.linalg.norm(rest.ends[end] - rest.places[joint]))
        long_bone[joint] |= reach[joint] > _SAME_PLACE * height
    for joint in reversed(range(1, count)):
        parent = skeleton.parents[joint]
        length = np.linalg.norm(rest.places[joint] - rest.places[parent])
        reach[parent] = max(reach[parent], reach[joint] + length)
        matters[joint] |= joint in part_of
        matters[parent] |= matters[joint]
        long_bone[parent] |= length > _SAME_PLACE * height
    beyond = _beyond_extremities(skeleton.parents, part_of)
    small = ~matters & (reach < _SMALL * height)
    for joint in range(1, count):  # a branch is judged by where it leaves the parts that matter
        parent = skeleton.parents[joint]
        if not matters[joint] and not matters[parent]:
            small[joint] = small[parent]
    kept = turning & long_bone & ~(small | beyond & ~matters)
    kept[list(part_of)] = True
    kept[0] = True
    return kept


def _beyond_extremities(parents: IntArray, part_of: dict[int, str]) -> BoolArray:
    beyond = np.zeros(len(parents), bool)
    for joint in range(1, len(parents)):
        beyond[joint] = beyond[parents[joint]] or part_of.get(int(parents[joint]), "") in _EXTREMITIES
    return beyond


def _owners(parents: IntArray, kept: BoolArray) -> IntArray:
    """(J,) the kept joint each joint moves with."""
    owner = np.arange(len(parents))
    for joint in range(1, len(parents)):
        if not kept[joint]:
            owner[joint] = owner[parents[joint]]
    return owner


def _bones(clip: Clip, rest: RestPose, owner: IntArray, joint: int) -> Array:
    skeleton = clip.skeleton
    bones = [
        (rest.places[parent], rest.places[child])
        for child, parent in enumerate(skeleton.parents)
        if parent >= 0 and owner[parent] == joint
    ]
    bones += [
        (rest.places[parent], rest.ends[end])
        for end, parent in enumerate(skeleton.end_parents)
        if owner[parent] == joint
    ]
    long = [bone for bone in bones if np.linalg.norm(bone[1] - bone[0]) > _SAME_PLACE * max(rest.height, 1e-9)]
    return np.array(long).reshape(-1, 2, 3)
