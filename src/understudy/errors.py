"""Exceptions for a user's mistakes: what was wrong, where, and what would have been right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class UnderstudyError(Exception):
    """Something the user can mend; the command line prints it without a traceback and exits with 1."""


class FileError(UnderstudyError):
    """A file that can't be read or written as asked.

    Args:
        path: the file.
        reason: what is wrong, a sentence without a full stop.
        line: the line it is wrong on, counted from 1.
        hint: what would have been right, a sentence without a full stop.
    """

    def __init__(self, path: str | Path, reason: str, *, line: int | None = None, hint: str = "") -> None:
        self.path = Path(path)
        self.reason = reason
        self.line = line
        self.hint = hint
        where = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {reason}" + (f"; {hint}" if hint else ""))


class UnknownNameError(UnderstudyError):
    """A name that is not among those there are; it lists them, the nearest first."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        near = difflib.get_close_matches(name, names, n=3)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        super().__init__(f"no {kind} named '{name}'; {hint}there are: {', '.join(names)}")


class ClipError(UnderstudyError):
    """A clip, or an edit of one, that makes no sense."""


class CharacterError(UnderstudyError):
    """A character that can't be built, adopted or fitted."""


class SimulationError(UnderstudyError):
    """A world that can't be built or advanced."""


class MissingPackageError(UnderstudyError):
    """A package of an extra, or of the system, that is not installed; it says how to install it."""


class CostError(UnderstudyError):
    """Motions that can't be compared."""


class ReconstructionError(UnderstudyError):
    """A clip that can't be reconstructed as asked, or a reconstruction that does not fit."""
