"""Normal equations of least squares over frames, where a residual joins at most three neighbours in time."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solveh_banded

from understudy.rotations import Array, BoolArray, IntArray

_DAMPING = 1e-6


class Normal:
    """Sums J^T J and J^T r over groups of residuals; ``solve`` gives the Gauss-Newton step.

    Args:
        index: (E,) the unknown frame each frame is; differs from 0, 1, … where a clip repeats.
        count: number T of unknown frames.
        size: numbers n in a frame.
        share: the weight of a frame's residuals, so that a sum over frames is about the same at any rate.
    """

    def __init__(self, index: IntArray, count: int, size: int, share: float) -> None:
        self._index = index
        self._share = share
        self._blocks = np.zeros((3, count, size, size))  # of frames t and t + k, for k = 0, 1, 2, going round
        self._gradient = np.zeros((count, size))

    def add(self, frames: IntArray, offsets: tuple[int, ...], jacobians: tuple[Array, ...], residuals: Array) -> None:
        """Residuals (F, R) at frames (F,), with a Jacobian (F, R, n) for the frame at each offset."""
        if len(frames) == 0:
            return
        for i, (one, left) in enumerate(zip(offsets, jacobians, strict=True)):
            turned = left.swapaxes(-1, -2) * self._share
            rows = self._index[frames + one]
            self._gradient[rows] += (turned @ residuals[..., None])[..., 0]
            for other, right in list(zip(offsets, jacobians, strict=True))[i:]:
                self._blocks[other - one, rows] += turned @ right

    def add_plain(
        self, frames: IntArray, offsets: tuple[int, ...], factors: tuple[float, ...], weights: Array, residuals: Array
    ) -> None:
        """Residuals (F, n), one for each number of the frame: factors times numbers, times weights (F or 1, n)."""
        squared = weights**2 * self._share
        diagonal = np.arange(residuals.shape[1])
        for i, (one, left) in enumerate(zip(offsets, factors, strict=True)):
            rows = self._index[frames + one]
            self._gradient[rows] += left * squared * residuals
            for other, right in list(zip(offsets, factors, strict=True))[i:]:
                self._blocks[other - one, rows[:, None], diagonal, diagonal] += left * right * squared

    def solve(self) -> Array:
        """The step (T, n) that makes the summed squares least, to first order."""
        count, size = self._gradient.shape
        place = self._places(count)
        pairs = [(place, np.roll(place, -k), self._blocks[k]) for k in range(3)]
        reach = max(int(np.max(np.abs(there - here)[_filled(blocks)], initial=0)) for here, there, blocks in pairs)
        band = np.zeros(((reach + 1) * size, count * size))
        for here, there, blocks in pairs:
            later = np.where((there > here)[:, None, None], blocks.swapaxes(-1, -2), blocks)
            for gap in np.unique(np.abs(there - here)[_filled(blocks)]):
                rows = np.flatnonzero((np.abs(there - here) == gap) & _filled(blocks))
                _fill(band, int(gap), np.minimum(here, there)[rows], later[rows])
        band[0] += _DAMPING * band[0].max()
        solved = solveh_banded(band, -self._gradient[np.argsort(place)].ravel(), lower=True, check_finite=False)
        return solved.reshape(count, size)[place]

    def _places(self, count: int) -> IntArray:
        """Where each frame goes so that neighbours lie close: as they are, or from both ends inwards round a cycle."""
        if len(self._index) == count:
            return np.arange(count)
        order = np.stack([np.arange(count), np.arange(count)[::-1]], axis=1).ravel()[:count]
        place = np.empty(count, int)
        place[order] = np.arange(count)
        return place


def _filled(blocks: Array) -> BoolArray:
    """(T,) which blocks (T, n, n) hold anything."""
    return np.any(blocks, axis=(1, 2))


def _fill(band: Array, gap: int, columns: IntArray, blocks: Array) -> None:
    """Add blocks (F, n, n) that lie ``gap`` blocks below the diagonal to a lower band, as LAPACK stores it."""
    size = blocks.shape[1]
    for column in range(size):
        first = column if gap == 0 else 0  # of a block on the diagonal, the lower half
        top = gap * size + first - column
        band[top : top + size - first, columns * size + column] += blocks[:, first:, column].T
