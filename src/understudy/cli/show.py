"""``understudy show``: look at a clip, a character, a reference, a rollout or a reconstruction."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from understudy.errors import UnderstudyError

if TYPE_CHECKING:
    from understudy.simulation import Rollout
    from understudy.stage import Subject


@dataclass(frozen=True)
class Show:
    """Look at something: in a window where there is a display, else as a video, a contact sheet or a plot."""

    subject: tyro.conf.Positional[str]
    """a clip, character, reference, rollout, reconstruction or MJCF file, or the name of a bundled clip or character"""
    ghost: str | None = None
    """a second motion to draw translucent, what the first should look like; of a reconstruction its reference"""
    video: Path | None = None
    """write a video, ending in .mp4 or .gif"""
    sheet: Path | None = None
    """write a contact sheet of frames, ending in .png"""
    plot: Path | None = None
    """write a plot of angles, heights and contacts, ending in .png or .svg"""
    pressure: Path | None = None
    """write a plot of the pressure on the ground, of --ghost too where that was simulated, ending in .png or .svg"""
    frames: int = 12
    """how many frames the contact sheet has"""
    width: int = 854
    """width of the video in pixels"""
    height: int = 480
    """height of the video in pixels"""

    def run(self) -> None:
        from understudy import stage
        from understudy.cli.progress import progress

        subject, ghost = stage.open_pair(self.subject)
        if self.ghost is not None:
            ghost = stage.open_subject(self.ghost)
        if self.sheet is not None:
            with progress("contact sheet") as tell:
                stage.render_sheet(subject, self.sheet, ghost=ghost, frames=self.frames, progress=tell)
            print(f"contact sheet written to {self.sheet}")
        if self.video is not None:
            with progress("video") as tell:
                stage.render_video(subject, self.video, ghost=ghost, size=(self.width, self.height), progress=tell)
            print(f"video written to {self.video}")
        if self.plot is not None:
            stage.plot(subject, self.plot)
            print(f"plot written to {self.plot}")
        if self.pressure is not None:
            self._draw_pressure(self.pressure, subject, ghost)
        if self.sheet is None and self.video is None and self.plot is None and self.pressure is None:
            stage.show(subject, ghost=ghost)

    def _draw_pressure(self, path: Path, subject: Subject, ghost: Subject | None) -> None:
        from understudy import stage
        from understudy.simulation import Rollout

        if not isinstance(subject, Rollout):
            raise UnderstudyError(f"{self.subject} was not simulated: nothing in it presses on the ground")
        shown = {self.subject: subject} | ({self.ghost: ghost} if self.ghost and isinstance(ghost, Rollout) else {})
        stage.plot_pressure(_short(shown), path)
        print(f"pressure on the ground written to {path}")


def _short(shown: dict[str, Rollout]) -> dict[str, Rollout]:
    """Named by file, or by folder where two files have one name."""
    files = {Path(name).stem: rollout for name, rollout in shown.items()}
    if len(files) == len(shown):
        return files
    return {Path(name).parent.name or name: rollout for name, rollout in shown.items()}
