"""Our sampler: rounds of samples through a moving window, steered by what the rounds before have taught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy.cost import Anatomy, Deviation, Exertion, Moments, deviation, moments_of_reference
from understudy.reconstruction.planning import Plan
from understudy.reconstruction.sampling.known import Arrays, Stage, Waypoint, below, named
from understudy.reconstruction.sampling.local_model import Best, Samples, nothing_to_come, step_back
from understudy.reconstruction.sampling.opening import Opening
from understudy.reconstruction.sampling.path import Path, halfway
from understudy.reconstruction.sampling.schedule import Schedule
from understudy.reconstruction.sampling.selection import DIVERGED, selected
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.reconstruction.workers import Ends, Workers
from understudy.rotations import Array, BoolArray, IntArray

_SHARES = 4.0  # samples of one state depart from the law by 0, 1, 2, 3 and from then on 4 quarters of the noise


@dataclass(frozen=True)
class Sweeps:
    """How rounds sample.

    Attributes:
        noise: standard deviation of the offsets in windows, by how many rounds a fragment has had.
        near_m: a fragment whose bodies end nearer than this is sampled with less noise, in proportion to the distance,
        least_noise: down to this share of it; so what follows already is refined, not shaken.
        keep: how many rounds' samples the dynamics are fitted to.
        ridge: of that regression.
        reach: most an offset may be, in windows.
    """

    noise: tuple[float, ...] = (1.0, 0.7, 0.5, 0.35, 0.25, 0.2, 0.4, 0.3, 0.25, 0.2)
    near_m: float = 0.04
    least_noise: float = 0.2
    keep: int = 2
    ridge: float = 1e-3
    reach: float = 3.0


@dataclass(frozen=True)
class _Tried:
    """What n samples of a fragment begin with: which of the saved ones, their deviations and costs, their offsets."""

    parents: IntArray
    states: Array
    costs: Array
    offsets: Array


@dataclass(frozen=True)
class _Step:
    """What went on from one fragment of a sweep: m samples."""

    parents: IntArray
    offsets: Array
    rows: Array
    off: Deviation
    costs: Array


class GuidedSearch:
    """A search for offsets of a plan.

    Every round simulates samples from fragment to fragment of a window (``Schedule``). All of them together tell the
    dynamics near the best path, from which the best way on follows by linear algebra (``local_model``); it is where the
    next round samples, with less noise than before. So decisions that turn out bad later are taken back.

    Attributes:
        plan: what is followed.
        stages: (K) what is known of each fragment.
        waypoints: (K + 1) what is known of the moments between; None where no sweep has been.
        simulated: samples simulated so far.
    """

    def __init__(
        self,
        plan: Plan,
        settings: ReconstructionSettings,
        start_row: Array,
        schedule: Schedule | None = None,
        sweeps: Sweeps | None = None,
    ) -> None:
        self.plan, self.settings, self.cost = plan, settings, settings.cost
        self.schedule, self.sweeps = schedule or Schedule(settings.rounds), sweeps or Sweeps()
        self.anatomy = Anatomy(plan.reference.character)
        self.wanted: Moments = moments_of_reference(plan.reference)[plan.bounds]
        self.stages = [Stage() for _ in range(plan.fragment_count)]
        self.opening = Opening(self.anatomy.nv, self.cost.effort)
        self.waypoints: list[Waypoint | None] = [self._start(start_row), *[None] * plan.fragment_count]
        self.simulated = 0
        self._round, self._end, self._done = 0, 0, 0

    @property
    def done(self) -> int:
        """Fragments that no further round will change."""
        return self._done

    def advance(self, workers: Workers) -> bool:
        """One more round; False when there was nothing left to do."""
        window = self.schedule.next_window([stage.history for stage in self.stages], self._end)
        if window is None:
            self._done = self.plan.fragment_count
            return False
        begin, end = window
        self._done = max(begin, self._done)
        self._cut_off(end)
        for stage in self.stages[: self.schedule.first_of_interest(begin)]:
            stage.samples.clear()
        self.sweep(workers, begin, end, np.random.default_rng([self.settings.seed, self._round]))
        self._round += 1
        return True

    def _cut_off(self, end: int) -> None:
        """What comes after the fragments of a round has to be gone through anew: it would begin elsewhere."""
        self._end = end
        self.waypoints[end + 1 :] = [None] * (self.plan.fragment_count - end)
        for stage in self.stages[end:]:
            stage.history.clear()

    def path(self) -> Path:
        """The best that was found."""
        offsets = [stage.offsets for stage in self.stages if stage.offsets is not None]
        rows = [waypoint.row for waypoint in self.waypoints if waypoint is not None]
        return Path(np.stack(offsets), np.stack(rows), np.array([len(stage.history) for stage in self.stages]))

    def arrays(self) -> Arrays:
        """All that is known, to go on from."""
        result = {"progress": np.array([self._round, self._end, self._done, self.simulated])}
        for k, stage in enumerate(self.stages):
            result |= named(stage.arrays(), f"stage{k}")
        for k, waypoint in enumerate(self.waypoints):
            result |= named(waypoint.arrays(), f"waypoint{k}") if waypoint is not None else {}
        return result

    def restore(self, arrays: Arrays) -> None:
        """Know what ``arrays`` gave."""
        self._round, self._end, self._done, self.simulated = map(int, arrays["progress"])
        self.stages = [Stage.of_arrays(below(arrays, f"stage{k}")) for k in range(len(self.stages))]
        known = [below(arrays, f"waypoint{k}") for k in range(len(self.waypoints))]
        self.waypoints = [Waypoint.of_arrays(own) if own else None for own in known]

    def sweep(self, workers: Workers, begin: int, end: int, rng: np.random.Generator) -> None:
        """One round: samples from the best path's state at fragment begin on, through to end; then what they teach."""
        starts = rows, states, costs = self._starts(begin, rng)
        on_best_path = True  # whether sample 0 still does what the best path so far does
        exertions = {k: self._exertion(k) for k in range(begin, end)}
        steps: list[_Step] = []
        for k in range(begin, end):
            on_best_path = on_best_path and self.stages[k].offsets is not None
            parents = np.arange(self.settings.samples) % len(rows)
            child = np.arange(self.settings.samples) // len(rows)
            offsets = self._draw(k, states[parents], child, on_best_path, rng)
            ends = workers.run(k, rows[parents], offsets)
            tried = _Tried(parents, states[parents], costs[parents], offsets)
            step = self._keep(k, tried, ends, exertions[k], on_best_path, rng)
            steps.append(step)
            rows, states, costs = step.rows, step.off.state, step.costs
        first = self._take_best(steps, begin)
        if begin == 0:
            self.waypoints[0] = Waypoint(starts[0][first], starts[1][first])
        self._learn(begin, end, exertions)

    def _start(self, row: Array) -> Waypoint:
        nq, nv = self.anatomy.nq, self.anatomy.nv
        first = self.wanted[0]
        qpos, qvel = row[None, 1 : 1 + nq], row[None, 1 + nq : 1 + nq + nv]
        here = Moments(qpos, qvel, first.places_w, first.mass_centre_w, first.mass_velocity_w, first.angular_momentum_w)
        return Waypoint(row, deviation(self.anatomy, here, first).state[0])

    def _starts(self, begin: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
        """Rows (m, S), deviations (m, X) and costs (m,) of where a sweep begins, the best known first."""
        known = self._waypoint(begin)
        if begin > 0:
            return known.row[None], known.state[None], np.zeros(1)
        nq, nv = self.anatomy.nq, self.anatomy.nv
        scales = self._noise(0) * _rising(np.arange(self.settings.kept) / self.settings.kept * _SHARES)
        departures = self.opening.draw(known.state[nv:], known.value, scales, rng)
        rows, states = (np.repeat(part[None], len(departures), axis=0) for part in (known.row, known.state))
        rows[:, 1 + nq : 1 + nq + nv] += departures - known.state[nv:]
        states[:, nv:] = departures
        return rows, states, self.opening.cost(departures)

    def _noise(self, k: int) -> float:
        history, sweeps = self.stages[k].history, self.sweeps
        share = np.clip(history[-1] / sweeps.near_m, sweeps.least_noise, 1.0) if history else 1.0
        return float(share) * sweeps.noise[min(len(history), len(sweeps.noise) - 1)]

    def _draw(self, k: int, states: Array, child: IntArray, on_best_path: bool, rng: np.random.Generator) -> Array:
        """Offsets (n, D) for samples that begin fragment k in states (n, X), the how many-th child (n,) of those.

        The first child of each state does what the law says, the next ones depart from that more and more.
        """
        stage, windows = self.stages[k], self.plan.space.windows_rad
        if stage.law is None:
            offsets = rng.uniform(-1.0, 1.0, (len(states), len(windows))) * windows  # samcon-2010 section 3.2.3
        else:
            noise = rng.normal(size=(len(states), len(windows))) * (self._noise(k) * windows)
            offsets = stage.law(states) + noise * _rising(child)[:, None]
            offsets = np.clip(offsets, -self.sweeps.reach * windows, self.sweeps.reach * windows)
        if on_best_path and stage.offsets is not None:
            offsets[0] = stage.offsets
        return offsets

    def _exertion(self, k: int) -> Exertion:
        """Of a fragment: halfway is between the laws' offsets, which have less noise than the best samples'."""
        planned = [None if stage.law is None else stage.law.offset for stage in self.stages]
        return self.cost.exertion(self.plan.space.windows_rad, halfway(planned, k) if planned[k] is not None else None)

    def _keep(
        self, k: int, tried: _Tried, ends: Ends, exertion: Exertion, on_best_path: bool, rng: np.random.Generator
    ) -> _Step:
        """Judge the samples, remember what they did, and select those that go on; the best path's first."""
        off = deviation(self.anatomy, ends.moments, self.wanted[k + 1])
        self.simulated += len(ends.alive)
        self.stages[k].learn(tried.states, tried.offsets, off, ends.alive, self.sweeps.keep)
        own = self.cost_of(off, exertion.terms(tried.offsets), ends.alive)
        after = self.waypoints[k + 1]
        judged = own if after is None or after.value is None else own + after.value(off.state)
        chosen = selected(self.settings.selection, np.where(ends.alive, judged, DIVERGED), self.settings.kept, rng)
        if on_best_path and ends.alive[0]:
            chosen = np.concatenate([[0], chosen[chosen != 0][: self.settings.kept - 1]])
        return _Step(
            tried.parents[chosen], tried.offsets[chosen], ends.rows[chosen], off[chosen], (tried.costs + own)[chosen]
        )

    def cost_of(self, off: Deviation, exertions: Mapping[str, Array], alive: BoolArray) -> Array:
        """(n,) the cost of ends of fragments, and of the offsets that led there."""
        total = np.sum(list(self.cost.evaluate(off, exertions).values()), axis=0)
        return np.where(alive & np.isfinite(total), total, DIVERGED)

    def _take_best(self, steps: Sequence[_Step], begin: int) -> int:
        """The path of the lowest summed cost becomes the best path; which of the starts it has."""
        i = int(np.argmin(steps[-1].costs))
        for k in range(begin + len(steps) - 1, begin - 1, -1):
            step = steps[k - begin]
            self.stages[k].offsets = step.offsets[i]
            self.stages[k].history.append(float(step.off[i].distance_m[0]))
            self.waypoints[k + 1] = Waypoint(step.rows[i], step.off.state[i])
            i = int(step.parents[i])
        return i

    def _learn(self, begin: int, end: int, exertions: Mapping[int, Exertion]) -> None:
        """New laws and values from the samples, backwards."""
        self._waypoint(end).value = nothing_to_come(self._waypoint(end).state)
        for k in range(end - 1, begin - 1, -1):
            stage, before, after = self.stages[k], self._waypoint(k), self._waypoint(k + 1)
            assert stage.offsets is not None
            assert after.value is not None
            stage.law, before.value = step_back(
                Samples.concatenate(stage.samples),
                Best(before.state, stage.offsets, after.state),
                after.value,
                self.cost,
                exertions[k],
                self.plan.space.windows_rad,
                self.sweeps.ridge,
            )

    def _waypoint(self, k: int) -> Waypoint:
        found = self.waypoints[k]
        assert found is not None
        return found


def _rising(child: Array | IntArray) -> Array:
    return np.minimum(child / _SHARES, 1.0)
