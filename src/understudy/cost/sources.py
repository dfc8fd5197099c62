"""Tracks of clips, references, rollouts and bare MuJoCo positions."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from understudy.character import Reference, body_poses
from understudy.cost.track import Track
from understudy.errors import CostError
from understudy.motion import Clip, Skeleton, body_parts
from understudy.rotations import Array
from understudy.simulation import Rollout


def track_of(motion: Clip | Reference | Rollout) -> Track:
    """The track of any motion; of a rollout, its first character's."""
    if isinstance(motion, Clip):
        return track_of_clip(motion)
    if isinstance(motion, Reference):
        return track_of_reference(motion)
    return track_of_rollout(motion)


def track_of_clip(clip: Clip) -> Track:
    """The joints of a clip."""
    roles = body_parts(clip.skeleton, clip.joint_positions_w[0]).joints
    return Track(
        clip.skeleton.names,
        clip.joint_positions_w,
        clip.rate_hz,
        roles.get("pelvis", 0),
        clip.joint_rotations_w,
        roles,
        clip.name,
    )


def track_of_reference(reference: Reference) -> Track:
    """The bodies of a reference's character."""
    character, poses = reference.character, reference.bodies
    roles = {role: character.body_index(body) for role, body in character.roles.items()}
    return Track(
        character.body_names, poses.positions_w, reference.rate_hz, 0, poses.rotations_w, roles, reference.name
    )


def track_of_rollout(rollout: Rollout, character: int = 0) -> Track:
    """The bodies of one of a rollout's characters, counted from 0, under their own names."""
    model, count = rollout.model, len(rollout.character_names)
    if not 0 <= character < count:
        raise CostError(f"the rollout has {count} characters, counted from 0; there is no character {character}")
    # Characters come before props in a scene's model, and of several each has a letter before its names.
    free = [model.jnt_bodyid[j] for j in range(model.njnt) if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE]
    prefix = f"{chr(ord('a') + character)}_" if count > 1 else ""
    sound = np.asarray(np.isfinite(rollout.qpos).all(axis=1))
    ticks = int(np.argmin(sound)) if not sound.all() else len(sound)
    if ticks == 0:
        raise CostError("the rollout holds no positions that are numbers")
    track = track_of_qpos(model, rollout.qpos[:ticks], rollout.rate_hz, int(free[character]))
    return replace(
        track,
        names=tuple(body.removeprefix(prefix) for body in track.names),
        name=rollout.character_names[character],
        unfinished=rollout.outcome or ("" if sound.all() else "it diverged"),
    )


def track_of_qpos(
    model: mujoco.MjModel, qpos: Array, rate_hz: float, root_body: int = 1, name: str = "rollout"
) -> Track:
    """The bodies of a model at or below root_body, for positions qpos (T, nq); their parts are told by their names."""
    bodies = [body for body in range(1, model.nbody) if _is_below(model, body, root_body)]
    places = [body - 1 for body in bodies]
    poses = body_poses(model, qpos)
    names = tuple(model.body(body).name or f"body{body}" for body in bodies)
    parents = [-1 if body == root_body else bodies.index(int(model.body_parentid[body])) for body in bodies]
    roles = body_parts(Skeleton(names, np.array(parents), model.body_pos[bodies])).joints
    return Track(names, poses.positions_w[:, places], rate_hz, 0, poses.rotations_w[:, places], roles, name)


def _is_below(model: mujoco.MjModel, body: int, root_body: int) -> bool:
    while body > root_body:
        body = int(model.body_parentid[body])
    return body == root_body
