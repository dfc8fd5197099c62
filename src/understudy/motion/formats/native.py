"""Our own clip files: the arrays of a Clip as they are, and a header with the joints' names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from understudy.errors import ClipError, FileError
from understudy.files import ArrayFile, read_arrays, write_arrays
from understudy.motion.clip import Clip
from understudy.motion.recording import OURS, Reading, ReadSettings, Recording
from understudy.motion.settling import settled
from understudy.motion.skeleton import Skeleton
from understudy.records import sealed

KIND, VERSION = "clip", 1
_INDICES = ("parents", "end_parents")
_SKELETON = ("parents", "offsets", "end_parents", "end_offsets")
_MOTION = ("root_positions", "rotations")
_BIGGEST = 1e9


def recognises_native(kind: str | None) -> bool:
    """Whether an array file of that kind is a clip."""
    return kind == KIND


def read_native(path: Path, settings: ReadSettings) -> Reading:
    """Read a clip file; nothing is guessed, though the settings hold."""
    clip = clip_in(read_arrays(path, KIND, VERSION), path)
    recording = Recording(
        name=clip.name,
        skeleton=clip.skeleton,
        root_positions=clip.root_positions,
        rotations=clip.rotations,
        rate_hz=clip.rate_hz,
        rest_axes=OURS,
        world_axes=OURS,
        unit_m=1.0,
        is_ours=True,
    )
    return settled(path, recording, settings)


def clip_in(contents: ArrayFile, path: str | Path) -> Clip:
    """The clip that contents read from path hold; raises FileError when they do not."""
    missing = [name for name in (*_SKELETON, *_MOTION) if name not in contents.arrays]
    if missing:
        raise FileError(path, f"has no array {', '.join(missing)}")
    wrong = [name for name in (*_SKELETON, *_MOTION) if not _is_sensible(contents.arrays[name], name in _INDICES)]
    if wrong:
        raise FileError(path, f"holds no sensible numbers in {', '.join(wrong)}")
    try:
        return Clip(
            Skeleton(tuple(map(str, contents.header["names"])), *(contents.arrays[name] for name in _SKELETON)),
            rate_hz=float(contents.header["rate_hz"]),
            root_positions=sealed(contents.arrays["root_positions"]),
            rotations=sealed(contents.arrays["rotations"]),
            name=str(contents.header["name"]),
        )
    except (ClipError, KeyError, ValueError, TypeError, IndexError, OverflowError) as problem:
        raise FileError(path, f"holds no sound clip ({problem})") from problem


def _is_sensible(array: NDArray[Any], is_index: bool) -> bool:
    if array.dtype.kind not in ("iu" if is_index else "fiu") or array.dtype.itemsize > 8:
        return False
    return array.size == 0 or (float(array.min()) >= -_BIGGEST and float(array.max()) <= _BIGGEST)


def write_native(clip: Clip, path: Path) -> None:
    """Write a clip file; reading it gives the same numbers, bit for bit."""
    write_arrays(path, clip_contents(clip))


def clip_contents(clip: Clip) -> ArrayFile:
    """What a clip's file holds; other files that carry a clip hold the same."""
    arrays = {name: getattr(clip.skeleton, name) for name in _SKELETON}
    arrays |= {name: getattr(clip, name) for name in _MOTION}
    header = {"names": list(clip.skeleton.names), "rate_hz": clip.rate_hz, "name": clip.name}
    return ArrayFile(KIND, VERSION, header, arrays)
