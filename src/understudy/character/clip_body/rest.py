"""The pose a character with a clip's own skeleton rests in: standing, facing +x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from understudy import rotations
from understudy.character.fitting.anatomy import standing_frame
from understudy.character.fitting.figure import clip_figure, rest_figure
from understudy.character.fitting.from_motion import alignments_from_motion
from understudy.motion import BodyParts, Clip
from understudy.rotations import Array

Build = Literal["biped", "quadruped", "other"]

_LEVEL = np.radians(40.0)  # a trunk less steep than this is a quadruped's
_DOWN = np.radians(50.0)
_NEAR_FLOOR = 0.08  # of the height


@dataclass(frozen=True)
class RestPose:
    """A skeleton standing.

    Attributes:
        places: (J, 3) joints [m].
        turns: (J, 4) world rotations of the joints.
        ends: (E, 3) limb ends [m].
        build: what kind of body it is.
        told_by: how the pose was found, for the user.
    """

    places: Array
    turns: Array
    ends: Array
    build: Build
    told_by: str

    @property
    def height(self) -> float:
        """From the lowest point to the highest [m]."""
        heights = np.concatenate([self.places[:, 2], self.ends[:, 2]])
        return float(np.ptp(heights))


def rest_pose(clip: Clip, parts: BodyParts) -> RestPose:
    """The skeleton's own rest pose where it stands, else one found from the motion."""
    zero = _posed(clip, _still(clip), "other", "the skeleton's rest pose")
    if not parts.is_human:
        return _most_supported(clip, zero)
    if _is_quadruped(zero, parts):
        return _most_supported(clip, zero, parts)
    frame = standing_frame(rest_figure(clip.skeleton, dict(parts.joints)))
    if frame is not None:
        return _turned(zero, rotations.conjugate(frame), "biped")
    return _from_motion(clip, parts)


def _still(clip: Clip) -> Array:
    return np.tile(rotations.IDENTITY, (len(clip.skeleton), 1))


def _posed(clip: Clip, local: Array, build: Build, told_by: str) -> RestPose:
    skeleton = clip.skeleton
    places, turns = skeleton.forward(np.zeros((1, 3)), local[None])
    owners = skeleton.end_parents
    ends = places[0, owners] + rotations.rotate(turns[0, owners], skeleton.end_offsets)
    return RestPose(places[0], turns[0], ends, build, told_by)


def _turned(pose: RestPose, turn: Array, build: Build) -> RestPose:
    return RestPose(
        rotations.rotate(turn, pose.places),
        rotations.multiply(turn, pose.turns),
        rotations.rotate(turn, pose.ends),
        build,
        pose.told_by,
    )


def _is_quadruped(pose: RestPose, parts: BodyParts) -> bool:
    """Whether the trunk lies level over legs and arms that point down."""
    chest = parts["chest"] if "chest" in parts else parts["left_upper_arm"]
    trunk = rotations.normalize(pose.places[chest] - pose.places[parts["pelvis"]])
    limbs = [
        (f"{side}_{a}", f"{side}_{b}")
        for side in ("left", "right")
        for a, b in (("thigh", "foot"), ("upper_arm", "hand"))
    ]
    known = [(a, b) for a, b in limbs if a in parts and b in parts]
    down = [rotations.normalize(pose.places[parts[b]] - pose.places[parts[a]])[2] < -np.cos(_DOWN) for a, b in known]
    return bool(abs(trunk[2]) < np.sin(_LEVEL) and down and all(down))


def _most_supported(clip: Clip, zero: RestPose, parts: BodyParts | None = None) -> RestPose:
    """The rest pose or the first frame, whichever has more limb ends near the floor; turned to face +x."""
    first = _posed(clip, clip.rotations[0], "other", "the clip's first frame")
    pose = zero if _supports(clip, zero) >= _supports(clip, first) else first
    if parts is None:
        return pose
    chest = parts["chest"] if "chest" in parts else parts["left_upper_arm"]
    forward = pose.places[chest] - pose.places[parts["pelvis"]]
    return _levelled(_turned(pose, rotations.about_z(-np.arctan2(forward[1], forward[0])), "quadruped"), clip, parts)


def _levelled(pose: RestPose, clip: Clip, parts: BodyParts) -> RestPose:
    """A quadruped pitched so that fore and hind paws are level."""
    fore, hind = (
        np.mean([_paw(pose, clip, parts[f"{side}_{limb}"]) for side in ("left", "right")], axis=0)
        for limb in ("upper_arm", "thigh")
    )
    pitch = np.arctan2(fore[2] - hind[2], fore[0] - hind[0])
    return _turned(pose, rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), pitch), "quadruped")


def _paw(pose: RestPose, clip: Clip, limb: int) -> Array:
    """(3,) the lowest joint or limb end of a limb."""
    inside = np.zeros(len(clip.skeleton), bool)
    inside[limb] = True
    for joint in range(limb + 1, len(inside)):
        inside[joint] = inside[clip.skeleton.parents[joint]]
    points = np.concatenate([pose.places[inside], pose.ends[inside[clip.skeleton.end_parents]]])
    return points[np.argmin(points[:, 2])]


def _supports(clip: Clip, pose: RestPose) -> int:
    leaves = np.setdiff1d(np.arange(len(clip.skeleton)), clip.skeleton.parents)
    tips = np.concatenate([pose.places[leaves], pose.ends])
    return int(np.sum(tips[:, 2] < tips[:, 2].min() + _NEAR_FLOOR * max(pose.height, 1e-9)))


def _from_motion(clip: Clip, parts: BodyParts) -> RestPose:
    """The T-pose: parts turned as the motion tells, joints between them as in the first frame on their parents."""
    skeleton = clip.skeleton
    alignments = alignments_from_motion(clip_figure(clip, dict(parts.joints)))
    wanted = {parts[part]: rotations.conjugate(turn) for part, turn in alignments.items() if part in parts}
    turns = np.empty((len(skeleton), 4))
    for joint, parent in enumerate(skeleton.parents):
        above = rotations.IDENTITY if parent < 0 else turns[parent]
        turns[joint] = wanted.get(joint, rotations.multiply(above, clip.rotations[0, joint]))
    if 0 not in wanted:  # a root above the pelvis stands as the pelvis says
        pelvis = parts["pelvis"]
        lean = rotations.multiply(wanted[pelvis], rotations.conjugate(clip.joint_rotations_w[0, pelvis]))
        turns[0] = rotations.multiply(lean, clip.rotations[0, 0])
    local = np.array(turns)
    local[1:] = rotations.multiply(rotations.conjugate(turns[skeleton.parents[1:]]), turns[1:])
    return _posed(clip, local, "biped", "the T-pose its motion tells")
