"""The pose a character stands in: joint angles as asked, the soles flat on the floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mujoco
import numpy as np

from understudy import rotations
from understudy.character.fitting.ground import lowest_points, shapes
from understudy.character.fitting.kinematics import Kinematics
from understudy.errors import CharacterError
from understudy.rotations import Array


def standing_pose(model: mujoco.MjModel, angles_rad: Mapping[str, Sequence[float]], foot: str) -> Array:
    """(nq,) the rest pose with some joints turned, the soles flat on z = 0.

    Args:
        model: of a character alone, whose rest pose stands.
        angles_rad: joint to rotation vector (3) of a ball or angle (1) of a hinge, from the rest pose.
        foot: the body that keeps its rotation and its place seen from above.
    """
    kinematics = Kinematics(model)
    body = model.body(foot).id - 1
    rest = kinematics.postures(np.array(model.qpos0)[None])
    qpos = np.array(model.qpos0)
    for name, angles in angles_rad.items():
        _turn(model, qpos, name, angles)
    posed = kinematics.postures(qpos[None])
    back = rotations.multiply(rest.rotations_w[0, body], rotations.conjugate(posed.rotations_w[0, body]))
    qpos[3:7] = rotations.multiply(back, qpos[3:7])
    moved = kinematics.postures(qpos[None])
    qpos[:2] += (rest.positions_w - moved.positions_w)[0, body, :2]
    qpos[2] -= lowest_points(shapes(model), moved)[0, :, 2].min()
    return qpos


def _turn(model: mujoco.MjModel, qpos: Array, name: str, angles: Sequence[float]) -> None:
    joint = int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name))
    ball = joint >= 0 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL
    if joint < 0 or len(angles) != (3 if ball else 1):
        raise CharacterError(
            f"standing pose: joint '{name}' {'needs three angles or one' if joint >= 0 else 'is missing'}"
        )
    begin = int(model.jnt_qposadr[joint])
    if ball:
        qpos[begin : begin + 4] = rotations.exp(np.array(angles))
    else:
        qpos[begin] += angles[0]
