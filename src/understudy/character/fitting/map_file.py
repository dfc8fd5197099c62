"""The file in which a user says which joint is which body part: ``left_thigh = "LeftUpLeg"`` under [joints]."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from understudy.anthropometry import PARENTS
from understudy.character.character import Character
from understudy.character.fitting.report import FitReport
from understudy.errors import FileError, UnknownNameError
from understudy.files import replacing
from understudy.motion import Skeleton

_LARGEST_BYTES = 1 << 20


def read_map(path: Path, skeleton: Skeleton, character: Character) -> dict[str, int | None]:
    """Body part to joint, or to None where the user leaves it out (""); raises FileError and UnknownNameError."""
    joints = _joints_table(path)
    parts = tuple(dict.fromkeys((*character.roles, *PARENTS)))
    result: dict[str, int | None] = {}
    for part, name in joints.items():
        if part not in parts:
            raise UnknownNameError(f"body part ({path})", part, parts)
        if not isinstance(name, str):
            raise FileError(path, f"{part} must be a joint's name in quotes, not {name!r}")
        if name and name not in skeleton.names:
            raise UnknownNameError(f"joint ({path}, {part})", name, skeleton.names)
        result[part] = skeleton.index(name) if name else None
    repeated = {j for j in result.values() if j is not None and list(result.values()).count(j) > 1}
    if repeated:
        raise FileError(path, f"joint '{skeleton.names[min(repeated)]}' is named for more than one body part")
    return result


def _joints_table(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise FileError(path, "is too large for a joint map", hint="a map is a page of text")
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise FileError(path, f"can't be read ({problem.strerror or problem})") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FileError(
            path, f"is no TOML file ({problem})", hint='lines such as left_thigh = "LeftUpLeg"'
        ) from problem
    joints = table.get("joints")
    if not isinstance(joints, dict) or len(table) != 1:
        others = ", ".join(key for key in table if key != "joints")
        hint = "body parts and joint names follow the line [joints]"
        raise FileError(path, f"unknown table {others}" if others else "has no table [joints]", hint=hint)
    return joints


def write_map(report: FitReport, path: str | Path) -> None:
    """Write what a fitting matched as a map file to edit; parts that nothing moves stand there as comments."""
    lines = [
        f"# Which joint of the clip moves which body part of '{report.character}'. Left out or \"\": nothing does.",
        f"# Joints not used: {', '.join(report.dropped)}",
        "[joints]",
        *(f"{_key(match.part)} = {_quoted(match.joint)}" for match in report.matched),
        *(f'# {_key(part)} = ""' for part in report.unmatched),
    ]
    with replacing(Path(path)) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _key(part: str) -> str:
    return part if re.fullmatch("[A-Za-z0-9_-]+", part) else _quoted(part)


def _quoted(text: str) -> str:
    escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text)
    return f'"{escaped}"'
