"""How a clip is to be fitted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy.errors import CharacterError


@dataclass(frozen=True)
class FitSettings:
    """What can be asked of the fitting; the defaults suit most clips.

    Attributes:
        rate_hz: ticks per second of the Reference; the character's control rate when left out.
        scale: metres of the character per metre of the clip; by the lengths of their legs when left out.
        floor_m: height of the floor in the clip [m]; found from where the feet rest when left out.
        keep_contacts: whether feet and hands that rest stay exactly where they are, by inverse kinematics.
        above_floor: whether parts that would sink into the floor are lifted onto it.
        map: a file of body parts and joint names that overrules the guess; ``write_map`` writes one to start from.
    """

    rate_hz: float | None = None
    scale: float | None = None
    floor_m: float | None = None
    keep_contacts: bool = True
    above_floor: bool = True
    map: Path | None = None

    def __post_init__(self) -> None:
        for name in ("rate_hz", "scale"):
            value = getattr(self, name)
            if value is not None and not (np.isfinite(value) and value > 0.0):
                raise CharacterError(f"{name} must be above 0, not {value:g}")
        if self.floor_m is not None and not np.isfinite(self.floor_m):
            raise CharacterError(f"floor_m must be a height in metres, not {self.floor_m:g}")
