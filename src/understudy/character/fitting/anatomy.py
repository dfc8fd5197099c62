"""Anatomical frames: how each part of any body is turned, measured from one common pose.

The common pose is the T-pose of ``understudy.anthropometry``: upright, facing +x, arms out to the sides, palms down,
feet flat. In it every anatomical frame is the identity. For a body part whose own frame has the world rotation G(t),
a constant rotation O is sought so that A(t) = G(t) O is the part's anatomical frame; O is its *alignment*.
Alignments of a clip's skeleton and of a character together carry a motion from the one to the other.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy import rotations
from understudy.anthropometry import joint_places
from understudy.character.fitting.figure import FOLLOWING, Figure
from understudy.rotations import Array

LIMBS = ("upper_arm", "lower_arm", "hand"), ("thigh", "shin")
SIDES = ("left", "right")
FORWARD, LEFT, UP = np.eye(3)

_SNAP = np.radians(20.0)
_BENT = np.radians(20.0)
_RAISED = np.radians(50.0)
_TRUNK_LEAN, _LEG_SPREAD, _LIMB_BEND = np.radians(40.0), np.radians(60.0), np.radians(110.0)
_DOWNWARDS = np.radians(25.0)
_FOOT_SLOPE = np.radians(6.0), np.radians(60.0)


def t_pose_direction(part: str) -> Array:
    """(3,) unit vector along a part in the common pose."""
    if part.endswith("hand"):
        return LEFT if part.startswith("left") else -LEFT
    places = joint_places()
    return rotations.normalize(places[FOLLOWING[part]] - places[part])


def t_pose_hinge(part: str) -> Array:
    """(3,) the axis an elbow or a knee bends about in the common pose, bending being positive.

    Shins go backwards about the body's left; forearms come forward, the left one about downwards.
    """
    if part.endswith(("thigh", "shin")):
        return LEFT
    return -UP if part.startswith("left") else UP


def standing_frame(figure: Figure) -> Array | None:
    """The rotation (4,) from the common pose's axes to the first pose's; None if that does not stand.

    The pose stands if, seen in that frame, the trunk is upright, the legs point down and the feet forward.
    """
    left = sum((v[0] for v in (figure.leftwards("thigh"), figure.leftwards("upper_arm")) if v is not None), np.zeros(3))
    legs = [
        v[0] for side in SIDES for part in ("thigh", "shin") if (v := figure.direction(f"{side}_{part}")) is not None
    ]
    down = rotations.normalize(np.sum(legs, axis=0)) if legs else np.zeros(3)
    top = figure.trunk_top
    trunk = -down if top is None else rotations.normalize(top[0] - figure.hips[0])
    if np.linalg.norm(left) < 1e-4 or np.linalg.norm(trunk - down) < 1.0:
        return None
    frame = snapped(frame_of(trunk - down, left, UP, LEFT))
    here = rotations.conjugate(frame)
    if rotations.rotate(here, trunk)[2] < np.cos(_TRUNK_LEAN):
        return None
    if any(rotations.rotate(here, leg)[2] > -np.cos(_LEG_SPREAD) for leg in legs):
        return None
    feet = [figure.direction(f"{side}_foot") for side in SIDES]
    if any(v is not None and rotations.rotate(here, v[0])[0] < -0.2 for v in feet):
        return None
    return frame if _limbs_are_straight(figure) else None


def _limbs_are_straight(figure: Figure) -> bool:
    for side in SIDES:
        for first, second in (("upper_arm", "lower_arm"), ("thigh", "shin")):
            a, b = figure.direction(f"{side}_{first}"), figure.direction(f"{side}_{second}")
            if a is not None and b is not None and float(a[0] @ b[0]) < np.cos(_LIMB_BEND):
                return False
    return True


def frame_of(first: Array, second: Array, first_t: Array, second_t: Array) -> Array:
    """The rotation (..., 4) that turns first_t into the direction of first, and second_t nearly into that of second."""
    return rotations.from_matrix(_axes(first, second) @ np.swapaxes(_axes(first_t, second_t), -1, -2))


def _axes(first: Array, second: Array) -> Array:
    """(..., 3, 3) right-handed axes as columns: along first, across it towards second, and the third."""
    a = rotations.normalize(first)
    b = rotations.normalize(second - np.sum(a * second, axis=-1, keepdims=True) * a)
    return np.stack([a, b, np.cross(a, b)], axis=-1)


def snapped(frame: Array) -> Array:
    """The frame (4,), or the one along the coordinate axes when that is as good as the same."""
    axes = rotations.to_matrix(frame)
    nearest = np.zeros((3, 3))
    nearest[np.argmax(np.abs(axes), axis=0), range(3)] = np.sign(axes[np.argmax(np.abs(axes), axis=0), range(3)])
    if np.linalg.det(nearest) < 0.5:
        return frame
    turn = rotations.from_matrix(nearest)
    return turn if rotations.angle_between(frame, turn) < _SNAP else frame


def alignments_at_rest(figure: Figure, frame: Array, *, flat_feet: bool = False) -> dict[str, Array]:
    """Alignment (4,) of every part, from a pose that stands; frame as ``standing_frame`` gives it.

    Trunk, head and shoulder girdle are taken to be as in the common pose. Limbs may point elsewhere (arms hanging, an
    A-pose): they get there from the common pose by the smallest turns, each from its parent's, and where an elbow or a
    knee is bent, or a hinge is known, its axis says how the limb is turned about itself. Feet are square to
    their shins, unless the pose is known to stand on flat feet.
    """
    seen = dict.fromkeys(figure.places, rotations.IDENTITY)  # how each part is turned from the common pose
    here = rotations.conjugate(frame)
    for side in SIDES:
        seen |= _girdle_at_rest(figure, f"{side}_clavicle", here)
        for chain in LIMBS:
            seen |= _limb_at_rest(figure, [f"{side}_{part}" for part in chain], here)
        shin_turn = rotations.IDENTITY if flat_feet else seen.get(f"{side}_shin", rotations.IDENTITY)
        seen |= _foot_at_rest(figure, side, here, shin_turn)
    return {
        part: rotations.multiply(rotations.conjugate(figure.turns[part][0]), rotations.multiply(frame, turn))
        for part, turn in seen.items()
    }


def _girdle_at_rest(figure: Figure, part: str, here: Array) -> dict[str, Array]:
    """A clavicle as in the common pose, unless it points elsewhere altogether (arms stretched up)."""
    along = figure.direction(part)
    if along is None:
        return {}
    turn = rotations.between(t_pose_direction(part), rotations.rotate(here, along[0]))
    return {part: turn} if rotations.angle_between(turn, rotations.IDENTITY) > _RAISED else {}


def _limb_at_rest(figure: Figure, chain: list[str], here: Array) -> dict[str, Array]:
    result: dict[str, Array] = {}
    above = rotations.IDENTITY
    axis = _rest_hinge(figure, chain[0], chain[1], here)
    for part in (part for part in chain if part in figure.places):
        along = figure.direction(part)
        if along is not None:
            direction = rotations.rotate(here, along[0])
            swing = rotations.between(rotations.rotate(above, t_pose_direction(part)), direction)
            above = rotations.multiply(swing, above)
            if axis is not None and not part.endswith("hand"):
                usual = rotations.rotate(
                    above, t_pose_hinge(part)
                )  # a robot's knee may bend forwards; its thigh doesn't
                above = frame_of(direction, np.sign(axis @ usual) * axis, t_pose_direction(part), t_pose_hinge(part))
        result[part] = above
    return result


def _rest_hinge(figure: Figure, upper: str, lower: str, here: Array) -> Array | None:
    """(3,) the axis the elbow or knee is bent about, else the axis of its hinge, in the common pose's axes."""
    a, b = figure.direction(upper), figure.direction(lower)
    if a is not None and b is not None and float(a[0] @ b[0]) < np.cos(_BENT):
        return rotations.rotate(here, np.cross(a[0], b[0]))
    if lower in figure.hinges:
        return rotations.rotate(rotations.multiply(here, figure.turns[lower][0]), figure.hinges[lower])
    return None


