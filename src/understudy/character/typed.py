"""Dataclasses filled from TOML, every value checked against the annotation of its field."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from understudy.errors import FileError

Row = TypeVar("Row")


def filled(path: Path, kind: type[Row], settings: Any, where: str, /, **known: Any) -> Row:
    """The dataclass ``kind`` made of a TOML table; ``known`` fields are given, not read.

    Where a list of numbers is wanted one number will do. Raises FileError that names the key: unknown or missing, or
    its value of another type.
    """
    if not isinstance(settings, Mapping):
        raise FileError(path, f"{where}a table is wanted, not {settings!r}")
    fields = {f.name: f for f in dataclasses.fields(kind) if f.name not in known}  # type: ignore[arg-type]
    unknown = sorted(set(map(str, settings)) - set(fields))
    if unknown:
        raise FileError(path, f"{where}unknown key '{unknown[0]}'", hint=f"known are: {', '.join(fields)}")
    missing = [name for name, f in fields.items() if _is_needed(f) and name not in settings]
    if missing:
        raise FileError(path, f"{where}misses the key '{missing[0]}'")
    hints = get_type_hints(kind)
    values = {}
    for name, value in settings.items():
        try:
            values[name] = _as(hints[name], value)
        except ValueError as problem:
            raise FileError(path, f"{where}{name}: {problem}") from problem
    return kind(**values, **known)


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _as(wanted: Any, value: Any) -> Any:
    """The value as the annotation wants it; raises ValueError."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if wanted is Any:
        return value
    if wanted is float:
        return _number(value)
    if wanted in (str, bool, int):
        if type(value) is not wanted:
            raise ValueError(f"{_NAMES[wanted]} is wanted, not {value!r}")
        return value
    if origin is Literal:
        if value not in parts:
            raise ValueError(f"one of {', '.join(map(str, parts))} is wanted, not {value!r}")
        return value
    if origin is tuple:
        return _row(parts, value)
    if origin in (Mapping, dict) and isinstance(value, dict):
        return {str(key): _as(parts[1], item) for key, item in value.items()}
    raise ValueError(f"a table is wanted, not {value!r}")


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"a number is wanted, not {value!r}")
    return float(value)


def _row(parts: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if parts == (float, ...) and not isinstance(value, list):
        return (_number(value),)
    if not isinstance(value, list):
        raise ValueError(f"a list is wanted, not {value!r}")
    if parts[-1] is not ... and len(parts) != len(value):
        raise ValueError(f"{len(parts)} items are wanted, not {len(value)}")
    kinds = [parts[0]] * len(value) if parts[-1] is ... else parts
    return tuple(_as(part, item) for part, item in zip(kinds, value, strict=True))


_NAMES = {str: "a text", bool: "true or false", int: "a whole number"}
