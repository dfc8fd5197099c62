"""Which fragments the next round goes through: a window that moves on as what is behind it follows well enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.cost import FAR_M

History = Sequence[float]
"""Of a fragment: how far its bodies were off at its end on average [m], in every round it was in."""


@dataclass(frozen=True)
class Schedule:
    """When to go on.

    Attributes:
        rounds: a fragment is left after so many, however it follows.
        least_rounds: and not before so many.
        enough_m: a fragment follows when its bodies end this near to where they should be, on average.
        lost_m: it is lost when they end farther than this after all rounds. What leads there is then sampled again, for
            what went wrong may have gone wrong there.
        lead: fragments before a lost one that lead there.
        tail: fragments after a lost one that are sampled with it.
        lost_rounds: a lost fragment is given up after so many,
        patience: or when so many in a row did not bring it nearer by a tenth.
        failed_m: where one that is given up ends farther than this, the run has failed: what comes after is sampled the
            least number of rounds, to be shown.
        stride: how many fragments a round enters that no round has been in.
        longest: fragments of a window at most.
        lookahead: a fragment is not left before so many after it have been sampled.
    """

    rounds: int = 6
    least_rounds: int = 3
    enough_m: float = 0.04
    lost_m: float = 0.18
    lead: int = 10
    tail: int = 3
    lost_rounds: int = 18
    patience: int = 3
    failed_m: float = FAR_M
    stride: int = 3
    longest: int = 18
    lookahead: int = 5

    def next_window(self, histories: Sequence[History], end: int) -> tuple[int, int] | None:
        """Begin and end of the next round's fragments, the last round's having ended at end; None when all is done."""
        count, hopeful = len(histories), self._hopeful(histories)
        lost = np.array([k < hopeful and self._lost(history) for k, history in enumerate(histories)])
        if lost.any():
            first = int(np.argmax(lost))
            return max(first - self.lead, 0), min(first + self.tail + 1, count)
        rounds = [self.rounds if k < hopeful else self.least_rounds for k in range(count)]
        settled = np.array([self._settled(*each) for each in zip(histories, rounds, strict=True)])
        begin = count if settled.all() else int(np.argmin(settled))
        if end == count:
            return None if begin == count else (begin, count)
        begin = max(min(begin, end - self.lookahead), 0)
        return begin, min(max(end, begin + self.longest), end + self.stride, count)

    def first_of_interest(self, begin: int) -> int:
        """The first fragment that may still be sampled once a window has begun at ``begin``."""
        return max(begin - self.lead, 0)

    def _hopeful(self, histories: Sequence[History]) -> int:
        """How many fragments there are up to the first that was given up as failed, it included; all if none was."""
        for k, history in enumerate(histories):
            given_up = len(history) >= self.rounds and not self._lost(history)
            if given_up and history[-1] > self.failed_m:
                return k + 1
        return len(histories)

    def _settled(self, history: History, rounds: int) -> bool:
        near = len(history) >= self.least_rounds and history[-1] < self.enough_m
        return near or len(history) >= rounds

    def _lost(self, history: History) -> bool:
        if not self.rounds <= len(history) < self.lost_rounds or history[-1] <= self.lost_m:
            return False
        before, lately = history[: -self.patience], history[-self.patience :]
        return len(history) < self.rounds + self.patience or min(lately) < 0.9 * min(before)
