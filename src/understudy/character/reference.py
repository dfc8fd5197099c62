"""The Reference: a Clip fitted to a Character."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import mujoco
import numpy as np

from understudy.character.character import Character
from understudy.errors import CharacterError
from understudy.records import frozen
from understudy.rotations import Array


@dataclass(frozen=True)
class BodyPoses:
    """World places (T, B, 3) [m] and rotations (T, B, 4) of a character's B bodies, in the order of the model."""

    positions_w: Array
    rotations_w: Array


@dataclass(frozen=True)
class Reference:
    """What a character should do, tick by tick.

    Attributes:
        character: who should do it.
        rate_hz: ticks per second.
        qpos: (T, nq) positions in MuJoCo's layout: root place [m], root quaternion, then the joints.
        qvel: (T, nv) velocities in MuJoCo's layout [m/s, rad/s].
        name: as a rule the clip's.
        notes: what the fitting matched, dropped and found, a line each.
    """

    character: Character
    rate_hz: float
    qpos: Array
    qvel: Array
    name: str = "reference"
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        frozen(self, rate_hz=float(self.rate_hz), qpos=np.array(self.qpos, float), qvel=np.array(self.qvel, float))
        model = self.character.model
        if self.qpos.shape[1:] != (model.nq,) or self.qvel.shape != (len(self.qpos), model.nv) or len(self.qpos) == 0:
            raise CharacterError(
                f"reference '{self.name}' on '{self.character.name}' needs qpos (T, {model.nq}) and "
                f"qvel (T, {model.nv}), not {self.qpos.shape} and {self.qvel.shape}"
            )

    @property
    def tick_count(self) -> int:
        return len(self.qpos)

    @property
    def duration_s(self) -> float:
        return (self.tick_count - 1) / self.rate_hz

    @cached_property
    def bodies(self) -> BodyPoses:
        """Where every body is at every tick."""
        return body_poses(self.character.model, self.qpos)


def body_poses(model: mujoco.MjModel, qpos: Array) -> BodyPoses:
    """Places and rotations of all bodies but the world for positions qpos (T, nq)."""
    data = mujoco.MjData(model)
    positions = np.empty((len(qpos), model.nbody - 1, 3))
    turned = np.empty((len(qpos), model.nbody - 1, 4))
    for t, row in enumerate(qpos):
        data.qpos[:] = row
        mujoco.mj_kinematics(model, data)
        positions[t], turned[t] = data.xpos[1:], data.xquat[1:]
    return BodyPoses(positions, turned)


def velocities(model: mujoco.MjModel, qpos: Array, rate_hz: float) -> Array:
    """Velocities (T, nv) of positions qpos (T, nq) by central differences on SO(3), one-sided at the ends."""
    count = len(qpos)
    result = np.zeros((count, model.nv))
    for t in range(count if count > 1 else 0):
        before, after = max(t - 1, 0), min(t + 1, count - 1)
        mujoco.mj_differentiatePos(model, result[t], (after - before) / rate_hz, qpos[before], qpos[after])
    return result
