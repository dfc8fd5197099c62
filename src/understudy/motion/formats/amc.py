"""Acclaim motion (AMC): per frame a line for each bone, read with the skeleton it belongs to (ASF)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import numpy as np

from understudy import rotations
from understudy.errors import FileError
from understudy.motion.formats.asf import AcclaimSkeleton, Bone, read_asf
from understudy.motion.formats.contents import text_lines
from understudy.motion.formats.number_text import BadNumberError, parse_numbers
from understudy.motion.recording import Guess, Reading, ReadSettings, Recording
from understudy.motion.settling import settled
from understudy.rotations import Array

_MOST_BYTES = 1 << 30
_USUAL_HZ = 120.0  # of the CMU database; the format says no rate
_BLOCK = 100_000  # lines turned into numbers at once


def recognises_amc(head: bytes) -> bool:
    """Whether a file that begins so is AMC: comments, then keywords with a colon that belong to motion."""
    return _first_keyword(head) in (b":fully-specified", b":degrees", b":radians", b":samples-per-second")


def recognises_asf(head: bytes) -> bool:
    """Whether a file that begins so is a skeleton without motion."""
    return _first_keyword(head) in (b":version", b":name", b":units", b":root", b":documentation", b":bonedata")


def _first_keyword(head: bytes) -> bytes:
    lines = (line.strip() for line in head.removeprefix(b"\xef\xbb\xbf").splitlines())
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    return first.split()[0].lower() if first else b""


def read_amc(path: Path, settings: ReadSettings) -> Reading:
    """Read an AMC file with its ASF file."""
    asf_path, guess = _asf_of(path, settings)
    skeleton = read_asf(asf_path)
    motion = _Motion(path, skeleton)
    with text_lines(path, _MOST_BYTES) as lines:
        motion.parse(lines)
    recording = Recording(
        name=path.stem,
        skeleton=skeleton.skeleton(),
        root_positions=_root_positions(skeleton.bones[0], motion.values(0)),
        rotations=_rotations(motion),
        rate_hz=motion.rate_hz,
        usual_rate_hz=_USUAL_HZ,
        unit_hint=skeleton.unit_m,
        warnings=motion.warnings(),
    ).told(guess)
    return settled(path, recording, settings)


def _asf_of(path: Path, settings: ReadSettings) -> tuple[Path, Guess | None]:
    """The skeleton file: the one given, else the one beside it that is alone or whose name the motion's begins with."""
    if settings.asf is not None:
        return settings.asf, None
    try:
        beside = sorted(other for other in path.parent.iterdir() if other.suffix.lower() == ".asf")
    except OSError as problem:
        raise FileError(
            path, f"its folder can't be read ({problem.strerror})", hint="give the ASF with --asf"
        ) from problem
    alike = [other for other in beside if path.stem.lower().startswith(other.stem.lower())]
    if alike:
        best = max(alike, key=lambda other: len(other.stem))
        return best, Guess("skeleton", best.name, "it lies beside and has the same name", "--asf")
    if len(beside) == 1:
        return beside[0], Guess("skeleton", beside[0].name, "it is the only one beside", "--asf")
    found = f"there are {', '.join(other.name for other in beside[:5])}" if beside else "none lies beside it"
    raise FileError(path, f"an AMC file needs its skeleton, an ASF file, and {found}", hint="give it with --asf")


