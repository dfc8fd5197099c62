"""The paper's sampler: one pass, uniform samples around the reference, many of them kept (samcon-2010 section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.cost import Anatomy, Moments, moments_of_reference
from understudy.reconstruction.planning import Plan
from understudy.reconstruction.sampling.known import Arrays, below, named
from understudy.reconstruction.sampling.path import Path
from understudy.reconstruction.sampling.selection import DIVERGED, selected
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.reconstruction.workers import Ends, Workers
from understudy.rotations import Array, IntArray


@dataclass(frozen=True)
class _Saved:
    """The samples of one fragment that went on: m of them.

    Attributes:
        parents: (m,) which saved sample of the fragment before each began at.
        offsets: (m, D) [rad].
        rows: (m, S) their end states.
        costs: (m,) summed along their paths.
    """

    parents: IntArray
    offsets: Array
    rows: Array
    costs: Array


class SamconSearch:
    """Algorithm 1: fragment by fragment, ``samples`` from the saved states, of which ``kept`` go on.

    Attributes:
        simulated: samples simulated so far, those without an offset for the feedforward of section 3.2.3 among them.
    """

    def __init__(self, plan: Plan, settings: ReconstructionSettings, start_row: Array) -> None:
        self.plan, self.settings, self.cost = plan, settings, settings.terms
        self.anatomy = Anatomy(plan.reference.character)
        self.wanted: Moments = moments_of_reference(plan.reference)[plan.bounds]
        nothing = np.zeros((1, len(plan.space)))
        self._steps = [_Saved(np.zeros(1, int), nothing, start_row[None], np.zeros(1))]
        self.simulated = 0

    @property
    def done(self) -> int:
        """Fragments sampled."""
        return len(self._steps) - 1

    def advance(self, workers: Workers) -> bool:
        """Sample one fragment more; False when there was none left."""
        k = self.done
        if k == self.plan.fragment_count:
            return False
        rng, before = np.random.default_rng([self.settings.seed, k]), self._steps[-1]
        forward = self._feedforward(k, before.rows, workers)
        parents = np.arange(self.settings.samples) % len(before.rows)
        windows = self.plan.space.windows_rad
        offsets = forward[parents] + rng.uniform(-1.0, 1.0, (self.settings.samples, len(windows))) * windows
        ends = workers.run(k, before.rows[parents], offsets)
        self.simulated += self.settings.samples
        costs = self._judged(k, ends, offsets)
        chosen = selected(self.settings.selection, costs, self.settings.kept, rng)
        summed = (before.costs[parents] + costs)[chosen]
        self._steps.append(_Saved(parents[chosen], offsets[chosen], ends.rows[chosen], summed))
        return True

    def path(self) -> Path:
        """Of the saved paths that with the lowest sum of costs."""
        i = int(np.argmin(self._steps[-1].costs))
        offsets, rows = [], []
        for step in reversed(self._steps):
            offsets.append(step.offsets[i])
            rows.append(step.rows[i])
            i = int(step.parents[i])
        return Path(np.stack(offsets[-2::-1]), np.stack(rows[::-1]), np.ones(self.done, int))

    def arrays(self) -> Arrays:
        """All that is known, to go on from."""
        result = {"progress": np.array([len(self._steps), self.simulated])}
        for k, step in enumerate(self._steps):
            result |= named(vars(step), f"step{k}")
        return result

    def restore(self, arrays: Arrays) -> None:
        """Know what ``arrays`` gave."""
        count, self.simulated = map(int, arrays["progress"])
        self._steps = [_Saved(**below(arrays, f"step{k}")) for k in range(count)]

    def _feedforward(self, k: int, rows: Array, workers: Workers) -> Array:
        """(m, D) the pose missed without offsets from each saved state, which approximates feedforward torques."""
        ends = workers.run(k, rows, np.zeros((len(rows), len(self.plan.space))))
        self.simulated += len(rows)
        missed = self.anatomy.difference(ends.moments.qpos, self.wanted[k + 1].qpos)
        return np.where(ends.alive[:, None], -missed[:, self.plan.space.dofs], 0.0)

    def _judged(self, k: int, ends: Ends, offsets: Array) -> Array:
        terms = self.cost.evaluate(self.anatomy, ends.moments, self.wanted[k + 1], offsets)
        total = np.sum(list(terms.values()), axis=0)
        return np.where(ends.alive & np.isfinite(total), total, DIVERGED)
