"""A table that inherits from another and weighs something else: what it inherits grows with the body.

A body h times as long and m times as heavy has its masses times m, its inertias times m h². Under the same gravity its
joints need m h times the torque in the same pose, and it falls and swings √h times as long; so gains grow alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def resized(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of a base table at the mass, and the height, of the table that inherits from it.

    Without a mass of its own a table keeps masses and gains as they are. What is not a number above 0 is left for the
    table's checks to refuse.
    """
    if "mass_kg" not in own:
        return dict(base)
    longer, heavier = _ratio(base, own, "height_m"), _ratio(base, own, "mass_kg")
    torque = heavier * longer
    grown = {"mass_kg": heavier, "inertia_kgm2": heavier * longer**2}
    stronger = {"kp": torque, "kd": torque * longer**0.5, "torque_nm": torque}
    return {**base, **_times(base, "bodies", grown), **_times(base, "joints", stronger)}


def _ratio(base: Mapping[str, Any], own: Mapping[str, Any], key: str) -> float:
    before, after = base.get(key, 0.0), own.get(key, 0.0)
    return float(after) / float(before) if _is_size(before) and _is_size(after) else 1.0


def _is_size(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0.0


def _times(base: Mapping[str, Any], section: str, factors: Mapping[str, float]) -> dict[str, Any]:
    """The section with those keys of its rows multiplied."""
    rows = base.get(section)
    if not isinstance(rows, Mapping):
        return {}
    return {section: {name: _grown(row, factors) for name, row in rows.items()}}


def _grown(row: Any, factors: Mapping[str, float]) -> Any:
    if not isinstance(row, Mapping):
        return row
    return {key: _product(value, factors.get(key, 1.0)) for key, value in row.items()}


def _product(value: Any, factor: float) -> Any:
    if factor == 1.0:
        return value
    if isinstance(value, list):
        return [_product(item, factor) for item in value]
    return value * factor if _is_size(value) else value
