"""Editing where and how large: turn, move, align with the origin, change the ground height, scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.body_parts import body_parts
from understudy.motion.clip import Clip
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

_TRAVEL_M = 0.3  # a clip that goes less far goes nowhere


@dataclass(frozen=True)
class GroundMove:
    """A turn by angle_rad about the vertical through the origin, then a shift (2,) [m] along the ground."""

    angle_rad: float
    shift: Array

    def apply(self, clip: Clip) -> Clip:
        """The clip turned and shifted as a whole."""
        turn_by = rotations.about_z(self.angle_rad)
        turned = np.array(clip.rotations)
        turned[:, 0] = rotations.multiply(turn_by, turned[:, 0])
        return clip.with_(root_positions=self.place(clip.root_positions), rotations=turned)

    def place(self, positions: Array) -> Array:
        """Places (..., 3) turned and shifted."""
        return rotations.rotate(rotations.about_z(self.angle_rad), positions) + np.array([*self.shift, 0.0])


def ground_move(from_position: Array, from_rotation: Array, to_position: Array, to_rotation: Array) -> GroundMove:
    """What brings one root pose ((3,), (4,)) above the other and to its heading; height and tilt stay.

    The heading between two poses is the part about the vertical of the rotation that leads from one to the other: it
    does not depend on how the root's own axes lie in the body.
    """
    between = rotations.twist(rotations.multiply(to_rotation, rotations.conjugate(from_rotation)), np.eye(3)[2])
    angle_rad = float(rotations.log(between)[2])
    turned = rotations.rotate(rotations.about_z(angle_rad), from_position)
    return GroundMove(angle_rad, (np.asarray(to_position) - turned)[:2])


def turn(clip: Clip, angle_rad: float) -> Clip:
    """The clip turned about the vertical through its first frame's root, to the left for angles above 0."""
    _finite(clip, "turned", angle_rad)
    pivot = clip.root_positions[0]
    shift = pivot - rotations.rotate(rotations.about_z(angle_rad), pivot)
    return GroundMove(float(angle_rad), shift[:2]).apply(clip)


def move(clip: Clip, offset: ArrayLike) -> Clip:
    """The clip moved by offset (3,) [m]."""
    step = np.asarray(offset, float)
    if step.shape != (3,):
        raise ClipError(f"clip '{clip.name}' is moved by three numbers x, y, z [m], not {step}")
    _finite(clip, "moved", step)
    return clip.with_(root_positions=clip.root_positions + step)


def to_origin(clip: Clip) -> Clip:
    """The clip with its first frame's root above the origin, facing +x; heights stay."""
    angle_rad = -float(facing(clip)[0])
    start = rotations.rotate(rotations.about_z(angle_rad), clip.root_positions[0])
    return GroundMove(angle_rad, -start[:2]).apply(clip)


def along_x(clip: Clip) -> Clip:
    """The clip with its first frame's root above the x axis' origin, travelling along that axis; heights stay.

    The way is the straight line that lies nearest to the root's places (least squares).
    """
    places = clip.root_positions[:, :2]
    middle, travel = places.mean(axis=0), places[-1] - places[0]
    if np.linalg.norm(travel) < _TRAVEL_M:
        raise ClipError(f"clip '{clip.name}' ends less than {_TRAVEL_M} m from where it began: it goes nowhere")
    way = np.linalg.svd(places - middle, full_matrices=False)[2][0]
    way = way * np.sign(way @ travel)
    angle_rad = -float(np.arctan2(way[1], way[0]))
    middle = rotations.rotate(rotations.about_z(angle_rad), np.array([*middle, 0.0]))
    start = rotations.rotate(rotations.about_z(angle_rad), clip.root_positions[0])
    return GroundMove(angle_rad, -np.array([start[0], middle[1]])).apply(clip)


def raise_ground(clip: Clip, ground_m: float) -> Clip:
    """The clip with what was at height ground_m [m] put at height 0, where the floor is."""
    _finite(clip, "set on the floor", ground_m)
    return move(clip, (0.0, 0.0, -ground_m))


def scale(clip: Clip, factor: float) -> Clip:
    """The clip with its skeleton and its way over the ground made ``factor`` times as large; the floor stays at 0."""
    if not (np.isfinite(factor) and factor > 0.0):
        raise ClipError(f"clip '{clip.name}' can't be scaled by {factor:g}: a factor is above 0")
    skeleton = clip.skeleton
    scaled = Skeleton(
        skeleton.names,
        skeleton.parents,
        skeleton.offsets * factor,
        skeleton.end_parents,
        skeleton.end_offsets * factor,
    )
    return clip.with_(skeleton=scaled, root_positions=clip.root_positions * factor)


def facing(clip: Clip) -> Array:
    """(T,) the angle [rad] from +x about the vertical of where the body faces.

    Across the hips and shoulders where the skeleton has them; by the root's own x axis where not, and while the body
    lies on its side.
    """
    by_root = rotations.heading(clip.rotations[:, 0])
    parts, places = body_parts(clip.skeleton, clip.joint_positions_w[0]), clip.joint_positions_w
    pairs = [(f"left_{part}", f"right_{part}") for part in ("thigh", "upper_arm")]
    across = [places[:, parts[a]] - places[:, parts[b]] for a, b in pairs if a in parts and b in parts]
    if not across:
        return by_root
    left = np.sum(across, axis=0)
    level = np.hypot(left[:, 0], left[:, 1]) > 0.3 * np.linalg.norm(left, axis=1)
    return np.where(level, np.arctan2(-left[:, 0], left[:, 1]), by_root)  # forward = left x up


def _finite(clip: Clip, verb: str, value: ArrayLike) -> None:
    if not np.isfinite(value).all():
        raise ClipError(f"clip '{clip.name}' can't be {verb} by {np.asarray(value)}: that is not a number")
