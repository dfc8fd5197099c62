"""The Character: a MuJoCo model with what Understudy must know to drive it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import mujoco
import numpy as np

from understudy.errors import CharacterError, UnknownNameError
from understudy.records import frozen
from understudy.rotations import Array

Role = str
ROLES: tuple[Role, ...] = (
    "pelvis", "spine", "chest", "neck", "head",
    "left_clavicle", "left_upper_arm", "left_lower_arm", "left_hand",
    "right_clavicle", "right_upper_arm", "right_lower_arm", "right_hand",
    "left_thigh", "left_shin", "left_foot", "left_toes",
    "right_thigh", "right_shin", "right_foot", "right_toes",
)  # fmt: skip
"""The body parts a human clip and a human character are matched by; a character lists those it has."""


@dataclass(frozen=True)
class CharacterJoint:
    """One joint as the papers' tables list it: a ball, or one to three hinges in a row on one body.

    Attributes:
        name: the joint's name, ``left_hip``.
        body: the MuJoCo body it moves.
        mujoco_joints: one ball joint, or the hinges from the parent's side to the child's.
        axes: 3 for a ball, else the number of hinges; the length of the fields below.
        kp, kd: gains of its PD servo [N m/rad, N m s/rad].
        strength: (axes,) factor of both gains per axis.
        window_rad: (axes,) half-width of the sampling window per axis [rad].
        contact_scale: factor of the gains while its limb bears weight, 1.0 where the papers give none.
        torque_nm: (axes,) the strength of its motor [N m], infinite where its source gives none.
    """

    name: str
    body: str
    mujoco_joints: tuple[str, ...]
    kp: float
    kd: float
    strength: Array
    window_rad: Array
    contact_scale: float = 1.0
    torque_nm: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        frozen(self, strength=np.array(self.strength, float), window_rad=np.array(self.window_rad, float))
        given = np.array(self.torque_nm, float)
        frozen(self, torque_nm=given if len(given) else np.full(len(self.strength), np.inf))


@dataclass(frozen=True)
class Physics:
    """How a character is simulated; chosen by the table of ``benchmarks/settings.py``."""

    timestep_s: float = 0.005
    tick_steps: int = 4
    integrator: Literal["implicitfast", "discrete", "euler"] = "implicitfast"
    solver: Literal["newton", "pgs", "cg"] = "newton"
    iterations: int = 100
    cone: Literal["pyramidal", "elliptic"] = "pyramidal"

    @property
    def tick_s(self) -> float:
        """Length of a control tick [s]."""
        return self.timestep_s * self.tick_steps


@dataclass(frozen=True)
class Character:
    """A body that can be simulated and driven, standing in its rest pose with z up and facing +x.

    Attributes:
        name: ``human``.
        source: where its numbers come from, or which file it was adopted from.
        xml: a whole MJCF model holding this character alone: one root body with a free joint, no ground.
        joints: the actuated joints, in the order of the model.
        roles: body part (one of ROLES, or a name of the character's own) to MuJoCo body.
        end_effectors: MuJoCo bodies that touch the world: feet first, then hands.
        physics: how it is simulated.
        assets: file name to contents, for models with meshes.
        guesses: what ``adopt`` or ``from_clip`` had to guess, a line each, to be told to the user.
        standing: (nq,) qpos of a pose it stands in; the rest pose when empty.
    """

    name: str
    source: str
    xml: str
    joints: tuple[CharacterJoint, ...]
    roles: Mapping[Role, str]
    end_effectors: tuple[str, ...]
    physics: Physics = field(default_factory=Physics)
    assets: Mapping[str, bytes] = field(default_factory=dict)
    guesses: tuple[str, ...] = ()
    standing: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        frozen(self, standing=np.array(self.standing, float))

    def spec(self) -> mujoco.MjSpec:
        """A fresh MjSpec of the model, to attach to a scene."""
        try:
            return mujoco.MjSpec.from_string(self.xml, assets=dict(self.assets))
        except ValueError as problem:
            raise CharacterError(f"character '{self.name}': MuJoCo refuses its model ({problem})") from problem

    @cached_property
    def model(self) -> mujoco.MjModel:
        """The compiled model of the character alone."""
        try:
            return self.spec().compile()
        except ValueError as problem:
            raise CharacterError(f"character '{self.name}': MuJoCo refuses its model ({problem})") from problem

    @property
    def standing_qpos(self) -> Array:
        """(nq,) the pose it stands in, soles on z = 0."""
        return self.standing if len(self.standing) else np.array(self.model.qpos0)

    @property
    def mass_kg(self) -> float:
        return float(self.model.body_mass.sum())

    @property
    def body_names(self) -> tuple[str, ...]:
        """The character's bodies in the order of the model, the world left out."""
        return tuple(self.model.body(i).name for i in range(1, self.model.nbody))

    def body_index(self, name: str) -> int:
        """Index into ``body_names`` and into arrays (T, B, ...) of the body of that name."""
        if name not in self.body_names:
            raise UnknownNameError("body", name, self.body_names)
        return self.body_names.index(name)

    def joint(self, name: str) -> CharacterJoint:
        """The joint of that name."""
        for joint in self.joints:
            if joint.name == name:
                return joint
        raise UnknownNameError("joint", name, [joint.name for joint in self.joints])
