"""What sampling costs: beside bare physics, by second of motion, with more samples and longer clips, in memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from harness import RESULTS, Headline, Result, Table, run
from mujoco.batch import Batch

from understudy.character import Reference, fit, load_character
from understudy.motion import authored_clip, crop, loop, repeat
from understudy.reconstruction import Ends, LocalWorkers, Plan, ReconstructionSettings, reconstruct
from understudy.rotations import Array
from understudy.simulation import Layout, assemble

SAMPLES = 1400
CLIPS = ("walk", "run", "cartwheel", "cmu_bvh/35_01.bvh", "cmu_bvh/09_06.bvh", "cmu_bvh/49_06.bvh")
CHARACTERS = ("human", "human45", "robot", "won57", "humanoid29")
MOCAP = Path(__file__).resolve().parents[2] / "shared" / "mocap"
_PERFORM = """
from understudy.motion import AUTHORED, authored_clip, load_clip
from understudy.reconstruction import perform
import sys
clip = authored_clip(sys.argv[1]) if sys.argv[1] in AUTHORED else load_clip(sys.argv[1])
found = perform(clip)
print(clip.duration_s, found.comparison.success, found.comparison.global_mm, found.simulated / len(found.rounds))
"""
_MEMORY = """
import resource
from understudy.motion import authored_clip
from understudy.reconstruction import ReconstructionSettings, perform
perform(authored_clip("cartwheel"), settings=ReconstructionSettings(samples=4000, saved=400, rounds=3))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


