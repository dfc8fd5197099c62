"""A clip carried over to a character of its own skeleton, or to another animal standing alike."""

from __future__ import annotations

import numpy as np

from understudy import rotations
from understudy.character.character import Character
from understudy.character.fitting.figure import Figure, clip_figure, rest_figure
from understudy.character.fitting.matching import Matching, bones
from understudy.character.fitting.targets import BodyTarget, PointTarget, Targets
from understudy.character.reference import body_poses
from understudy.errors import CharacterError
from understudy.motion import Clip
from understudy.rotations import Array, IntArray

_ROOT_PER_M = 100.0


def own_targets(clip: Clip, character: Character, matching: Matching, scale: float | None) -> Targets:
    """Targets for a character with the clip's own skeleton: every body is turned as the joint it is named after."""
    moving = clip_figure(clip, matching.joints)
    theirs = _resting(character, matching)
    bodies = [
        BodyTarget(matching.bodies[part], moving.turns[part], _axes_at_rest(theirs, part), np.ones(3))
        for part in matching.shared
    ]
    ours, own = (float(np.linalg.norm(offsets, axis=1).sum()) for offsets in bones(clip.skeleton, character))
    scale = own / ours if scale is None else scale
    return Targets(tuple(bodies), _root(moving, matching, scale), (), scale, "", {})


def rest_targets(clip: Clip, character: Character, matching: Matching, scale: float | None) -> Targets:
    """Targets by which every body is turned from its rest pose as its joint is from the clip's.

    Bones that point elsewhere in the two rest poses are brought together first.
    """
    still, moving = rest_figure(clip.skeleton, matching.joints), clip_figure(clip, matching.joints)
    theirs, shared = _resting(character, matching), matching.shared
    if len(shared) < 2:
        raise CharacterError(f"only {len(shared)} body parts of '{character.name}' were found in the clip")
    ours, own = (np.array([figure.places[part][0] for part in shared]) for figure in (still, theirs))
    ours, own = ours - ours[0], own - own[0]
    size = float(np.linalg.norm(ours))
    if size < 1e-6:
        raise CharacterError("the clip's skeleton has no length, so its scale can't be told")
    scale = float(np.linalg.norm(own)) / size if scale is None else scale
    heading, above = _heading(ours, own), _parts_above(clip, matching)
    bodies = []
    for index, part in enumerate(shared):
        swing = rotations.multiply(rotations.conjugate(heading), _swing(index, above, ours, own, heading))
        turned = rotations.multiply(rotations.multiply(moving.turns[part], swing), theirs.turns[part][0])
        bodies.append(BodyTarget(matching.bodies[part], turned, _axes_at_rest(theirs, part), np.ones(3)))
    return Targets(tuple(bodies), _root(moving, matching, scale), (), scale, "rest pose", {})


def _root(moving: Figure, matching: Matching, scale: float) -> PointTarget:
    """The first shared part where the clip has it, scaled about the spot on the ground where the clip begins."""
    part = matching.shared[0]
    start = moving.places[part][0] * np.array([1.0, 1.0, 0.0])
    return PointTarget(matching.bodies[part], np.zeros(3), start + scale * (moving.places[part] - start), _ROOT_PER_M)


def _resting(character: Character, matching: Matching) -> Figure:
    poses = body_poses(character.model, np.asarray(character.model.qpos0, float)[None])
    places = {part: poses.positions_w[:, body] for part, body in matching.bodies.items()}
    return Figure(places, {part: poses.rotations_w[:, body] for part, body in matching.bodies.items()}, {}, {})


def _axes_at_rest(theirs: Figure, part: str) -> Array:
    """(3, 3) the world's axes, as rows, in a part's frame in the rest pose."""
    return rotations.rotate(rotations.conjugate(theirs.turns[part][0]), np.eye(3))


def _heading(ours: Array, own: Array) -> Array:
    """The turn (4,) about the vertical that brings our places (N, 3) nearest to the character's."""
    across = np.sum(ours[:, 0] * own[:, 1] - ours[:, 1] * own[:, 0])
    return rotations.about_z(np.arctan2(across, np.sum(ours[:, :2] * own[:, :2])))


def _parts_above(clip: Clip, matching: Matching) -> IntArray:
    """For each shared part, the index of the shared part next above it in the clip's skeleton; -1 for none."""
    index = {matching.joints[part]: i for i, part in enumerate(matching.shared)}
    result = np.full(len(index), -1)
    for joint, i in index.items():
        above = int(clip.skeleton.parents[joint])
        while above >= 0 and above not in index:
            above = int(clip.skeleton.parents[above])
        result[i] = index.get(above, -1)
    return result


def _swing(index: int, above: IntArray, ours: Array, own: Array, heading: Array) -> Array:
    """The turn (4,) from where a part's bone points in the character's rest pose to where it points in the clip's."""
    below = above == index
    if not below.any():
        return rotations.IDENTITY
    bone, own_bone = (np.mean(places[below] - places[index], axis=0) for places in (ours, own))
    if min(np.linalg.norm(bone), np.linalg.norm(own_bone)) < 1e-3:
        return rotations.IDENTITY
    return rotations.between(own_bone, rotations.rotate(heading, bone))
