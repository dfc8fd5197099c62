"""The Target: what a Controller asks for during one advance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.errors import SimulationError
from understudy.records import frozen
from understudy.rotations import Array


@dataclass(frozen=True)
class Target:
    """Joint targets for n simulations, or one row for all; of several characters, side by side in their order.

    Attributes:
        positions: (n, P) held over the whole advance, or (n, K, P) of which each holds for one K-th of it. P joint
            positions laid out as qpos after the root's seven numbers (quaternions of balls, angles of hinges).
        gain_scale: (n, J) factor of both gains of each of the character's joints; None is 1.
        torques: (n, nv - 6) added at the joints [N m], laid out as qvel after the root's six; None is 0.
    """

    positions: Array
    gain_scale: Array | None = None
    torques: Array | None = None

    def __post_init__(self) -> None:
        positions = np.array(self.positions, float)
        if positions.ndim not in (2, 3):
            raise SimulationError(f"target positions must be (n, P) or (n, K, P), not {positions.shape}")
        frozen(self, positions=positions, gain_scale=_rows(self.gain_scale, "gain_scale"))
        frozen(self, torques=_rows(self.torques, "torques"))

    def __getitem__(self, index: int) -> Target:
        """The target of one simulation."""
        return Target(
            _of_one(self.positions, index),
            None if self.gain_scale is None else _of_one(self.gain_scale, index),
            None if self.torques is None else _of_one(self.torques, index),
        )


def _rows(values: Array | None, name: str) -> Array | None:
    if values is None:
        return None
    values = np.array(values, float)
    if values.ndim != 2:
        raise SimulationError(f"target {name} must have a row per simulation, or one for all, not shape {values.shape}")
    return values


def _of_one(values: Array, index: int) -> Array:
    return values if len(values) == 1 else values[index : index + 1]
