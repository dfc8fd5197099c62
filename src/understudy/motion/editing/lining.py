"""Feet on a line, one before the other: the edit for walking on a beam (samcon-2010 §4, "displace the lower body").

Letters: T frames.
"""

from __future__ import annotations

import numpy as np

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.body_parts import BodyParts, body_parts
from understudy.motion.clip import Clip
from understudy.motion.contacts import contact_labels
from understudy.motion.editing.limbs import hinge_axis, turned_by, two_bone_turns
from understudy.motion.editing.placing import along_x
from understudy.rotations import Array, BoolArray
from understudy.spans import smooth_step, time_to

_LEG = ("thigh", "shin", "foot")
_SWAY, _SWAY_M = 0.25, 0.02  # of its sway to the sides the root keeps, and the most that is left of it
_CLEARANCE_M = 0.10  # how far beside the line a foot swings past the other
_ASIDE_S = 0.12  # how long it takes to swing there
_REACH = 0.999  # of the length of a leg: the farthest it reaches
_LOWEST_M = 0.05  # by which the root is lowered at most, for the feet to reach the line


def on_line(clip: Clip) -> Clip:
    """The clip travelling along +x from the origin with its feet on the x axis whenever they are on the ground.

    Toes point along the line; feet swing past each other; the root sways a quarter as much to the sides, at most 2 cm
    to stay above a beam; and it is lowered by the little that legs which stand closer lack in length.

    Raises:
        ClipError: when the skeleton has no two legs, or the clip goes nowhere.
    """
    clip = along_x(clip)
    parts = body_parts(clip.skeleton, clip.joint_positions_w[0])
    missing = [part for side in ("left", "right") for name in _LEG if (part := f"{side}_{name}") not in parts]
    if missing:
        raise ClipError(f"clip '{clip.name}' can't be put on a line: its skeleton has no {', '.join(missing)}")
    contacts = contact_labels(clip)
    feet = {side: contacts.labels[:, contacts.names.index(f"{side}_foot")] for side in ("left", "right")}
    goals = {side: _goals(clip, parts[f"{side}_foot"], side, standing) for side, standing in feet.items()}
    kept = min(_SWAY, _SWAY_M / max(float(np.abs(clip.root_positions[:, 1]).max()), 1e-9))
    swaying = clip.with_(root_positions=clip.root_positions * np.array([1.0, kept, 1.0]))
    lacking = max(_lacking(swaying, parts, side, goals[side]) for side in feet)
    lowered = swaying.with_(root_positions=swaying.root_positions - np.array([0.0, 0.0, min(lacking, _LOWEST_M)]))
    ways: dict[int, Array] = {}
    for side, standing in feet.items():
        ways |= _on_goals(lowered, clip, parts, side, goals[side], standing)
    return turned_by(lowered, ways)


def _goals(clip: Clip, foot: int, side: str, standing: BoolArray) -> Array:
    """(T, 3) where a foot's joint is to be: on the line where it stands, beside it where it swings."""
    outward = 1.0 if side == "left" else -1.0
    goals = np.array(clip.joint_positions_w[:, foot])
    goals[:, 1] = outward * _CLEARANCE_M * _aside(standing, clip.rate_hz)
    return goals


def _aside(standing: BoolArray, rate_hz: float) -> Array:
    """(T,) from 0 where a foot stands, smoothly to 1 well within its swing."""
    return smooth_step(np.clip(time_to(standing, rate_hz) / _ASIDE_S, 0.0, 1.0))


def _lacking(clip: Clip, parts: BodyParts, side: str, goals: Array) -> float:
    """How much lower the root has to be for a leg to reach its goals as far as it reached where the foot was [m]."""
    hip, knee, ankle = (clip.joint_positions_w[:, parts[f"{side}_{part}"]] for part in _LEG)
    length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    level = np.linalg.norm((goals - hip)[:, :2], axis=1)
    below = np.sqrt(np.maximum((_REACH * length) ** 2 - level**2, 0.0))
    return float(np.max((hip - goals)[:, 2] - below, initial=0.0))


def _on_goals(
    clip: Clip, before: Clip, parts: BodyParts, side: str, goals: Array, standing: BoolArray
) -> dict[int, Array]:
    """World turns (T, 4) of a leg's joints that bring its foot to its goals, toes along the line."""
    upper, middle, lower = (parts[f"{side}_{part}"] for part in _LEG)
    places = clip.joint_positions_w
    axis = rotations.rotate(clip.joint_rotations_w[:, middle], hinge_axis(before, upper, middle, lower))
    above, under = two_bone_turns(places[:, upper], places[:, middle], places[:, lower], goals, axis)
    return {upper: above, middle: under, lower: rotations.about_z(-_pointing(before, parts, side, standing))}


def _pointing(clip: Clip, parts: BodyParts, side: str, standing: BoolArray) -> Array:
    """(T,) the angle [rad] from the line at which a foot stands, and between two stands what lies between."""
    foot = parts[f"{side}_foot"]
    own = np.flatnonzero(clip.skeleton.end_parents == foot)
    toes = parts.joints.get(f"{side}_toes")
    tips = clip.joint_positions_w[:, toes] if toes is not None else clip.end_positions_w[:, own].mean(axis=1)
    stands = np.flatnonzero(standing)
    if len(stands) == 0 or (toes is None and len(own) == 0):
        return np.zeros(clip.frame_count)
    way = tips - clip.joint_positions_w[:, foot]
    return np.interp(np.arange(clip.frame_count), stands, np.arctan2(way[stands, 1], way[stands, 0]))
