"""``understudy character adopt``: a character of any MJCF model with a free root."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro


@dataclass(frozen=True)
class CharacterAdopt:
    """Make a character of an MJCF model: its actuators become PD servos, its gains are guessed and told."""

    model: tyro.conf.Positional[Path]
    """the model's XML file; it needs one free root"""
    out: Path
    """the character file to write, ending in .npz; or .xml for the MuJoCo model alone"""

    def run(self) -> None:
        from understudy.character import adopt
        from understudy.cli.characters import save

        save(adopt(self.model), self.out)
