"""What the sampler follows: the paper's classes, DeepMimic's clips, forty CMU clips chosen beforehand, our own clips.

Runs are kept under out/follow, in a folder named after the code that made them, so that a run that was stopped goes on.
``--sets classes,deepmimic`` and ``--seeds 2`` do a part; the table says which.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from harness import Headline, Result, Table, run
from performing import ALONE, MOCAP, QUICK, clip_named, folder_of, is_there, kept, on_all_processors

from understudy.character import character_from_clip, load_character
from understudy.errors import UnderstudyError
from understudy.motion import AUTHORED
from understudy.reconstruction import ReconstructionSettings, account_of, perform
from understudy.stage import render_sheet

CLASSES = {
    "walk": "cmu_bvh/35_01.bvh",
    "run": "cmu_bvh/09_06.bvh",
    "sideways roll": "cmu_bvh/128_09.bvh",
    "forward roll": "cmu_bvh/127_23.bvh",
    "backward roll": "backward_roll",
    "get-up": "cmu_bvh/140_08.bvh",
    "kip-up": "kip_up",
}
"""samcon-2010's seven; those that no recording shows are ours."""

CMU = (
    "02_01", "02_03", "02_04", "05_03", "07_12", "09_06", "11_01", "13_11", "16_27", "16_43",
    "22_16", "49_04", "49_06", "49_18", "61_10", "74_03", "75_09", "75_13", "77_24", "85_05",
    "88_01", "88_06", "88_07", "89_03", "90_01", "90_08", "90_09", "90_11", "90_30", "90_34",
    "93_03", "111_03", "113_08", "127_23", "128_09", "132_25", "135_04", "140_01", "140_03", "140_08",
)  # fmt: skip
"""Chosen before anything was tuned on them."""


@dataclass(frozen=True)
class Task:
    """One performance to be made; ``clip`` is a file in the collection or the name of a bundled clip."""

    group: str
    name: str
    clip: str
    character: str
    seed: int

    @property
    def stem(self) -> str:
        return f"{self.group}-{self.name}-{self.character}-{self.seed}".replace(" ", "_").replace("/", "_")


@dataclass(frozen=True)
class Row:
    """What became of it."""

    group: str
    name: str
    character: str
    seed: int
    success: bool
    strict: bool
    global_mm: float
    local_mm: float
    acceleration_mm: float
    acceleration_share: float
    fast_torque_share: float
    speed: float
    seconds: float
    duration_s: float
    why: str


def tasks(groups: Sequence[str], seeds: int) -> Iterator[Task]:
    """Everything asked for, at most so many seeds each."""
    if "classes" in groups:
        yield from (
            Task("classes", name, clip, "human", s) for s in range(min(10, seeds)) for name, clip in CLASSES.items()
        )
    if "deepmimic" in groups:
        clips = sorted(path.stem for path in (MOCAP / "deepmimic").glob("humanoid3d_*.txt"))
        yield from (
            Task("deepmimic", clip.removeprefix("humanoid3d_"), f"deepmimic/{clip}.txt", character, s)
            for s in range(min(3, seeds)) for character in ("human", "own") for clip in clips
        )  # fmt: skip
    if "cmu" in groups:
        yield from (Task("cmu", clip, f"cmu_bvh/{clip}.bvh", "human", 0) for clip in CMU)
    if "authored" in groups:
        yield from (Task("authored", clip, clip, "human", 0) for clip in AUTHORED)


def row_of(task: Task, folder: Path, quick: bool) -> Row:
    """Make the performance and keep it with a contact sheet, unless it is there already."""
    return kept(folder / f"{task.stem}.json", Row, partial(_row, task, folder, quick))


def _row(task: Task, folder: Path, quick: bool) -> Row:
    try:
        return _performed(task, folder, quick)
    except UnderstudyError as problem:
        unknown = float("nan")
        return Row(
            task.group, task.name, task.character, task.seed, False, False, unknown, unknown, unknown, unknown, unknown,
            1.0, 0.0, 0.0, str(problem),
        )  # fmt: skip


