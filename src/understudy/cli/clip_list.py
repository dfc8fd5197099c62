"""``understudy clip list``: the bundled clips."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.motion import AUTHORED, authored_clip


@dataclass(frozen=True)
class ClipList:
    """List the bundled clips; their names serve wherever a clip file does."""

    def run(self) -> None:
        width = max(map(len, AUTHORED))
        for name in AUTHORED:
            clip = authored_clip(name)
            print(f"{name:<{width}}  {clip.duration_s:5.2f} s  {clip.frame_count:4d} frames at {clip.rate_hz:.0f} Hz")
