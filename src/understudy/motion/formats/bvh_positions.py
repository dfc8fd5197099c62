"""Position channels of joints other than the root, which BVH files use in several ways.

Most write the joint's place in its parent's frame again, as OFFSET has it. Some (MakeHuman) write what is added to
OFFSET. Some (Bandai Namco) have a root that stays on the floor and move its only child, the pelvis, by these channels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from understudy import rotations
from understudy.motion.formats.bvh_hierarchy import Hierarchy
from understudy.motion.recording import Guess, ReadSettings, Recording
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array, BoolArray

_FLAG = "--positions"
_STILL = 0.01  # a joint that moves less than this share of the body is taken to stay in its place


@dataclass(frozen=True)
class _Channels:
    """The K joints that have position channels; ``given`` (K, 3) tells which, ``values`` (T, K, 3) what they say."""

    joints: list[int]
    given: BoolArray
    values: Array

    def places(self, offsets: Array, added: bool) -> Array:
        """(T, K, 3) the joints in their parents' frames; ``offsets`` (K, 3) where no channel says."""
        return np.where(self.given, self.values + (offsets if added else 0.0), offsets)


def with_position_channels(
    recording: Recording, hierarchy: Hierarchy, values: Array, settings: ReadSettings
) -> Recording:
    """The recording with its bones as long as the position channels say, and its root where the motion is."""
    channels = _channels(hierarchy, values)
    if not channels.joints or settings.positions == "ignored":
        return recording
    skeleton = recording.skeleton
    offsets = skeleton.offsets[channels.joints]
    size = _size(skeleton)
    if np.all(np.abs(channels.places(offsets, added=False) - offsets) <= 1e-6 * max(size, 1e-6)):
        return recording
    meaning, guess = _meaning(channels, offsets, settings)
    places = channels.places(offsets, added=meaning == "added")
    usual = np.median(places, axis=0)
    lengths = skeleton.offsets.copy()
    lengths[channels.joints] = usual
    recording = replace(recording, skeleton=replace(skeleton, offsets=lengths)).told(guess)
    moves = np.linalg.norm(places - usual, axis=-1).max(axis=0)  # (K,)
    moving = {joint: k for k, joint in enumerate(channels.joints) if moves[k] > _STILL * max(size, _size(skeleton))}
    dropped = 0
    while (pelvis := 1 + dropped) in moving and recording.skeleton.children(0) == [1]:
        recording = _without_floor_root(recording, places[:, moving.pop(pelvis)])
        dropped += 1
    if moving:
        names = ", ".join(skeleton.names[joint] for joint in moving)
        recording = recording.told(warning=f"bones change their length; their usual length was taken: {names}")
    return recording


def _channels(hierarchy: Hierarchy, values: Array) -> _Channels:
    joints = [i for i, joint in enumerate(hierarchy.joints) if i > 0 and joint.columns("position")[0]]
    given = np.zeros((len(joints), 3), bool)
    said = np.zeros((len(values), len(joints), 3))
    for k, joint in enumerate(joints):
        for letter, column in zip(*hierarchy.joints[joint].columns("position"), strict=True):
            axis = "XYZ".index(letter)
            given[k, axis], said[:, k, axis] = True, values[:, column]
    return _Channels(joints, given, said)


def _meaning(
    channels: _Channels, offsets: Array, settings: ReadSettings
) -> tuple[Literal["absolute", "added"], Guess | None]:
    if settings.positions is not None and settings.positions != "ignored":
        return settings.positions, None
    usual = np.median(channels.values, axis=0)
    from_zero = np.abs(usual)[channels.given].sum()
    from_offset = np.abs(usual - offsets)[channels.given].sum()
    if from_zero < from_offset:
        return "added", Guess("position channels", "added to OFFSET", "they are nearly zero", _FLAG)
    why = "they are nearer to OFFSET than to zero"
    return "absolute", Guess("position channels", "in place of OFFSET", why, _FLAG)


def _without_floor_root(recording: Recording, places: Array) -> Recording:
    """The recording with the root's only child as root; ``places`` (T, 3) are the child's in the root's frame."""
    old = recording.skeleton
    on_root = old.end_parents == 0
    skeleton = Skeleton(
        names=old.names[1:],
        parents=np.maximum(old.parents[1:] - 1, -1),
        offsets=np.concatenate([np.zeros((1, 3)), old.offsets[2:]]),
        end_parents=old.end_parents[~on_root] - 1,
        end_offsets=old.end_offsets[~on_root],
    )
    turned = recording.rotations[:, 1:].copy()
    turned[:, 0] = rotations.multiply(recording.rotations[:, 0], turned[:, 0])
    positions = recording.root_positions + rotations.rotate(recording.rotations[:, 0], places)
    changed = replace(recording, skeleton=skeleton, root_positions=positions, rotations=turned)
    why = f"its position channels carry the motion, and {old.names[0]} above it none of the body"
    return changed.told(Guess("root", skeleton.names[0], why, _FLAG))


def _size(skeleton: Skeleton) -> float:
    """The longest way from the root outwards."""
    reach = np.zeros(len(skeleton))
    for joint in range(1, len(skeleton)):
        reach[joint] = reach[skeleton.parents[joint]] + np.linalg.norm(skeleton.offsets[joint])
    return float(reach.max())
