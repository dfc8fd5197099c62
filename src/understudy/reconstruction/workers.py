"""Workers: who simulates samples. One small interface; here the local one, on this machine's threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from understudy.cost import MEASURES, Moments, moments_of_world
from understudy.reconstruction.planning import Plan
from understudy.records import frozen
from understudy.rotations import Array, BoolArray
from understudy.simulation import State, World

BATCH = 512  # samples simulated at once: more is no faster, and takes a third of a megabyte each


@dataclass(frozen=True)
class Ends:
    """Where n samples are when their fragment ends.

    Attributes:
        rows: (n, S) their whole states, to go on from.
        moments: what costs compare.
        alive: (n,) False for those that diverged.
    """

    rows: Array
    moments: Moments
    alive: BoolArray

    def __post_init__(self) -> None:
        frozen(self, rows=self.rows, alive=self.alive)

    @staticmethod
    def concatenate(parts: Sequence[Ends]) -> Ends:
        """Several one after another."""
        return Ends(
            np.concatenate([part.rows for part in parts]),
            Moments.concatenate([part.moments for part in parts]),
            np.concatenate([part.alive for part in parts]),
        )


class Workers(Protocol):
    """Simulates samples; the result depends on what is asked alone, not on how many do it."""

    def run(self, fragment: int, starts: Array, offsets: Array) -> Ends:
        """Simulate a fragment of the plan from state rows starts (n, S) with offsets (n, D)."""

    def close(self) -> None:
        """Let go of whatever they hold."""


Recruit = Callable[[Plan], Workers]
"""Finds workers for a plan."""


class LocalWorkers:
    """A batch of simulations on this machine.

    Args:
        plan: what is followed.
        threads: None is all there are.
    """

    def __init__(self, plan: Plan, threads: int | None = None) -> None:
        self.plan = plan
        self._threads = threads
        self._world: World | None = None
        self._blank: State | None = None

    def run(self, fragment: int, starts: Array, offsets: Array) -> Ends:
        """Simulate a fragment of the plan from state rows starts (n, S) with offsets (n, D)."""
        count = -(-len(offsets) // -(-len(offsets) // BATCH))  # equal parts of at most BATCH
        world = self._world_of(count)
        parts = [slice(begin, begin + count) for begin in range(0, len(offsets), count)]
        return Ends.concatenate([self._part(world, fragment, starts[part], offsets[part]) for part in parts])

    def close(self) -> None:
        """Let go of the simulations."""
        self._world = None

    def _world_of(self, count: int) -> World:
        if self._world is None or self._world.n_simulations < count:
            character = self.plan.reference.character
            self._world = World(
                self.plan.scene, character, count, self._threads, measures=MEASURES, explain_divergence=False
            )
            self._blank = self._world.get_states()
        return self._world

    def _part(self, world: World, fragment: int, starts: Array, offsets: Array) -> Ends:
        count, whole = len(offsets), world.n_simulations
        rows = np.concatenate([starts, np.repeat(starts[:1], whole - count, axis=0)])
        assert self._blank is not None
        world.set_states(replace(self._blank, rows=rows, alive=np.arange(whole) < count))
        target = self.plan.target(fragment, offsets)
        if count < whole:
            more = np.repeat(target.positions[:1], whole - count, axis=0)
            target = replace(target, positions=np.concatenate([target.positions, more]))
        world.advance(target, self.plan.ticks(fragment))
        after = world.get_states(slice(0, count))
        return Ends(after.rows, moments_of_world(world, count), after.alive)
