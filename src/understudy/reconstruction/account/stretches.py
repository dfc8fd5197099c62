"""Stretches of time during which something holds."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.rotations import BoolArray
from understudy.spans import runs


@dataclass(frozen=True)
class Stretch:
    """From one time to another [s]."""

    begin_s: float
    end_s: float

    def __str__(self) -> str:
        return f"from {self.begin_s:.1f} to {self.end_s:.1f} s"

    @property
    def duration_s(self) -> float:
        return self.end_s - self.begin_s


def stretches(holds: BoolArray, rate_hz: float, longer_than_s: float = 0.0) -> tuple[Stretch, ...]:
    """The stretches in which labels (T,) are true, those that last longer than so many seconds."""
    found = (Stretch(begin / rate_hz, end / rate_hz) for begin, end in runs(holds))
    return tuple(stretch for stretch in found if stretch.duration_s > longer_than_s)
