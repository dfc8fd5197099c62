"""``understudy clip info``: what clips hold."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import tyro

from understudy.cli.reading import reading_named, tell
from understudy.errors import UnderstudyError
from understudy.motion import Clip, ReadSettings, describe


@dataclass(frozen=True)
class ClipInfo:
    """Say what clips hold: frames, rate, joints, size and travel, in a table; and explain what can't be read."""

    clips: tyro.conf.Positional[tuple[str, ...]]
    """clip files, folders of them, or names of bundled clips"""
    plot: Path | None = None
    """draw joint angles, heights and contacts of the clip into this PNG or SVG (one clip only)"""
    verbose: bool = False
    """tell every guess of the reader, also for many files"""
    read: tyro.conf.OmitArgPrefixes[ReadSettings] = ReadSettings()
    """how to read the files; what is left out is guessed"""

    def run(self) -> int:
        names = list(dict.fromkeys(name for given in self.clips for name in _expand(given)))
        found, refused = self._read_all(names)
        if found:
            _print_table(found)
        for name, problem in refused.items():
            print(problem if name in problem else f"{name}: {problem}", file=sys.stderr)
        if self.plot is not None:
            self._draw(list(found.values()), self.plot)
        if len(names) > 1:
            print(f"{len(found)} clips read, {len(refused)} files refused")
        return 1 if refused or not found else 0

    def _read_all(self, names: list[str]) -> tuple[dict[str, Clip], dict[str, str]]:
        found: dict[str, Clip] = {}
        refused: dict[str, str] = {}
        for name in names:
            try:
                reading = reading_named(name, self.read)
            except UnderstudyError as problem:
                refused[name] = str(problem)
                continue
            found[name] = reading.clip
            if self.verbose or len(names) == 1:
                tell(reading, name)
        return found, refused

    def _draw(self, clips: list[Clip], path: Path) -> None:
        if len(clips) != 1:
            raise UnderstudyError(f"--plot draws one clip, not {len(clips)}")
        from understudy.stage import plot_clip

        plot_clip(clips[0], path)
        print(f"plot written to {path}")


def _expand(given: str) -> list[str]:
    folder = Path(given)
    if not folder.is_dir():
        return [given]
    return sorted(str(path) for path in folder.rglob("*") if path.is_file())


def _print_table(found: dict[str, Clip]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("clip", overflow="fold")
    for heading in ("frames", "Hz", "seconds", "joints", "height m", "root height m", "travel m"):
        table.add_column(heading, justify="right")
    repeated = Counter(Path(name).name for name in found)
    for name, clip in found.items():
        about = describe(clip)
        low, high = about.root_heights_m
        table.add_row(
            Path(name).name if repeated[Path(name).name] == 1 else name,
            str(clip.frame_count),
            f"{clip.rate_hz:.5g}",
            f"{clip.duration_s:.2f}",
            str(len(clip.skeleton)),
            f"{about.stature_m:.2f}",
            f"{low:.2f} to {high:.2f}",
            f"{about.travel_m:.2f}",
        )
    Console(width=None if sys.stdout.isatty() else 160).print(table)
