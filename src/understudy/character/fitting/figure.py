"""A Figure: a clip's skeleton, or a character, seen as body parts in a row of poses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from understudy import rotations
from understudy.anthropometry import PARENTS
from understudy.character.character import Character
from understudy.character.reference import body_poses
from understudy.motion import Clip, Skeleton
from understudy.rotations import Array, BoolArray, IntArray

_OFF_THE_MIDDLE = np.radians(40.0)


@dataclass(frozen=True)
class Figure:
    """T poses of the parts of a body.

    Attributes:
        places: body part to (T, 3), the joint at its near end [m].
        turns: body part to (T, 4), the world rotation of its frame.
        ends: body part to (3,), its far end in its own frame [m], where no further part tells it.
        hinges: body part to (3,), the axis of the one hinge it turns about, in its own frame, bending being positive.
    """

    places: Mapping[str, Array]
    turns: Mapping[str, Array]
    ends: Mapping[str, Array]
    hinges: Mapping[str, Array]

    @property
    def frame_count(self) -> int:
        return len(next(iter(self.places.values())))

    def far_end(self, part: str) -> Array | None:
        """(T, 3) the joint of the next part along the limb, or the part's own end; None when neither is known."""
        if FOLLOWING.get(part, "") in self.places:
            return self.places[FOLLOWING[part]]
        if part in self.ends:
            return self.places[part] + rotations.rotate(self.turns[part], self.ends[part])
        return None

    def direction(self, part: str) -> Array | None:
        """(T, 3) unit vectors along a part, from its near end to its far end; None when they can't be told."""
        end = self.far_end(part) if part in self.places else None
        if end is None or np.linalg.norm(end - self.places[part], axis=1).max() < 1e-4:
            return None
        return rotations.normalize(end - self.places[part])

    def middle(self, part: str) -> Array | None:
        """(T, 3) half way between a left and a right part, ``thigh``; None unless both are there."""
        if f"left_{part}" in self.places and f"right_{part}" in self.places:
            return 0.5 * (self.places[f"left_{part}"] + self.places[f"right_{part}"])
        return None

    def leftwards(self, part: str) -> Array | None:
        """(T, 3) from a right part to its left one, not of unit length; None unless both are there."""
        if f"left_{part}" in self.places and f"right_{part}" in self.places:
            return self.places[f"left_{part}"] - self.places[f"right_{part}"]
        return None

    @property
    def hips(self) -> Array:
        """(T, 3) half way between the hip joints [m]; the pelvis when there are no legs."""
        middle = self.middle("thigh")
        return self.places["pelvis"] if middle is None else middle

    @property
    def trunk_top(self) -> Array | None:
        """(T, 3) the base of the neck, or what comes nearest to it [m]; None when there is nothing above the hips."""
        nearest = (self.places.get("neck"), self.places.get("head"), self.middle("upper_arm"), self.places.get("chest"))
        return next((places for places in nearest if places is not None), None)


FOLLOWING: dict[str, str] = {
    "neck": "head",
    **{
        f"{side}_{part}": f"{side}_{following}"
        for side in ("left", "right")
        for part, following in (
            ("clavicle", "upper_arm"),
            ("upper_arm", "lower_arm"),
            ("lower_arm", "hand"),
            ("thigh", "shin"),
            ("shin", "foot"),
            ("foot", "toes"),
        )
    },
}
"""The next part along a limb."""


def clip_figure(clip: Clip, joints: Mapping[str, int]) -> Figure:
    """The poses of a clip; joints gives each body part its joint."""
    places, turns = clip.joint_positions_w, clip.joint_rotations_w
    return Figure(
        {part: places[:, j] for part, j in joints.items()},
        {part: turns[:, j] for part, j in joints.items()},
        _ends(clip.skeleton, joints),
        {},
    )


def rest_figure(skeleton: Skeleton, joints: Mapping[str, int]) -> Figure:
    """The one pose of a skeleton with all rotations zero."""
    still = np.tile(rotations.IDENTITY, (1, len(skeleton), 1))
    return clip_figure(Clip(skeleton, 1.0, np.zeros((1, 3)), still), joints)


