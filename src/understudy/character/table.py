"""Character tables: TOML files that list a character's bodies and joints as the papers do.

A name with ``*`` stands for a left and a right one, mirrored. A table may inherit from another (``base``), and takes
shapes and places of body parts from a physique. The bundled ones are the documentation by example.
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from understudy.character.servos import BallServo
from understudy.errors import CharacterError, FileError

TABLES = Path(__file__).parent / "tables"
SIDES = ("left_", "right_")
LARGEST_BYTES = 1 << 20  # a table is a page of text

_MIRRORS = {"place": (1, -1, 1), "hinge": (-1, 1, -1)}  # places and axes of turning across the x-z plane

Row = TypeVar("Row")


@dataclass(frozen=True)
class BodyRow:
    """One rigid body.

    Attributes:
        name: of the MuJoCo body.
        parts: body parts it is made of; it turns about the near end of the first.
        role: the part it stands for when clips are matched; its own name when that is a part, else its first part.
        parent: the body it hangs on; found from the parts when left out.
        place: (3,) its joint in the rest pose, in the physique's units; that of its first part when left out.
        shapes: in place of those of its parts.
        mass_kg: its share by anthropometry when left out.
        inertia_kgm2: about its centre of mass and the table's axes; from its shapes when left out.
        side: ``left_`` or ``right_`` when it is one of a starred pair.
    """

    name: str
    parts: tuple[str, ...] = ()
    role: str = ""
    parent: str = ""
    place: tuple[float, ...] = ()
    shapes: tuple[Mapping[str, Any], ...] = ()
    mass_kg: float = 0.0
    inertia_kgm2: tuple[float, ...] = ()
    side: str = ""


@dataclass(frozen=True)
class JointRow:
    """One joint: a ball, or a hinge when it has an axis.

    Attributes:
        name: of the joint and the MuJoCo joint.
        body: the body it moves.
        kp, kd: gains [N m/rad, N m s/rad].
        hinge: (3,) axis in x forward, y left, z up, positive when the joint bends as usual; mirrored on the right.
        range_deg: limits of a hinge, or the cone of a ball, when it has any.
        strength, window_rad: per axis in the table's order, as CharacterJoint has them.
        contact_scale: as CharacterJoint has it.
        torque_nm: per axis in the table's order, the strength of its motor; none when left out.
        limited: whether that strength is also the most its servo may exert.
    """

    name: str
    body: str
    kp: float
    kd: float
    hinge: tuple[float, ...] = ()
    range_deg: tuple[float, ...] = ()
    strength: tuple[float, ...] = ()
    window_rad: tuple[float, ...] = ()
    contact_scale: float = 1.0
    torque_nm: tuple[float, ...] = ()
    limited: bool = False

    @property
    def axis_count(self) -> int:
        return 1 if self.hinge else 3


@dataclass(frozen=True)
class Table:
    """A character as its file lists it, left and right spelt out.

    Attributes:
        name: the file's name without its ending.
        source: where the numbers come from.
        physique: whose shapes and places its parts have.
        height_m: stature; what one physique's height is scaled to.
        mass_kg: what the bodies' masses must sum to.
        axes: which of our axes the three numbers per axis belong to, in their order.
        bodies, joints: the rows, parents before children.
        end_effectors: bodies that touch the world, feet first.
        standing_deg: joint to rotation vector or angle [deg] of the standing pose, where it differs from the rest pose.
        collisions: rows of two groups of bodies: those of the first collide with those of the second; no others do.
        armature_kgm2: added inertia of every joint.
        ball_servo: what drives a ball joint; ``axes`` has each axis's strength exactly (see ``servos``).
        physics: changes of the default Physics.
        colours: in place of the physique's of the same name; red, green, blue from 0 to 1.
    """

    name: str
    path: Path
    source: str
    physique: str
    height_m: float
    mass_kg: float
    bodies: tuple[BodyRow, ...]
    joints: tuple[JointRow, ...]
    axes: tuple[str, ...] = ("x", "y", "z")
    end_effectors: tuple[str, ...] = ()
    standing_deg: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    collisions: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    armature_kgm2: float = 0.0
    ball_servo: BallServo = "orientation"
    physics: Mapping[str, Any] = field(default_factory=dict)
    colours: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


def read_table(path: Path) -> Table:
    """Read a character table; raises FileError that names the key which is wrong."""
    settings = _with_base(path, ())
    settings.pop("base", None)
    bodies = _rows(path, "bodies", settings.pop("bodies", {}), BodyRow)
    joints = _rows(path, "joints", settings.pop("joints", {}), JointRow)
    settings["end_effectors"] = _both_sides(settings.get("end_effectors", []))
    settings["collisions"] = [
        tuple(tuple(_both_sides(group)) for group in row) for row in settings.get("collisions", [])
    ]
    settings["standing_deg"] = _standing(settings.get("standing_deg", {}))
    table = _filled(path, Table, {**settings, "name": path.stem, "path": path, "bodies": bodies, "joints": joints}, "")
    if sorted(table.axes) != ["x", "y", "z"]:
        raise FileError(path, f"axes must be some order of x, y and z, not {list(table.axes)}")
    if table.height_m <= 0.0:
        raise FileError(path, f"height_m must be above 0, not {table.height_m:g}")
    for joint in joints:
        _check_joint(path, joint, [body.name for body in bodies])
    return table


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file's contents; raises FileError with the line."""
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise FileError(path, f"too large for a table (over {LARGEST_BYTES >> 20} MiB)")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise FileError(path, f"can't be read ({problem.strerror})") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise FileError(path, f"not a TOML file ({problem})") from problem


