"""Which fragments the next round goes through: a window that moves on as what is behind it follows well enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Following = tuple[int, float]
"""Of a fragment: rounds it was in, and how far its bodies are off at its end on average [m]."""


@dataclass(frozen=True)
class Schedule:
    """When to go on.

    Attributes:
        rounds: a fragment is left after so many, however it follows.
        least_rounds: and not before so many.
        enough_m: a fragment follows when its bodies end this near to where they should be, on average.
        stride: how many fragments a round enters that no round has been in.
        longest: fragments of a window at most.
        lookahead: a fragment is not left before so many after it have been sampled.
    """

    rounds: int = 6
    least_rounds: int = 3
    enough_m: float = 0.04
    stride: int = 3
    longest: int = 18
    lookahead: int = 5

    def next_window(self, following: Sequence[Following | None], end: int) -> tuple[int, int] | None:
        """Begin and end of the next round's fragments, the last round's having ended at end; None when all is done.

        Begins never fall: what is before one is settled for good.
        """
        count = len(following)
        begin = next((k for k in range(count) if not self._settled(following[k])), count)
        if end == count:
            return None if begin == count else (begin, count)
        begin = max(min(begin, end - self.lookahead), 0)
        return begin, min(max(end, begin + self.longest), end + self.stride, count)

    def _settled(self, following: Following | None) -> bool:
        if following is None or following[0] < self.least_rounds:
            return False
        rounds, distance_m = following
        return rounds >= self.rounds or distance_m < self.enough_m
