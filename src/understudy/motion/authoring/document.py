"""Reading the TOML file of an authored clip into a Score, telling a user where and what is wrong."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from understudy.errors import FileError, UnknownNameError
from understudy.motion.authoring.body import ANGLES, CONTACT_BALLS, REGIONS, UNSIDED_CONTACTS, Puppet
from understudy.motion.authoring.score import RATE_HZ, Contact, Cycle, Key, Roll, Score
from understudy.rotations import Array

LONGEST_S = 20.0
MOST_BYTES = 1 << 20
Table = Mapping[str, Any]
_TOP = ("about", "source", "mirror_of", "cycle", "poses", "keys", "contacts", "rolls")
_KEY = ("at", "pose", "hold", "place", "weight")


def read_table(path: Path) -> Table:
    """The tables of a TOML file."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FileError(path, f"is over {MOST_BYTES >> 20} MB, too long for an authored clip")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise FileError(path, f"can't be read ({problem.strerror})") from problem
    except UnicodeDecodeError as problem:
        raise FileError(path, "is not UTF-8 text", hint="an authored clip is a TOML file") from problem
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        line = re.search(r"at line (\d+)", str(problem))
        raise FileError(path, f"is not TOML ({problem})", line=int(line[1]) if line else None) from problem


@dataclass(frozen=True)
class Document:
    """A parsed file with what is needed to explain it: its path, the puppet, and the poses it may inherit from."""

    path: Path
    puppet: Puppet
    table: Table
    bundled_poses: Table

    def wrong(self, where: str, reason: str, hint: str = "") -> FileError:
        return FileError(self.path, f"{where}: {reason}", hint=hint)

    def unknown(self, where: str, kind: str, name: str, known: Any) -> FileError:
        return self.wrong(where, str(UnknownNameError(kind, name, known)))

    def number(self, where: str, value: object, low: float = -math.inf, high: float = math.inf) -> float:
        """A finite number within bounds."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self.wrong(where, f"must be a number, not {value!r}")
        if not low <= value <= high:
            raise self.wrong(where, f"must be from {low:g} to {high:g}, not {value:g}")
        return float(value)

    def mapping(self, where: str, value: object, known: Any = None) -> Table:
        """A table whose keys are among the known ones."""
        if not isinstance(value, Mapping):
            raise self.wrong(where, f"must be a table, not {value!r}")
        for name in value:
            if known is not None and name not in known:
                raise self.unknown(where, "entry", name, known)
        return value

    def tables(self, name: str) -> list[Table]:
        """The array of tables of that name, empty when left out."""
        value = self.table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            raise self.wrong(name, f"must be written as [[{name}]]")
        return value


def read_score(document: Document, name: str) -> Score:
    """The score of a document that is not a mirror of another."""
    table = document.mapping("top level", document.table, _TOP)
    cycle = _cycle(document)
    keys = _keys(document)
    if cycle is None and len(keys) < 2:
        raise document.wrong("keys", "a clip that doesn't repeat needs two or more [[keys]]")
    duration = cycle.duration_s if cycle else keys[-1].at_s + keys[-1].hold_s
    if duration < 0.2:
        raise document.wrong("keys", f"the clip must last 0.2 s or longer, not {duration:g} s")
    return Score(
        name=name,
        about=str(table.get("about", "")),
        source=str(table.get("source", "")),
        duration_s=duration,
        keys=keys,
        curves_rad=_curves(document) if cycle else {},
        contacts=_contacts(document, duration),
        rolls=_rolls(document, duration),
        cycle=cycle,
    )


def _counted(document: Document, name: str) -> list[tuple[int, Table]]:
    return list(enumerate(document.tables(name), start=1))


def _cycle(document: Document) -> Cycle | None:
    if "cycle" not in document.table:
        return None
    table = document.mapping("cycle", document.table["cycle"], ("duration", "advance", "repeats", "curves", "both"))
    repeats = document.number("cycle.repeats", table.get("repeats", 1), 1, 100)
    if not repeats.is_integer():
        raise document.wrong("cycle.repeats", f"must be a whole number, not {repeats:g}")
    duration = document.number("cycle.duration", table.get("duration"), 0.2, LONGEST_S)
    return Cycle(
        round(duration * RATE_HZ / 2.0) * 2.0 / RATE_HZ,  # a whole, even number of frames
        document.number("cycle.advance", table.get("advance", 0.0), -100.0, 100.0),
        int(repeats),
    )


def _keys(document: Document) -> tuple[Key, ...]:
    keys: list[Key] = []
    for i, item in _counted(document, "keys"):
        where = f"key {i}"
        pose = item.get("pose")
        if pose is not None:
            where += f" (pose '{pose}')"
            angles = pose_angles(document, where, pose, ())
        elif keys:
            angles = np.array(keys[-1].angles_rad)
        else:
            raise document.wrong(where, "the first key must name a pose")
        parts = {name: value for name, value in item.items() if name not in _KEY}
        _set_angles(document, where, parts, angles)
        at = document.number(f"{where}: at", item.get("at"), 0.0, LONGEST_S)
        hold = document.number(f"{where}: hold", item.get("hold", 0.0), 0.0, LONGEST_S)
        if not keys and at != 0.0:
            raise document.wrong(where, "the first key must be at 0")
        if keys and at <= keys[-1].at_s + keys[-1].hold_s:
            last = keys[-1].at_s + keys[-1].hold_s
            raise document.wrong(where, f"at {at:g} s comes no later than the end of the key before it ({last:g} s)")
        weight = document.number(f"{where}: weight", item.get("weight", 1.0), 0.01, 100.0)
        keys.append(Key(at, hold, angles, _place(document, where, item), weight))
    if not keys:
        raise document.wrong("keys", "there is no key pose", "write [[keys]] with at = 0 and a pose")
    return tuple(keys)


def _place(document: Document, where: str, item: Table) -> Array:
    place = document.mapping(f"{where}: place", item.get("place", {}), ("x", "y", "z"))
    return np.array(
        [document.number(f"{where}: place.{a}", place[a], -100, 100) if a in place else np.nan for a in "xyz"]
    )


def pose_angles(document: Document, where: str, name: object, seen: tuple[str, ...]) -> Array:
    """(D,) the angles [rad] of a named pose, of the file itself or bundled, with what it inherits."""
    own = document.mapping("poses", document.table.get("poses", {}))
    known = {**document.bundled_poses, **own}
    if not isinstance(name, str) or name not in known:
        raise document.unknown(where, "pose", str(name), known)
    if name in seen:
        # A pose of the file may build on the bundled one of its own name; anything else is a ring.
        if seen[-1] != name or name not in own or name not in document.bundled_poses:
            raise document.wrong(where, f"poses build on each other in a ring: {' -> '.join([*seen, name])}")
        table = document.bundled_poses[name]
    else:
        table = known[name]
    where = f"pose '{name}'"
    table = dict(document.mapping(where, table))
    seen = (*seen, name)
    base, mirrored = table.pop("from", None), table.pop("mirror_of", None)
    if mirrored is not None:
        angles = mirrored_angles(document.puppet, pose_angles(document, where, mirrored, seen))
    elif base is not None:
        angles = pose_angles(document, where, base, seen)
    else:
        angles = np.zeros(len(document.puppet.names))
    _set_angles(document, where, table, angles)
    return angles


def other_side(name: str) -> str:
    """``right_hand`` for ``left_hand`` and the other way round; what has no side stays."""
    for side, other in (("left_", "right_"), ("right_", "left_")):
        if name.startswith(side):
            return other + name.removeprefix(side)
    return name


def mirrored_angles(puppet: Puppet, angles: Array) -> Array:
    """The same angles (..., D) with left and right changed: limbs swap, and the trunk leans and turns the other way."""
    order = [puppet.names.index(other_side(name)) for name in puppet.names]
    signs = [-1.0 if name.split(".")[1] in ("heading", "lean", "spin", "twist") else 1.0 for name in puppet.names]
    return angles[..., order] * signs


def _set_angles(document: Document, where: str, parts: Table, angles: Array) -> None:
    """Write the angles [deg] of parts into angles (D,) [rad]; ``both_thigh`` stands for the two thighs."""
    for part, values in parts.items():
        sides = [f"{side}_{part[5:]}" for side in ("left", "right")] if part.startswith("both_") else [part]
        for side in sides:
            if side not in ANGLES:
                raise document.unknown(where, "joint", part, [*ANGLES, *_BOTH])
            for angle, value in document.mapping(f"{where}, {part}", values, ANGLES[side]).items():
                degrees = document.number(f"{where}, {part}.{angle}", value, -1080.0, 1080.0)
                angles[document.puppet.names.index(f"{side}.{angle}")] = math.radians(degrees)


_BOTH = tuple(f"both_{part[5:]}" for part in ANGLES if part.startswith("left_"))


def _curves(document: Document) -> dict[str, Array]:
    """Curves over the cycle; one of a ``both_`` part is the left one, and the right one half a cycle later."""
    result: dict[str, Array] = {}
    curves = document.mapping("cycle.curves", document.table["cycle"].get("curves", {}))
    for part, angles in curves.items():
        names = [f"{side}_{part[5:]}" for side in ("left", "right")] if part.startswith("both_") else [part]
        where = f"cycle.curves, {part}"
        if names[0] not in ANGLES:
            raise document.unknown("cycle.curves", "joint", part, [*ANGLES, *_BOTH])
        for angle, values in document.mapping(where, angles, ANGLES[names[0]]).items():
            if not isinstance(values, list) or not 4 <= len(values) <= 1000:
                raise document.wrong(f"{where}.{angle}", "must be a list of 4 to 1000 numbers, at even steps")
            curve = np.radians([document.number(f"{where}.{angle}", value, -1080, 1080) for value in values])
            result[f"{names[0]}.{angle}"] = curve
            if len(names) == 2:
                if len(curve) % 2:
                    raise document.wrong(
                        f"{where}.{angle}", "needs an even count of values, to start half a cycle later"
                    )
                result[f"{names[1]}.{angle}"] = np.roll(curve, len(curve) // 2)
    return result


def _span(document: Document, where: str, item: Table, duration: float) -> tuple[float, float]:
    document.mapping(where, item, ("parts", "from", "to"))
    start = document.number(f"{where}: from", item.get("from", 0.0), -LONGEST_S, LONGEST_S)
    end = document.number(f"{where}: to", item.get("to", duration), -LONGEST_S, 2 * LONGEST_S)
    if end <= start:
        raise document.wrong(where, f"ends at {end:g} s, which is not after its start at {start:g} s")
    return start, end


def _rolls(document: Document, duration: float) -> tuple[Roll, ...]:
    result = []
    for i, item in _counted(document, "rolls"):
        start, end = _span(document, f"rolls {i}", item, duration)
        regions = item.get("parts", ["trunk"])
        for region in regions if isinstance(regions, list) else [regions]:
            if not isinstance(region, str) or region not in REGIONS:
                raise document.unknown(f"rolls {i}", "part", str(region), REGIONS)
            result.append(Roll(region, start, end))
    return tuple(result)


def _contacts(document: Document, duration: float) -> tuple[Contact, ...]:
    result = []
    for i, item in _counted(document, "contacts"):
        where = f"contact {i}"
        start, end = _span(document, where, item, duration)
        parts = item.get("parts")
        if not isinstance(parts, list) or not parts:
            raise document.wrong(where, "must list its parts", 'write parts = ["left_foot"]')
        for part in parts:
            result.append(Contact(str(part), _contact_balls(document, where, part), start, end))
    return tuple(result)


def _contact_balls(document: Document, where: str, part: object) -> tuple[str, ...]:
    if isinstance(part, str) and part in UNSIDED_CONTACTS:
        return (part,)
    side, _, kind = str(part).partition("_")
    if not isinstance(part, str) or side not in ("left", "right") or kind not in CONTACT_BALLS:
        known = [f"{side}_{kind}" for side in ("left", "right") for kind in CONTACT_BALLS]
        raise document.unknown(where, "contact", str(part), [*known, *UNSIDED_CONTACTS])
    return tuple(f"{side}_{ball}" for ball in CONTACT_BALLS[kind])