class _Motion:
    """The frames of an AMC file, taken line by line and turned into numbers block by block.

    Attributes:
        radians, rate_hz: what the file says of them.
        frames: the number written over each frame.
        blocks: (T', D) for some frames each, what every bone's line says, bone by bone.
    """

    def __init__(self, path: Path, skeleton: AcclaimSkeleton) -> None:
        self.path = path
        self.bones = skeleton.bones
        self.index = {bone.name: i for i, bone in enumerate(self.bones)}
        self.sizes = np.array([len(bone.dofs) for bone in self.bones])
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)])
        self.radians = False
        self.rate_hz: float | None = None
        self.frames: list[int] = []
        self.blocks: list[Array] = []
        self.named = np.zeros(len(self.bones), int)  # in how many frames each bone is
        self._begin_block()

    def _begin_block(self) -> None:
        self.first = len(self.frames)  # frame of the block
        self.lines: list[int] = []  # of the i-th line for a bone, its number,
        self.rows: list[int] = []  # its frame,
        self.which: list[int] = []  # its bone,
        self.texts: list[str] = []  # and the numbers in it

    def parse(self, lines: Iterable[str]) -> None:
        sizes = self.sizes.tolist()
        for number, line in enumerate(lines, start=1):
            words = line.split(maxsplit=1)
            if not words:
                continue
            bone = self.index.get(words[0])
            if bone is None or not self.frames:
                self._other(number, words)
                continue
            text = words[1] if len(words) > 1 else ""
            if len(text.split()) != sizes[bone]:
                raise self._wrong_size(number, self.bones[bone], len(text.split()))
            self.lines.append(number)
            self.rows.append(len(self.frames) - 1)
            self.which.append(bone)
            self.texts.append(text)
        self._end_block()
        if not self.frames:
            raise FileError(self.path, "has no frames", hint="each begins with a line that holds its number")

    def values(self, bone: int) -> Array:
        """The numbers (T, dofs) of a bone in all frames."""
        return self.table[:, self.starts[bone] : self.starts[bone + 1]]

    @cached_property
    def table(self) -> Array:
        return np.concatenate(self.blocks)

    def warnings(self) -> tuple[str, ...]:
        """What is odd: bones that are not in every frame, frame numbers that do not follow each other."""
        missing = [
            b.name for b, times in zip(self.bones, self.named, strict=True) if b.dofs and times < len(self.frames)
        ]
        found = [f"not in every frame, so taken to be unturned there: {', '.join(missing)}"] if missing else []
        if np.any(np.diff(self.frames) != 1):
            found.append("the numbers of the frames do not follow each other; they were taken to be evenly spaced")
        return tuple(found)

    def _other(self, line: int, words: list[str]) -> None:
        """A frame's number, a keyword or a comment."""
        name = words[0]
        if name.isascii() and name.isdigit() and len(words) == 1 and len(name) < 12:
            if len(self.texts) > _BLOCK:
                self._end_block()
            self.frames.append(int(name))
        elif name.startswith(":"):
            self._keyword(line, [word.lower() for word in words])
        elif name in self.index:
            raise FileError(self.path, f"'{name}' stands before the number of the first frame", line=line)
        elif not name.startswith("#"):
            hint = f"{', '.join(list(self.index)[:6])}, ... are; is it the skeleton of this motion?"
            raise FileError(self.path, f"'{name[:40]}' is no bone of the skeleton", line=line, hint=hint)

    def _end_block(self) -> None:
        """Put the numbers of the block's lines where they belong, zero where a frame does not name a bone."""
        which, rows = np.array(self.which, int), np.array(self.rows, int) - self.first
        values = self._numbers()
        table = np.zeros((len(self.frames) - self.first, self.starts[-1]))
        sizes = self.sizes[which]
        within = np.arange(len(values)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        table[np.repeat(rows, sizes), np.repeat(self.starts[which], sizes) + within] = values
        self.blocks.append(table)
        self.named += np.bincount(which, minlength=len(self.bones))
        self._begin_block()

    def _numbers(self) -> Array:
        try:
            return parse_numbers("\n".join(self.texts).encode(), large=self.first > 0)
        except BadNumberError as first_problem:
            for line, text in zip(self.lines, self.texts, strict=True):
                try:
                    parse_numbers(text.encode())
                except BadNumberError as problem:
                    raise FileError(self.path, str(problem), line=line) from problem
            raise FileError(self.path, str(first_problem)) from first_problem

    def _keyword(self, line: int, words: list[str]) -> None:
        if words[0] in (":degrees", ":radians"):
            self.radians = words[0] == ":radians"
        elif words[0] == ":samples-per-second":
            try:
                (rate_hz,) = parse_numbers(words[1].encode())
            except (ValueError, IndexError):
                rate_hz = np.nan
            if not 1e-3 < rate_hz < 1e5:
                raise FileError(self.path, f"'{' '.join(words)[:40]}' is no frame rate", line=line)
            self.rate_hz = float(rate_hz)

    def _wrong_size(self, line: int, bone: Bone, count: int) -> FileError:
        has = " ".join(bone.dofs) or "none"
        return FileError(
            self.path, f"'{bone.name}' has {count} numbers", line=line, hint=f"its skeleton gives it {has}"
        )


def _root_positions(root: Bone, values: Array) -> Array:
    positions = np.zeros((len(values), 3))
    for column, dof in enumerate(root.dofs):
        if dof.startswith("t"):
            positions[:, "xyz".index(dof[1])] = values[:, column]
    return positions


def _rotations(motion: _Motion) -> Array:
    """(T, J, 4): with C the axes of a bone and M its turns, the first listed done first, C M C^-1."""
    result = np.empty((len(motion.frames), len(motion.bones), 4))
    for index, bone in enumerate(motion.bones):
        columns = [i for i, dof in enumerate(bone.dofs) if dof.startswith("r")][::-1]
        order = "".join(bone.dofs[i][1] for i in columns)
        angles = motion.values(index)[:, columns]
        turned = rotations.from_euler(order, angles if motion.radians else np.deg2rad(angles))
        result[:, index, 0] = turned[:, 0]
        result[:, index, 1:] = turned[:, 1:] @ rotations.to_matrix(bone.axis).T
    return result
