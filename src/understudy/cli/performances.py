"""What ``perform`` and ``demo`` share: carrying out one performance, from a clip's name to files in a folder."""

from __future__ import annotations

import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from understudy.character import Character, FitSettings, load_character
from understudy.cli.progress import progress
from understudy.cli.reading import clip_named
from understudy.errors import FileError
from understudy.motion import ReadSettings
from understudy.progress import Progress, Watch
from understudy.reconstruction import (
    Account,
    Job,
    LocalWorkers,
    RayWorkers,
    Reconstruction,
    ReconstructionSettings,
    account_of,
    carried_out,
    files_of,
)
from understudy.simulation import Scene, scene
from understudy.stage import write_performance

FINISHED, UNFINISHED = "reconstruction.npz", "unfinished.npz"
_ABOUT = {
    "report.html": "did it follow, where not, and why",
    "performance.mp4": "the video, the clip as a ghost",
    "sheet.png": "moments of it side by side",
    "performance.bvh": "the performed motion in the clip's own skeleton, for Blender",
    "performance.glb": "the character and its motion, for Blender and browsers",
    "reconstruction.npz": "all of it, for understudy show and for Python",
}
_LEAST_FREE_BYTES = 64 << 20


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with what to do next."""


@dataclass(frozen=True)
class Order:
    """One performance to be made.

    Attributes:
        clip: a file, or the name of a bundled clip.
        folder: where its files go.
        character, scene: by name.
        measures: of the scene.
        settings: those of ReconstructionSettings that are not left at their defaults.
        joint_map: a file that overrules which joint is which body part.
        video, glb: which files to write besides.
        fresh: whether unfinished work in the folder is thrown away.
        read: how to read the clip.
        threads: that simulate; None is all there are.
        speed: factor to retime the clip by; None to find out.
        ray: the cluster that simulates, as ``ray_joined`` takes it; None is this process.
    """

    clip: str
    folder: Path
    character: str = "human"
    scene: str = "flat"
    measures: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    joint_map: Path | None = None
    video: bool = True
    glb: bool = False
    fresh: bool = False
    read: ReadSettings = ReadSettings()
    threads: int | None = None
    speed: float | None = None
    ray: str | None = None

    def parts(self) -> tuple[Character, Scene, ReconstructionSettings]:
        """Who, where and how; raises UnderstudyError for what there is not."""
        settings = ReconstructionSettings(**self.settings)
        return load_character(self.character), scene(self.scene, **self.measures), settings

    def job(self) -> Job:
        """The same with its clip read."""
        character, where, settings = self.parts()
        crew = partial(RayWorkers, address=self.ray) if self.ray else partial(LocalWorkers, threads=self.threads)
        clip = clip_named(self.clip, self.read)
        return Job(clip, character, where, settings, FitSettings(map=self.joint_map), crew, self.speed)


@dataclass(frozen=True)
class Done:
    """A performance that was made: how it went, and its files."""

    account: Account
    files: tuple[Path, ...]


def carry_out(order: Order, watch: Watch = progress) -> Done:
    """Read, fit, search, write; the unfinished search stays in the folder until the files are written."""
    job = order.job()
    _prepare(order)
    before = _found_before(order, job)
    if before is not None and all(path.exists() for path in _wanted(order)):
        return Done(account_of(before), _wanted(order))
    found = before or _searched(order, job, watch)
    with watch("drawing") as tell:
        files = _written(found, order, job.fitting, tell)
    for path in files_of(order.folder / UNFINISHED):
        path.unlink(missing_ok=True)
    return Done(account_of(found), files)


def tell_of(done: Done) -> None:
    """Print how it went, and what to open."""
    print(f"{done.account}\n\nopen these:")
    width = max(len(str(path)) for path in done.files)
    for path in sorted(done.files, key=lambda path: list(_ABOUT).index(path.name)):
        print(f"  {path!s:<{width}}  {_ABOUT[path.name]}")


def _prepare(order: Order) -> None:
    """Make the folder and see that it can be written to, before hours are spent on what could not be saved."""
    folder = order.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as problem:
        raise FileError(folder, f"can't be written to ({problem.strerror})") from problem
    if free < _LEAST_FREE_BYTES:
        raise FileError(
            folder, f"its disk has {free >> 20} MB left", hint=f"make room for {_LEAST_FREE_BYTES >> 20} MB"
        )
    if order.fresh:
        for path in (*files_of(folder / UNFINISHED), folder / FINISHED):
            path.unlink(missing_ok=True)


def _found_before(order: Order, job: Job) -> Reconstruction | None:
    """What a run of the same command found before: a search gives the same every time."""
    path = order.folder / FINISHED
    if not path.exists() or (order.folder / UNFINISHED).exists():
        return None
    try:
        found = Reconstruction.load(path)
    except FileError:  # of an older format, or damaged: it will be replaced
        return None
    if not job.is_done_by(found):
        return None
    print(f"{order.clip}: {path} holds this performance already; --fresh searches for it anew", file=sys.stderr)
    return found


def _wanted(order: Order) -> tuple[Path, ...]:
    """The files that an order leaves when nothing is in the way."""
    optional = {"performance.mp4": order.video, "performance.glb": order.glb}
    return tuple(order.folder / name for name in _ABOUT if optional.get(name, True))


def _searched(order: Order, job: Job, watch: Watch) -> Reconstruction:
    """The search, which goes on from unfinished work and leaves it when it is stopped."""
    unfinished, far = order.folder / UNFINISHED, [0, 0]

    @contextmanager
    def noting(label: str) -> Iterator[Progress]:
        with watch(label) as tell:

            def note(done: int, total: int) -> None:
                far[:] = done, total
                if tell:
                    tell(done, total)

            yield note

    try:
        return carried_out(job, unfinished, noting)
    except KeyboardInterrupt as stop:
        at = f"goes on from fragment {far[0] + 1} of {far[1]}" if unfinished.exists() else "begins anew"
        raise Stopped(f"stopped; the same command {at}") from stop
    except FileError as problem:
        if problem.path not in files_of(unfinished) or not problem.hint:  # it can't be written: nothing to begin anew
            raise
        raise FileError(problem.path, problem.reason, hint="begin anew with --fresh, or write elsewhere") from problem


def _written(found: Reconstruction, order: Order, fitting: FitSettings, tell: Progress | None) -> tuple[Path, ...]:
    """The files; what could not be made is told."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            files = write_performance(
                found, order.folder, video=order.video, glb=order.glb, fitting=fitting, progress=tell
            )
        except KeyboardInterrupt as stop:
            raise Stopped("stopped; the search is done, the same command goes on with its files") from stop
    for warning in told:
        print(f"{order.clip}: {warning.message}", file=sys.stderr)
    return files
