"""The Reference: a Clip fitted to a Character."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import mujoco
import numpy as np

from understudy.character.character import Character
from understudy.character.saving import KIND as CHARACTER
from understudy.character.saving import VERSION as CHARACTER_VERSION
from understudy.character.saving import character_contents, character_in
from understudy.errors import CharacterError, FileError
from understudy.files import ArrayFile, part_of, read_arrays, with_parts, write_arrays
from understudy.records import frozen
from understudy.rotations import Array

KIND, VERSION = "reference", 1


@dataclass(frozen=True)
class BodyPoses:
    """World places (T, B, 3) [m] and rotations (T, B, 4) of a character's B bodies, in the order of the model."""

    positions_w: Array
    rotations_w: Array

    def __post_init__(self) -> None:
        frozen(self, positions_w=self.positions_w, rotations_w=self.rotations_w)


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

    def save(self, path: str | Path) -> None:
        """Write an array file of kind ``reference``: qpos and qvel, and the character as its own file holds it."""
        write_arrays(path, self.contents())

    @classmethod
    def load(cls, path: str | Path) -> Reference:
        """Read what ``save`` wrote; raises FileError for anything else."""
        return cls.of_contents(read_arrays(path, KIND, VERSION), path)

    def contents(self) -> ArrayFile:
        """What its file holds; other files that carry a reference hold the same."""
        header = {"name": self.name, "rate_hz": self.rate_hz, "notes": list(self.notes)}
        own = ArrayFile(KIND, VERSION, header, {"qpos": self.qpos, "qvel": self.qvel})
        return with_parts(own, {"character": character_contents(self.character)})

    @classmethod
    def of_contents(cls, contents: ArrayFile, path: str | Path) -> Reference:
        """The reference that contents read from path hold; raises FileError when they do not."""
        header, arrays = contents.header, contents.arrays
        character = character_in(part_of(contents, "character", CHARACTER, CHARACTER_VERSION, path), path)
        try:
            qpos, qvel, rate_hz = arrays["qpos"], arrays["qvel"], float(header["rate_hz"])
            reference = cls(character, rate_hz, qpos, qvel, str(header["name"]), tuple(map(str, header["notes"])))
        except (KeyError, TypeError, ValueError, AttributeError, CharacterError) as problem:
            raise FileError(path, f"a damaged reference ({problem})") from problem
        if not (rate_hz > 0.0 and np.isfinite(reference.qpos).all() and np.isfinite(reference.qvel).all()):
            raise FileError(path, "a damaged reference (a value is not a number, or its rate is not above 0 Hz)")
        return reference

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
