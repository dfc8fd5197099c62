"""Joint limits: how far poses are beyond them, the pull back, and the nearest poses within them.

Letters: T poses, V degrees of freedom, L limited joints, R residuals.
"""

from __future__ import annotations

from collections.abc import Iterable

import mujoco
import numpy as np

from understudy import rotations
from understudy.rotations import Array, IntArray

_FREE, _BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
_PUSH, _REST = 30.0, 0.2  # weights per radian, beside 1 for a body turned wrong by a radian


class Limits:
    """The limits of a model's joints.

    Attributes:
        joints: indices of the limited joints, in the order of ``beyond``.
        names: their names.
    """

    def __init__(self, model: mujoco.MjModel, idle: Iterable[int] = ()) -> None:
        """For a model; ``idle`` are joints that nothing drives, which are pulled to their rest pose."""
        self._model = model
        self._idle = tuple(idle)
        self.joints = [j for j in range(model.njnt) if model.jnt_limited[j] and model.jnt_type[j] != _FREE]
        self.names = tuple(model.joint(j).name for j in self.joints)

    def beyond(self, qpos: Array) -> Array:
        """(T, L) how far each limited joint is beyond its limit [rad, or m for slides], zero within."""
        if not self.joints:
            return np.zeros((len(qpos), 0))
        return np.stack([np.linalg.norm(self._outside(j, qpos), axis=1) for j in self.joints], axis=1)

    def residuals(self, qpos: Array) -> tuple[Array, Array]:
        """Residuals (T, R) and Jacobian (T, R, V) of joints beyond their limits, and of idle ones off their rest."""
        residuals = [np.zeros((len(qpos), 0))]
        jacobians = [np.zeros((len(qpos), 0, self._model.nv))]
        for joint in self._idle:
            away = self._away(joint, qpos)
            jacobian = np.zeros((*away.shape, self._model.nv))
            jacobian[:, range(away.shape[1]), self._dofs(joint)] = _REST
            residuals.append(_REST * away)
            jacobians.append(jacobian)
        for joint in self.joints:
            excess = self._outside(joint, qpos)
            size = np.linalg.norm(excess, axis=1, keepdims=True)
            jacobian = np.zeros((len(qpos), 1, self._model.nv))
            jacobian[:, 0, self._dofs(joint)] = _PUSH * excess / np.maximum(size, 1e-12)
            residuals.append(_PUSH * size)
            jacobians.append(jacobian)
        return np.concatenate(residuals, axis=1), np.concatenate(jacobians, axis=1)

    def clipped(self, qpos: Array) -> Array:
        """The positions with every joint brought back to its limit."""
        result = np.array(qpos)
        for joint in self.joints:
            address = int(self._model.jnt_qposadr[joint])
            excess = self._outside(joint, qpos)
            if self._model.jnt_type[joint] == _BALL:
                now = result[:, address : address + 4]
                back = rotations.normalize(rotations.multiply(now, rotations.exp(-excess)))
                result[:, address : address + 4] = np.where(np.any(excess != 0.0, axis=1)[:, None], back, now)
            else:
                result[:, address] -= excess[:, 0]
        return result

    def _dofs(self, joint: int) -> IntArray:
        first = int(self._model.jnt_dofadr[joint])
        return np.arange(first, first + (3 if self._model.jnt_type[joint] == _BALL else 1))

    def _away(self, joint: int, qpos: Array) -> Array:
        """(T, 1 or 3) the joint's position less its rest position, as a rotation vector for a ball."""
        address = int(self._model.jnt_qposadr[joint])
        if self._model.jnt_type[joint] == _BALL:
            return rotations.log(qpos[:, address : address + 4])
        return qpos[:, address : address + 1] - self._model.qpos0[address]

    def _outside(self, joint: int, qpos: Array) -> Array:
        """(T, 1 or 3) the part of the joint's position that is beyond its limit."""
        low, high = self._model.jnt_range[joint]
        if self._model.jnt_type[joint] == _BALL:
            turn = self._away(joint, qpos)
            angle = np.linalg.norm(turn, axis=1, keepdims=True)
            return turn * (np.maximum(angle - high, 0.0) / np.maximum(angle, 1e-12))
        here = qpos[:, int(self._model.jnt_qposadr[joint])][:, None]
        return here - np.clip(here, low, high)