def character_figure(character: Character) -> Figure:
    """The one pose a character rests in (its qpos0), facing +x."""
    model = character.model
    poses = body_poses(model, np.asarray(model.qpos0, float)[None])
    index = {part: character.body_index(body) for part, body in character.roles.items()}
    ends = {part: _geoms_end(model, body + 1) for part, body in index.items()}
    hinges = {part: _hinge(model, body + 1) for part, body in index.items()}
    return Figure(
        {part: poses.positions_w[:, b] for part, b in index.items()},
        {part: poses.rotations_w[:, b] for part, b in index.items()},
        {
            part: end
            for part, end in ends.items()
            if end is not None and not _behind(part, rotations.rotate(poses.rotations_w[0, index[part]], end))
        },
        {part: axis for part, axis in hinges.items() if axis is not None},
    )


def _behind(part: str, end: Array) -> bool:
    """Whether the end (3,) of a foot is behind its ankle, or nearly so: then its shapes don't tell where it points."""
    return part.endswith(("foot", "toes")) and end[0] < 0.3 * float(np.linalg.norm(end))


def _geoms_end(model: mujoco.MjModel, body: int) -> Array | None:
    """The far end of a body by its geoms: twice as far as their middle."""
    geoms = np.flatnonzero(model.geom_bodyid == body)
    return 2.0 * model.geom_pos[geoms].mean(axis=0) if len(geoms) else None


def _hinge(model: mujoco.MjModel, body: int) -> Array | None:
    """The axis of a body's only hinge, turned so that the larger part of its range is positive."""
    joint = model.body_jntadr[body]
    if model.body_jntnum[body] != 1 or model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_HINGE:
        return None
    low, high = model.jnt_range[joint] - model.qpos0[model.jnt_qposadr[joint]]
    return np.array(model.jnt_axis[joint]) * (-1.0 if model.jnt_limited[joint] and -low > high else 1.0)


def _ends(skeleton: Skeleton, joints: Mapping[str, int]) -> dict[str, Array]:
    """The far ends of parts with no further part, from the limb ends below them in the rest pose."""
    rest = Clip(skeleton, 1.0, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, len(skeleton), 1)))
    places = np.concatenate([rest.joint_positions_w[0], rest.end_positions_w[0]])
    parents = np.concatenate([skeleton.parents, skeleton.end_parents])
    owners = [*range(len(skeleton)), *skeleton.end_parents.tolist()]
    thumbs = {i for i, owner in enumerate(owners) if "thumb" in skeleton.names[owner].lower()}
    leaf = ~np.isin(np.arange(len(places)), parents)
    result = {}
    for part, joint in joints.items():
        if FOLLOWING.get(part) in joints or part not in PARENTS:
            continue
        below = np.flatnonzero(leaf & _below(parents, joint))
        fingers = np.array([i for i in below if i not in thumbs], int)
        offsets = places[fingers if len(fingers) else below] - places[joint]
        offsets = offsets[np.linalg.norm(offsets, axis=1) > 1e-4]
        if len(offsets):
            result[part] = _middle(offsets)
    return result


def _below(parents: IntArray, joint: int) -> BoolArray:
    """(N,) which nodes hang on a joint, parents coming before their children."""
    result = np.zeros(len(parents), bool)
    result[joint] = True
    for node in range(joint + 1, len(parents)):
        result[node] = result[parents[node]]
    result[joint] = False
    return result


def _middle(offsets: Array) -> Array:
    """The mean of several ends (fingertips) without those that point elsewhere (the thumb)."""
    directions = rotations.normalize(offsets)
    off = np.arccos(np.clip(directions @ rotations.normalize(np.median(directions, axis=0)), -1.0, 1.0))
    keep = off < max(_OFF_THE_MIDDLE, float(off.min()) + 1e-9)
    return np.mean(offsets[keep], axis=0)
