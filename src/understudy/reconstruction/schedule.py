"""Which fragments the next round goes through: a window that moves on as what is behind it follows well enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.rotations import BoolArray

Following = tuple[int, float]
"""Of a fragment: rounds it was in, and how far its bodies are off at its end on average [m]."""


@dataclass(frozen=True)
class Schedule:
    """When to go on.

    Attributes:
        rounds: a fragment is left after so many, however it follows.
        least_rounds: and not before so many.
        enough_m: a fragment follows when its bodies end this near to where they should be, on average.
        lost_m: it is lost when they end farther than this. What leads there is then sampled again, for what went wrong
            may have gone wrong there.
        lead: fragments before a lost one that lead there.
        tail: fragments after a lost one that are sampled with it.
        lost_rounds: a lost fragment, and those that lead there, are given up after so many.
        stride: how many fragments a round enters that no round has been in.
        longest: fragments of a window at most.
        lookahead: a fragment is not left before so many after it have been sampled.
    """

    rounds: int = 6
    least_rounds: int = 3
    enough_m: float = 0.04
    lost_m: float = 0.12
    lead: int = 10
    tail: int = 3
    lost_rounds: int = 18
    stride: int = 3
    longest: int = 18
    lookahead: int = 5

    def next_window(self, following: Sequence[Following | None], end: int) -> tuple[int, int] | None:
        """Begin and end of the next round's fragments, the last round's having ended at end; None when all is done."""
        count = len(following)
        settled = self._settled(following)
        begin = int(np.argmin(settled)) if not settled.all() else count
        if begin == count:
            return None
        if end == count and begin + self.longest >= count:
            return begin, count
        lost = self._lost(following)
        if lost.any() and not settled[lost].all():
            last = int(np.flatnonzero(lost & ~settled)[0])
            return begin, min(max(last + self.tail + 1, begin + 1), count)
        begin = max(min(begin, end - self.lookahead), 0)
        return begin, min(max(end, begin + self.longest), end + self.stride, count)

    def first_of_interest(self, begin: int) -> int:
        """The first fragment that may still be sampled once a window has begun at ``begin``."""
        return max(begin - self.lead, 0)

    def _settled(self, following: Sequence[Following | None]) -> BoolArray:
        rounds = np.array([0 if f is None else f[0] for f in following])
        near = np.array([f is not None and f[1] < self.enough_m for f in following])
        lost = self._lost(following)
        leads = np.array([lost[max(k - self.tail, 0) : k + self.lead + 1].any() for k in range(len(lost))])
        settled: BoolArray = np.where(
            leads, rounds >= self.lost_rounds, (rounds >= self.rounds) | (near & (rounds >= self.least_rounds))
        )
        return settled

    def _lost(self, following: Sequence[Following | None]) -> BoolArray:
        return np.array([f is not None and f[0] >= self.rounds and f[1] > self.lost_m for f in following])
