"""What a search comes to, and what every search can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from understudy.reconstruction.sampling.checkpoint import Resumable
from understudy.reconstruction.workers import Workers
from understudy.records import frozen
from understudy.rotations import Array, IntArray


def halfway(offsets: Sequence[Array | None] | Array, fragment: int) -> Array | None:
    """(D,) the mean of the offsets (D,) before and after a fragment, as far as there are any."""
    around = [offsets[k] for k in (fragment - 1, fragment + 1) if 0 <= k < len(offsets)]
    known = [each for each in around if each is not None]
    return np.mean(known, axis=0) if known else None


@dataclass(frozen=True)
class Path:
    """A way through all K fragments.

    Attributes:
        offsets: (K, D) [rad].
        rows: (K + 1, S) the states between.
        rounds: (K,) rounds of samples each fragment took.
    """

    offsets: Array
    rows: Array
    rounds: IntArray

    def __post_init__(self) -> None:
        frozen(self, offsets=self.offsets, rows=self.rows, rounds=self.rounds)


class Search(Resumable, Protocol):
    """Looks for offsets, round by round; the same rounds for the same seed, whoever the workers are."""

    simulated: int
    """Samples simulated so far."""

    @property
    def done(self) -> int:
        """Fragments that no further round will change."""

    def advance(self, workers: Workers) -> bool:
        """One more round; False when there was nothing left to do."""

    def path(self) -> Path:
        """The best that was found; of all fragments once nothing is left to do."""
