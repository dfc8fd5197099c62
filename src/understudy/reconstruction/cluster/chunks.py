"""Samples cut into chunks: which of them are to be done, which are done, which were lost how often."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from understudy.errors import ReconstructionError
from understudy.reconstruction.cluster.packing import alike
from understudy.reconstruction.workers import BATCH, Ends
from understudy.rotations import Array, IntArray

_SHARES = 4  # chunks for each worker, where they are few: who is slow or late gets fewer
_TRIES = 5


def rows_each(count: int, workers: int) -> int:
    """How many of count samples go into a chunk.

    To send a chunk and receive its ends costs the searching process about as long as it takes to simulate one sample.
    With more workers than chunks of r samples it all takes count / r + r of that, the least where r is the root.
    """
    return min(max(-(-count // (_SHARES * workers)), math.ceil(math.sqrt(count))), BATCH)


@dataclass(frozen=True)
class Chunk:
    """Samples begin to end in the order in which they are sent."""

    begin: int
    end: int


class Chunks:
    """The samples of one fragment: starts (n, S) and offsets (n, D), ``rows`` of them in a chunk.

    Samples that begin alike are sent together, so that their start is sent once.
    """

    def __init__(self, fragment: int, starts: Array, offsets: Array, rows: int) -> None:
        self.fragment, self._starts, self._offsets = fragment, starts, offsets
        self._kind, self._first = alike(starts)
        self._order: IntArray = np.argsort(self._kind, kind="stable")
        count = len(offsets)
        chunks = [Chunk(begin, min(begin + rows, count)) for begin in range(0, count, rows)]
        self.waiting = deque(chunks)
        self._ends: dict[Chunk, Ends] = {}
        self._losses = dict.fromkeys(chunks, 0)

    @property
    def done(self) -> bool:
        return len(self._ends) == len(self._losses)

    def task(self, chunk: Chunk) -> tuple[int, Array, IntArray, Array]:
        """What ``Hand.run`` is asked for."""
        samples = self._order[chunk.begin : chunk.end]
        kinds, which = np.unique(self._kind[samples], return_inverse=True)
        return self.fragment, self._starts[self._first[kinds]], which, self._offsets[samples]

    def finish(self, chunk: Chunk, ends: Ends) -> None:
        """It is done."""
        self._ends[chunk] = ends

    def lose(self, chunk: Chunk, why: str) -> None:
        """Its worker is gone: it waits again, first in the row."""
        self._losses[chunk] += 1
        if self._losses[chunk] == _TRIES:
            raise ReconstructionError(
                f"{chunk.end - chunk.begin} samples of fragment {self.fragment + 1} were lost with their worker "
                f"{_TRIES} times; the last time: {why}"
            )
        self.waiting.appendleft(chunk)

    def ends(self) -> Ends:
        """Of all samples, in the order in which they were given."""
        sent = Ends.concatenate([self._ends[chunk] for chunk in self._losses])
        place = np.argsort(self._order)
        return Ends(sent.rows[place], sent.moments[place], sent.alive[place])
