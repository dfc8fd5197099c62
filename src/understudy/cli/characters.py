"""What the verbs that make characters share: telling what was guessed, and saving."""

from __future__ import annotations

import sys
from pathlib import Path

from understudy.character import Character, write_character
from understudy.errors import FileError
from understudy.files import replacing


def save(character: Character, out: Path) -> None:
    """Write the character, or its MuJoCo model alone; the guesses go to standard error."""
    for guess in character.guesses:
        print(f"{character.name}: {guess}", file=sys.stderr)
    if out.suffix == ".npz":
        write_character(character, out)
    elif out.suffix == ".xml":
        with replacing(out) as temporary:
            temporary.write_text(character.xml, encoding="utf-8")
    else:
        raise FileError(
            out, f"the ending '{out.suffix}' is not known", hint="use .npz for a character, .xml for a model"
        )
    driven = len(character.joints)
    print(f"{character.name}: {character.mass_kg:.1f} kg, {driven} driven joints, written to {out}")
