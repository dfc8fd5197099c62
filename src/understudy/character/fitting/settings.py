"""How a clip is to be fitted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class FitSettings:
    """What can be asked of the fitting; the defaults suit most clips.

    Attributes:
        rate_hz: ticks per second of the Reference; the character's control rate when left out.
        scale: metres of the character per metre of the clip; by the lengths of their legs when left out.
        floor_m: height of the floor in the clip [m]; found from where the feet rest when left out.
        keep_contacts: whether feet and hands that rest stay exactly where they are, by inverse kinematics.
        above_floor: whether parts that would sink into the floor are lifted onto it.
        joint_map: a file of body parts and joint names that overrules the guess (see ``write_map``).
    """

    rate_hz: float | None = None
    scale: float | None = None
    floor_m: float | None = None
    keep_contacts: bool = True
    above_floor: bool = True
    joint_map: Path | None = None
