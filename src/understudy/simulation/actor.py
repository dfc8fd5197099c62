"""An Actor: a Character where it stands in a compiled scene."""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
import numpy as np

from understudy.character import Character, ControlMap
from understudy.errors import SimulationError, UnknownNameError
from understudy.rotations import IntArray


@dataclass(frozen=True)
class Actor:
    """Where a character's numbers are in the arrays of a scene's model.

    Attributes:
        character: who it is.
        prefix: what its names begin with in the model; empty when it is alone.
        control_map: from its joint targets to the model's controls.
        qpos: its columns of qpos, the root's seven first.
        qvel: its columns of qvel, the root's six first.
        bodies: (B,) indices of its bodies in the model, in the order of ``character.body_names``.
    """

    character: Character
    prefix: str
    control_map: ControlMap
    qpos: slice
    qvel: slice
    bodies: IntArray = field(repr=False)

    @property
    def name(self) -> str:
        return self.prefix + self.character.name

    @property
    def root_body(self) -> int:
        """Index of its root in the model."""
        return int(self.bodies[0])

    @property
    def joint_position_count(self) -> int:
        """How many columns of ``Target.positions`` are its own."""
        return self.qpos.stop - self.qpos.start - 7

    @property
    def joint_velocity_count(self) -> int:
        """How many columns of ``Target.torques`` are its own."""
        return self.qvel.stop - self.qvel.start - 6

    def body(self, name: str) -> int:
        """Index in the model of the character's body of that name (without the prefix)."""
        if name not in self.character.body_names:
            raise UnknownNameError(f"body of '{self.name}'", name, self.character.body_names)
        return int(self.bodies[self.character.body_index(name)])


def find_actor(model: mujoco.MjModel, character: Character, prefix: str) -> Actor:
    """Look a character up in a model that holds it."""
    own = character.model
    bodies = np.array([model.body(prefix + name).id for name in character.body_names], int)
    root = int(bodies[0])
    first = int(model.body_jntadr[root])
    if own.jnt_type[0] != mujoco.mjtJoint.mjJNT_FREE or own.nbody < 2 or own.body_rootid.max() != 1:
        raise SimulationError(f"character '{character.name}' needs one root body with a free joint")
    q, v = int(model.jnt_qposadr[first]), int(model.jnt_dofadr[first])
    return Actor(
        character,
        prefix,
        ControlMap(model, character.joints, prefix),
        slice(q, q + own.nq),
        slice(v, v + own.nv),
        bodies,
    )