class BesideBare(LocalWorkers):
    """Local workers that simulate everything once more, bare: one ``Batch.step`` from the same states."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.model = assemble(plan.scene, [plan.reference.character]).model
        self.layout = Layout.of(self.model)
        self.batch: Batch | None = None
        self.bare_s = self.run_s = 0.0

    def run(self, fragment: int, starts: Array, offsets: Array) -> Ends:
        begin = time.perf_counter()
        ends = super().run(fragment, starts, offsets)
        self.run_s += time.perf_counter() - begin
        if self.batch is None or self.batch.nsim != len(starts):
            self.batch = Batch(self.model, len(starts), 0)
        rows = starts.copy()
        rows[:, self.layout.ctrl] = ends.rows[:, self.layout.ctrl]
        self.batch.state[:] = rows
        steps = self.plan.ticks(fragment) * self.plan.physics.tick_steps
        begin = time.perf_counter()
        self.batch.step(None, steps)
        self.bare_s += time.perf_counter() - begin
        return ends


@dataclass(frozen=True)
class Cost:
    """Of one search [s]: as it is, and the same physics bare."""

    search_s: float
    bare_s: float


def cost_of(reference: Reference, settings: ReconstructionSettings) -> Cost:
    """A search beside bare physics, in one run."""
    made: list[BesideBare] = []

    def recruit(plan: Plan) -> BesideBare:
        made.append(BesideBare(plan))
        return made[0]

    found = reconstruct(reference, settings=settings, workers=recruit)
    return Cost(found.seconds - made[0].bare_s, made[0].bare_s)


def measure(quick: bool) -> Result:
    human = load_character("human")
    walk = fit(crop(authored_clip("walk"), 0.0, 0.5 if quick else 2.0), human).reference
    one_pass = ReconstructionSettings(method="samcon-2010", samples=SAMPLES, saved=200)
    alone_s = reconstruct(walk, settings=one_pass).seconds  # before there is a second batch, whose threads wait busily
    paper = cost_of(walk, one_pass)
    ours = cost_of(walk, ReconstructionSettings(samples=SAMPLES, saved=200, rounds=3))
    overheads = [
        (name, cost.search_s, cost.bare_s, cost.search_s / cost.bare_s)
        for name, cost in (("samcon-2010, one pass", paper), ("guided, three rounds", ours))
    ]
    pace = [_pace(clip) for clip in (CLIPS[:1] if quick else CLIPS) if clip[-4:] != ".bvh" or MOCAP.is_dir()]
    by_samples, by_length = growth(quick)
    if not quick:
        draw(by_samples, by_length)
    memory_mb = float("nan") if quick else float(_alone(_MEMORY))
    return Result(
        (
            Table(f"Search beside bare Batch.step, {SAMPLES} samples", ("search", "s", "bare s", "ratio"), overheads),
            Table(
                "Default settings, a new process each",
                ("clip", "length s", "whole s", "s/s", "follows", "E_g mm", "samples a fragment"),
                pace,
            ),
            Table(
                f"By character, one pass of {SAMPLES} samples of 1 s",
                ("character", "degrees of freedom", "s/s"),
                by_character(quick),
            ),
            Table("By samples, one pass of 1 s", ("samples", "s"), by_samples),
            Table("By length, one pass of 400 samples", ("length s", "s"), by_length),
        ),
        (
            Headline("overhead", max(row[3] for row in overheads), "of bare physics"),
            Headline("seconds_per_second", alone_s / walk.duration_s, f"s/s, one pass of {SAMPLES} samples"),
            Headline("memory_4000_samples", memory_mb, "MB"),
        ),
        notes=(
            "Ratios come from one run: every batch of samples is simulated once more, bare, right after.",
            "s/s: seconds by second of motion; in the table of clips with reading, fitting and start-up.",
            "The paper: 25 s/s on 80 cores with steps of 0.5 ms; here steps are 5 ms, on the cores named below.",
        ),
    )


def _pace(clip: str) -> tuple[object, ...]:
    """Name, length, seconds from nothing to the result, whether it follows, and how well."""
    begin = time.perf_counter()
    words = _alone(_PERFORM, str(MOCAP / clip) if clip.endswith(".bvh") else clip).split()
    whole_s, length_s = time.perf_counter() - begin, float(words[0])
    return (clip, length_s, whole_s, whole_s / length_s, words[1] == "True", float(words[2]), float(words[3]))


def _alone(code: str, *words: str) -> str:
    return subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True, text=True).stdout


def by_character(quick: bool) -> list[tuple[str, int, float]]:
    """Name, degrees of freedom, and seconds by second of motion."""
    second, rows = crop(authored_clip("walk"), 0.0, 1.0), []
    for name in CHARACTERS[: 1 if quick else None]:
        character = load_character(name)
        found = reconstruct(fit(second, character).reference, settings=_pass(SAMPLES))
        rows.append((name, character.model.nv, found.seconds / found.reference.duration_s))
    return rows


def growth(quick: bool) -> tuple[list[tuple[int, float]], list[tuple[float, float]]]:
    """Seconds of a search by samples, and by length [s]."""
    human, clip = load_character("human"), repeat(loop(authored_clip("walk")), 4)
    lengths = (0.5, 1.0) if quick else (1.0, 2.0, 4.0, 8.0)
    counts = (100, 200) if quick else (250, 500, 1000, 2000, 4000)
    second = fit(crop(clip, 0.0, 1.0), human).reference
    by_samples = [(n, reconstruct(second, settings=_pass(n)).seconds) for n in counts]
    by_length = [
        (length, reconstruct(fit(crop(clip, 0.0, length), human).reference, settings=_pass(400)).seconds)
        for length in lengths
    ]
    return by_samples, by_length


def _pass(samples: int) -> ReconstructionSettings:
    return ReconstructionSettings(method="samcon-2010", samples=samples, saved=samples // 7)


def draw(by_samples: Sequence[tuple[int, float]], by_length: Sequence[tuple[float, float]]) -> None:
    """The growth of time as a picture beside the table."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    for axes, points, label in zip(
        figure.subplots(1, 2), (by_samples, by_length), ("samples a fragment", "length of the clip [s]"), strict=True
    ):
        x, y = np.array(points, float).T
        slope = float(x @ y / (x @ x))
        axes.plot([0.0, x.max()], [0.0, slope * x.max()], color="0.75", label="proportional")
        axes.plot(x, y, "o", color="#356f83", label="measured")
        axes.set(xlabel=label, ylabel="time [s]", xlim=(0.0, None), ylim=(0.0, None))
        axes.legend(frameon=False)
    figure.savefig(RESULTS / "sampler.png", dpi=120)


if __name__ == "__main__":
    print(f"{os.cpu_count()} cores", file=sys.stderr)
    run("sampler", partial(measure))
