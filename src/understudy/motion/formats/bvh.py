"""Reading BVH: any skeleton, any order of channels, any of the dialects that are about.

The format has no standard. What is taken here follows the Biovision files and what Motion Builder, 3ds Max and Blender
write: a joint's rotation is the product of its channels' turns in the order they are listed, and the root's position
channels replace its OFFSET.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy import rotations
from understudy.errors import FileError
from understudy.motion.formats.bvh_hierarchy import BvhJoint, Hierarchy, parse_hierarchy
from understudy.motion.formats.bvh_positions import with_position_channels
from understudy.motion.formats.contents import Contents, decoded, line_at, opened
from understudy.motion.formats.number_text import LARGE, BadNumberError, parse_numbers
from understudy.motion.recording import Reading, ReadSettings, Recording
from understudy.motion.settling import settled
from understudy.rotations import Array

_LONGEST_HIERARCHY = 4 << 20  # bytes
_BLOCK = 1 << 18  # bytes of motion parsed at once: they stay in the cache
_ROWS = 512  # frames whose angles are turned into quaternions at once: they stay in the cache
_MOTION = re.compile(rb"(?:^|[\r\n}])[ \t]*MOTION\b", re.IGNORECASE)
_HEADS = {
    "frames": re.compile(rb"\s*Frames[ \t]*:?[ \t]*(\S*)", re.IGNORECASE),
    "frame time": re.compile(rb"\s*Frame[ \t]+Time[ \t]*:?[ \t]*(\S*)", re.IGNORECASE),
}
_SHORTEST_S, _LONGEST_S = 1e-5, 1e3  # frame times that can be meant


def recognises_bvh(head: bytes) -> bool:
    """Whether a file that begins so is BVH."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*HIERARCHY\b", head, re.IGNORECASE) is not None


def read_bvh(path: Path, settings: ReadSettings) -> Reading:
    """Read a BVH file."""
    with opened(path) as contents:
        motion = _MOTION.search(contents, 0, _LONGEST_HIERARCHY)
        if motion is None:
            raise FileError(path, "has no MOTION section", hint="a BVH file has its frames there")
        hierarchy = parse_hierarchy(path, decoded(contents[: motion.start() + 1]))
        if hierarchy.channel_count == 0:
            raise FileError(path, "no joint has channels, so nothing moves")
        frames = _read_frames(path, contents, motion.end(), hierarchy.channel_count)
    recording = Recording(
        name=path.stem,
        skeleton=hierarchy.skeleton(),
        root_positions=_root_positions(hierarchy.joints[0], frames.values),
        rotations=_rotations(hierarchy, frames.values),
        rate_hz=frames.rate_hz,
        warnings=(*hierarchy.warnings, *frames.warnings),
    )
    recording = with_position_channels(recording, hierarchy, frames.values, settings)
    del frames
    return settled(path, recording, settings)


@dataclass(frozen=True)
class _Frames:
    """The numbers (T, C) of all frames."""

    values: Array
    rate_hz: float | None
    warnings: tuple[str, ...]


def _read_frames(path: Path, contents: Contents, start: int, channels: int) -> _Frames:
    said, start = _motion_head(contents, start)
    claimed = _claimed_frames(path, contents, said["frames"])
    rate_hz = _rate(path, contents, said["frame time"])
    commas = _has_decimal_commas(contents[start : start + 4096])
    values = _numbers(path, contents, start, commas, (claimed or 0) * channels)
    warnings = ["numbers have decimal commas"] if commas else []
    rows = len(values) // channels
    if len(values) % channels or rows != claimed:
        rows = _usable_rows(path, contents, start, channels, claimed)
        said_so = "the number of frames is not given" if claimed is None else f"'Frames:' says {claimed}"
        left_out = len(values) - rows * channels
        warnings.append(
            f"{said_so}, {rows} are there" + (f"; {left_out} numbers more were left out" if left_out else "")
        )
    if rows == 0:
        raise FileError(path, f"has no whole frame; each is {channels} numbers")
    return _Frames(values[: rows * channels].reshape(rows, channels), rate_hz, tuple(warnings))


def _motion_head(contents: Contents, start: int) -> tuple[dict[str, re.Match[bytes] | None], int]:
    """What the lines after MOTION say, and where the numbers begin."""
    said: dict[str, re.Match[bytes] | None] = dict.fromkeys(_HEADS)
    for _ in _HEADS:
        for name, pattern in _HEADS.items():
            if said[name] is None and (match := pattern.match(contents, start)):
                said[name], start = match, match.end()
    return said, start


def _claimed_frames(path: Path, contents: Contents, said: re.Match[bytes] | None) -> int | None:
    if said is None:
        return None
    text = said.group(1)[:30]
    if not re.fullmatch(rb"\d+", text):
        line = line_at(contents, said.start(1))
        raise FileError(path, f"'Frames: {decoded(text)}' is not a count", line=line)
    return int(text)


