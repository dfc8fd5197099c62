"""What runs in the process of one worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from understudy.reconstruction.cluster.joining import import_ray
from understudy.reconstruction.cluster.packing import Packed
from understudy.reconstruction.cluster.passport import Passport
from understudy.reconstruction.workers import LocalWorkers
from understudy.rotations import Array, IntArray


class Hand:
    """One thread's worth of simulations, told from afar what to do."""

    def __init__(self) -> None:
        self._local: LocalWorkers | None = None

    def prepare(self, packages: Mapping[str, str], parcel: Sequence[Any]) -> Passport:
        """Get ready for a plan: the one behind the only reference in parcel, fetched if the packages are the same."""
        unprepared = Passport()
        if unprepared.packages != packages:
            return unprepared
        plan = import_ray().get(parcel[0]).plan()
        self._local = LocalWorkers(plan, threads=1)
        return Passport.issued(plan, self._local)

    def run(self, fragment: int, starts: Array, which: IntArray, offsets: Array) -> Packed:
        """Simulate samples that begin in starts (m, S)[which (n,)] with offsets (n, D)."""
        assert self._local is not None
        return Packed.of(self._local.run(fragment, starts[which], offsets))
