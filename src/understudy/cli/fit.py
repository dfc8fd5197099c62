"""``understudy fit``: a clip on a character."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from understudy.character import FitSettings, fit, load_character, write_map
from understudy.cli.progress import progress
from understudy.cli.reading import clip_named
from understudy.motion import ReadSettings


@dataclass(frozen=True)
class Fit:
    """Fit a clip to a character: what the character should do, tick by tick, and how well it can."""

    clip: tyro.conf.Positional[str]
    """a clip file, or the name of a bundled clip"""
    character: str = "human"
    """a bundled character, a character file, or an MJCF model"""
    out: Path | None = None
    """write the reference here, ending in .npz"""
    map_out: Path | None = None
    """write the joint map that was guessed here, to change it and give it back with --fitting.map"""
    fitting: FitSettings = FitSettings()
    """how to fit"""
    read: tyro.conf.OmitArgPrefixes[ReadSettings] = ReadSettings()
    """how to read the clip; what is left out is guessed"""

    def run(self) -> None:
        clip, character = clip_named(self.clip, self.read), load_character(self.character)
        with progress("fitting") as tell:
            fitted = fit(clip, character, self.fitting, progress=tell)
        print(fitted.report)
        if self.map_out is not None:
            write_map(fitted.report, self.map_out)
            print(f"joint map written to {self.map_out}")
        if self.out is not None:
            fitted.reference.save(self.out)
            print(f"reference of {fitted.reference.tick_count} ticks written to {self.out}")
