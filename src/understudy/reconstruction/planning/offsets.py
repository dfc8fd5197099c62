"""Target offsets: what sampling chooses, and how it changes the poses that the servos are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from understudy import rotations
from understudy.character import Character, CharacterJoint
from understudy.errors import ReconstructionError
from understudy.rotations import Array, IntArray

_USUAL_RAD = 0.2  # windows of characters whose source gives none


class OffsetSpace:
    """The offsets (D,) of a character's joints: three of a ball joint (a rotation vector), one of a hinge [rad].

    Attributes:
        windows_rad: (D,) half-widths of the sampling windows, all above 0; axes whose window is 0 have no offset.
        names: what each is called, ``left_hip x``.
        dofs: (D,) the places in qvel of what they turn.
    """

    def __init__(self, character: Character, scale: float = 1.0, least_rad: float = 0.0) -> None:
        """Windows are the character's times scale, and at least least_rad; 0.2 rad where it has none at all."""
        columns = [column for joint in character.joints for column in _columns(character, joint)]
        windows = np.concatenate([np.broadcast_to(j.window_rad, _axes(character, j)) for j in character.joints])
        _check(windows, columns, character.name)
        windows = np.maximum((windows if windows.any() else np.full_like(windows, _USUAL_RAD)) * scale, least_rad)
        self._kept: IntArray = np.flatnonzero(windows > 0.0)
        if not len(self._kept):
            raise ReconstructionError(f"all sampling windows of character '{character.name}' are 0 rad")
        self.windows_rad: Array = windows[self._kept]
        self.names = tuple(columns[i].name for i in self._kept)
        self.dofs: IntArray = np.array([columns[i].dof for i in self._kept])
        self._width = len(columns)
        balls = [i for i, column in enumerate(columns) if column.axis == 0]
        self._balls: IntArray = np.array([columns[i].position for i in balls], int).reshape(-1, 1) + np.arange(4)
        self._ball_columns: IntArray = np.array(balls, int).reshape(-1, 1) + np.arange(3)
        self._single_columns: IntArray = np.array([i for i, column in enumerate(columns) if column.axis < 0], int)
        self._singles: IntArray = np.array([columns[i].position for i in self._single_columns], int)

    def __len__(self) -> int:
        return len(self.windows_rad)

    def apply(self, positions: Array, offsets: Array) -> Array:
        """Joint positions (t, P) with each of offsets (n, D) added, by quaternion multiplication for balls: (n, t, P).

        An offset turns a ball in the frame of its own target: q' = q * exp(offset).
        """
        whole = np.zeros((len(offsets), self._width))
        whole[:, self._kept] = offsets
        result = np.repeat(positions[None], len(offsets), axis=0)
        result[:, :, self._singles] += whole[:, None, self._single_columns]
        turns = rotations.exp(whole[:, self._ball_columns])
        result[:, :, self._balls] = rotations.multiply(positions[None][:, :, self._balls], turns[:, None])
        return result


@dataclass(frozen=True)
class _Column:
    """One offset: its place after the root's seven of qpos, its axis of a ball (-1 for a hinge), its place in qvel."""

    name: str
    position: int
    axis: int
    dof: int


def _columns(character: Character, joint: CharacterJoint) -> Sequence[_Column]:
    result = []
    for name in joint.mujoco_joints:
        found = character.model.joint(name)
        position, dof = int(found.qposadr[0]) - 7, int(found.dofadr[0])
        if found.type[0] == mujoco.mjtJoint.mjJNT_BALL:
            result += [_Column(f"{joint.name} {'xyz'[axis]}", position, axis, dof + axis) for axis in range(3)]
        else:
            result.append(_Column(name, position, -1, dof))
    return result


def _axes(character: Character, joint: CharacterJoint) -> int:
    return len(_columns(character, joint))


def _check(windows: Array, columns: Sequence[_Column], name: str) -> None:
    wrong = ~np.isfinite(windows) | (windows < 0.0)
    if wrong.any():
        raise ReconstructionError(
            f"the sampling windows of character '{name}' must be 0 rad or more; that of "
            f"'{columns[int(np.argmax(wrong))].name}' is {windows[wrong][0]:g}"
        )