def _rate(path: Path, contents: Contents, said: re.Match[bytes] | None) -> float | None:
    """Frames per second of a frame time in seconds; None when it is missing or zero.

    A whole number of frames per second is taken when the frame time is that one rounded to the digits written.
    """
    if said is None:
        return None
    text = said.group(1)[:30].replace(b",", b".")
    try:
        (frame_s,) = parse_numbers(text)
    except ValueError:
        frame_s = np.nan
    if frame_s == 0.0:
        return None
    if not _SHORTEST_S <= frame_s <= _LONGEST_S:
        line = line_at(contents, said.start(1))
        raise FileError(path, f"'Frame Time: {decoded(text)}' can't be", line=line, hint="it is in seconds")
    digits = len(text.partition(b".")[2]) if re.fullmatch(rb"[\d.]+", text) else 12
    whole = round(1.0 / frame_s)
    rounded = whole > 0 and abs(1.0 / whole - frame_s) <= 10.0**-digits
    return float(whole) if rounded else float(1.0 / frame_s)


def _has_decimal_commas(text: bytes) -> bool:
    return re.search(rb"\d,\d", text) is not None and b"." not in text


def _numbers(path: Path, contents: Contents, start: int, commas: bool, expected: int) -> Array:
    """All numbers from ``start`` on, block by block, each ending where a number ends.

    Room is made for as many as expected, if the file is long enough for them, since joining blocks takes as long again.
    """
    large = len(contents) - start > LARGE
    found, count = np.empty(min(expected, (len(contents) - start) // 2 + 1)), 0
    while start < len(contents):
        block = contents[start : start + _BLOCK]
        if start + _BLOCK < len(contents):
            last = max(block.rfind(space) for space in (b" ", b"\n", b"\t", b"\r"))
            block = block[: last + 1] if last > 0 else block
        try:
            values = parse_numbers(block.replace(b",", b".") if commas else block, large=large)
        except BadNumberError as problem:
            line = line_at(contents, start + problem.offset)
            hint = "a frame is numbers with blanks between"
            raise FileError(path, f"{problem}", line=line, hint=hint) from problem
        if count + len(values) > len(found):
            found = np.concatenate([found[:count], np.empty(max(count, len(values)))])
        found[count : count + len(values)] = values
        count, start = count + len(values), start + len(block)
    return found[:count]


def _usable_rows(path: Path, contents: Contents, start: int, channels: int, claimed: int | None) -> int:
    """How many rows are frames: one may be wrapped over lines, the last cut off, and rubbish follow those claimed."""
    first_line = line_at(contents, start)
    lines = contents[start:].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    lengths = [(first_line + i, len(line.split())) for i, line in enumerate(lines) if line.strip()]
    if all(length < channels for _, length in lengths):
        return sum(length for _, length in lengths) // channels
    odd = next((i for i, (_, length) in enumerate(lengths) if length != channels), len(lengths))
    cut_off = odd == len(lengths) - 1 and lengths[odd][1] < channels
    if odd == len(lengths) or cut_off or (claimed is not None and odd >= claimed):
        return odd
    line, length = lengths[odd]
    raise FileError(path, f"a row of {length} numbers", line=line, hint=f"the joints have {channels} channels")


def _root_positions(root: BvhJoint, values: Array) -> Array:
    positions = np.tile(np.asarray(root.offset), (len(values), 1))
    for letter, column in zip(*root.columns("position"), strict=True):
        positions[:, "XYZ".index(letter)] = values[:, column]
    return positions


def _rotations(hierarchy: Hierarchy, values: Array) -> Array:
    """(T, J, 4); joints with the same order of channels are converted together."""
    joints: dict[str, list[int]] = defaultdict(list)
    columns: dict[str, list[int]] = defaultdict(list)
    for index, joint in enumerate(hierarchy.joints):
        order, places = joint.columns("rotation")
        joints[order].append(index)
        columns[order] += places
    result = np.empty((len(values), len(hierarchy.joints), 4))
    for first in range(0, len(values), _ROWS):
        rows = slice(first, first + _ROWS)
        for order, which in joints.items():
            angles = np.deg2rad(values[rows, _run(columns[order])])
            result[rows, _run(which)] = rotations.from_euler(order, angles.reshape(len(angles), len(which), len(order)))
    return result


def _run(indices: list[int]) -> slice | list[int]:
    """Indices as a slice if they follow each other, which spares numpy a copy."""
    if indices and indices == list(range(indices[0], indices[0] + len(indices))):
        return slice(indices[0], indices[0] + len(indices))
    return indices
