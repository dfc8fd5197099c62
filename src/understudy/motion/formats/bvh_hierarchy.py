"""The first half of a BVH file: its joints, and which number of a frame goes to which channel."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from understudy.errors import FileError
from understudy.motion.formats.number_text import BadNumberError, parse_numbers
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

MOST_JOINTS = 2000  # far more than any body has; a file claiming more is no recording
_CHANNEL = re.compile(r"([xyz])(position|rotation)", re.IGNORECASE)


@dataclass
class BvhJoint:
    """One joint as written, or one End Site.

    Attributes:
        name: its full name; "" for an End Site.
        parent: index of its parent, -1 for a root.
        line: where it is written, from 1.
        offset: (3,) OFFSET in the file's unit.
        channels: ``("Xposition", ...)``, first letter upper case, in the order of the file.
        first_column: the column of its first channel in a frame.
    """

    name: str
    parent: int
    line: int
    offset: Array | None = None
    channels: tuple[str, ...] = ()
    first_column: int = 0

    def columns(self, kind: str) -> tuple[str, list[int]]:
        """The letters of its ``position`` or ``rotation`` channels in order, and their columns."""
        found = [(channel[0], self.first_column + i) for i, channel in enumerate(self.channels) if channel[1:] == kind]
        return "".join(letter for letter, _ in found), [column for _, column in found]


@dataclass
class Hierarchy:
    """The joints of a BVH file, parents first, and its End Sites."""

    joints: list[BvhJoint] = field(default_factory=list)
    ends: list[BvhJoint] = field(default_factory=list)
    channel_count: int = 0
    warnings: list[str] = field(default_factory=list)

    def skeleton(self) -> Skeleton:
        """The skeleton in the file's axes and unit."""
        return Skeleton(
            names=tuple(joint.name for joint in self.joints),
            parents=np.array([joint.parent for joint in self.joints]),
            offsets=np.array([joint.offset for joint in self.joints]),
            end_parents=np.array([end.parent for end in self.ends], int),
            end_offsets=np.array([end.offset for end in self.ends], float),
        )


def parse_hierarchy(path: Path, text: str) -> Hierarchy:
    """Read everything before MOTION; raises FileError with the line where it is wrong."""
    result = _Parser(path).parse(text)
    _keep_first_tree(result)
    _make_names_differ(result)
    return result


