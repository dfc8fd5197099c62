"""A human clip carried over to a human character, by anatomical frames."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy import rotations
from understudy.character.fitting.anatomy import (
    LEFT,
    SIDES,
    UP,
    alignments_at_rest,
    anatomical_frames,
    frame_of,
    standing_frame,
    t_pose_direction,
)
from understudy.character.fitting.figure import Figure, clip_figure, rest_figure
from understudy.character.fitting.footfall import with_flat_feet
from understudy.character.fitting.from_motion import alignments_from_motion
from understudy.character.fitting.matching import Matching
from understudy.character.fitting.mending import mended, without_jumps
from understudy.character.fitting.targets import BodyTarget, PointTarget, Targets
from understudy.errors import CharacterError
from understudy.motion import Clip
from understudy.rotations import Array

_HIPS_PER_M, _ANKLE_PER_M = 10.0, 60.0
_ALONG, _ABOUT = 1.0, 0.15  # weight of where a limb's bone points, and of how it is turned about itself
_WEIGHTS = {"pelvis": 1.0, "spine": 0.5, "chest": 1.0, "neck": 0.3, "head": 0.7}
_LIMB_WEIGHTS = {"clavicle": 0.5, "hand": 0.5, "foot": 0.7, "toes": 0.3}
_LONG_BONES = ("upper_arm", "lower_arm", "thigh", "shin")


def human_targets(
    clip: Clip, character: Figure, frame: Array | None, matching: Matching, scale: float | None
) -> Targets:
    """Targets for a character that rests in the given figure, standing in ``frame`` as ``standing_frame`` gives it."""
    moving, still = clip_figure(clip, matching.joints), rest_figure(clip.skeleton, matching.joints)
    standing = standing_frame(still)
    if standing is None:
        alignments, line = alignments_from_motion(moving), UP
    else:
        alignments = alignments_at_rest(still, standing)
        line = rotations.rotate(rotations.conjugate(standing), _trunk_line(still)[0])
    frames, turned_over = mended(anatomical_frames(moving, alignments), moving)
    frames = with_flat_feet(moving, frames, clip.rate_hz)
    own = alignments_at_rest(character, rotations.IDENTITY if frame is None else frame, flat_feet=True)
    asked = without_jumps(_for_their_parts(frames, moving, line, tuple(own)), clip.rate_hz)
    scale = _leg_length(character) / _leg_length(moving) if scale is None else scale
    return Targets(
        bodies=tuple(
            _body_target(part, matching.bodies[part], asked[part], own[part]) for part in own if part in asked
        ),
        hips=_hips(moving, character, matching, scale),
        ankles=_ankles(moving, character, matching, scale),
        scale=scale,
        posed_by="motion" if standing is None else "rest pose",
        turned_over=turned_over,
    )


def _body_target(part: str, body: int, frames: Array, alignment: Array) -> BodyTarget:
    own = part.split("_", 1)[-1]
    weights = np.full(3, _WEIGHTS.get(part, _LIMB_WEIGHTS.get(own, 0.0)))
    if own in _LONG_BONES:
        weights = np.where(np.abs(t_pose_direction(part)) > 0.5, _ABOUT, _ALONG)
    axes = rotations.rotate(alignment, np.eye(3))
    return BodyTarget(body, rotations.multiply(frames, rotations.conjugate(alignment)), axes, weights)


def _for_their_parts(
    frames: Mapping[str, Array], clip: Figure, line: Array, parts: tuple[str, ...]
) -> dict[str, Array]:
    """The anatomical frames (T, 4) of the parts a character has, from those the clip has.

    A character with one joint in the waist bends there along the clip's whole trunk, and one with none leans with it;
    a head follows the head where there is only one joint in the neck; a part between two known ones goes half way; a
    hand of which the clip says nothing goes on straight from the forearm.
    """
    result = {part: frames[part] for part in parts if part in frames}
    trunk = frames[next(part for part in ("chest", "spine", "pelvis") if part in frames)]
    own_trunk = [part for part in ("spine", "chest") if part in parts]
    if not own_trunk and clip.trunk_top is not None:
        result["pelvis"] = _along(rotations.slerp(frames["pelvis"], trunk, 0.5), UP, _line(clip.hips, clip))
    elif len(own_trunk) == 1:
        result[own_trunk[0]] = _along(trunk, line, _trunk_line(clip))
    elif own_trunk:
        result["chest"] = trunk
        if not ("spine" in frames and "chest" in frames):
            result["spine"] = rotations.slerp(frames["pelvis"], trunk, 0.5)
    top = [frames[part] for part in ("neck", "head") if part in frames]
    own_top = [part for part in ("neck", "head") if part in parts]
    if top and own_top:
        result[own_top[-1]] = top[-1]
        if len(own_top) > len(top):
            result["neck"] = rotations.slerp(trunk, top[-1], 0.5)
    for side in SIDES:
        hand, arm = f"{side}_hand", f"{side}_lower_arm"
        if hand in parts and hand not in result and arm in frames:
            result[hand] = frames[arm]
    return result


def _trunk_line(figure: Figure) -> Array:
    """(T, 3) unit vectors from the lowest joint of the spine to the base of the neck."""
    return _line(
        next((figure.places[part] for part in ("spine", "chest") if part in figure.places), figure.hips), figure
    )


def _line(low: Array, figure: Figure) -> Array:
    """(T, 3) unit vectors from places (T, 3) to the base of the neck; upwards when there is no trunk."""
    way = np.zeros_like(low) if figure.trunk_top is None else figure.trunk_top - low
    return np.where(np.linalg.norm(way, axis=1, keepdims=True) > 1e-4, rotations.normalize(way), UP)


def _along(frames: Array, line: Array, now: Array) -> Array:
    """Frames (T, 4) in which line (3,) of the common pose goes along ``now`` (T, 3), facing as the given frames do.

    They face by their left, which stays put when a chest nods, and not by the smallest turn, which twists when it does.
    """
    return frame_of(now, rotations.rotate(frames, LEFT), line, LEFT)


def _hips(clip: Figure, character: Figure, matching: Matching, scale: float) -> PointTarget:
    inward = rotations.conjugate(character.turns["pelvis"][0])
    place = rotations.rotate(inward, character.hips[0] - character.places["pelvis"][0])
    return PointTarget(matching.bodies["pelvis"], place, _scaled(clip.hips, clip, scale), _HIPS_PER_M)


def _ankles(clip: Figure, character: Figure, matching: Matching, scale: float) -> tuple[PointTarget, ...]:
    return tuple(
        PointTarget(matching.bodies[foot], np.zeros(3), _scaled(clip.places[foot], clip, scale), _ANKLE_PER_M)
        for foot in ("left_foot", "right_foot")
        if foot in clip.places and foot in character.places
    )


def _scaled(places: Array, clip: Figure, scale: float) -> Array:
    """Places (T, 3) scaled about the spot on the ground where the clip begins."""
    start = clip.hips[0] * np.array([1.0, 1.0, 0.0])
    return start + scale * (places - start)


def _leg_length(figure: Figure) -> float:
    """The mean length of thigh and shin [m]."""
    total = 0.0
    for part in ("thigh", "shin"):
        for side in SIDES:
            near, far = figure.places[f"{side}_{part}"], figure.far_end(f"{side}_{part}")
            total += 0.0 if far is None else 0.5 * float(np.median(np.linalg.norm(far - near, axis=1)))
    if total < 1e-3:
        raise CharacterError("the clip's legs have no length, so its scale can't be told")
    return total
