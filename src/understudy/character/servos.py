"""PD servos of joints: one ``orientation`` servo a ball, or one position servo an axis.

A ball is driven by an ``orientation`` servo with its joint's largest strength: exact on the axes that have it, stiffer
than the paper's on the others (as a rule the twist). Servos on the three axes of a ball have each axis's strength, but
steer by rotation vectors: measured on ``human``, they leave a median of 23 to 66 degrees when a shoulder or hip works
2.4 rad from its rest pose, where the orientation servo leaves none (docs/characters.md).
"""

from __future__ import annotations

from typing import Literal

import mujoco
import numpy as np

from understudy.character.character import CharacterJoint
from understudy.character.controls import AXIS_ENDINGS

BallServo = Literal["orientation", "axes"]


def add_servo(
    spec: mujoco.MjSpec, joint: CharacterJoint, *, ball: bool, limited: bool = False, servo: BallServo = "orientation"
) -> None:
    """Drive a joint's MuJoCo joints by PD servos named after them (see ``controls``).

    Args:
        spec: the model under construction.
        joint: gains, strengths and torques.
        ball: whether it is one ball joint; hinges or slides otherwise.
        limited: whether the servos may exert no more than ``joint.torque_nm``.
        servo: what drives a ball.
    """
    if ball and servo == "orientation":
        scale = float(np.max(joint.strength))
        actuator = _actuator(spec, joint.mujoco_joints[0], joint.mujoco_joints[0])
        actuator.set_to_orientation(
            kp=joint.kp * scale, kv=joint.kd * scale, ctrlspec=mujoco.mjtCtrlChart.mjCHART_QUAT.value
        )
        if limited:
            _limit(actuator, 0.0, float(np.max(joint.torque_nm)))
        return
    names = [joint.mujoco_joints[0] + ending for ending in AXIS_ENDINGS] if ball else joint.mujoco_joints
    targets = [joint.mujoco_joints[0]] * 3 if ball else joint.mujoco_joints
    for i, (name, target) in enumerate(zip(names, targets, strict=True)):
        actuator = _actuator(spec, name, target)
        actuator.set_to_position(kp=joint.kp * joint.strength[i], kv=joint.kd * joint.strength[i])
        if ball:
            actuator.gear = [*np.eye(3)[i], 0.0, 0.0, 0.0]
        if limited and np.isfinite(joint.torque_nm[i]):
            _limit(actuator, -joint.torque_nm[i], joint.torque_nm[i])


def _actuator(spec: mujoco.MjSpec, name: str, target: str) -> mujoco.MjsActuator:
    """A new actuator on a joint, free of what the model's defaults say of actuators."""
    result = spec.add_actuator(name=name, target=target, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    result.dyntype = mujoco.mjtDyn.mjDYN_NONE
    result.gear = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    result.ctrllimited = result.forcelimited = result.actlimited = mujoco.mjtLimited.mjLIMITED_FALSE
    result.ctrlrange = result.forcerange = result.actrange = [0.0, 0.0]
    result.delay, result.nsample, result.damping, result.armature = 0.0, 0, 0.0 * result.damping, 0.0
    return result


def _limit(actuator: mujoco.MjsActuator, least: float, most: float) -> None:
    actuator.forcelimited = mujoco.mjtLimited.mjLIMITED_TRUE
    actuator.forcerange = [least, most]
