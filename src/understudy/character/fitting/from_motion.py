"""Alignments of a skeleton whose rest pose is no stance (LAFAN1, Rokoko: all bones along one axis), from its motion.

A part's bone is fixed in its frame, so only its twist about the bone is to be found: elbows and knees tell it by the
axis they bend about, the trunk by the hips and shoulders, feet by lying flat on the floor. Such rigs are built along
their frames' coordinate axes, so a direction found near an axis is taken to be that axis.
"""

from __future__ import annotations

import numpy as np

from understudy import rotations
from understudy.character.fitting.anatomy import (
    FORWARD,
    LEFT,
    SIDES,
    UP,
    anatomical_frames,
    frame_of,
    t_pose_direction,
    t_pose_hinge,
)
from understudy.character.fitting.figure import Figure
from understudy.errors import CharacterError
from understudy.rotations import Array

_SNAP = np.radians(30.0)
_STRAIGHT = np.radians(25.0)
_COLLINEAR = np.radians(15.0)
_PRIOR = 0.02  # weight of a guess beside an elbow or knee bent by a right angle


def alignments_from_motion(figure: Figure) -> dict[str, Array]:
    """Alignment (4,) of every part of a figure in motion."""
    found = _trunk(figure)
    for side in SIDES:
        found |= _arm(figure, side, found)
        found |= _leg(figure, side, found)
    return found


def _in_part(figure: Figure, part: str, vectors: Array, weights: Array | None = None) -> Array:
    """The mean direction (3,) of world vectors (T, 3) in a part's frame."""
    local = rotations.rotate(rotations.conjugate(figure.turns[part]), vectors)
    weights = np.ones(len(local)) if weights is None else weights
    return rotations.normalize(np.sum(weights[:, None] * local, axis=0))


def _near_axis(direction: Array) -> Array:
    """The coordinate axis (3,) a direction is near to, else the direction."""
    k = int(np.argmax(np.abs(direction)))
    axis = np.sign(direction[k]) * np.eye(3)[k]
    return axis if direction @ axis > np.cos(_SNAP) else direction


def _trunk(figure: Figure) -> dict[str, Array]:
    top = figure.hips if figure.trunk_top is None else figure.trunk_top
    trunk = top - figure.hips
    hips_left, shoulders_left = figure.leftwards("thigh"), figure.leftwards("upper_arm")
    hips_left = shoulders_left if hips_left is None else hips_left
    if hips_left is None or shoulders_left is None:
        raise CharacterError(
            "the clip's rest pose is no stance, and without hips and shoulders its motion tells nothing"
        )
    ups = {"pelvis": _in_part(figure, "pelvis", trunk, _standing(figure, trunk))}
    if "spine" in figure.places:
        ups["spine"] = _in_part(figure, "spine", figure.places["chest"] - figure.places["spine"])
    if "chest" in figure.places:
        ups["chest"] = _in_part(figure, "chest", top - figure.places["chest"])
    found = {}
    for part, up in ups.items():
        left = hips_left if part == "pelvis" else shoulders_left if part != "spine" else hips_left + shoulders_left
        found[part] = _by_axes(figure, part, up, left)
    top = anatomical_frames(figure, found)["chest" if "chest" in found else "pelvis"]
    up, left = rotations.rotate(top, UP), rotations.rotate(top, LEFT)
    for part in (part for part in ("neck", "head") if part in figure.places):
        found[part] = _by_axes(figure, part, _in_part(figure, part, up), left)  # a head's end is often a mere stub
    return found


def _by_axes(figure: Figure, part: str, up: Array, left: Array) -> Array:
    """The alignment (4,) of a part whose up (3,) is known in its frame and whose left (T, 3) in the world."""
    return frame_of(_near_axis(up), _near_axis(_in_part(figure, part, left)), UP, LEFT)


def _standing(figure: Figure, trunk: Array) -> Array:
    """(T,) weight of each frame for how straight trunk and legs are: then the pelvis is neither tipped nor turned."""
    feet = figure.middle("foot")
    if feet is None:
        return np.ones(len(trunk))
    cosine = np.sum(rotations.normalize(trunk) * rotations.normalize(figure.hips - feet), axis=1)
    return np.exp(-((np.arccos(np.clip(cosine, -1.0, 1.0)) / _STRAIGHT) ** 2)) + 0.01


