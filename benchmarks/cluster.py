"""What simulating on Ray costs over the local batch, what travels, and what that lets expect of many cores.

Everything is measured on one machine with two workers; larger clusters are a calculation, whose terms are all in the
second table. The same samples of the same fragment are simulated by both, in turns, within one run.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
from harness import Headline, Result, Table, run

from understudy.character import fit, load_character
from understudy.motion import authored_clip, crop
from understudy.reconstruction import LocalWorkers, Plan, ReconstructionSettings, Workers, plan_of, reconstruct
from understudy.reconstruction.cluster import RayWorkers, ray_joined, ray_workers
from understudy.reconstruction.cluster.chunks import Chunks, rows_each
from understudy.reconstruction.cluster.hand import Hand
from understudy.reconstruction.cluster.packing import Packed
from understudy.reconstruction.cluster.passport import digest
from understudy.reconstruction.planning import start_of
from understudy.reconstruction.workers import Ends
from understudy.rotations import Array, IntArray
from understudy.simulation import Scene

WORKERS = 2
PAPER = 1400  # samples a fragment
LINK_BYTES_S, TRIP_S = 1.25e9, 0.5e-3  # assumed: 10 Gbit/s at the machine that searches; there and back
CORES = (1, 2, 8, 16, 40, 80, 1000)


@dataclass(frozen=True)
class Asked:
    """Samples to be simulated: fragment, starts (n, S), offsets (n, D)."""

    fragment: int
    starts: Array
    offsets: Array

    def first(self, count: int) -> tuple[int, Array, Array]:
        """The first of them, as ``Workers.run`` takes them."""
        return self.fragment, self.starts[:count], self.offsets[:count]


@dataclass(frozen=True)
class Costs:
    """Seconds: the search's own work a sample; sending and receiving a chunk, and a sample in it; simulating a
    sample on one core, and beginning a chunk. Bytes a sample."""

    own: float
    chunk: float
    carried: float
    sample: float
    begin: float
    bytes: float


class IdleHand(Hand):
    """Simulates the first chunk of each size and answers with that ever after: what is left is the transport."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[int, Packed] = {}

    def run(self, fragment: int, starts: Array, which: IntArray, offsets: Array) -> Packed:
        if len(offsets) not in self._known:
            self._known[len(offsets)] = super().run(fragment, starts, which, offsets)
        return self._known[len(offsets)]


class Timed:
    """Workers of whom it is known how long they worked."""

    def __init__(self, plan: Plan) -> None:
        self._local, self.seconds, self.calls = LocalWorkers(plan), 0.0, 0

    def run(self, fragment: int, starts: Array, offsets: Array) -> Ends:
        begin = time.perf_counter()
        ends = self._local.run(fragment, starts, offsets)
        self.seconds += time.perf_counter() - begin
        self.calls += 1
        return ends

    def close(self) -> None:
        self._local.close()


def measure(quick: bool) -> Result:
    """Ray against the batch, what the difference is made of, and the estimate."""
    repetitions, load = 5 if quick else 21, os.getloadavg()[0]
    plan = _plan()
    asked = _asked(plan)
    with ray_joined("local", WORKERS):
        compared, overhead_ms = _compared(plan, asked, repetitions)
        chunk, carried = _transport(plan, asked, repetitions)
    begin, sample = _simulating(plan, asked, repetitions)
    sent, returned = _bytes(plan, asked)
    costs = Costs(_own(plan), chunk, carried, sample, begin, sent + returned)
    return Result(
        tables=(
            compared,
            _terms(costs, sent, returned),
            *(_estimate(costs, samples) for samples in (500, PAPER, 20_000)),
        ),
        headlines=(
            Headline("overhead_ms", overhead_ms, f"ms a fragment of {PAPER} samples, two workers against two threads"),
            Headline("megabytes", PAPER * costs.bytes / 1e6, f"MB travel for a fragment of {PAPER} samples"),
            Headline("speedup_80", _speedup(costs, PAPER, 80), "times one core on 80, estimated"),
            Headline("speedup_1000", _speedup(costs, PAPER, 1000), "times one core on 1,000, estimated"),
        ),
        notes=_notes(costs, load),
        seeds=repetitions,
    )


