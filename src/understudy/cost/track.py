"""The Track: where the bodies of a motion are, whatever it came from; what the metrics compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from understudy import rotations
from understudy.errors import CostError
from understudy.records import frozen
from understudy.rotations import Array

SAME_RATE = 1e-5  # rates this near to each other, relatively, are one: files round the time of a frame


@dataclass(frozen=True)
class Track:
    """Where B bodies are in T frames.

    Attributes:
        names: the bodies; of a clip its joints.
        positions_w: (T, B, 3) world places [m].
        rate_hz: frames per second.
        root: index of the body that errors are counted relative to, as a rule the pelvis.
        rotations_w: (T, B, 4) world rotations, or None where they are not known.
        roles: body part (``left_foot``) to index, to find bodies of other names by.
        name: what to call the motion.
        unfinished: empty, or why a simulated run ended before it was done.
    """

    names: tuple[str, ...]
    positions_w: Array
    rate_hz: float
    root: int = 0
    rotations_w: Array | None = None
    roles: Mapping[str, int] = field(default_factory=dict)
    name: str = "track"
    unfinished: str = ""

    def __post_init__(self) -> None:
        places = np.array(self.positions_w, float)
        turned = None if self.rotations_w is None else np.array(self.rotations_w, float)
        frozen(self, names=tuple(self.names), positions_w=places, rate_hz=float(self.rate_hz), rotations_w=turned)
        frozen(self, roles=MappingProxyType(dict(self.roles)))
        bodies = len(self.names)
        if places.ndim != 3 or places.shape[1:] != (bodies, 3) or len(places) == 0 or bodies == 0:
            raise CostError(f"track '{self.name}' of {bodies} bodies needs places (T, {bodies}, 3), not {places.shape}")
        if turned is not None and turned.shape != (len(places), bodies, 4):
            raise CostError(f"track '{self.name}': rotations must be {(len(places), bodies, 4)}, not {turned.shape}")
        if not (np.isfinite(self.rate_hz) and self.rate_hz > 0.0):
            raise CostError(f"track '{self.name}': the frame rate must be above 0 Hz, not {self.rate_hz}")
        if not all(0 <= index < bodies for index in (self.root, *self.roles.values())):
            raise CostError(f"track '{self.name}': the root and the roles must be among its {bodies} bodies")
        if not np.isfinite(places).all():
            frame = int(np.argwhere(~np.isfinite(places))[0, 0])
            raise CostError(f"track '{self.name}': frame {frame} holds a place that is not a number")

    @property
    def frame_count(self) -> int:
        return len(self.positions_w)

    @property
    def duration_s(self) -> float:
        """Time from the first frame to the last [s]."""
        return (self.frame_count - 1) / self.rate_hz

    @property
    def root_positions_w(self) -> Array:
        """(T, 3) places of the root [m]."""
        return self.positions_w[:, self.root]

    @property
    def root_rotations_w(self) -> Array | None:
        """(T, 4) rotations of the root, where they are known."""
        return None if self.rotations_w is None else self.rotations_w[:, self.root]

    def first(self, count: int) -> Track:
        """The first ``count`` frames."""
        turned = None if self.rotations_w is None else self.rotations_w[:count]
        return replace(self, positions_w=self.positions_w[:count], rotations_w=turned)

    def at_rate(self, rate_hz: float) -> Track:
        """The track at another frame rate: places in between by lines, rotations by slerp."""
        if abs(rate_hz - self.rate_hz) <= SAME_RATE * rate_hz:
            return replace(self, rate_hz=rate_hz)
        count = int(np.floor(self.duration_s * rate_hz + 1e-4)) + 1
        place = np.minimum(np.arange(count) * (self.rate_hz / rate_hz), self.frame_count - 1)
        place = np.where(np.abs(place - np.round(place)) < 1e-6, np.round(place), place)
        before = np.floor(place).astype(int)
        after, part = np.minimum(before + 1, self.frame_count - 1), (place - before)[:, None]
        places = self.positions_w[before] + part[..., None] * (self.positions_w[after] - self.positions_w[before])
        turned = self.rotations_w
        if turned is not None:
            turned = rotations.slerp(turned[before], turned[after], part)
        return replace(self, positions_w=places, rotations_w=turned, rate_hz=rate_hz)
