"""Our sampler beside others on the same budget: a fixed distribution, random shooting, CMA-ES; ten clips, three seeds.

Every method gets as many simulated samples as the default settings took for the same clip and seed. CMA-ES is pycma
(``pip install cma``; part of ``understudy[dev]``). Runs are kept under out/methods, in a folder named after the code
that made them, so that a run that was stopped goes on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median

import baselines
from baselines import BASELINES, GUIDED
from harness import Headline, Result, Table, run
from performing import ALONE, QUICK, clip_named, folder_of, is_there, kept, on_all_processors

from understudy.character import Reference, fit, load_character
from understudy.errors import ReconstructionError
from understudy.motion import crop
from understudy.reconstruction import Reconstruction, reconstruct

CLIPS = {
    "walk": "walk",
    "cartwheel": "cartwheel",
    "kip-up": "kip_up",
    "crawl": "deepmimic/humanoid3d_crawl.txt",
    "spin kick": "deepmimic/humanoid3d_spinkick.txt",
    "dance": "cmu_bvh/05_03.bvh",
    "run and turn": "cmu_bvh/16_43.bvh",
    "jump": "deepmimic/humanoid3d_jump.txt",
    "backward somersault": "cmu_bvh/90_01.bvh",
    "forward roll": "cmu_bvh/127_23.bvh",
}
"""Ten kinds of motion of 1 to 4 s, none of which falls faster than anything can; the first three are bundled."""
SPANS_S = {"backward somersault": (2.2, 5.6)}
"""Of longer recordings, what is performed [s]."""
SEEDS = 3
METHODS = ("guided", *BASELINES)


@dataclass(frozen=True)
class Task:
    """One performance to be made; ``budget`` is of simulated samples, and the default settings know none."""

    clip: str
    method: str
    seed: int
    budget: int = 0

    @property
    def stem(self) -> str:
        return f"{self.clip}-{self.method}-{self.seed}".replace(" ", "_")


@dataclass(frozen=True)
class Row:
    """What became of it; a search that broke off is infinitely far off."""

    clip: str
    method: str
    seed: int
    success: bool
    global_mm: float
    acceleration_mm: float
    simulated: int
    seconds: float
    why: str


Rows = Mapping[tuple[str, str, int], Row]
"""By clip, method and seed."""


def row_of(task: Task, folder: Path, quick: bool) -> Row:
    """Make the performance and keep what became of it, unless it is there already."""
    return kept(folder / f"{task.stem}.json", Row, partial(_row, task, quick))


def reference_of(name: str) -> Reference:
    """One of the clips, fitted."""
    clip = clip_named(CLIPS[name])
    return fit(crop(clip, *SPANS_S[name]) if name in SPANS_S else clip, load_character("human")).reference


def _row(task: Task, quick: bool) -> Row:
    reference = reference_of(task.clip)
    try:
        found = _performed(task, reference, quick)
    except ReconstructionError as problem:
        return Row(task.clip, task.method, task.seed, False, math.inf, math.inf, task.budget, math.inf, str(problem))
    c = found.comparison
    return Row(
        task.clip, task.method, task.seed, c.success, c.global_mm, c.acceleration_mm, found.simulated, found.seconds,
        c.failure if not c.success else "",
    )  # fmt: skip


def _performed(task: Task, reference: Reference, quick: bool) -> Reconstruction:
    if task.method in BASELINES:
        return BASELINES[task.method](reference, task.seed, task.budget)
    return reconstruct(reference, settings=replace(QUICK if quick else GUIDED, seed=task.seed), workers=ALONE)


def measure(quick: bool) -> Result:
    """Our runs first, for they tell the budgets; then the others, and the tables."""
    seeds = range(1 if quick else SEEDS)
    clips = [name for name, clip in CLIPS.items() if is_there(clip)][: 1 if quick else None]
    make = partial(row_of, folder=folder_of("methods", quick, Path(baselines.__file__)), quick=quick)
    ours = on_all_processors(make, [Task(clip, "guided", seed) for clip in clips for seed in seeds], _told)
    others = [Task(row.clip, method, row.seed, row.simulated) for row in ours for method in BASELINES]
    rows = {(row.clip, row.method, row.seed): row for row in (*ours, *on_all_processors(make, others, _told))}
    second = max(BASELINES, key=partial(_standing, rows))
    return Result(
        (_methods(rows), _clips(rows)),
        (
            Headline("guided_success", _success(rows, "guided"), "%"),
            Headline("best_other_success", _success(rows, second), f"%, {second}"),
            Headline("best_other_ratio", median(_ratios(rows, second)), f"of guided's E_g, {second}"),
        ),
        notes=(
            "guided: the default settings; moving window, rounds steered by what the rounds before have taught.",
            "fixed: samcon-2010, one pass of uniform samples, 200 of 1400 saved.",
            "shooting: the same with 1 saved; both minimise the paper's cost, and have its feedforward.",
            _horizon(),
            "Budget: for each clip and seed the samples of a fragment that guided simulated, evenly over fragments.",
            "Deterministic replay; all bodies of human at the clip's own speed, 30 Hz; one thread, two runs at a time.",
            "by guided's: median over clips and seeds of the ratio to guided's of the same clip and seed.",
            "E_g of a run that fails is of all it did, fallen or not; what broke off counts as infinite.",
        ),
        seeds=len(seeds),
    )


def _horizon() -> str:
    h = baselines.Horizon()
    return (
        f"cma-es: pycma, the tracking cost over {h.window} fragments together, {h.kept} kept, then on; own population, "
        f"sigma {h.sigma:g} windows; chosen by runs of spin kick and kip-up, where windows of 1 came half as near."
    )


def _told(row: Row) -> str:
    how = f"{'follows' if row.success else 'fails'}, E_g {row.global_mm:.0f} mm, {row.simulated} samples"
    return f"{row.clip}, {row.method}, seed {row.seed}: {how}"


def _of(rows: Rows, method: str, clip: str | None = None) -> Iterator[Row]:
    return (row for row in rows.values() if row.method == method and clip in (None, row.clip))


def _success(rows: Rows, method: str) -> float:
    own = [row.success for row in _of(rows, method)]
    return 100.0 * sum(own) / len(own)


def _ratios(rows: Rows, method: str, field: str = "global_mm") -> list[float]:
    """Of a figure to guided's, by clip and seed."""
    return [getattr(row, field) / getattr(rows[row.clip, "guided", row.seed], field) for row in _of(rows, method)]


