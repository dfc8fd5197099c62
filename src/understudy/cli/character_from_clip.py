"""``understudy character from-clip``: a character with the clip's own skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from understudy.cli.reading import clip_named
from understudy.motion import ReadSettings


@dataclass(frozen=True)
class CharacterFromClip:
    """Make a character with the skeleton of a clip: shapes from its bones, masses from anthropometric tables."""

    clip: tyro.conf.Positional[str]
    """a clip file, or the name of a bundled clip"""
    out: Path
    """the character file to write, ending in .npz; or .xml for the MuJoCo model alone"""
    mass_kg: float | None = None
    """the mass of the body; by default that of a body mass index of 22"""
    read: tyro.conf.OmitArgPrefixes[ReadSettings] = ReadSettings()
    """how to read the clip; what is left out is guessed"""

    def run(self) -> None:
        from understudy.character import character_from_clip
        from understudy.cli.characters import save

        save(character_from_clip(clip_named(self.clip, self.read), mass_kg=self.mass_kg), self.out)
