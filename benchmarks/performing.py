"""What benchmarks that perform clips share: the collection, all processors, and rows that are kept.

Rows are kept in a folder named after the code that made them, so that a run that was stopped goes on.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from understudy.files import replacing
from understudy.motion import AUTHORED, Clip, authored_clip, load_clip
from understudy.reconstruction import LocalWorkers, ReconstructionSettings

ROOT = Path(__file__).resolve().parents[1]
MOCAP = ROOT.parent / "shared" / "mocap"
ROOMS = ("motion", "character", "simulation", "cost", "reconstruction")
QUICK = ReconstructionSettings(samples=60, saved=10, rounds=1)
ALONE = partial(LocalWorkers, threads=1)
"""Workers of a run that has one processor to itself."""

Task = TypeVar("Task")
Row = TypeVar("Row")


def clip_named(name: str) -> Clip:
    """A file in the collection, or a bundled clip."""
    return authored_clip(name) if name in AUTHORED else load_clip(MOCAP / name)


def is_there(name: str) -> bool:
    """Whether ``clip_named`` finds it: the collection is not everywhere."""
    return name in AUTHORED or MOCAP.is_dir()


def folder_of(benchmark: str, quick: bool, *more: Path) -> Path:
    """Where rows are kept that the code of the rooms made, and that in ``more`` files."""
    folder = ROOT / "out" / benchmark / ("quick" if quick else _code(more))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kept(path: Path, kind: type[Row], make: Callable[[], Row]) -> Row:
    """The row in a file; made and written when it is not there."""
    if path.exists():
        return kind(**json.loads(path.read_text(encoding="utf-8")))
    row = make()
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(vars(row)), encoding="utf-8")
    return row


def on_all_processors(make: Callable[[Task], Row], todo: Sequence[Task], told: Callable[[Row], str]) -> list[Row]:
    """A row of each task, in their order; a line about each as it comes."""
    rows: list[Row] = []
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        for row in pool.imap(make, todo):
            rows.append(row)
            print(f"{len(rows)} of {len(todo)}: {told(row)}", file=sys.stderr, flush=True)
    return rows


def _code(more: Sequence[Path]) -> str:
    """A name for the code that makes a performance."""
    digest = hashlib.sha256()
    paths = [path for room in ROOMS for path in sorted((ROOT / "src" / "understudy" / room).rglob("*"))]
    for path in [*paths, *more]:
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]
