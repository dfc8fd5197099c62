"""Unfinished searches as files, so that a run that was stopped goes on where it was, to the same result."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Protocol

from understudy.errors import FileError
from understudy.files import ArrayFile, read_arrays, write_arrays
from understudy.reconstruction.planning import Plan
from understudy.reconstruction.sampling.known import Arrays
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.simulation import assemble

KIND, VERSION = "unfinished reconstruction", 1


class Resumable(Protocol):
    """A search that can be written down."""

    def arrays(self) -> Arrays:
        """All of it."""

    def restore(self, arrays: Arrays) -> None:
        """Be what ``arrays`` gave."""


def fingerprint(plan: Plan, settings: ReconstructionSettings) -> str:
    """A name for what is searched for and how: equal names, equal results."""
    model = assemble(plan.scene, [plan.reference.character]).model_hash
    digest = hashlib.sha256(model.encode())
    for values in (plan.reference.qpos, plan.reference.qvel, plan.bounds, plan.gain_scale):
        digest.update(values.tobytes())
    digest.update(repr(sorted(settings.as_header().items(), key=lambda item: item[0])).encode())
    return digest.hexdigest()


def resume(search: Resumable, path: Path, name: str) -> float:
    """Make the search what it was when it was written; the seconds it had taken till then."""
    contents = read_arrays(path, KIND, VERSION)
    if contents.header.get("fingerprint") != name:
        raise FileError(
            path,
            "is the unfinished work on another clip, character, scene or settings",
            hint="remove it, or write elsewhere",
        )
    try:
        search.restore(contents.arrays)
        return float(contents.header["seconds"])
    except (KeyError, ValueError, IndexError, TypeError) as problem:
        raise FileError(path, f"is damaged ({problem})", hint="remove it to begin anew") from problem


class Diary:
    """Keeps a search in a file while it is under way: every so often, and when it ends.

    Between two rounds a search is sound; whatever ends a round in its middle, the last sound moment is what is kept.
    """

    def __init__(self, path: Path, name: str, every_s: float = 20.0) -> None:
        self._path, self._name, self._every_s = path, name, every_s
        self._noted: tuple[Arrays, float] | None = None
        self._written_at = time.monotonic()

    def open(self, search: Resumable) -> float:
        """Go on from the file when there is one; the seconds the search has taken so far."""
        if not self._path.parent.is_dir():
            raise FileError(self._path, f"the folder {self._path.parent} does not exist", hint="make it first")
        return resume(search, self._path, self._name) if self._path.exists() else 0.0

    def note(self, search: Resumable, seconds: float) -> None:
        """Remember the search as it is after a round."""
        self._noted = search.arrays(), seconds
        if time.monotonic() - self._written_at > self._every_s:
            self.close()

    def close(self) -> None:
        """Write down what was noted last."""
        if self._noted is not None:
            _write(self._path, self._name, *self._noted)
            self._noted, self._written_at = None, time.monotonic()


def _write(path: Path, name: str, arrays: Arrays, seconds: float) -> None:
    write_arrays(path, ArrayFile(KIND, VERSION, {"fingerprint": name, "seconds": seconds}, arrays))
