"""``understudy character list``: the bundled characters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CharacterList:
    """List the bundled characters; their names serve wherever a character file does."""

    def run(self) -> None:
        from understudy.character import CHARACTERS, load_character

        width = max(map(len, CHARACTERS))
        for name in CHARACTERS:
            it = load_character(name)
            print(f"{name:<{width}}  {it.model.nv:3d} DoF  {it.mass_kg:5.1f} kg  {it.source}")
