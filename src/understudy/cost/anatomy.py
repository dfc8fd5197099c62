"""Where a character's joints and end effectors are in the arrays that the cost terms compare."""

from __future__ import annotations

import mujoco
import numpy as np

from understudy import rotations
from understudy.character import Character
from understudy.rotations import Array, IntArray


class Anatomy:
    """Indices into qpos, qvel and bodies.

    Attributes:
        balls: (N, 4) columns of qpos of the ball joints.
        singles: (M,) columns of qpos of hinges and slides.
        joint_starts: (J,) first column of qvel of every joint but the root, rising.
        end_effectors: (k,) bodies.
        height_m: how tall the character stands.
    """

    def __init__(self, character: Character) -> None:
        model = character.model
        kinds, own = model.jnt_type, range(1, model.njnt)
        ball = [j for j in own if kinds[j] == mujoco.mjtJoint.mjJNT_BALL]
        self.nq, self.nv = int(model.nq), int(model.nv)
        self.balls: IntArray = np.array([model.jnt_qposadr[j] for j in ball], int).reshape(-1, 1) + np.arange(4)
        self.ball_dofs: IntArray = np.array([model.jnt_dofadr[j] for j in ball], int).reshape(-1, 1) + np.arange(3)
        single = [j for j in own if j not in ball]
        self.singles: IntArray = np.array([model.jnt_qposadr[j] for j in single], int)
        self.single_dofs: IntArray = np.array([model.jnt_dofadr[j] for j in single], int)
        self.joint_starts: IntArray = np.array([model.jnt_dofadr[j] for j in own], int)
        self.end_effectors: IntArray = np.array([character.body_index(name) for name in character.end_effectors], int)
        self.height_m = _height(character)

    def difference(self, qpos: Array, wanted: Array) -> Array:
        """(n, nv) the way from wanted (n or 1, nq) to qpos (n, nq), laid out as qvel: MuJoCo's differentiatePos."""
        result = np.empty((len(qpos), self.nv))
        result[:, :3] = qpos[:, :3] - wanted[:, :3]
        result[:, 3:6] = _turn(qpos[:, 3:7], wanted[:, 3:7])
        result[:, self.ball_dofs] = _turn(qpos[:, self.balls], wanted[:, self.balls])
        result[:, self.single_dofs] = qpos[:, self.singles] - wanted[:, self.singles]
        return result

    def per_joint(self, values: Array) -> Array:
        """(n, J) lengths of the part of values (n, nv) that belongs to each joint but the root."""
        return np.sqrt(np.add.reduceat(np.square(values), self.joint_starts, axis=1))


def _turn(q: Array, wanted: Array) -> Array:
    """Rotation vectors in the wanted frame, after which it is q."""
    return rotations.log(rotations.multiply(rotations.conjugate(wanted), q))


def _height(character: Character) -> float:
    """Of the highest body's centre of mass in the standing pose, a twentieth added for what is above it."""
    data = mujoco.MjData(character.model)
    data.qpos[:] = character.standing_qpos
    mujoco.mj_kinematics(character.model, data)
    return float(max(data.xipos[1:, 2].max(), 1e-3)) * 1.05
