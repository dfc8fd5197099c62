"""Forward kinematics of a MuJoCo model for many poses at once, with the axes its degrees of freedom turn about.

Letters: T poses, B bodies (the world left out), V degrees of freedom, P points.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from understudy import rotations
from understudy.rotations import Array, BoolArray, IntArray

_FREE, _BALL, _SLIDE, _HINGE = (
    int(mujoco.mjtJoint.mjJNT_FREE),
    int(mujoco.mjtJoint.mjJNT_BALL),
    int(mujoco.mjtJoint.mjJNT_SLIDE),
    int(mujoco.mjtJoint.mjJNT_HINGE),
)


@dataclass(frozen=True)
class Postures:
    """T poses of a model.

    Attributes:
        positions_w: (T, B, 3) places of the bodies' frames [m].
        rotations_w: (T, B, 4) rotations of the bodies.
        axes_w: (T, V, 3) direction each degree of freedom turns about or slides along.
        anchors_w: (T, V, 3) a place on that axis [m].
    """

    positions_w: Array
    rotations_w: Array
    axes_w: Array
    anchors_w: Array


class Kinematics:
    """What moves what in a model.

    Attributes:
        model: the compiled model.
        moves: (B, V) whether a degree of freedom moves a body.
        turns: (V,) whether it turns rather than slides.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self.model = model
        self.parents: IntArray = np.asarray(model.body_parentid[1:], int) - 1
        self.moves: BoolArray = np.zeros((model.nbody - 1, model.nv), bool)
        self.turns: BoolArray = np.ones(model.nv, bool)
        for body in range(model.nbody - 1):
            if self.parents[body] >= 0:
                self.moves[body] = self.moves[self.parents[body]]
            begin, count = model.body_dofadr[body + 1], model.body_dofnum[body + 1]
            self.moves[body, begin : begin + count] = True
        for joint in range(model.njnt):
            dof = model.jnt_dofadr[joint]
            if model.jnt_type[joint] == _FREE:
                self.turns[dof : dof + 3] = False
            elif model.jnt_type[joint] == _SLIDE:
                self.turns[dof] = False

    def joints_of(self, body: int) -> range:
        """Indices of the joints between a body and its parent, from the parent's side."""
        first, count = int(self.model.body_jntadr[body + 1]), int(self.model.body_jntnum[body + 1])
        return range(first, first + count) if count else range(0)

    def start(self, frames: int) -> Postures:
        """Room for T poses, to be filled body by body with ``place``."""
        bodies, dofs = self.moves.shape
        return Postures(
            np.zeros((frames, bodies, 3)),
            np.tile(rotations.IDENTITY, (frames, bodies, 1)),
            np.zeros((frames, dofs, 3)),
            np.zeros((frames, dofs, 3)),
        )

    def postures(self, qpos: Array) -> Postures:
        """Where everything is for positions qpos (T, nq)."""
        result = self.start(len(qpos))
        for body in range(len(self.parents)):
            self.place(result, body, qpos)
        return result

    def frame_before_joints(self, postures: Postures, body: int) -> tuple[Array, Array]:
        """Place (T, 3) and rotation (T, 4) of a body whose joints are all at zero, its parent being placed."""
        model, parent = self.model, self.parents[body]
        offset, turn = model.body_pos[body + 1], model.body_quat[body + 1]
        if parent < 0:
            count = len(postures.positions_w)
            return np.tile(offset, (count, 1)), np.tile(turn, (count, 1))
        above = postures.rotations_w[:, parent]
        return postures.positions_w[:, parent] + rotations.rotate(above, offset), rotations.multiply(above, turn)

    def place(self, postures: Postures, body: int, qpos: Array) -> None:
        """Fill in one body, its parent being placed (MuJoCo's ``mj_kinematics``)."""
        model = self.model
        position, turned = self.frame_before_joints(postures, body)
        for joint in self.joints_of(body):
            address, dof, kind = model.jnt_qposadr[joint], model.jnt_dofadr[joint], model.jnt_type[joint]
            if kind == _FREE:
                position, turned = qpos[:, address : address + 3], qpos[:, address + 3 : address + 7]
                postures.axes_w[:, dof : dof + 3] = np.eye(3)
                self._local_axes(postures, dof + 3, turned, position)
                continue
            anchor = position + rotations.rotate(turned, model.jnt_pos[joint])
            axis = rotations.rotate(turned, model.jnt_axis[joint])
            if kind == _BALL:
                turned = rotations.multiply(turned, qpos[:, address : address + 4])
                self._local_axes(postures, dof, turned, anchor)
            else:
                postures.axes_w[:, dof], postures.anchors_w[:, dof] = axis, anchor
                amount = qpos[:, address] - model.qpos0[address]
            if kind == _SLIDE:
                position = position + axis * amount[:, None]
                continue
            if kind == _HINGE:
                turned = rotations.multiply(turned, rotations.from_axis_angle(model.jnt_axis[joint], amount))
            position = anchor - rotations.rotate(turned, model.jnt_pos[joint])
        postures.positions_w[:, body], postures.rotations_w[:, body] = position, turned

    @staticmethod
    def _local_axes(postures: Postures, dof: int, turned: Array, anchor: Array) -> None:
        """Three degrees of freedom about a body's own axes (MuJoCo's velocities of ball and free joints)."""
        postures.axes_w[:, dof : dof + 3] = np.swapaxes(rotations.to_matrix(turned), 1, 2)
        postures.anchors_w[:, dof : dof + 3] = anchor[:, None]

    def turning(self, postures: Postures, bodies: IntArray) -> Array:
        """(T, P, 3, V) change of the world rotation vectors of bodies (P,) with each degree of freedom."""
        axes = np.where(self.turns[:, None], postures.axes_w, 0.0)
        return np.where(self.moves[bodies][:, None, :], np.swapaxes(axes, 1, 2)[:, None], 0.0)

    def moving(self, postures: Postures, bodies: IntArray, points_w: Array) -> Array:
        """(T, P, 3, V) change of points_w (T, P, 3), fixed to bodies (P,), with each degree of freedom."""
        axes = postures.axes_w[:, None]
        swept = _cross(axes, points_w[:, :, None] - postures.anchors_w[:, None])
        columns = np.where(self.turns[:, None], swept, axes)  # (T, P, V, 3)
        return np.where(self.moves[bodies][:, None, :], np.swapaxes(columns, 2, 3), 0.0)

    def advance(self, qpos: Array, step: Array) -> Array:
        """Positions qpos (T, nq) moved by step (T, V), on SO(3) where they are rotations (``mj_integratePos``)."""
        model, result = self.model, np.array(qpos)
        for joint in range(model.njnt):
            address, dof, kind = model.jnt_qposadr[joint], model.jnt_dofadr[joint], model.jnt_type[joint]
            if kind == _FREE:
                result[:, address : address + 3] += step[:, dof : dof + 3]
                address, dof = address + 3, dof + 3
            if kind in (_FREE, _BALL):
                turn = rotations.exp(step[:, dof : dof + 3])
                now = result[:, address : address + 4]
                result[:, address : address + 4] = rotations.normalize(rotations.multiply(now, turn))
            else:
                result[:, address] += step[:, dof]
        return result

    def difference(self, start: Array, end: Array) -> Array:
        """Steps (T, V) that ``advance`` positions start (T, nq) to end."""
        model, result = self.model, np.empty((len(start), self.model.nv))
        for joint in range(model.njnt):
            address, dof, kind = model.jnt_qposadr[joint], model.jnt_dofadr[joint], model.jnt_type[joint]
            if kind == _FREE:
                result[:, dof : dof + 3] = end[:, address : address + 3] - start[:, address : address + 3]
                address, dof = address + 3, dof + 3
            if kind in (_FREE, _BALL):
                turn = rotations.multiply(
                    rotations.conjugate(start[:, address : address + 4]), end[:, address : address + 4]
                )
                result[:, dof : dof + 3] = rotations.log(turn)
            else:
                result[:, dof] = end[:, address] - start[:, address]
        return result


def _cross(a: Array, b: Array) -> Array:
    """Vector products over broadcast shapes; several times as fast as ``np.cross``."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)
