"""A picture that a notebook shows.

A Reconstruction, a Clip or a Rollout can't draw itself: they are of earlier rooms than the stage. So the stage wraps
them: ``picture(performed)`` as the last line of a cell is seen.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from understudy.files import replacing
from understudy.reconstruction import Reconstruction
from understudy.stage.sheet import render_sheet
from understudy.stage.subject import Subject


@dataclass(frozen=True)
class Picture:
    """A PNG file in memory, which notebooks draw."""

    png: bytes

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<picture of {len(self.png)} bytes>"

    def save(self, path: str | Path) -> None:
        """Write it."""
        with replacing(path) as temporary:
            temporary.write_bytes(self.png)


def picture(subject: Subject | Reconstruction, ghost: Subject | None = None, *, frames: int = 6) -> Picture:
    """A contact sheet of anything there is to look at; a reconstruction's has the reference as its ghost."""
    if isinstance(subject, Reconstruction):
        return picture(subject.rollout, ghost or subject.reference, frames=frames)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.png"
        render_sheet(subject, path, ghost, frames=frames)
        return Picture(path.read_bytes())