def _foot_at_rest(figure: Figure, side: str, here: Array, shin_turn: Array) -> dict[str, Array]:
    """A foot square to its shin (rolled outwards with it when the legs are astride), turned to where it points.

    One whose slope from ankle to toes is no flat foot's (level, or a pointed toe) is turned all the way.
    """
    foot, toes = f"{side}_foot", f"{side}_toes"
    if foot not in figure.places:
        return {}
    shin = rotations.rotate(shin_turn, t_pose_direction(f"{side}_shin"))
    roll = rotations.from_axis_angle(FORWARD, np.arctan2(shin[1], -shin[2]))
    along = figure.direction(foot)
    direction = (
        FORWARD if along is None else rotations.rotate(rotations.conjugate(roll), rotations.rotate(here, along[0]))
    )
    if toes not in figure.places and direction[2] < -np.cos(_DOWNWARDS):
        along, direction = None, FORWARD  # the end of a foot straight below the ankle is its sole
    heading = rotations.about_z(np.arctan2(direction[1], direction[0]))
    slope = np.arcsin(np.clip(-direction[2], -1.0, 1.0))
    flat = _FOOT_SLOPE[0] < slope < _FOOT_SLOPE[1] or along is None
    turns = {foot: heading if flat else rotations.between(t_pose_direction(foot), direction), toes: heading}
    return {part: rotations.multiply(roll, turn) for part, turn in turns.items() if part in figure.places}


def anatomical_frames(figure: Figure, alignments: Mapping[str, Array]) -> dict[str, Array]:
    """Body part to its anatomical frames (T, 4)."""
    return {part: rotations.multiply(figure.turns[part], turn) for part, turn in alignments.items()}
