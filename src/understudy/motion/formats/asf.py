"""Acclaim skeletons (ASF): bones with a direction and a length, and the axes they turn about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy import rotations
from understudy.errors import FileError
from understudy.motion.formats.contents import read_text
from understudy.motion.formats.number_text import BadNumberError, parse_numbers
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

_MOST_BYTES = 4 << 20
_MOST_BONES = 2000
_DOFS = frozenset({"tx", "ty", "tz", "rx", "ry", "rz", "l"})
ROOT = "root"


@dataclass
class Bone:
    """One bone, or the root.

    Attributes:
        name: ``lfemur``; it is also the name of the joint at the bone's near end.
        line: where it is written.
        shift: (3,) from its near end to its far end, in the file's unit and axes.
        axis: (4,) rotation from the axes it turns about to the file's.
        dofs: ``("rx", "ry", "rz")``, what the numbers of a frame mean, in their order.
        parent: index of the bone it hangs on, -1 for the root.
    """

    name: str
    line: int
    shift: Array
    axis: Array
    dofs: tuple[str, ...] = ()
    parent: int = -1


@dataclass(frozen=True)
class AcclaimSkeleton:
    """The root and the bones, parents first.

    Attributes:
        bones: the root first.
        unit_m: metres in one unit, as the file claims: inches divided by its ``length``.
        radians: whether its angles are radians.
    """

    bones: tuple[Bone, ...]
    unit_m: float | None
    radians: bool

    def skeleton(self) -> Skeleton:
        """A joint at the near end of each bone, turned like the world in the rest pose."""
        parents = np.array([bone.parent for bone in self.bones])
        leaves = sorted(set(range(1, len(self.bones))) - set(parents.tolist()))
        return Skeleton(
            names=tuple(bone.name for bone in self.bones),
            parents=parents,
            offsets=np.array([np.zeros(3), *(self.bones[bone.parent].shift for bone in self.bones[1:])]),
            end_parents=np.array(leaves, int),
            end_offsets=np.array([self.bones[i].shift for i in leaves]).reshape(-1, 3),
        )


def read_asf(path: Path) -> AcclaimSkeleton:
    """Read an ASF file."""
    return _Parser(path).parse(read_text(path, _MOST_BYTES))


class _Parser:
    """Line by line; a line starting with a colon begins a section."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        self.section = ""
        self.unit_m: float | None = None
        self.radians = False
        self.root = Bone(ROOT, 0, np.zeros(3), rotations.IDENTITY.copy(), ("tx", "ty", "tz", "rx", "ry", "rz"))
        self.bones: dict[str, Bone] = {}
        self.parents: dict[str, str] = {}
        self.entry: dict[str, tuple[int, list[str]]] | None = None  # of a bone: keyword to line and words

    def parse(self, text: str) -> AcclaimSkeleton:
        for self.line, line in enumerate(text.split("\n"), start=1):
            words = line.partition("#")[0].split()
            if words and words[0].startswith(":"):
                self.section = words[0].lower()
            elif words:
                self._take(words)
        if self.entry is not None:
            raise self._error("the last bone has no 'end'")
        if not self.bones:
            raise self._error("has no bones", "an Acclaim skeleton lists them under :bonedata")
        return AcclaimSkeleton(self._ordered(), self.unit_m, self.radians)

    def _take(self, words: list[str]) -> None:
        match self.section:
            case ":units":
                self._unit(words)
            case ":root":
                self._root(words)
            case ":bonedata":
                self._bone(words)
            case ":hierarchy" if words[0].lower() not in ("begin", "end"):
                for child in words[1:]:
                    if child in self.parents:
                        raise self._error(f"bone '{child}' has two parents, '{self.parents[child]}' and '{words[0]}'")
                    self.parents[child] = words[0]

    def _unit(self, words: list[str]) -> None:
        if words[0].lower() == "length":
            (length,) = self._numbers(words[1:], 1)
            self.unit_m = 0.0254 / length if length > 0.0 else None
        elif words[0].lower() == "angle":
            self.radians = words[-1].lower().startswith("rad")

    def _root(self, words: list[str]) -> None:
        if words[0].lower() == "order":
            self.root.dofs = self._dofs(words[1:])

    def _bone(self, words: list[str]) -> None:
        keyword = words[0].lower()
        if keyword == "begin":
            if self.entry is not None:
                raise self._error("a bone begins before the last one's 'end'")
            self.entry = {}
        elif self.entry is None:
            raise self._error(f"'{words[0][:40]}' stands between bones", "begin is expected")
        elif keyword == "end":
            self._finish_bone(self.entry)
            self.entry = None
        elif not keyword.startswith("("):  # further limits
            self.entry[keyword] = (self.line, words[1:])

    def _finish_bone(self, entry: dict[str, tuple[int, list[str]]]) -> None:
        missing = [keyword for keyword in ("name", "direction", "length") if not entry.get(keyword, (0, []))[1]]
        if missing:
            raise self._error(f"a bone has no {' and no '.join(missing)}")
        name = entry["name"][1][0]
        if name in self.bones or name == ROOT:
            raise self._error(f"bone '{name}' is there twice")
        if len(self.bones) >= _MOST_BONES:
            raise self._error(f"more than {_MOST_BONES} bones")
        direction = self._of(entry, "direction", 3)
        axis = entry.get("axis", (self.line, ["0", "0", "0", "XYZ"]))
        shift = rotations.normalize(direction) * self._of(entry, "length", 1)[0]
        turned = self._axis(*axis)
        self.bones[name] = Bone(name, entry["name"][0], shift, turned, self._dofs(entry.get("dof", (0, []))[1]))

    def _axis(self, line: int, words: list[str]) -> Array:
        order = words[3].upper() if len(words) > 3 else "XYZ"
        if sorted(order) != ["X", "Y", "Z"]:
            raise FileError(self.path, f"axis order '{order[:10]}' is not one of X, Y and Z", line=line)
        angles = self._numbers(words[:3], 3, line)
        angles = angles if self.radians else np.deg2rad(angles)
        # the first letter is turned about first, in axes that stay: so it comes last in the product
        return rotations.from_euler(order[::-1], angles[["XYZ".index(letter) for letter in order[::-1]]])

    def _dofs(self, words: list[str]) -> tuple[str, ...]:
        dofs = tuple(word.lower() for word in words)
        wrong = [word for word in dofs if word not in _DOFS]
        if wrong or len(set(dofs)) < len(dofs):
            raise self._error(f"degrees of freedom '{' '.join(words)[:60]}' are not known", "tx to rz are, each once")
        return dofs

    def _of(self, entry: dict[str, tuple[int, list[str]]], keyword: str, count: int) -> Array:
        line, words = entry[keyword]
        return self._numbers(words[:count], count, line)

    def _numbers(self, words: list[str], count: int, line: int | None = None) -> Array:
        line = line or self.line
        try:
            values = parse_numbers(" ".join(words).encode())
        except BadNumberError as problem:
            raise FileError(self.path, str(problem), line=line) from problem
        if len(values) != count:
            raise FileError(self.path, f"{len(values)} numbers where {count} belong", line=line)
        return values

    def _ordered(self) -> tuple[Bone, ...]:
        """The root, then every bone after its parent."""
        children: dict[str, list[str]] = {}
        for child, parent in self.parents.items():
            for name in (child, parent):
                if name not in self.bones and (name != ROOT or name == child):
                    raise FileError(self.path, f"the hierarchy names '{name}', which is no bone")
            children.setdefault(parent, []).append(child)
        found, index, waiting = [self.root], {ROOT: 0}, list(reversed(children.get(ROOT, [])))
        while waiting:
            bone = self.bones[waiting.pop()]
            bone.parent = index[self.parents[bone.name]]
            index[bone.name] = len(found)
            found.append(bone)
            waiting += reversed(children.get(bone.name, []))
        left = [name for name in self.bones if name not in index]
        if left:
            hint = "every bone hangs on the root, by way of others or directly"
            raise FileError(self.path, f"bones hang on nothing or in a circle: {', '.join(left[:10])}", hint=hint)
        return tuple(found)

    def _error(self, reason: str, hint: str = "") -> FileError:
        return FileError(self.path, reason, line=self.line, hint=hint)
