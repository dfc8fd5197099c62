"""The State: everything needed to restore simulations exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from understudy.errors import SimulationError
from understudy.records import frozen
from understudy.rotations import Array, BoolArray, IntArray

_PARTS = {
    "time": mujoco.mjtState.mjSTATE_TIME,
    "qpos": mujoco.mjtState.mjSTATE_QPOS,
    "qvel": mujoco.mjtState.mjSTATE_QVEL,
    "warmstart": mujoco.mjtState.mjSTATE_WARMSTART,
    "ctrl": mujoco.mjtState.mjSTATE_CTRL,
    "qfrc_applied": mujoco.mjtState.mjSTATE_QFRC_APPLIED,
    "xfrc_applied": mujoco.mjtState.mjSTATE_XFRC_APPLIED,
}


@dataclass(frozen=True)
class Layout:
    """Where the parts of MuJoCo's integration state are in a row of ``width`` numbers."""

    width: int
    time: slice
    qpos: slice
    qvel: slice
    warmstart: slice
    ctrl: slice
    qfrc_applied: slice
    xfrc_applied: slice

    @classmethod
    def of(cls, model: mujoco.MjModel) -> Layout:
        """The layout of a model's rows: its state components in the order of mjtState's bits."""
        whole = int(mujoco.mjtState.mjSTATE_INTEGRATION)
        begin, places = 0, {}
        for bit in range(int(mujoco.mjtState.mjNSTATE)):
            if whole & (1 << bit):
                size = mujoco.mj_stateSize(model, 1 << bit)
                places[1 << bit] = slice(begin, begin + size)
                begin += size
        return cls(begin, **{name: places[int(part)] for name, part in _PARTS.items()})


@dataclass(frozen=True)
class State:
    """n simulations at one moment each. Read-only; index it, join it, and give it back to a World.

    Attributes:
        layout: where things are in a row.
        rows: (n, S) MuJoCo's integration states, warm starts and applied forces included.
        warnings: (n, W, 2) MuJoCo's warning counters.
        push_steps: (n, bodies) physics steps for which the push on each body still lasts.
        friction: (n,) factor of every friction coefficient.
        alive: (n,) False for simulations that diverged; they stay where they were before.
    """

    layout: Layout = field(repr=False)
    rows: Array
    warnings: IntArray
    push_steps: IntArray
    friction: Array
    alive: BoolArray

    def __post_init__(self) -> None:
        names = ("rows", "warnings", "push_steps", "friction", "alive")
        frozen(self, **{name: getattr(self, name) for name in names})
        count = len(self.rows)
        if self.rows.shape != (count, self.layout.width) or any(len(getattr(self, name)) != count for name in names):
            raise SimulationError(f"a state of {count} simulations needs rows ({count}, {self.layout.width})")

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> State:
        """The simulations at index: a number, a slice, indices (repeated as they like) or a mask (n,)."""
        if isinstance(index, (int, np.integer)):
            index = [index]
        return State(
            self.layout,
            self.rows[index],
            self.warnings[index],
            self.push_steps[index],
            self.friction[index],
            self.alive[index],
        )

    @property
    def time_s(self) -> Array:
        """(n,) simulated time [s]."""
        return self.rows[:, self.layout.time.start]

    @property
    def qpos(self) -> Array:
        """(n, nq) positions in MuJoCo's layout."""
        return self.rows[:, self.layout.qpos]

    @property
    def qvel(self) -> Array:
        """(n, nv) velocities in MuJoCo's layout."""
        return self.rows[:, self.layout.qvel]

    def moved(self, qpos: Array | None = None, qvel: Array | None = None) -> State:
        """The same with other positions (n or 1, nq) or velocities (n or 1, nv), and a cold solver."""
        rows = self.rows.copy()
        if qpos is not None:
            rows[:, self.layout.qpos] = qpos
        if qvel is not None:
            rows[:, self.layout.qvel] = qvel
        rows[:, self.layout.warmstart] = 0.0
        return State(self.layout, rows, self.warnings, self.push_steps, self.friction, self.alive)

    @staticmethod
    def concatenate(states: Sequence[State]) -> State:
        """The simulations of several States one after another."""
        if not states:
            raise SimulationError("there is no state to join")
        if any(state.layout != states[0].layout for state in states):
            raise SimulationError("states of different models can't be joined")
        return State(
            states[0].layout,
            np.concatenate([state.rows for state in states]),
            np.concatenate([state.warnings for state in states]),
            np.concatenate([state.push_steps for state in states]),
            np.concatenate([state.friction for state in states]),
            np.concatenate([state.alive for state in states]),
        )
