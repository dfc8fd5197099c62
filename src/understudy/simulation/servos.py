"""Servos as the World simulates them: their gains scaled, and those with a torque limit kept stable.

MuJoCo's integrators take a servo's damping implicitly, but not while its torque is at its limit: a light limb behind a
strong limited servo then chatters from limit to limit and diverges, at steps down to 1 ms. So the damping of a limited
servo is moved into its joint, where it always is implicit; the limit bounds what is left, the pull of its spring.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from understudy.rotations import Array, IntArray

_SERVO_COLUMNS = slice(0, 3)  # [kp] of gainprm, [constant, -kp, -kd] of biasprm
_KD = 2
_SERVO_BIASES = (mujoco.mjtBias.mjBIAS_AFFINE, mujoco.mjtBias.mjBIAS_SO3)


def move_limited_damping(spec: mujoco.MjSpec) -> None:
    """Give the damping of every servo with a torque limit to its joint; of several on one joint, the strongest."""
    taken: dict[str, float] = {}
    for actuator in spec.actuators:
        limited = actuator.forcelimited != mujoco.mjtLimited.mjLIMITED_FALSE and actuator.forcerange[1] > 0
        driven = actuator.trntype == mujoco.mjtTrn.mjTRN_JOINT and actuator.biastype in _SERVO_BIASES
        if limited and driven and actuator.biasprm[_KD] < 0:
            reach = float(np.abs(actuator.gear[:3]).max()) ** 2  # a gear acts on the motion and on the force
            taken[actuator.target] = max(taken.get(actuator.target, 0.0), -float(actuator.biasprm[_KD]) * reach)
            actuator.biasprm[_KD] = 0.0
    for name, damping in taken.items():
        spec.joint(name).damping[0] += damping


def damped_dofs(model: mujoco.MjModel) -> tuple[IntArray, IntArray]:
    """Degrees of freedom that hold the damping of a limited servo, and the actuators it belongs to."""
    dofs: list[int] = []
    owners: list[int] = []
    for actuator in range(model.nactuator):
        if not model.actuator_forcelimited[actuator] or model.actuator_biasprm[actuator, 1] >= 0:
            continue
        joint = int(model.actuator_trnid[actuator, 0])
        ball = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL
        whole = model.actuator_gaintype[actuator] == mujoco.mjtGain.mjGAIN_SO3
        axes: Sequence[int] = [0]
        if ball:
            axes = range(3) if whole else [int(np.argmax(np.abs(model.actuator_gear[actuator, :3])))]
        if model.actuator_biasprm[actuator, _KD] == 0:
            dofs += [int(model.jnt_dofadr[joint]) + axis for axis in axes]
            owners += [actuator] * len(axes)
    return np.array(dofs, int), np.array(owners, int)


def scaled_gains(model: mujoco.MjModel, scale: Array | None) -> tuple[Array, Array, Array]:
    """A model's actuator_gainprm and actuator_biasprm, (..., actuators, 10), and dof_damping, (..., nv), scaled.

    Args:
        model: with gains [kp, ...] and biases [constant, -kp, -kd, ...], as position and orientation servos have them.
        scale: (..., actuators) factor of kp and kd, or None for 1.
    """
    factor = np.ones(model.nactuator) if scale is None else scale
    gain, bias, damping = (
        np.broadcast_to(nominal, (*factor.shape[:-1], *nominal.shape)).copy()
        for nominal in (model.actuator_gainprm, model.actuator_biasprm, model.dof_damping)
    )
    for values in (gain, bias):
        values[..., _SERVO_COLUMNS] *= factor[..., None]
    dofs, owners = damped_dofs(model)
    damping[..., dofs] *= factor[..., owners]
    return gain, bias, damping
