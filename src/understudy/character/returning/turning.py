"""How the joints of a clip are turned in the world when the character performs otherwise than the Reference.

Letters: T frames, J joints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy import rotations
from understudy.character.fitting.matching import Matching
from understudy.character.returning.bearing import Bearing, bearing
from understudy.character.returning.contacts import Contact, faded
from understudy.character.returning.frames import SideBySide
from understudy.motion import Clip, Skeleton, turned_by
from understudy.rotations import Array

_TRUNK = ("pelvis", "spine", "chest", "neck", "head")
_BARE = ("thigh", "shin")  # their detail would only be undone when the feet reach for their places
_NOT_FLAT = 1e-3  # how much a frame in which a foot is not flat says about how it lies in the ankle's frame
_FADE_S = 0.1


def bearings(side: SideBySide, contacts: Sequence[Contact]) -> dict[str, Bearing]:
    """The bearings of all shared body parts; feet and hands that rest in the performance have no detail."""
    ends = {contact.limb.part: contact for contact in contacts}
    return {part: _bearing(side, part, ends.get(part)) for part in side.matching.shared}


def _bearing(side: SideBySide, part: str, contact: Contact | None) -> Bearing:
    rate_hz, weights = side.clip.rate_hz, np.ones(side.clip.frame_count)
    if side.matching.same_skeleton:
        return Bearing(rotations.IDENTITY, np.zeros((side.clip.frame_count, 3)))
    if contact is not None:
        weights = np.where(contact.flat_before, 1.0, 0.0) + _NOT_FLAT
    body = side.reference.rotations_w[:, side.matching.bodies[part]]
    result = bearing(body, side.clip.joint_rotations_w[:, side.matching.joints[part]], weights, rate_hz)
    if contact is not None:
        return replace(result, detail=(1.0 - faded(contact.all_rest, rate_hz, _FADE_S)) * result.detail)
    return replace(result, detail=0.0 * result.detail) if part.endswith(_BARE) else result


def turned(side: SideBySide, known: Mapping[str, Bearing]) -> Clip:
    """The clip with its joints turned as the performing character's bodies are.

    Joints of the trunk between two body parts share in what turns the one against the other; other joints go with the
    joint they hang on, turned to it as in the clip.
    """
    matching, clip, own = side.matching, side.clip, side.clip.joint_rotations_w
    given = {}
    for part in matching.shared:
        joint, body = matching.joints[part], side.performed.rotations_w[:, matching.bodies[part]]
        given[joint] = rotations.multiply(known[part].turned(body), rotations.conjugate(own[:, joint]))
    between = _trunk_between(clip.skeleton, matching, set(given))
    ways = {-1: _root_way(clip.skeleton, given)}
    for joint, parent in enumerate(clip.skeleton.parents):
        ways[joint] = given.get(joint, ways[parent])
        if joint in between:
            above, under, share = between[joint]
            ways[joint] = rotations.slerp(ways[above], given[under], np.full(clip.frame_count, share))
    return turned_by(clip, ways)


def _root_way(skeleton: Skeleton, given: Mapping[int, Array]) -> Array:
    """(T, 4) how a root that is no part of the body is turned: about the vertical with the part nearest to it."""
    nearest = min(given)
    if np.linalg.norm(skeleton.offsets[1 : nearest + 1], axis=1).sum() > 1e-6:
        return rotations.twist(given[nearest], np.array([0.0, 0.0, 1.0]))
    return given[nearest]


def _trunk_between(skeleton: Skeleton, matching: Matching, known: set[int]) -> dict[int, tuple[int, int, float]]:
    """Unknown joints between two known ones of the trunk: the one above, the one below, and how far between they are.

    The chest carries the arms: when the character has none, it goes with the pelvis and the neck alone shares.
    """
    trunk = {matching.joints[part] for part in _TRUNK if part in matching.joints}
    chest = matching.joints.get("chest", -1)
    result: dict[int, tuple[int, int, float]] = {}
    for below in sorted(known & trunk):
        chain: list[int] = []
        above = int(skeleton.parents[below])
        while above >= 0 and above not in known and above != chest:
            chain, above = [above, *chain], int(skeleton.parents[above])
        if above in trunk:
            result |= {joint: (above, below, (i + 1.0) / (len(chain) + 1.0)) for i, joint in enumerate(chain)}
    return result
