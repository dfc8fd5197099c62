"""Other ways to search, on a budget of simulated samples: what the sampler is measured against.

CMA-ES is pycma (``pip install cma``; part of ``understudy[dev]``).
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from performing import ALONE
from threadpoolctl import threadpool_limits

from understudy.character import Reference
from understudy.cost import Anatomy, deviation, moments_of_reference
from understudy.errors import ReconstructionError
from understudy.reconstruction import (
    Ends,
    Plan,
    Reconstruction,
    ReconstructionSettings,
    Workers,
    plan_of,
    reconstruct,
)
from understudy.reconstruction.planning import start_of
from understudy.reconstruction.recording import recorded
from understudy.reconstruction.sampling import Path
from understudy.reconstruction.sampling.selection import DIVERGED
from understudy.rotations import Array
from understudy.simulation import Scene

try:
    import cma
except ImportError:
    sys.exit("this benchmark needs pycma; install it with: pip install cma")

GUIDED = ReconstructionSettings()
SHARE = 200 / 1400  # of the samples that go on in samcon-2010 section 4


def fixed(reference: Reference, seed: int, budget: int) -> Reconstruction:
    """samcon-2010: one pass of samples of a fixed, uniform distribution, in the paper's proportions."""
    samples = max(20, round(_each(reference, budget) / (1.0 + SHARE)))  # each saved one more, for its feedforward
    return _one_pass(reference, seed, samples, round(SHARE * samples))


def shooting(reference: Reference, seed: int, budget: int) -> Reconstruction:
    """The same, but that only the best sample of a fragment goes on."""
    return _one_pass(reference, seed, max(20, round(_each(reference, budget)) - 1), 1)


def cma_es(reference: Reference, seed: int, budget: int) -> Reconstruction:
    """CMA-ES over a window of fragments that moves on."""
    settings = ReconstructionSettings(seed=seed)
    plan = plan_of(reference, Scene(), settings)
    search = CmaSearch(plan, settings, start_of(plan).row, budget)
    begin = time.monotonic()
    with threadpool_limits(1, "blas"), contextlib.closing(ALONE(plan)) as workers:
        while search.advance(workers):
            pass
    seconds, path = time.monotonic() - begin, search.path()
    return Reconstruction(
        reference=plan.reference,
        rollout=recorded(plan, path, seed),
        bounds=plan.bounds,
        offsets=path.offsets,
        gain_scale=plan.gain_scale,
        lift_m=plan.lift_m,
        costs={},
        rounds=path.rounds,
        settings=settings,
        simulated=search.simulated,
        seconds=seconds,
    )


BASELINES: dict[str, Callable[[Reference, int, int], Reconstruction]] = {
    "fixed": fixed,
    "shooting": shooting,
    "cma-es": cma_es,
}


@dataclass(frozen=True)
class Horizon:
    """How CMA-ES looks ahead: over a window of fragments, the first of which are kept.

    Attributes:
        window: fragments it sees.
        kept: of them, before it moves on.
        sigma: the first standard deviation, in sampling windows.
    """

    window: int = 5
    kept: int = 1
    sigma: float = 0.25


@dataclass(frozen=True)
class _Tried:
    """What n samples did in the F fragments of a window.

    Attributes:
        offsets: (n, F, D) [rad].
        rows: (n, F, S) the states at the fragments' ends.
        costs: (n,) summed over them.
    """

    offsets: Array
    rows: Array
    costs: Array

    @property
    def best(self) -> _Tried:
        """The one that costs least."""
        i = int(np.argmin(self.costs))
        return _Tried(self.offsets[i : i + 1], self.rows[i : i + 1], self.costs[i : i + 1])


