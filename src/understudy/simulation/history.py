"""The last few advances of a World, kept so that a divergence can be run again and explained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.rotations import Array, BoolArray, IntArray
from understudy.simulation.inputs import Inputs
from understudy.simulation.state import State
from understudy.simulation.stepper import Stepper


@dataclass
class _Advance:
    """One advance: the simulations before it (buffers that are used again), its inputs and its physics steps."""

    rows: Array
    warnings: IntArray
    push_steps: IntArray
    inputs: Inputs | None = None
    steps: int = 0


class History:
    """A ring of the last ``depth`` advances since simulations were last set from outside.

    Noting an advance is one copy of the state rows: 0.2 % of the time of the 20 physics steps that follow it.
    """

    def __init__(self, stepper: Stepper, depth: int) -> None:
        self._stepper = stepper
        self._ring = [_Advance(*self._buffers()) for _ in range(depth)]
        self._count = 0

    def clear(self) -> None:
        """Forget everything: simulations were set from outside."""
        self._count = 0

    def note(self, inputs: Inputs, steps: int) -> None:
        """Keep the simulations as they are now, before an advance of ``steps`` physics steps with these inputs."""
        slot = self._ring[self._count % len(self._ring)]
        np.copyto(slot.rows, self._stepper.rows)
        np.copyto(slot.warnings, self._stepper.batch.warning)
        np.copyto(slot.push_steps, self._stepper.push_steps)
        slot.inputs, slot.steps = inputs, steps
        self._count += 1

    def put_back(self, which: BoolArray) -> None:
        """Give these simulations the rows they had before the last advance."""
        last = self._ring[(self._count - 1) % len(self._ring)]
        self._stepper.rows[which] = last.rows[which]
        self._stepper.batch.warning[which] = last.warnings[which]
        self._stepper.push_steps[which] = last.push_steps[which]

    def advances(self, which: IntArray) -> list[tuple[State, Inputs, int]]:
        """For the simulations at which, oldest first: the State before each advance kept, its inputs and its steps."""
        kept = min(self._count, len(self._ring))
        result = []
        for i in range(self._count - kept, self._count):
            slot = self._ring[i % len(self._ring)]
            assert slot.inputs is not None
            state = State(
                self._stepper.layout,
                slot.rows[which],
                slot.warnings[which],
                slot.push_steps[which],
                self._stepper.friction[which],
                np.ones(len(which), bool),
            )
            result.append((state, slot.inputs.of(which), slot.steps))
        return result

    def _buffers(self) -> tuple[Array, IntArray, IntArray]:
        stepper = self._stepper
        return np.empty_like(stepper.rows), np.empty_like(stepper.batch.warning), np.empty_like(stepper.push_steps)
