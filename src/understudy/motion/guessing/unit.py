"""How long one unit of a file is, told from the size of the body."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.motion.guessing.body import Body
from understudy.motion.recording import Guess, ReadSettings, Recording

INCH_M = 0.0254
CMU_M = INCH_M / 0.45
"""The unit of the CMU database, whose skeletons say ``length 0.45``: 1/0.45 inch."""


@dataclass(frozen=True)
class Unit:
    """A unit of length that motion files use."""

    name: str
    metres: float


_CMU = Unit("CMU's 1/0.45 inch", CMU_M)
_UNITS = (
    Unit("metres", 1.0),
    Unit("centimetres", 0.01),
    Unit("millimetres", 0.001),
    Unit("inches", INCH_M),
    Unit("decimetres", 0.1),
    Unit("feet", 0.3048),
    _CMU,
)
_STATURES_M = ((1.25, 2.25), (0.7, 2.8), (0.1, 20.0))  # an adult; a child or a giant; anything at all
_CMU_JOINTS = frozenset({"lhipjoint", "rhipjoint"})


def find_unit(recording: Recording, body: Body, settings: ReadSettings) -> tuple[float, Guess | None]:
    """Metres in one unit of the file, and the guess unless it is known."""
    if settings.unit_m is not None:
        return settings.unit_m, None
    if recording.unit_m is not None:
        return recording.unit_m, None
    stature = body.stature()
    if stature <= 0.0:
        return 1.0, Guess("unit", "metres", "there is no bone to judge by", "--unit-m")
    hint = recording.unit_hint
    if hint is not None and _STATURES_M[1][0] <= stature * hint <= _STATURES_M[1][1]:
        return hint, None
    unit = _sensible(stature, recording.skeleton.names, _STATURES_M if body.is_known else _STATURES_M[2:])
    if unit is None:
        return 1.0, Guess("unit", "metres", f"a body of {stature:.4g} units is of no sensible size in any", "--unit-m")
    why = f"the body is then {stature * unit.metres:.2f} m tall"
    if hint is not None:
        why += f", and {stature * hint:.2f} m in the unit the file names"
    return unit.metres, Guess("unit", f"{unit.metres:.6g} m, {unit.name}", why, "--unit-m")


def _sensible(stature: float, names: tuple[str, ...], ranges_m: tuple[tuple[float, float], ...]) -> Unit | None:
    """The first unit in which the body is of a size in the first range, else in the second, and so on."""
    cmu = any(name.lower() in _CMU_JOINTS for name in names)
    units = (_CMU, *_UNITS[:-1]) if cmu else _UNITS
    for shortest, tallest in ranges_m:
        for unit in units:
            if shortest <= stature * unit.metres <= tallest:
                return unit
    return None
