"""The body in a recording, as far as its size and posture tell the axes and the unit of the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.motion.body_parts import BodyParts, body_parts
from understudy.motion.body_shape import ancestors, rest_places
from understudy.motion.recording import Recording
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array, normalize

_MOST_JOINTS, _MOST_STEPS = 600, 30_000  # a tree past these is no body, and would take long to look for one in
_LEG_SHARE = 0.491  # thigh and shin of stature, as in anthropometry.py
_CHAIN_SHARE = 0.8  # root to fingertips, likewise
_SIDES = ("left", "right")


@dataclass(frozen=True)
class Body:
    """What is known of a body.

    Attributes:
        skeleton: in the file's axes and unit.
        parts: which joint turns which body part.
        rest: (J, 3) joint places of the rest pose, the root at the origin.
        positions: (T, J, 3) joint places in some frames of the motion.
    """

    skeleton: Skeleton
    parts: BodyParts
    rest: Array
    positions: Array

    @property
    def is_known(self) -> bool:
        """Whether it has legs, and something above them."""
        legs = all(f"{side}_{part}" in self.parts for side in _SIDES for part in ("thigh", "foot"))
        return legs and self.top is not None

    @property
    def top(self) -> int | None:
        """The highest joint known of the upright body."""
        return next((self.parts[part] for part in ("head", "neck", "chest", "spine") if part in self.parts), None)

    @property
    def tells_left_from_right(self) -> bool:
        """Whether the sides are known other than by assuming the usual axes."""
        return self.is_known and (self.parts.found_by == "names" or "left_toes" in self.parts)

    def middle(self, places: Array, part: str) -> Array:
        """The middle (..., 3) between a part's left and right joint."""
        return 0.5 * (places[..., self.parts[f"left_{part}"], :] + places[..., self.parts[f"right_{part}"], :])

    def left(self) -> Array:
        """The direction (3,) of the body's left in the rest pose."""
        joints = [
            (self.parts[f"left_{p}"], self.parts[f"right_{p}"])
            for p in ("thigh", "upper_arm")
            if f"left_{p}" in self.parts
        ]
        return normalize(sum((self.rest[left] - self.rest[right] for left, right in joints), np.zeros(3)))

    def stature(self) -> float:
        """Height in the file's unit, from the lengths of bones, so whatever the pose; 0 when there are none."""
        return _stature(self.skeleton, self.parts)


def body_size(skeleton: Skeleton) -> float:
    """The height of a skeleton's body when it stands, in the unit of its offsets."""
    return _stature(skeleton, _parts(skeleton))


def _stature(skeleton: Skeleton, parts: BodyParts) -> float:
    legs = [(f"{side}_thigh", f"{side}_foot") for side in _SIDES]
    if all(thigh in parts and foot in parts for thigh, foot in legs):
        return float(np.mean([_length(skeleton, parts[thigh], parts[foot]) for thigh, foot in legs])) / _LEG_SHARE
    return _longest_chain(skeleton) / _CHAIN_SHARE


def body_of(recording: Recording) -> Body:
    """Look for the body in a recording; give a few frames of it only."""
    skeleton = recording.skeleton
    positions, _ = skeleton.forward(recording.root_positions, recording.rotations)
    return Body(skeleton, _parts(skeleton), rest_places(skeleton), positions)


def _parts(skeleton: Skeleton) -> BodyParts:
    return body_parts(skeleton) if _may_be_body(skeleton) else BodyParts({})


def _may_be_body(skeleton: Skeleton) -> bool:
    if len(skeleton) > _MOST_JOINTS:
        return False
    depth, children = np.zeros(len(skeleton), int), np.zeros(len(skeleton), int)
    for joint in range(1, len(skeleton)):
        depth[joint] = depth[skeleton.parents[joint]] + 1
        children[skeleton.parents[joint]] += 1
    return int(depth[children == 0].sum()) <= _MOST_STEPS and int(children.max()) <= 60


def _length(skeleton: Skeleton, first: int, last: int) -> float:
    """Along the bones from a joint to one below it."""
    path: Sequence[int] = ancestors(skeleton, last)
    below = path[path.index(first) + 1 :] if first in path else path[-1:]
    return float(np.linalg.norm(skeleton.offsets[below], axis=1).sum())


def _longest_chain(skeleton: Skeleton) -> float:
    """The longest way outwards from the joint where the tree first forks, limb ends included."""
    children = np.bincount(skeleton.parents[1:], minlength=len(skeleton))
    fork = 0
    while children[fork] == 1 and fork + 1 < len(skeleton):
        fork = skeleton.children(fork)[0]
    fork = fork if children[fork] > 1 else 0
    reach = np.zeros(len(skeleton))
    for joint in range(fork + 1, len(skeleton)):
        reach[joint] = reach[skeleton.parents[joint]] + np.linalg.norm(skeleton.offsets[joint])
    ends = reach[skeleton.end_parents] + np.linalg.norm(skeleton.end_offsets, axis=1)
    return float(max(reach.max(), ends.max(initial=0.0)))