def _performed(task: Task, folder: Path, quick: bool) -> Row:
    clip = clip_named(task.clip)
    character = character_from_clip(clip) if task.character == "own" else load_character(task.character)
    settings = QUICK if quick else ReconstructionSettings(seed=task.seed)
    found = perform(clip, character, settings=settings, workers=ALONE)
    account = account_of(found)
    found.save(folder / f"{task.stem}.npz")
    render_sheet(found.rollout, folder / f"{task.stem}.png", ghost=found.reference, frames=24)
    c = found.comparison
    return Row(
        task.group, task.name, task.character, task.seed, c.success, bool(c.strict), c.global_mm, c.local_mm,
        c.acceleration_mm, account.acceleration_share, account.fast_torque_share, found.speed, found.seconds,
        found.reference.duration_s, c.failure if not c.success else "",
    )  # fmt: skip


def measure(quick: bool, groups: Sequence[str], seeds: int) -> Result:
    """All rows, on all processors, and their tables."""
    folder = folder_of("follow", quick)
    todo = [task for task in tasks(groups, seeds) if is_there(task.clip)]
    todo = [task for task in todo if task.clip in AUTHORED][:2] if quick else todo
    rows = on_all_processors(partial(row_of, folder=folder, quick=quick), todo, _told)
    shares = {group: _share(rows, group) for group in dict.fromkeys(row.group for row in rows)}
    return Result(
        (_groups(rows), *(_clips(rows, group) for group in shares)),
        tuple(Headline(f"{group}_success", share, "%") for group, share in shares.items()),
        notes=(
            "Deterministic replay; all bodies of the character, 30 Hz; own: a character with the clip's skeleton.",
            "By own: E_acc over the reference's mean acceleration at 30 Hz. Fast: torque variance above 5 Hz.",
            "s/s: seconds of search by second of motion, with one thread, two such runs at a time.",
            "Speed: what falls faster than anything can is retimed to natural falls; what is not followed, slowed.",
            "CMU clips were chosen before anything was tuned on them.",
            f"This run: sets {', '.join(groups)}; at most {seeds} seeds each (--sets, --seeds).",
        ),
        seeds=max(row.seed for row in rows) + 1,
    )  # fmt: skip


def _told(row: Row) -> str:
    how = f"{'follows' if row.success else 'fails'}, E_g {row.global_mm:.0f} mm"
    return f"{row.group} {row.name} on {row.character}, seed {row.seed}: {how}"


def _share(rows: Sequence[Row], group: str) -> float:
    own = [row.success for row in rows if row.group == group]
    return 100.0 * sum(own) / len(own)


def _groups(rows: Sequence[Row]) -> Table:
    table = []
    for group, character in dict.fromkeys((row.group, row.character) for row in rows):
        own = [row for row in rows if (row.group, row.character) == (group, character)]
        done = [row for row in own if row.success]
        errors = [row.global_mm for row in done]
        jittery = sum(row.acceleration_share > 2.0 for row in done)
        unslowed = 100.0 * sum(row.speed == 1.0 for row in done) / len(own)
        middle = median(errors or [float("nan")])
        table.append((group, character, len(own), 100.0 * len(done) / len(own), unslowed, middle, jittery))
    columns = ("set", "character", "runs", "success %", "at own speed %", "median E_g mm", "E_acc over twice own")
    return Table("Sets", columns, table)


def _clips(rows: Sequence[Row], group: str) -> Table:
    table = []
    for name, character in dict.fromkeys((row.name, row.character) for row in rows if row.group == group):
        own = [row for row in rows if (row.group, row.name, row.character) == (group, name, character)]
        figures = [
            median(getattr(row, field) for row in own)
            for field in (
                "global_mm",
                "local_mm",
                "acceleration_mm",
                "acceleration_share",
                "fast_torque_share",
                "speed",
            )
        ]
        pace = median(row.seconds / row.duration_s if row.duration_s else 0.0 for row in own)
        why = next((row.why for row in own if not row.success), "")
        done = f"{sum(row.success for row in own)}/{len(own)}"
        table.append((name, character, done, sum(row.strict for row in own), *figures, pace, why))
    columns = (
        "clip",
        "character",
        "success",
        "strict",
        "E_g mm",
        "E_l mm",
        "E_acc",
        "by own",
        "fast",
        "speed",
        "s/s",
        "why not",
    )
    return Table(group, columns, table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--sets", default="classes,deepmimic,cmu,authored")
    parser.add_argument("--seeds", type=int, default=10)
    asked, sys.argv[1:] = parser.parse_known_args()
    run("follow", partial(measure, groups=asked.sets.split(","), seeds=asked.seeds))