def _notes(costs: Costs, load: float) -> tuple[str, ...]:
    busy = math.ceil(PAPER / rows_each(PAPER, 1000))
    together = 1000 // busy * _speedup(costs, PAPER, busy)
    return (
        "t = samples * own + chunks * chunk + samples * carried + bytes / link + trip + chunks of one core * (begin + "
        "rows * sample); chunks are cut as RayWorkers cuts them. Nothing is taken to overlap, and sending was measured "
        "while the workers had the same two cores: an upper bound as far as its terms hold",
        f"assumed, not measured: a link of {LINK_BYTES_S * 8e-9:g} Gbit/s at the machine that searches, "
        f"{1e3 * TRIP_S:g} ms there and back, cores as fast as one here with nobody else on them, no worker lost",
        "not in it: fetching the plan and compiling the model once (about 3 s a worker, all at the same time)",
        f"a search of {PAPER} samples has no use for more than {busy} workers and hires no more; on 1,000 cores "
        f"{1000 // busy} such searches fit at once, together {together:.0f} times one core",
        f"the machine's load was {load:.1f} on {os.cpu_count()} cores when this began. Ray, three processes on two "
        "cores with its own beside them, suffers more from what others do there than the batch",
        "speed-ups are against one core without Ray; measured figures are medians of as many turns as there are seeds",
    )


def _plan() -> Plan:
    reference = fit(authored_clip("walk"), load_character("human")).reference
    return plan_of(reference, Scene(), ReconstructionSettings())


def _asked(plan: Plan) -> Asked:
    """Samples of the second fragment, which begin where 70 samples of the first ended, as in a search."""
    windows, saved = plan.space.windows_rad, ReconstructionSettings().kept
    offsets = np.random.default_rng(0).uniform(-1.0, 1.0, (PAPER, len(windows))) * windows
    starts = LocalWorkers(plan).run(0, np.repeat(start_of(plan).row[None], saved, axis=0), offsets[:saved]).rows
    return Asked(1, starts[np.arange(PAPER) % saved], offsets)


def _compared(plan: Plan, asked: Asked, repetitions: int) -> tuple[Table, float]:
    rows, overheads = [], []
    local = LocalWorkers(plan, WORKERS)
    with closing(RayWorkers(plan, n_workers=WORKERS)) as far:
        for count in (500, PAPER):
            task = asked.first(count)
            assert digest(far.run(*task)) == digest(local.run(*task))
            seconds = _in_turns([lambda: local.run(*task), lambda: far.run(*task)], repetitions)  # noqa: B023
            overheads.append(1e3 * float(np.median(seconds[1] - seconds[0])))
            medians = [1e3 * float(np.median(values)) for values in seconds]
            rows.append((count, *medians, overheads[-1], float(np.median(seconds[1] / seconds[0]))))
    columns = ("samples", "batch, 2 threads: ms", "Ray, 2 workers: ms", "difference: ms", "ratio")
    return Table("A fragment of 0.1 s on this machine, the same bits from both", columns, rows), overheads[-1]


def _transport(plan: Plan, asked: Asked, repetitions: int) -> tuple[float, float]:
    """Seconds for a chunk and for a sample in it, from runs in which nothing is simulated."""
    sizes = [(rows, count) for rows in (16, 38, 142, 512) for count in (700, PAPER)]
    seconds = []
    with patch.object(ray_workers, "Hand", IdleHand), closing(RayWorkers(plan, n_workers=WORKERS)) as far:
        for rows, count in sizes:
            with patch.object(ray_workers, "rows_each", lambda *_, rows=rows: rows):
                task = asked.first(count)
                far.run(*task)
                [values] = _in_turns([lambda: far.run(*task)], repetitions)  # noqa: B023
            seconds.append(float(np.median(values)))
    return _fitted([(math.ceil(count / rows), count) for rows, count in sizes], seconds)


def _simulating(plan: Plan, asked: Asked, repetitions: int) -> tuple[float, float]:
    """Seconds for beginning a chunk and for each sample in it, on one thread."""
    local, sizes, seconds = LocalWorkers(plan, 1), (1, 8, 16, 32, 64), []
    for rows in sizes:
        with closing(local):
            local.run(*asked.first(rows))
            [values] = _in_turns([lambda: local.run(*asked.first(rows))], repetitions)  # noqa: B023
        seconds.append(float(np.median(values)))
    return _fitted([(1, rows) for rows in sizes], seconds)


