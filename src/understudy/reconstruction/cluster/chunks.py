"""Samples cut into chunks: which of them are to be done, which are done, which were lost how often."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from understudy.errors import ReconstructionError
from understudy.reconstruction.workers import Ends
from understudy.rotations import Array

FEWEST, MOST = 16, 64
"""Samples in a chunk: fewer cost more to send than to simulate; more are no cheaper and share out worse."""

_TRIES = 5


def rows_each(count: int, workers: int) -> int:
    """How many of count samples go into a chunk: one chunk for each worker, if that is not too few or too many."""
    return min(max(-(-count // workers), FEWEST), MOST)


@dataclass(frozen=True)
class Chunk:
    """Samples begin to end of a fragment."""

    begin: int
    end: int


class Chunks:
    """The samples of one fragment: starts (n, S) and offsets (n, D), ``rows`` of them in a chunk."""

    def __init__(self, fragment: int, starts: Array, offsets: Array, rows: int) -> None:
        self.fragment, self._starts, self._offsets = fragment, starts, offsets
        count = len(offsets)
        chunks = [Chunk(begin, min(begin + rows, count)) for begin in range(0, count, rows)]
        self.waiting = deque(chunks)
        self._ends: dict[Chunk, Ends] = {}
        self._losses = dict.fromkeys(chunks, 0)

    @property
    def done(self) -> bool:
        return len(self._ends) == len(self._losses)

    def task(self, chunk: Chunk) -> tuple[int, Array, Array]:
        """What ``Workers.run`` is asked for."""
        which = slice(chunk.begin, chunk.end)
        return self.fragment, self._starts[which], self._offsets[which]

    def finish(self, chunk: Chunk, ends: Ends) -> None:
        """It is done."""
        self._ends[chunk] = ends

    def lose(self, chunk: Chunk, why: str) -> None:
        """Its worker is gone: it waits again, first in the row."""
        self._losses[chunk] += 1
        if self._losses[chunk] == _TRIES:
            raise ReconstructionError(
                f"samples {chunk.begin} to {chunk.end - 1} of fragment {self.fragment} were lost with their worker "
                f"{_TRIES} times; the last time: {why}"
            )
        self.waiting.appendleft(chunk)

    def ends(self) -> Ends:
        """Of all samples, in their order."""
        return Ends.concatenate([self._ends[chunk] for chunk in self._losses])
