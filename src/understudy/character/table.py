"""Character tables: TOML files that list a character's bodies and joints as the papers do.

A name with ``*`` stands for a left and a right one, mirrored. A table may inherit from another (``base``), and takes
shapes and places of body parts from a physique. The bundled ones are the documentation by example.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from understudy.character.character import Physics
from understudy.character.resizing import resized
from understudy.character.rows import BodyRow, JointRow, Table
from understudy.character.self_contact import MOST_ROWS
from understudy.character.shape import ShapeRow
from understudy.character.typed import filled
from understudy.errors import CharacterError, FileError

TABLES = Path(__file__).parent / "tables"
SIDES = ("left_", "right_")
LARGEST_BYTES = 1 << 20  # a table is a page of text

_AXIS_MIRROR = (-1.0, 1.0, -1.0)  # an axis of turning seen in the x-z plane


def read_table(path: Path) -> Table:
    """Read a character table; raises FileError that names the key which is wrong."""
    settings = _with_base(path, ())
    settings.pop("base", None)
    bodies = tuple(_body(path, name, row) for name, row in _rows(path, "bodies", settings).items())
    joints = tuple(_joint(path, name, row) for name, row in _rows(path, "joints", settings).items())
    physics = filled(path, Physics, settings.pop("physics", {}), "physics: ")
    spelt = tuple(row for pair in bodies for row in pair)
    table = filled(
        path, Table, settings, "", name=path.stem, path=path, physics=physics, bodies=spelt,
        joints=tuple(row for pair in joints for row in pair),
    )  # fmt: skip
    table = replace(
        table,
        end_effectors=_both_sides(table.end_effectors),
        collisions=tuple((_both_sides(first), _both_sides(second)) for first, second in table.collisions),
        standing_deg=_standing(table.standing_deg),
    )
    check(table)
    return table


def check(table: Table) -> None:
    """Refuse a table that names what it has not, or whose numbers make no sense; raises FileError."""
    path, bodies, joints = table.path, [row.name for row in table.bodies], [row.name for row in table.joints]
    if sorted(table.axes) != ["x", "y", "z"]:
        raise FileError(path, f"axes must be some order of x, y and z, not {list(table.axes)}")
    for name in ("height_m", "mass_kg"):
        if getattr(table, name) <= 0.0:
            raise FileError(path, f"{name} must be above 0, not {getattr(table, name):g}")
    colliding = [name for row in table.collisions for group in row for name in group]
    for what, kind, names, known in (
        ("end_effectors", "body", table.end_effectors, bodies),
        ("collisions", "body", colliding, bodies),
        ("standing_deg", "joint", table.standing_deg, joints),
    ):
        strangers = [name for name in names if name not in known]
        if strangers:
            hint = f"there are: {', '.join(known)}"
            raise FileError(path, f"{what}: there is no {kind} '{strangers[0]}'", hint=hint)
    if not table.end_effectors:
        raise FileError(path, "end_effectors must name at least one body")
    if len(table.collisions) > MOST_ROWS:
        raise FileError(path, f"collisions: {len(table.collisions)} rows are more than {MOST_ROWS}")
    for body in table.bodies:
        for key in ("place", "inertia_kgm2"):
            if len(getattr(body, key)) not in (0, 3):
                raise FileError(
                    path, f"bodies.{body.name}: {key} has {len(getattr(body, key))} numbers", hint="it needs 3"
                )
    for joint in table.joints:
        _check_joint(path, joint, bodies)


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


def sides_of(name: str) -> tuple[str, ...]:
    """The sides a name stands for: both with a star, else one without a name."""
    return SIDES if "*" in name else ("",)


def _with_base(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    if path in seen:
        raise FileError(path, "inherits from itself")
    own = read_toml(path)
    if "base" not in own:
        return own
    name = str(own["base"])
    beside = path.with_name(f"{Path(name).name}.toml")
    base = _with_base(beside if beside.is_file() else TABLES / f"{Path(name).name}.toml", (*seen, path))
    return _merged(resized(base, own), own)


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in own.items():
        result[key] = (
            _merged(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
        )
    return result


def _rows(path: Path, section: str, settings: dict[str, Any]) -> dict[str, Any]:
    rows = settings.pop(section, {})
    if not isinstance(rows, dict) or not rows:
        raise FileError(path, f"has no [{section}.NAME] tables")
    return rows


def _body(path: Path, name: str, settings: Any) -> tuple[BodyRow, ...]:
    """The body, or a left and a right one; shapes stay as they are for the left."""
    where = f"bodies.{name}: "
    if not isinstance(settings, dict):
        raise FileError(path, f"{where}a table is wanted, not {settings!r}")
    shapes = settings.get("shapes", [])
    if not isinstance(shapes, list):
        raise FileError(path, f"{where}shapes: a list is wanted, not {shapes!r}")
    solids = tuple(filled(path, ShapeRow, shape, f"{where}shapes: ") for shape in shapes)
    rest = {key: value for key, value in settings.items() if key != "shapes"}
    row = filled(path, BodyRow, rest, where, name=name, shapes=solids, side="")
    return tuple(
        replace(
            row,
            name=sided(name, side),
            parts=tuple(sided(part, side) for part in row.parts),
            role=sided(row.role, side),
            parent=sided(row.parent, side),
            place=(row.place[0], -row.place[1], row.place[2])
            if side == "right_" and len(row.place) == 3
            else row.place,
            side=side,
        )
        for side in sides_of(name)
    )


def _joint(path: Path, name: str, settings: Any) -> tuple[JointRow, ...]:
    """The joint, or a left one and a right one whose axis is mirrored."""
    row = filled(path, JointRow, settings, f"joints.{name}: ", name=name)
    return tuple(
        replace(
            row,
            name=sided(name, side),
            body=sided(row.body, side),
            hinge=tuple(a * b for a, b in zip(row.hinge, _AXIS_MIRROR, strict=False))
            if side == "right_"
            else row.hinge,
        )
        for side in sides_of(name)
    )


def _check_joint(path: Path, joint: JointRow, bodies: Sequence[str]) -> None:
    where = f"joints.{joint.name}: "
    if joint.body not in bodies:
        raise FileError(path, f"{where}there is no body '{joint.body}'", hint=f"there are: {', '.join(bodies)}")
    for key in ("strength", "window_rad", "torque_nm"):
        count = len(getattr(joint, key))
        if count not in (0, joint.axis_count):
            raise FileError(path, f"{where}{key} has {count} numbers", hint=f"it needs {joint.axis_count}")
    if min(joint.kp, joint.kd, joint.contact_scale, *joint.strength, *joint.window_rad, *joint.torque_nm) < 0.0:
        raise FileError(path, f"{where}gains, strengths and windows can't be below 0")
    if len(joint.hinge) not in (0, 3) or (joint.hinge and not any(joint.hinge)):
        raise FileError(path, f"{where}hinge is an axis of three numbers, not {list(joint.hinge)}")
    if len(joint.range_deg) not in ((0, 2) if joint.hinge else (0, 1)):
        raise FileError(
            path, f"{where}range_deg has {len(joint.range_deg)} numbers", hint="a hinge has two, a ball one"
        )
    if joint.limited and not joint.torque_nm:
        raise FileError(path, f"{where}is limited, but to no torque_nm")


def _both_sides(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sided(name, side) for name in names for side in sides_of(name))


def _standing(angles: Mapping[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
    """Standing angles per joint, those of starred balls mirrored: x and z turn the other way on the right."""
    result: dict[str, tuple[float, ...]] = {}
    for name, numbers in angles.items():
        for side in sides_of(name):
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