def _fitted(counts: Sequence[tuple[float, float]], seconds: Sequence[float]) -> tuple[float, float]:
    """The two factors, not below 0, whose products with the counts are nearest the seconds, relatively."""
    from scipy.optimize import nnls

    whole = np.array(seconds)
    first, second = nnls(np.array(counts) / whole[:, None], np.ones(len(whole)))[0]
    return float(first), float(second)


def _own(plan: Plan) -> float:
    """Seconds a sample that a search of the paper's samples spends on other things than simulating."""
    crews: list[Timed] = []

    def hire(plan: Plan) -> Workers:
        crews.append(Timed(plan))
        return crews[-1]

    reference = fit(crop(authored_clip("walk"), 0.0, 1.0), plan.reference.character).reference
    found = reconstruct(reference, plan.scene, ReconstructionSettings(samples=PAPER, rounds=2), workers=hire)
    [crew] = crews
    return (found.seconds - crew.seconds) / found.simulated


def _in_turns(sides: Sequence[Callable[[], object]], repetitions: int) -> list[Array]:
    """Seconds (repetitions,) of each side, one after the other, their order turned round every time."""
    seconds = np.zeros((len(sides), repetitions))
    for turn in range(repetitions):
        for i in range(len(sides))[:: -1 if turn % 2 else 1]:
            begin = time.perf_counter()
            sides[i]()
            seconds[i, turn] = time.perf_counter() - begin
    return list(seconds)


def _bytes(plan: Plan, asked: Asked) -> tuple[float, float]:
    """Bytes a sample to the workers and back, in the chunks of many workers."""
    chunks = Chunks(*asked.first(PAPER), rows_each(PAPER, 80))
    sent = sum(array.nbytes for chunk in chunks.waiting for array in chunks.task(chunk)[1:])
    packed = Packed.of(LocalWorkers(plan, 1).run(*asked.first(64)))
    return sent / PAPER, (packed.columns.nbytes + packed.which.nbytes + packed.alive.nbytes) / 64


def _terms(costs: Costs, sent: float, returned: float) -> Table:
    rows = [
        ("own: the search between two fragments, a sample", 1e6 * costs.own, "µs"),
        ("chunk: sending one and receiving its ends", 1e3 * costs.chunk, "ms"),
        ("carried: for each sample in it", 1e6 * costs.carried, "µs"),
        ("begin: setting the worker to a chunk", 1e3 * costs.begin, "ms"),
        ("sample: simulating it for 0.1 s on one core", 1e6 * costs.sample, "µs"),
        ("bytes to the worker, a sample", sent, ""),
        ("bytes back, a sample", returned, ""),
    ]
    return Table("What it is made of, measured here", ("term", "", "unit"), rows)


def _estimate(costs: Costs, samples: int) -> Table:
    rows = []
    for cores in CORES:
        seconds, parts = _seconds(costs, samples, cores)
        most = max(parts, key=lambda name: parts[name])
        speedup = _speedup(costs, samples, cores)
        rows.append((cores, rows_each(samples, cores), 1e3 * seconds, speedup, f"{100 * speedup / cores:.0f} %", most))
    columns = ("cores", "samples a chunk", "ms a fragment", "speed-up", "of the ideal", "most of it is")
    return Table(f"Estimated: {samples:,} samples a fragment", columns, rows)


def _speedup(costs: Costs, samples: int, cores: int) -> float:
    return samples * (costs.own + costs.sample) / _seconds(costs, samples, cores)[0]


def _seconds(costs: Costs, samples: int, cores: int) -> tuple[float, dict[str, float]]:
    """Seconds a fragment, and what they are made of."""
    rows = rows_each(samples, cores)
    chunks = math.ceil(samples / rows)
    parts = {
        "the search's own work": samples * costs.own,
        "sending and receiving": chunks * costs.chunk + samples * costs.carried,
        "the network": samples * costs.bytes / LINK_BYTES_S + TRIP_S,
        "simulating": math.ceil(chunks / cores) * (costs.begin + rows * costs.sample),
    }
    return sum(parts.values()), parts


if __name__ == "__main__":
    run("cluster", measure)