def sided(name: str, side: str) -> str:
    """The name with its star, if it has one, replaced by ``left_`` or ``right_``."""
    return name.replace("*_", side)


def _with_base(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    if path in seen:
        raise FileError(path, "inherits from itself")
    own = read_toml(path)
    if "base" not in own:
        return own
    name = str(own["base"])
    beside = path.with_name(f"{name}.toml")
    base = _with_base(beside if beside.is_file() else TABLES / f"{name}.toml", (*seen, path))
    return _merged(base, own)


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in own.items():
        result[key] = (
            _merged(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
        )
    return result


def _rows(path: Path, section: str, rows: Any, kind: type[Row]) -> tuple[Row, ...]:
    if not isinstance(rows, dict) or not rows:
        raise FileError(path, f"has no [{section}.NAME] tables")
    result = []
    for name, settings in rows.items():
        if not isinstance(settings, dict):
            raise FileError(path, f"{section}.{name} must be a table")
        for side in SIDES if "*" in name else ("",):
            spelt = {key: _sided_value(key, value, side) for key, value in settings.items()}
            spelt |= {"side": side} if kind is BodyRow else {}
            result.append(_filled(path, kind, {**spelt, "name": sided(name, side)}, f"{section}.{name}: "))
    return tuple(result)


def _sided_value(key: str, value: Any, side: str) -> Any:
    if side == "right_" and key in _MIRRORS and isinstance(value, list) and len(value) == 3:
        return [sign * number for sign, number in zip(_MIRRORS[key], value, strict=True)]
    if isinstance(value, str):
        return sided(value, side)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [sided(item, side) for item in value]
    return value


def _filled(path: Path, kind: type[Row], settings: Mapping[str, Any], where: str) -> Row:
    """The dataclass made of the settings; numbers and lists brought to its types, unknown and missing keys refused."""
    fields = {f.name: f for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    unknown = sorted(set(settings) - set(fields))
    if unknown:
        raise FileError(path, f"{where}unknown key '{unknown[0]}'", hint=f"known are: {', '.join(fields)}")
    needed = [
        name for name, f in fields.items()
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING and name not in settings
    ]  # fmt: skip
    if needed:
        raise FileError(path, f"{where}misses the key '{needed[0]}'")
    try:
        return kind(**{name: _as(str(fields[name].type), value) for name, value in settings.items()})
    except (TypeError, ValueError) as problem:
        raise FileError(path, f"{where}{problem}") from problem


def _as(wanted: str, value: Any) -> Any:
    if wanted == "float":
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"a number is wanted, not {value!r}")
        return float(value)
    if wanted == "tuple[float, ...]":
        numbers = value if isinstance(value, list | tuple) else [value]
        return tuple(_as("float", number) for number in numbers)
    if wanted == "str" and not isinstance(value, str):
        raise ValueError(f"a text is wanted, not {value!r}")
    return tuple(value) if isinstance(value, list) else value


def _check_joint(path: Path, joint: JointRow, bodies: list[str]) -> None:
    where = f"joints.{joint.name}: "
    if joint.body not in bodies:
        raise FileError(path, f"{where}there is no body '{joint.body}'", hint=f"there are: {', '.join(bodies)}")
    for key in ("strength", "window_rad", "torque_nm"):
        count = len(getattr(joint, key))
        if count not in (0, joint.axis_count):
            raise FileError(path, f"{where}{key} has {count} numbers", hint=f"it needs {joint.axis_count}")
    if len(joint.hinge) not in (0, 3):
        raise FileError(path, f"{where}hinge is an axis of three numbers, not {len(joint.hinge)}")
    if len(joint.range_deg) not in ((0, 2) if joint.hinge else (0, 1)):
        raise FileError(
            path, f"{where}range_deg has {len(joint.range_deg)} numbers", hint="a hinge has two, a ball one"
        )


def _both_sides(names: list[str]) -> list[str]:
    return [sided(name, side) for name in names for side in (SIDES if "*" in name else ("",))]


def _standing(angles: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
    """Standing angles per joint, those of starred joints mirrored: x and z turn the other way on the right."""
    result: dict[str, tuple[float, ...]] = {}
    for name, value in angles.items():
        numbers = tuple(float(v) for v in (value if isinstance(value, list) else [value]))
        for side in SIDES if "*" in name else ("",):
            mirrored = side == "right_" and len(numbers) == 3
            result[sided(name, side)] = (-numbers[0], numbers[1], -numbers[2]) if mirrored else numbers
    return result


def known_tables() -> tuple[str, ...]:
    """Names of the bundled tables."""
    return tuple(sorted(path.stem for path in TABLES.glob("*.toml")))


def table_path(name: str) -> Path:
    """The file of a bundled table."""
    path = TABLES / f"{name}.toml"
    if not path.is_file():
        raise CharacterError(f"no table named '{name}'")
    return path