class _Parser:
    """Line by line, with the open joints on a stack, so that no depth of nesting is too deep."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        self.found = Hierarchy()
        self.open: list[tuple[BvhJoint, int]] = []  # with its index, -1 for an End Site
        self.named: BvhJoint | None = None  # named, but its brace not seen yet

    def parse(self, text: str) -> Hierarchy:
        for self.line, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
            for piece in re.split(r"([{}])", line):
                if piece.strip():
                    self._take(piece.strip())
        if self.open:
            joint = self.open[-1][0]
            raise self._error(
                f"{len(self.open)} brace(s) not closed; the last is that of '{joint.name or 'End Site'}' "
                f"in line {joint.line}",
            )
        if not self.found.joints:
            raise self._error("no ROOT before MOTION")
        return self.found

    def _take(self, piece: str) -> None:
        words = piece.split(maxsplit=1)
        keyword, rest = words[0].lower(), words[1].strip() if len(words) > 1 else ""
        match keyword:
            case "{":
                self._open_brace()
            case "}":
                self._close_brace()
            case "hierarchy" if not self.found.joints:
                pass
            case "root" | "joint" | "end":
                self._name(keyword, rest)
            case "offset":
                self._offset(rest.split())
            case "channels":
                self._channels(rest.split())
            case _:
                raise self._error(
                    f"'{piece[:40]}' is not expected here", "ROOT, JOINT, End Site, OFFSET, CHANNELS or a brace is"
                )

    def _name(self, keyword: str, name: str) -> None:
        if self.named:
            raise self._error(f"'{self.named.name or 'End Site'}' of line {self.named.line} has no opening brace")
        if (keyword == "root") != (not self.open):
            raise self._error(f"{keyword.upper()} is {'inside' if self.open else 'outside'} another joint")
        if self.open and self.open[-1][1] < 0:
            raise self._error("an End Site holds a joint")
        parent = self.open[-1][1] if self.open else -1
        self.named = BvhJoint("" if keyword == "end" else name or f"joint{len(self.found.joints)}", parent, self.line)

    def _open_brace(self) -> None:
        if self.named is None:
            raise self._error("a brace opens, but no joint was named")
        if self.named.name:
            self.found.joints.append(self.named)
            self.open.append((self.named, len(self.found.joints) - 1))
            if len(self.found.joints) > MOST_JOINTS:
                raise self._error(f"more than {MOST_JOINTS} joints")
        else:
            self.found.ends.append(self.named)
            self.open.append((self.named, -1))
        self.named = None

    def _close_brace(self) -> None:
        if not self.open or self.named:
            raise self._error("a brace closes that was not opened")
        joint, _ = self.open.pop()
        if joint.offset is None:
            raise self._error(f"'{joint.name or 'End Site'}' of line {joint.line} has no OFFSET")

    def _inside(self, keyword: str) -> BvhJoint:
        if not self.open or self.named:
            raise self._error(f"{keyword} stands outside a joint")
        return self.open[-1][0]

    def _offset(self, words: list[str]) -> None:
        joint = self._inside("OFFSET")
        try:
            offset = parse_numbers(" ".join(words).replace(",", ".").encode())
        except BadNumberError as problem:
            raise self._error(f"OFFSET: {problem}") from problem
        if len(offset) != 3:
            raise self._error(f"OFFSET has {len(offset)} numbers", "it needs 3")
        joint.offset = offset

    def _channels(self, words: list[str]) -> None:
        joint = self._inside("CHANNELS")
        if not joint.name or joint.channels:
            raise self._error(f"CHANNELS {'in an End Site' if not joint.name else 'given twice for one joint'}")
        names = words[1:]
        if not words or words[0] != str(len(names)):
            claimed = words[0] if words else "no number"
            raise self._error(f"CHANNELS says {claimed[:20]}, but {len(names)} channels are named")
        for name in names:
            if not _CHANNEL.fullmatch(name):
                raise self._error(f"channel '{name[:40]}' is not known", "Xposition to Zrotation are")
        joint.channels = tuple(name.capitalize() for name in names)
        repeated = [name for name, times in Counter(joint.channels).items() if times > 1 and name.endswith("position")]
        if repeated or len(names) > 6:
            raise self._error(f"joint '{joint.name}' has a channel twice, or more than 6")
        joint.first_column = self.found.channel_count
        self.found.channel_count += len(names)

    def _error(self, reason: str, hint: str = "") -> FileError:
        return FileError(self.path, reason, line=self.line, hint=hint)


def _keep_first_tree(hierarchy: Hierarchy) -> None:
    roots = [i for i, joint in enumerate(hierarchy.joints) if joint.parent < 0]
    if len(roots) > 1:
        others = ", ".join(hierarchy.joints[i].name for i in roots[1:])
        hierarchy.warnings.append(f"holds {len(roots)} skeletons; only the first is read, not: {others}")
        hierarchy.joints = hierarchy.joints[: roots[1]]
        hierarchy.ends = [end for end in hierarchy.ends if end.parent < roots[1]]


def _make_names_differ(hierarchy: Hierarchy) -> None:
    taken = {joint.name for joint in hierarchy.joints}
    seen: Counter[str] = Counter()
    repeated = []
    for joint in hierarchy.joints:
        name = joint.name
        seen[name] += 1
        if seen[name] > 1:
            repeated.append(name)
            while f"{name}_{seen[name]}" in taken:
                seen[name] += 1
            joint.name = f"{name}_{seen[name]}"
            taken.add(joint.name)
    if repeated:
        hierarchy.warnings.append(
            f"joint names that are there twice were numbered: {', '.join(dict.fromkeys(repeated))}"
        )
