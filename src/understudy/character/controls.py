"""From target poses to the controls of a compiled model.

Actuator names follow the joints': an ``orientation`` servo of a ball joint and a position servo of a hinge (or slide)
carry their MuJoCo joint's name; three position servos on the axes of a ball joint carry it with _x, _y, _z appended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import mujoco
import numpy as np

from understudy import rotations
from understudy.character.character import CharacterJoint
from understudy.errors import CharacterError
from understudy.rotations import Array, IntArray

AXIS_ENDINGS = ("_x", "_y", "_z")
ServoKind = Literal["orientation", "axes", "hinge"]


@dataclass(frozen=True)
class Servo:
    """How one MuJoCo joint is driven.

    Attributes:
        joint: index of the joint in the model.
        kind: a quaternion servo, three rotation-vector servos, or a one-number servo.
        actuators: indices of its one or three actuators.
    """

    joint: int
    kind: ServoKind
    actuators: tuple[int, ...]


def servo(model: mujoco.MjModel, joint_name: str) -> Servo | None:
    """How the named MuJoCo joint is driven; None when nothing drives it by our naming."""
    joint = _find(model, mujoco.mjtObj.mjOBJ_JOINT, joint_name)
    if joint < 0:
        raise CharacterError(f"the model has no joint '{joint_name}'")
    ball = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL
    single = _find(model, mujoco.mjtObj.mjOBJ_ACTUATOR, joint_name)
    if single >= 0:
        return Servo(joint, "orientation" if ball else "hinge", (single,))
    triple = tuple(_find(model, mujoco.mjtObj.mjOBJ_ACTUATOR, joint_name + ending) for ending in AXIS_ENDINGS)
    return Servo(joint, "axes", triple) if ball and min(triple) >= 0 else None


class ControlMap:
    """Where a character's joint targets go in the controls of a model that holds it, alone or among others.

    Attributes:
        ctrl_indices: (K,) places in ``data.ctrl`` of the character's controls, in the order ``controls`` gives them.
        actuator_indices: (A,) rows of ``model.actuator_gainprm`` of its actuators.
        actuator_joints: (A,) index into the character's joints of each of those actuators.
        gain_indices: for each of the character's joints, the rows of its actuators.
        dof_indices: for each of the character's joints, its places in ``data.qvel``.
        position_indices: (P,) places in ``data.qpos`` of its joint positions (what follows its root's seven).
    """

    def __init__(self, model: mujoco.MjModel, joints: Sequence[CharacterJoint], prefix: str = "") -> None:
        """Look up the joints, whose names in the model start with prefix; raises CharacterError for undriven ones."""
        if not joints:
            raise CharacterError("a character without actuated joints can't be driven")
        self._begin, end = _joint_positions(model, prefix + joints[0].mujoco_joints[0])
        self.position_indices: IntArray = np.arange(self._begin, end)
        ctrl: list[int] = []
        copied: list[tuple[int, int]] = []  # (position, column) taken over as they are
        vectors: list[tuple[int, int]] = []  # (first position, first column) of balls driven by rotation vectors
        owners: list[tuple[int, int]] = []
        dofs: list[list[int]] = []
        for index, joint in enumerate(joints):
            dofs.append([])
            for name in joint.mujoco_joints:
                found = servo(model, prefix + name)
                if found is None:
                    raise CharacterError(f"joint '{prefix + name}' has no actuator named after it")
                first = int(model.jnt_qposadr[found.joint]) - self._begin
                width = sum(int(model.actuator_ctrlnum[actuator]) for actuator in found.actuators)
                if width == 3:  # rotation vectors: three axes, or one servo with expmap input
                    vectors.append((first, len(ctrl)))
                else:
                    copied += [(first + i, len(ctrl) + i) for i in range(width)]
                for actuator in found.actuators:
                    begin, count = int(model.actuator_ctrladr[actuator]), int(model.actuator_ctrlnum[actuator])
                    ctrl += range(begin, begin + count)
                    owners.append((actuator, index))
                dof = int(model.jnt_dofadr[found.joint])
                dofs[-1] += range(dof, dof + (1 if found.kind == "hinge" else 3))
        self.ctrl_indices: IntArray = np.array(ctrl, int)
        self.actuator_indices: IntArray = np.array([actuator for actuator, _ in owners], int)
        self.actuator_joints: IntArray = np.array([index for _, index in owners], int)
        self.gain_indices = tuple(self.actuator_indices[self.actuator_joints == i] for i in range(len(joints)))
        self.dof_indices = tuple(np.array(places, int) for places in dofs)
        self._from, self._to = np.array(copied, int).reshape(-1, 2).T
        starts = np.array(vectors, int).reshape(-1, 2)
        self._quaternions = starts[:, :1] + np.arange(4)  # (V, 4) positions
        self._vectors = starts[:, 1:] + np.arange(3)  # (V, 3) columns

    def controls(self, positions: Array) -> Array:
        """Controls (n, K) that ask for the joint positions (n, P), laid out as qpos after the root's seven."""
        positions = np.asarray(positions, float)
        result = np.empty((len(positions), len(self.ctrl_indices)))
        result[:, self._to] = positions[:, self._from]
        if len(self._vectors):
            result[:, self._vectors] = rotations.log(rotations.normalize(positions[:, self._quaternions]))
        return result


def _find(model: mujoco.MjModel, kind: mujoco.mjtObj, name: str) -> int:
    return int(mujoco.mj_name2id(model, kind, name))


def _joint_positions(model: mujoco.MjModel, joint_name: str) -> tuple[int, int]:
    """Begin and end in qpos of the joints of the character that owns the named joint, its free root left out."""
    joint = _find(model, mujoco.mjtObj.mjOBJ_JOINT, joint_name)
    if joint < 0:
        raise CharacterError(f"the model has no joint '{joint_name}'")
    root = int(model.body_rootid[model.jnt_bodyid[joint]])
    own = np.flatnonzero(model.body_rootid[model.jnt_bodyid] == root)
    if model.jnt_type[own[0]] != mujoco.mjtJoint.mjJNT_FREE:
        raise CharacterError(f"the body '{model.body(root).name}' that joint '{joint_name}' hangs on has no free joint")
    last = int(own[-1])
    width = {mujoco.mjtJoint.mjJNT_BALL: 4}.get(mujoco.mjtJoint(model.jnt_type[last]), 1)
    return int(model.jnt_qposadr[own[0]]) + 7, int(model.jnt_qposadr[last]) + width
