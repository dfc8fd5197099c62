"""Transformation, retargeting, variation (samcon-2010 §4): other ground, other bodies, other seeds of the same clip.

Runs are kept under out/transform, in a folder named after the code that made them, so that a run that was stopped goes
on. ``--groups ground,robot`` and ``--seeds 2`` do a part; the table says which.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import mean, median

import numpy as np
from harness import Headline, Result, Table, run
from performing import ALONE, QUICK, folder_of, is_there, kept, on_all_processors
from transformations import CHANGES, MODELS, Change

from understudy.cost import track_of
from understudy.errors import UnderstudyError
from understudy.reconstruction import Reconstruction, ReconstructionSettings, account_of
from understudy.rotations import Array
from understudy.stage import render_sheet

GROUPS = {
    "ground": "Another ground",
    "robot": "Table 5's clips on robot",
    "characters": "Other characters",
}


@dataclass(frozen=True)
class Task:
    """One performance to be made."""

    change: Change
    seed: int

    @property
    def stem(self) -> str:
        return f"{self.change.stem}-{self.seed}"

    @property
    def title(self) -> str:
        return f"{self.change.name} on {self.change.character}, seed {self.seed}"


@dataclass(frozen=True)
class Row:
    """What became of it."""

    what: str
    success: bool
    strict: bool
    global_mm: float
    acceleration_share: float
    speed: float
    seconds: float
    duration_s: float
    why: str


Rows = dict[Task, Row]


def row_of(task: Task, folder: Path, quick: bool) -> Row:
    """Make the performance and keep it with a contact sheet, unless it is there already."""
    return kept(folder / f"{task.stem}.json", Row, partial(_row, task, folder, quick))


def _row(task: Task, folder: Path, quick: bool) -> Row:
    try:
        settings = replace(QUICK if quick else ReconstructionSettings(), seed=task.seed)
        found = task.change.performed(settings, ALONE)
    except UnderstudyError as problem:
        return Row(task.title, False, False, math.inf, math.nan, 1.0, math.nan, 1.0, str(problem))
    found.save(folder / f"{task.stem}.npz")
    render_sheet(found.rollout, folder / f"{task.stem}.png", ghost=found.reference, frames=24, title=task.title)
    c, share = found.comparison, account_of(found).acceleration_share
    return Row(
        task.title, c.success, bool(c.strict), c.global_mm, share, found.speed, found.seconds,
        found.reference.duration_s, c.failure,
    )  # fmt: skip


def measure(quick: bool, groups: Sequence[str], seeds: int) -> Result:
    """All rows, on all processors, and their tables."""
    folder = folder_of("transform", quick, *sorted(MODELS.iterdir()))
    changes = [change for change in CHANGES if change.group in groups and is_there(change.clip)]
    changes, seeds = (changes[:1], 2) if quick else (changes, seeds)
    todo = [Task(change, seed) for seed in range(seeds) for change in changes]
    made = on_all_processors(partial(row_of, folder=folder, quick=quick), todo, _told)
    rows = dict(zip(todo, made, strict=True))
    shown = [group for group in groups if any(change.group == group for change in changes)]
    return Result(
        tuple(_table(group, rows, folder) for group in shown),
        tuple(Headline(f"{group}_success", _share(group, rows), "%") for group in shown),
        notes=(
            "Deterministic replay against the clip laid over the ground; all bodies of the character, 30 Hz.",
            "Strict: the root is never more than 0.25 m off in height; who steps off a beam 0.3 m high is not strict.",
            "By own: E_acc over the reference's mean acceleration at 30 Hz. Medians are of the runs that succeed.",
            "Spread: mean distance of a body from itself in another seed's performance, over pairs that succeed.",
            "s/s: seconds of search by second of motion, with one thread, two such runs at a time.",
            "Speed: that of the performance; below 1 where the clip was not followed at its own.",
            f"This run: groups {', '.join(groups)}; {seeds} seeds each (--groups, --seeds).",
        ),
        seeds=seeds,
    )


def _told(row: Row) -> str:
    return f"{row.what}: {'follows' if row.success else 'fails'}, E_g {row.global_mm:.0f} mm; {row.why}".strip("; ")


def _share(group: str, rows: Rows) -> float:
    return 100.0 * mean(row.success for task, row in rows.items() if task.change.group == group)


def _table(group: str, rows: Rows, folder: Path) -> Table:
    changes = dict.fromkeys(task.change for task in rows if task.change.group == group)
    columns = ("what", "command", "success", "strict", "E_g mm", "by own", "spread mm", "speed", "s/s", "why not")
    return Table(GROUPS[group], columns, [_cells(change, rows, folder) for change in changes])


def _cells(change: Change, rows: Rows, folder: Path) -> tuple[str | float, ...]:
    own = {task: row for task, row in rows.items() if task.change == change}
    done = {task: row for task, row in own.items() if row.success}
    why = next((row.why for row in own.values() if not row.success), "")
    return (
        change.name,
        f"`{change.command}`",
        f"{len(done)}/{len(own)}",
        sum(row.strict for row in own.values()),
        _median([row.global_mm for row in done.values()]),
        _median([row.acceleration_share for row in done.values()]),
        _spread_mm([folder / f"{task.stem}.npz" for task in done]),
        _median([row.speed for row in own.values()]),
        _median([row.seconds / row.duration_s for row in own.values()]),
        why,
    )


def _median(values: Sequence[float]) -> float:
    return median(values or [math.nan])


def _spread_mm(paths: Sequence[Path]) -> float:
    """Mean distance of bodies between performances [mm]; those at another speed are left out."""
    places = [track_of(Reconstruction.load(path).rollout).positions_w for path in paths]
    apart = [_apart_mm(a, b) for a, b in combinations(places, 2) if a.shape == b.shape]
    return mean(apart) if apart else math.nan


def _apart_mm(a: Array, b: Array) -> float:
    return float(1000.0 * np.linalg.norm(a - b, axis=-1).mean())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--groups", default=",".join(GROUPS))
    parser.add_argument("--seeds", type=int, default=5)
    asked, sys.argv[1:] = parser.parse_known_args()
    run("transform", partial(measure, groups=asked.groups.split(","), seeds=asked.seeds))
