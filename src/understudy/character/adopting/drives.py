"""What a model's own actuators tell of its joints: gains where they are servos, and the strength of its motors."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from understudy.rotations import Array

# as plain ints, for a MuJoCo enum on the left of == does not equal an array's element
_JOINTLIKE = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
_POSITION_BIASES = (int(mujoco.mjtBias.mjBIAS_AFFINE), int(mujoco.mjtBias.mjBIAS_SO3))


@dataclass(frozen=True)
class Drive:
    """How a joint was driven.

    Attributes:
        kp, kd: gains of its servo; 0 where it was none.
        torque_nm: the most its actuators exert together, infinite where they say nothing [N m, N for slides].
    """

    kp: float = 0.0
    kd: float = 0.0
    torque_nm: float = 0.0

    def with_another(self, other: Drive) -> Drive:
        """Both at once."""
        return Drive(max(self.kp, other.kp), max(self.kd, other.kd), self.torque_nm + other.torque_nm)


@dataclass(frozen=True)
class Drives:
    """The driven joints of a model by name, and the names of actuators that drive no joint."""

    joints: dict[str, Drive]
    others: tuple[str, ...]


def drives(model: mujoco.MjModel) -> Drives:
    """Read the actuators of a compiled model; those on fixed tendons drive the tendon's joints."""
    joints: dict[str, Drive] = {}
    others = []
    for actuator in range(model.nactuator):
        driven = _driven(model, actuator)
        if not driven:
            others.append(model.actuator(actuator).name or f"actuator {actuator}")
        for joint, lever in driven:
            name = model.joint(joint).name
            drive = _drive(model, actuator, lever)
            joints[name] = joints[name].with_another(drive) if name in joints else drive
    for name, drive in joints.items():
        joint = model.joint(name).id
        if model.jnt_actfrclimited[joint]:
            most = float(np.abs(model.jnt_actfrcrange[joint]).max())
            joints[name] = Drive(drive.kp, drive.kd, min(drive.torque_nm, most))
    return Drives(joints, tuple(others))


def _driven(model: mujoco.MjModel, actuator: int) -> list[tuple[int, float]]:
    """The joints an actuator turns, each with its lever (gear)."""
    kind, target = int(model.actuator_trntype[actuator]), int(model.actuator_trnid[actuator, 0])
    gear = model.actuator_gear[actuator]
    if kind in _JOINTLIKE:
        if model.jnt_type[target] == mujoco.mjtJoint.mjJNT_FREE:
            return []
        ball = model.jnt_type[target] == mujoco.mjtJoint.mjJNT_BALL
        return [(target, float(np.linalg.norm(gear[:3]) if ball else abs(gear[0])))]
    if kind == mujoco.mjtTrn.mjTRN_TENDON:
        begin, count = int(model.tendon_adr[target]), int(model.tendon_num[target])
        wraps = range(begin, begin + count)
        if all(model.wrap_type[w] == mujoco.mjtWrap.mjWRAP_JOINT for w in wraps):
            return [(int(model.wrap_objid[w]), float(abs(gear[0] * model.wrap_prm[w]))) for w in wraps]
    return []


def _drive(model: mujoco.MjModel, actuator: int, lever: float) -> Drive:
    gain, bias = model.actuator_gainprm[actuator], model.actuator_biasprm[actuator]
    bias_kind = int(model.actuator_biastype[actuator])
    torque = np.inf
    if model.actuator_forcelimited[actuator]:
        torque = lever * float(np.abs(model.actuator_forcerange[actuator]).max())
    elif bias_kind == mujoco.mjtBias.mjBIAS_NONE and model.actuator_ctrllimited[actuator]:
        fixed = model.actuator_gaintype[actuator] == mujoco.mjtGain.mjGAIN_FIXED
        torque = lever * float(np.abs(_controls(model, actuator)).max()) * (abs(float(gain[0])) if fixed else np.inf)
    if bias_kind not in _POSITION_BIASES:
        return Drive(torque_nm=torque)
    return Drive(max(-bias[1], 0.0) * lever**2, max(-bias[2], 0.0) * lever**2, torque)


def _controls(model: mujoco.MjModel, actuator: int) -> Array:
    begin = int(model.actuator_ctrladr[actuator])
    rows = model.actuator_ctrlrange
    return np.array(rows[actuator] if len(rows) == model.nactuator else rows[begin])