def _arm(figure: Figure, side: str, found: dict[str, Array]) -> dict[str, Array]:
    trunk = "chest" if "chest" in found else "pelvis"
    chest = anatomical_frames(figure, {trunk: found[trunk]})[trunk]
    clavicle, upper, lower, hand = (f"{side}_{part}" for part in ("clavicle", "upper_arm", "lower_arm", "hand"))
    result = {}
    if (along := _bone(figure, clavicle)) is not None:
        up = _near_axis(_in_part(figure, clavicle, rotations.rotate(chest, UP)))
        result[clavicle] = frame_of(along, up, t_pose_direction(clavicle), UP)
    if upper in figure.places:
        result[upper] = _limb_part(figure, upper, lower, upper, chest)
    if lower in figure.places:
        straight = _collinear(figure, upper, lower)
        result[lower] = result[upper] if straight else _limb_part(figure, upper, lower, lower, chest)
    if hand in figure.places:
        straight = lower in result and (_bone(figure, hand) is None or _collinear(figure, lower, hand))
        arm = _frames_of_last(figure, (lower, upper), result, chest)
        result[hand] = result[lower] if straight else _as_on_average(figure, hand, arm)
    return result


def _leg(figure: Figure, side: str, found: dict[str, Array]) -> dict[str, Array]:
    pelvis = anatomical_frames(figure, {"pelvis": found["pelvis"]})["pelvis"]
    thigh, shin, foot, toes = (f"{side}_{part}" for part in ("thigh", "shin", "foot", "toes"))
    result = {part: _limb_part(figure, thigh, shin, part, pelvis) for part in (thigh, shin)}
    left = rotations.rotate(anatomical_frames(figure, {shin: result[shin]})[shin], LEFT)
    for part, along_t in ((foot, t_pose_direction(foot)), (toes, FORWARD)):
        if (along := _bone(figure, part)) is not None:
            result[part] = frame_of(along, _near_axis(_in_part(figure, part, left)), along_t, LEFT)
        elif part in figure.places:
            result[part] = _as_on_average(figure, part, _frames_of_last(figure, (foot, shin), result, pelvis))
    return result


def _frames_of_last(figure: Figure, parts: tuple[str, ...], found: dict[str, Array], otherwise: Array) -> Array:
    """The anatomical frames (T, 4) of the first of some parts that has an alignment."""
    known = next((part for part in parts if part in found), None)
    return otherwise if known is None else rotations.multiply(figure.turns[known], found[known])


def _as_on_average(figure: Figure, part: str, frames: Array) -> Array:
    """Alignment of a part of which nothing tells: it is turned on average as other frames (T, 4)."""
    return rotations.mean(rotations.multiply(rotations.conjugate(figure.turns[part]), frames))


def _bone(figure: Figure, part: str) -> Array | None:
    """(3,) direction of a part's bone in its own frame; None when it has no far end."""
    along = figure.direction(part)
    return None if along is None else _in_part(figure, part, along)


def _limb_part(figure: Figure, upper: str, lower: str, part: str, above: Array) -> Array:
    """Alignment of the upper or lower part of an arm or leg, by the axis its middle joint bends about."""
    first, second = figure.direction(upper), figure.direction(lower)
    own = first if part == upper else second
    if own is None:
        return _as_on_average(figure, part, above)
    bending = np.zeros_like(own) if first is None or second is None else np.cross(first, second)
    weights = np.linalg.norm(bending, axis=1)
    swing = rotations.multiply(above, _swing(above, own, upper))
    guess = rotations.rotate(swing, t_pose_hinge(upper))
    axis = _in_part(figure, part, weights[:, None] * bending + _PRIOR * guess)
    return frame_of(_in_part(figure, part, own), _near_axis(axis), t_pose_direction(upper), t_pose_hinge(upper))


def _swing(above: Array, direction: Array, part: str) -> Array:
    """The smallest turns (T, 4), in the frames above, from where a part points in the T-pose to where it points."""
    return rotations.between(t_pose_direction(part), rotations.rotate(rotations.conjugate(above), direction))


def _collinear(figure: Figure, upper: str, lower: str) -> bool:
    """Whether both bones lie along the same axis of their frames, so that zero rotation means a straight limb."""
    a, b = _bone(figure, upper), _bone(figure, lower)
    return a is not None and b is not None and float(a @ b) > np.cos(_COLLINEAR)
