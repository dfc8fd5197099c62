"""Ends as they travel back: every column of numbers once. Half of them are zeros, or copies of others."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from understudy.cost import Moments
from understudy.reconstruction.workers import Ends
from understudy.rotations import Array, BoolArray, IntArray


@dataclass(frozen=True)
class Packed:
    """The Ends of n samples.

    Attributes:
        columns: (U, n) those that differ, to the last bit.
        which: (C,) which of them each column of the rows and moments is, side by side.
        shapes: of one sample's row, and of each of its moments.
        alive: (n,) as in Ends.
    """

    columns: Array
    which: IntArray
    shapes: tuple[tuple[int, ...], ...]
    alive: BoolArray

    @classmethod
    def of(cls, ends: Ends) -> Packed:
        """To be sent."""
        arrays = [ends.rows, *(getattr(ends.moments, field.name) for field in fields(Moments))]
        columns = np.concatenate([array.reshape(len(array), -1) for array in arrays], axis=1).T.copy()
        which, first = alike(columns)
        return cls(columns[first], which, tuple(array.shape[1:] for array in arrays), ends.alive)

    def ends(self) -> Ends:
        """The same Ends again."""
        columns, begin, arrays = self.columns[self.which], 0, []
        for shape in self.shapes:
            end = begin + int(np.prod(shape))
            arrays.append(columns[begin:end].T.copy().reshape(-1, *shape))
            begin = end
        return Ends(arrays[0], Moments(*arrays[1:]), self.alive)


def alike(rows: Array) -> tuple[IntArray, IntArray]:
    """Of rows (n, m): (n,) which kind each is of, equal to the last bit; (kinds,) the first row of each kind."""
    kinds: dict[bytes, int] = {}
    which = np.array([kinds.setdefault(row.tobytes(), len(kinds)) for row in rows], int)
    return which, np.unique(which, return_index=True)[1]
