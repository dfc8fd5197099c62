"""Ready-made scenes by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from understudy.errors import SimulationError, UnknownNameError
from understudy.simulation.elements import (
    Beam,
    Chair,
    Element,
    FreeBall,
    FreeBox,
    Ground,
    Hills,
    Mat,
    Pebbles,
    Platform,
    Rail,
    Ramp,
    RockingChair,
    Stairs,
    VaultBox,
    Wall,
)
from understudy.simulation.scene import Scene

Elements = tuple[Element, ...]


def _ramp(slope_deg: float = 8.0, length_m: float = 4.0, distance_m: float = 1.0) -> Elements:
    slope = np.deg2rad(slope_deg)
    top, end = length_m * np.tan(slope), distance_m + length_m
    return Ground(), Ramp(slope, distance_m, length_m), Platform(end, end + 2.0, top, top - 0.3)


def _ramp_down(slope_deg: float = 8.0, length_m: float = 4.0, distance_m: float = 1.0) -> Elements:
    slope = np.deg2rad(slope_deg)
    drop = length_m * np.tan(slope)
    return Ground(-drop), Platform(-3.0, distance_m, 0.0, -drop), Ramp(-slope, distance_m, length_m)


def _step_up(height_m: float = 0.2, distance_m: float = 1.0, length_m: float = 3.0) -> Elements:
    return Ground(), Platform(distance_m, distance_m + length_m, height_m)


def _step_down(height_m: float = 0.2, distance_m: float = 1.0) -> Elements:
    return Ground(-height_m), Platform(-3.0, distance_m, 0.0, -height_m)


def _stairs_down(count: int = 6, rise_m: float = 0.15, run_m: float = 0.3, distance_m: float = 1.0) -> Elements:
    bottom = -count * rise_m
    stairs = Stairs(count - 1, -rise_m, run_m, distance_m, landing_m=run_m)
    return Ground(bottom), Platform(-3.0, distance_m, 0.0, bottom - 0.1, stairs.width_m), stairs


def _stairs(count: int = 6, rise_m: float = 0.15, run_m: float = 0.3, distance_m: float = 1.0) -> Elements:
    return Ground(), Stairs(count, rise_m, run_m, distance_m)


def _pebbles(count: int = 120, height_m: float = 0.025, seed: int = 0, distance_m: float = 0.6) -> Elements:
    return Ground(), Pebbles(count, height_m, distance_m, seed=seed)


def _hills(height_m: float = 0.25, bump_m: float = 0.6, seed: int = 0, distance_m: float = 0.6) -> Elements:
    return Ground(), Hills(height_m, bump_m, distance_m, seed=seed)


def _beam(width_m: float = 0.12, height_m: float = 0.10, distance_m: float = 0.8, length_m: float = 5.0) -> Elements:
    return Ground(), Beam(width_m, height_m, distance_m, length_m)


def _mat(
    thickness_m: float = 0.10,
    distance_m: float = 0.8,
    length_m: float = 3.0,
    time_s: float = 0.06,
    damping: float = 1.2,
) -> Elements:
    return Ground(), Mat(thickness_m, distance_m, length_m, time_s=time_s, damping=damping)


def _wall(distance_m: float = 1.5, height_m: float = 2.5) -> Elements:
    return Ground(), Wall(distance_m, height_m)


def _rail(distance_m: float = 1.5, height_m: float = 0.5, radius_m: float = 0.03) -> Elements:
    return Ground(), Rail(distance_m, height_m, radius_m)


def _vault(distance_m: float = 1.5, height_m: float = 0.9, depth_m: float = 0.5) -> Elements:
    return Ground(), VaultBox(distance_m, depth_m, height_m=height_m)


def _chair(seat_m: float = 0.45, x_m: float = -0.45) -> Elements:
    return Ground(), Chair(x_m, seat_m)


def _rocking_chair(seat_m: float = 0.45, x_m: float = -0.45) -> Elements:
    return Ground(), RockingChair(x_m, seat_m)


def _props(box_kg: float = 2.0, ball_kg: float = 0.43) -> Elements:
    return (
        Ground(),
        FreeBox(mass_kg=box_kg, place_m=(1.5, 0.4, 0.1)),
        FreeBall(mass_kg=ball_kg, place_m=(1.5, -0.4, 0.11)),
    )


def _flat() -> Elements:
    return (Ground(),)


_BUILDERS: dict[str, Callable[..., Elements]] = {
    "flat": _flat,
    "ramp": _ramp,
    "ramp_down": _ramp_down,
    "step_up": _step_up,
    "step_down": _step_down,
    "stairs": _stairs,
    "stairs_down": _stairs_down,
    "pebbles": _pebbles,
    "hills": _hills,
    "beam": _beam,
    "mat": _mat,
    "wall": _wall,
    "rail": _rail,
    "vault": _vault,
    "chair": _chair,
    "rocking_chair": _rocking_chair,
    "props": _props,
}

SCENES: tuple[str, ...] = tuple(_BUILDERS)
"""The names ``scene`` knows."""


def scene(name: str = "flat", *, friction: float = 1.0, gravity_m_s2: float = 9.81, **measures: Any) -> Scene:
    """A ready-made Scene: ``scene("stairs", rise_m=0.18)``; an unknown name or measure lists those there are."""
    if name not in _BUILDERS:
        raise UnknownNameError("scene", name, SCENES)
    known = inspect.signature(_BUILDERS[name]).parameters
    for measure, value in measures.items():
        if measure not in known:
            raise UnknownNameError(f"measure of scene '{name}'", measure, ["friction", "gravity_m_s2", *known])
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
            raise SimulationError(f"scene '{name}': {measure} must be a number, not {value!r}")
    return Scene(name, _BUILDERS[name](**measures), friction, gravity_m_s2)
