"""How a clip is reconstructed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from understudy.cost import TermCost, TrackingCost
from understudy.errors import ReconstructionError, UnknownNameError

Cut = Literal["even", "contacts", "extremes"]
Method = Literal["guided", "samcon-2010"]
Selection = Literal["spread", "systematic"]

_USUAL_LEAST_RAD = 0.1
_USUALLY_SAVED = 70


@dataclass(frozen=True)
class ReconstructionSettings:
    """What can be asked of the sampler; the defaults suit most clips.

    Attributes:
        method: ours, or the paper's: one pass of uniform samples (samcon-2010 section 3.2).
        samples: a fragment, in each round.
        saved: how many of them go on to the next fragment; None is 70, or a third where they are few (``kept``).
        selection: how those are chosen: spread over the costs of the best (samcon-2010 section 3.2.3), or the best
            tenth resampled (control-graphs-2016 section 5.3).
        fragment_s: length of a fragment of control [s].
        cut: where fragments end: evenly, or also where a foot or hand touches the floor or leaves it ("contacts"), or
            there and where a limb turns back ("extremes": samcon-2010 section 3.2.3).
        rounds: most rounds a fragment is sampled in before the search moves on, if it does not follow sooner.
        seed: of the random numbers; another gives another performance of the same clip.
        window_scale: factor of the character's sampling windows.
        least_window_rad: sampling windows are at least this wide [rad], for elbows and wrists, which the papers do not
            sample, bear weight too; None is 0.1, or with the paper's method 0 (``narrowest_rad``).
        contact_gains: whether joints of limbs on the floor are stiffened by the character's contact scale.
        cost: what our method minimises.
        terms: what the paper's method minimises.
    """

    method: Method = "guided"
    samples: int = 500
    saved: int | None = None
    selection: Selection = "spread"
    fragment_s: float = 0.1
    cut: Cut = "even"
    rounds: int = 6
    seed: int = 0
    window_scale: float = 1.0
    least_window_rad: float | None = None
    contact_gains: bool = True
    cost: TrackingCost = field(default_factory=TrackingCost)
    terms: TermCost = field(default_factory=TermCost)

    def __post_init__(self) -> None:
        for name, choices in (("method", get_args(Method)), ("cut", get_args(Cut)), ("selection", get_args(Selection))):
            if getattr(self, name) not in choices:
                raise UnknownNameError(name, getattr(self, name), choices)
        self._above("samples", self.samples, 20)
        self._above("saved", self.kept, 1)
        self._above("rounds", self.rounds, 1)
        self._above("seed", self.seed, 0)
        if self.kept > self.samples:
            raise ReconstructionError(f"saved must be at most samples, {self.samples}, not {self.kept}")
        if not 0.05 <= self.fragment_s <= 0.2:
            raise ReconstructionError(f"fragment_s must be between 0.05 and 0.2 s, not {self.fragment_s:g}")
        for name, value in (("window_scale", self.window_scale), ("least_window_rad", self.narrowest_rad)):
            if not (np.isfinite(value) and value >= 0.0):
                raise ReconstructionError(f"{name} must be 0 or more, not {value:g}")

    @property
    def kept(self) -> int:
        """How many samples of a fragment go on to the next."""
        return min(_USUALLY_SAVED, self.samples // 3) if self.saved is None else self.saved

    @property
    def narrowest_rad(self) -> float:
        """The least half-width of a sampling window [rad]."""
        usual = _USUAL_LEAST_RAD if self.method == "guided" else 0.0
        return usual if self.least_window_rad is None else self.least_window_rad

    def as_header(self) -> dict[str, Any]:
        """As JSON can hold it."""
        plain = {name: value for name, value in vars(self).items() if name not in ("cost", "terms")}
        return {**plain, "cost": asdict(self.cost), "terms": dict(self.terms.weights)}

    @classmethod
    def of_header(cls, header: Mapping[str, Any]) -> ReconstructionSettings:
        """What ``as_header`` gave."""
        return cls(**{**header, "cost": TrackingCost(**header["cost"]), "terms": TermCost(header["terms"])})

    def _above(self, name: str, value: int, least: int) -> None:
        if not isinstance(value, (int, np.integer)) or value < least:
            raise ReconstructionError(f"{name} must be a whole number of at least {least}, not {value}")
