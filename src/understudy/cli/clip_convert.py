"""``understudy clip convert``: a clip in another format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from understudy.cli.reading import clip_named
from understudy.motion import ReadSettings, WriteSettings, write_clip


@dataclass(frozen=True)
class ClipConvert:
    """Write a clip in another format, told by the ending of OUT: .bvh, .npz or .txt (DeepMimic)."""

    clip: tyro.conf.Positional[str]
    """a clip file, or the name of a bundled clip"""
    out: tyro.conf.Positional[Path]
    """the file to write"""
    write: WriteSettings = WriteSettings()
    """how to write it"""
    read: tyro.conf.OmitArgPrefixes[ReadSettings] = ReadSettings()
    """how to read it; what is left out is guessed"""

    def run(self) -> None:
        clip = clip_named(self.clip, self.read)
        write_clip(clip, self.out, self.write)
        print(f"{clip.frame_count} frames written to {self.out}")
