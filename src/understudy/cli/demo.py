"""``understudy demo``: from a bundled clip to a video and a contact sheet."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Demo:
    """Fit a bundled clip to a character, and write a video and a contact sheet of it."""

    clip: str = "cartwheel"
    """a bundled clip, or a clip file"""
    character: str = "human"
    """a bundled character, a character file, or an MJCF model"""
    out: Path = Path("out/demo")
    """the folder to write to"""

    def run(self) -> None:
        from understudy.character import fit, load_character
        from understudy.cli.progress import progress
        from understudy.cli.reading import clip_named
        from understudy.motion import ReadSettings
        from understudy.stage import render_sheet, render_video

        start = time.perf_counter()
        clip = clip_named(self.clip, ReadSettings())
        print(f"clip '{clip.name}': {clip.frame_count} frames, {clip.duration_s:.1f} s")
        fitted = fit(clip, load_character(self.character))
        print(fitted.report)
        self.out.mkdir(parents=True, exist_ok=True)
        fitted.reference.save(self.out / "reference.npz")
        with progress("contact sheet") as tell:
            render_sheet(fitted.reference, self.out / "sheet.png", ghost=clip, progress=tell)
        with progress("video") as tell:
            render_video(fitted.reference, self.out / "video.mp4", ghost=clip, progress=tell)
        print(f"\ndone in {time.perf_counter() - start:.0f} s; open these:")
        for name in ("video.mp4", "sheet.png", "reference.npz"):
            print(f"  {self.out / name}")