def _standing(rows: Rows, method: str) -> tuple[float, float]:
    """The more that follow the better, then the nearer."""
    return _success(rows, method), -median(_ratios(rows, method))


def _methods(rows: Rows) -> Table:
    followed = {(row.clip, row.seed) for row in rows.values()}
    followed -= {(row.clip, row.seed) for row in rows.values() if not row.success}
    table = []
    for method in METHODS:
        own = list(_of(rows, method))
        shared = [row.global_mm for row in own if (row.clip, row.seed) in followed]
        table.append(
            (
                method,
                len(own),
                _success(rows, method),
                median(row.global_mm for row in own),
                median(shared or [math.nan]),
                median(_ratios(rows, method)),
                median(row.acceleration_mm for row in own),
                *(median(_ratios(rows, method, field)) for field in ("simulated", "seconds")),
            )
        )
    columns = (
        "method", "runs", "success %", "median E_g mm", f"where all follow ({len(followed)})", "by guided's", "E_acc",
        "samples by guided's", "time by guided's",
    )  # fmt: skip
    return Table("Methods", columns, table)


def _clips(rows: Rows) -> Table:
    table = []
    for clip in dict.fromkeys(row.clip for row in rows.values()):
        cells = []
        for method in METHODS:
            own = list(_of(rows, method, clip))
            cells.append(f"{sum(row.success for row in own)}/{len(own)}, {median(row.global_mm for row in own):.0f} mm")
        table.append((clip, *cells))
    return Table("Clips: how many seeds follow, median E_g", ("clip", *METHODS), table)


if __name__ == "__main__":
    run("methods", measure)
