"""Writing a clip; the ending of the name tells the format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from understudy.errors import ClipError, UnknownNameError
from understudy.motion.clip import Clip
from understudy.motion.formats.amass import write_amass
from understudy.motion.formats.bvh_writing import write_bvh
from understudy.motion.formats.deepmimic import write_deepmimic
from understudy.motion.formats.native import write_native


@dataclass(frozen=True)
class WriteSettings:
    """How to write a clip.

    Attributes:
        layout: what an npz holds: our own clip, or the arrays of an AMASS file.
        unit_m: length of one unit of a BVH file in metres, as a rule 0.01 or 1.
    """

    layout: Literal["understudy", "amass"] = "understudy"
    unit_m: float = 0.01

    def __post_init__(self) -> None:
        if not 0.0 < self.unit_m < float("inf"):
            raise ClipError(f"unit_m must be above 0, not {self.unit_m}")


def write_clip(clip: Clip, path: str | Path, settings: WriteSettings | None = None) -> None:
    """Write a clip as BVH (.bvh), npz (.npz; our own or AMASS's layout) or DeepMimic text (.txt, .json).

    Raises:
        UnknownNameError: for another ending.
        FileError: when the file can't be written, or its format can't hold the clip.
    """
    path, settings = Path(path), settings or WriteSettings()
    write_npz = write_amass if settings.layout == "amass" else write_native
    writers: dict[str, Callable[[Clip, Path], None]] = {
        ".bvh": lambda clip, path: write_bvh(clip, path, settings.unit_m),
        ".npz": write_npz,
        ".txt": write_deepmimic,
        ".json": write_deepmimic,
    }
    if path.suffix.lower() not in writers:
        raise UnknownNameError("clip format", path.suffix or path.name, writers)
    writers[path.suffix.lower()](clip, path)
