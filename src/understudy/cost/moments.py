"""Moments: where n simulations, or n ticks of a reference, are; what the cost terms compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from understudy.character import Character, Reference
from understudy.records import frozen
from understudy.rotations import Array
from understudy.simulation import Measure, Scene, World

MEASURES: tuple[Measure, ...] = ("momentum", "bodies")
"""What a World must measure for ``moments_of_world``."""

_AT_ONCE = 512  # measured together


@dataclass(frozen=True)
class Moments:
    """One character in n simulations at one moment each.

    Attributes:
        qpos, qvel: (n, nq) and (n, nv) in MuJoCo's layout.
        places_w: (n, B, 3) of its bodies' origins [m].
        mass_centre_w: (n, 3) [m].
        mass_velocity_w: (n, 3) [m/s].
        angular_momentum_w: (n, 3) about the centre of mass [kg m^2/s].
    """

    qpos: Array
    qvel: Array
    places_w: Array
    mass_centre_w: Array
    mass_velocity_w: Array
    angular_momentum_w: Array

    def __post_init__(self) -> None:
        frozen(self, **{field.name: getattr(self, field.name) for field in fields(self)})

    def __len__(self) -> int:
        return len(self.qpos)

    def __getitem__(self, index: Any) -> Moments:
        """The simulations at index: a number, a slice, indices or a mask."""
        index = slice(index, index + 1) if isinstance(index, (int, np.integer)) else index
        return Moments(*(getattr(self, field.name)[index] for field in fields(self)))

    @staticmethod
    def concatenate(parts: Sequence[Moments]) -> Moments:
        """Several one after another."""
        if len(parts) == 1:
            return parts[0]
        return Moments(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Moments)))


def moments_of_world(world: World, count: int | None = None, actor: int = 0) -> Moments:
    """A copy of where an actor of a world is, in its first ``count`` simulations."""
    first, who = slice(0, count), world.actors[actor]
    state, momentum, bodies = world.get_states(first), world.momentum(actor), world.bodies(actor)
    return Moments(
        state.qpos[:, who.qpos],
        state.qvel[:, who.qvel],
        bodies.positions_w[first].copy(),
        momentum.mass_centre_w[first].copy(),
        momentum.mass_velocity_w[first].copy(),
        momentum.angular_momentum_w[first].copy(),
    )


def moments_of_reference(reference: Reference) -> Moments:
    """Where the character should be at every tick (T)."""
    return moments_of(reference.character, reference.qpos, reference.qvel)


def moments_of(character: Character, qpos: Array, qvel: Array) -> Moments:
    """Where a character is whose positions are qpos (n, nq) and velocities qvel (n, nv)."""
    count = min(len(qpos), _AT_ONCE)
    world = World(Scene(), character, count, 1, measures=MEASURES)
    parts = []
    for begin in range(0, len(qpos), count):
        rows = np.minimum(np.arange(begin, begin + count), len(qpos) - 1)
        world.reset(qpos[rows], qvel[rows])
        parts.append(moments_of_world(world, min(count, len(qpos) - begin)))
    return Moments.concatenate(parts)