class CmaSearch:
    """CMA-ES (Hansen 2016) minimises our tracking cost over all offsets of a window, which then moves on.

    A window is given what the fragments before its end of keeping have left of the budget, but one generation at
    least; it begins around what the window before found for its fragments, and around no offsets where there was none.

    Attributes:
        simulated: samples of single fragments simulated so far.
    """

    def __init__(
        self,
        plan: Plan,
        settings: ReconstructionSettings,
        start_row: Array,
        budget: int,
        horizon: Horizon | None = None,
    ) -> None:
        self.plan, self.settings, self.budget = plan, settings, budget
        self.horizon = horizon or Horizon()
        self.anatomy = Anatomy(plan.reference.character)
        self.wanted = moments_of_reference(plan.reference)[plan.bounds]
        self.simulated = 0
        self._offsets = np.zeros((0, len(plan.space)))
        self._rows = start_row[None]
        self._rounds: list[int] = []
        self._ahead = self._offsets

    @property
    def done(self) -> int:
        """Fragments kept."""
        return len(self._offsets)

    def advance(self, workers: Workers) -> bool:
        """One more window; False when there was none left."""
        begin, count = self.done, self.plan.fragment_count
        if begin == count:
            return False
        end, kept = (min(begin + more, count) for more in (self.horizon.window, self.horizon.kept))
        best, generations = self._minimised(workers, begin, end, self.budget * kept / count)
        self._offsets = np.concatenate([self._offsets, best.offsets[0, : kept - begin]])
        self._rows = np.concatenate([self._rows, best.rows[0, : kept - begin]])
        self._rounds += [generations] * (kept - begin)
        self._ahead = best.offsets[0, kept - begin :]
        return True

    def path(self) -> Path:
        """What was kept."""
        return Path(self._offsets, self._rows, np.array(self._rounds))

    def _minimised(self, workers: Workers, begin: int, end: int, allowed: float) -> tuple[_Tried, int]:
        """The best sample of fragments begin to end, and generations, when so many samples are allowed in all."""
        windows = self.plan.space.windows_rad
        first = np.zeros((end - begin, len(windows)))
        first[: len(self._ahead)] = self._ahead / windows
        strategy = _strategy(first.ravel(), self.horizon.sigma, np.random.default_rng([self.settings.seed, begin]))
        strategy.inject([first.ravel()], force=True)
        best, generations = None, 0
        while best is None or self.simulated + strategy.popsize * (end - begin) <= allowed:
            asked = strategy.ask()
            tried = self._tried(workers, begin, np.reshape(asked, (-1, *first.shape)) * windows)
            strategy.tell(asked, tried.costs.tolist())
            best = tried.best if best is None or tried.costs.min() < best.costs[0] else best
            generations += 1
        if best.costs[0] >= DIVERGED:
            raise ReconstructionError(f"all samples of fragments {begin} to {end} diverged")
        return best, generations

    def _tried(self, workers: Workers, begin: int, offsets: Array) -> _Tried:
        start = np.repeat(self._rows[-1:], len(offsets), axis=0)
        rows, costs = [start], np.zeros(len(offsets))
        for f in range(offsets.shape[1]):
            ends = workers.run(begin + f, rows[-1], offsets[:, f])
            self.simulated += len(offsets)
            costs += self._cost(begin + f, ends, offsets[:, f])
            rows.append(np.where(ends.alive[:, None], ends.rows, start))  # who diverged has lost, from wherever
        return _Tried(offsets, np.stack(rows[1:], axis=1), costs)

    def _cost(self, fragment: int, ends: Ends, offsets: Array) -> Array:
        """(n,) the tracking cost, but its roughness: there are no offsets before and after yet."""
        cost = self.settings.cost
        off = deviation(self.anatomy, ends.moments, self.wanted[fragment + 1])
        exertions = cost.exertion(self.plan.space.windows_rad).terms(offsets)
        total = np.sum(list(cost.evaluate(off, exertions).values()), axis=0)
        return np.where(ends.alive & np.isfinite(total), total, DIVERGED)


def _strategy(first: Array, sigma: float, rng: np.random.Generator) -> Any:
    quiet = {"verbose": -9, "verb_log": 0, "verb_disp": 0}
    draw = {"seed": np.nan, "randn": lambda *shape: rng.standard_normal(shape)}  # numpy's own generator is left alone
    return cma.CMAEvolutionStrategy(first, sigma, {**quiet, **draw})


def _one_pass(reference: Reference, seed: int, samples: int, saved: int) -> Reconstruction:
    settings = ReconstructionSettings(method="samcon-2010", samples=samples, saved=saved, seed=seed)
    return reconstruct(reference, settings=settings, workers=ALONE)


def _each(reference: Reference, budget: int) -> float:
    """Of the budget, what one fragment gets."""
    return budget / plan_of(reference, Scene(), GUIDED).fragment_count
