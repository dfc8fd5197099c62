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

_MOST_LEAN_RAD = 0.3
_AHEAD = 0.01  # of the height of the centre of mass: how far before the ankles it stands


def standing_pose(model: mujoco.MjModel, angles_rad: Mapping[str, Sequence[float] | Array], foot: str) -> Array:
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
    return on_the_floor(model, qpos)


def on_the_floor(model: mujoco.MjModel, qpos: Array) -> Array:
    """(nq,) the pose lifted or lowered so that its lowest point is at z = 0."""
    result = np.array(qpos)
    result[2] -= lowest_points(shapes(model), Kinematics(model).postures(result[None]))[0, :, 2].min()
    return result


def balanced_pose(model: mujoco.MjModel, qpos: Array, feet: Sequence[str]) -> Array:
    """(nq,) the pose leaned forwards or backwards in the ankles so that the centre of mass is just before them.

    There the ankles carry next to nothing; the toes are left to catch what goes wrong. A pose that stands on more than
    two feet, or whose ankles can't do it, stays as it is.
    """
    ankles = [int(model.body(foot).id) for foot in feet]
    if len(ankles) != 2 or not all(_can_pitch(model, body) for body in ankles):
        return qpos
    low, high = -_MOST_LEAN_RAD, _MOST_LEAN_RAD
    for _ in range(24):
        lean = 0.5 * (low + high)
        ahead = _mass_ahead(model, _leaned(model, qpos, ankles, lean), ankles)
        low, high = (lean, high) if ahead < 0.0 else (low, lean)
    return _leaned(model, qpos, ankles, 0.5 * (low + high))


def _can_pitch(model: mujoco.MjModel, body: int) -> bool:
    begin, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    kinds = model.jnt_type[begin : begin + count]
    return bool(np.any((kinds == mujoco.mjtJoint.mjJNT_BALL) | (kinds == mujoco.mjtJoint.mjJNT_HINGE)))


def _leaned(model: mujoco.MjModel, qpos: Array, ankles: Sequence[int], lean_rad: float) -> Array:
    """The pose with everything but the feet turned about the line of the ankles by lean_rad, forwards positive."""
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    turn = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.array(lean_rad))
    pivot = data.xpos[ankles].mean(axis=0)
    result = np.array(qpos)
    result[:3] = pivot + rotations.rotate(turn, qpos[:3] - pivot)
    result[3:7] = rotations.multiply(turn, qpos[3:7])
    for body in ankles:
        for joint in range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body]):
            begin = int(model.jnt_qposadr[joint])
            if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
                # the foot's world rotation stays: turn away, seen from the shin, what the shin turned
                inward = rotations.multiply(rotations.conjugate(data.xquat[body]), rotations.conjugate(turn))
                local = rotations.multiply(inward, data.xquat[body])
                result[begin : begin + 4] = rotations.multiply(qpos[begin : begin + 4], local)
            elif model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE:
                result[begin] -= lean_rad * data.xaxis[joint, 1]
    return result


def _mass_ahead(model: mujoco.MjModel, qpos: Array, ankles: Sequence[int]) -> float:
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    centre = data.subtree_com[1]
    ankle = data.xpos[list(ankles)].mean(axis=0)
    return float(centre[0] - ankle[0] - _AHEAD * (centre[2] - ankle[2]))


def _turn(model: mujoco.MjModel, qpos: Array, name: str, angles: Sequence[float] | Array) -> None:
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
