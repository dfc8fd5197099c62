"""What the verbs that read clips share: naming a bundled clip or a file, and telling what was guessed."""

from __future__ import annotations

import sys
from pathlib import Path

from understudy.motion import AUTHORED, Clip, Reading, ReadSettings, authored_clip, load_authored, read_clip


def reading_named(name: str, settings: ReadSettings) -> Reading:
    """The bundled clip of that name, else the authored (.toml) or recorded clip in that file."""
    path = Path(name)
    if name in AUTHORED and not path.exists():
        return Reading(authored_clip(name))
    if path.suffix == ".toml":
        return Reading(load_authored(path))
    return read_clip(path, settings)


def clip_named(name: str, settings: ReadSettings) -> Clip:
    """The clip alone; what the reader guessed goes to standard error."""
    reading = reading_named(name, settings)
    tell(reading, name)
    return reading.clip


def tell(reading: Reading, name: str) -> None:
    """Print the guesses, each with the flag that overrules it, and the warnings."""
    for guess in reading.guesses:
        print(f"{name}: {guess}", file=sys.stderr)
    for warning in reading.warnings:
        print(f"{name}: warning: {warning}", file=sys.stderr)
