"""What the verbs that read clips share: naming a bundled clip or a file, and telling what was guessed."""

from __future__ import annotations

import sys
from pathlib import Path

from understudy.motion import AUTHORED, Clip, Reading, ReadSettings, authored_clip, read_clip


def clip_named(name: str, settings: ReadSettings | None = None, *, quiet: bool = False) -> Clip:
    """The bundled clip of that name, else the clip in that file; what the reader guessed goes to standard error."""
    if name in AUTHORED and not Path(name).exists():
        return authored_clip(name)
    reading = read_clip(Path(name), settings or ReadSettings())
    if not quiet:
        tell(reading, name)
    return reading.clip


def tell(reading: Reading, name: str) -> None:
    """Print the guesses, each with the flag that overrules it, and the warnings."""
    for guess in reading.guesses:
        print(f"{name}: {guess}", file=sys.stderr)
    for warning in reading.warnings:
        print(f"{name}: warning: {warning}", file=sys.stderr)
