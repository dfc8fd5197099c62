"""Rows of labelled frames in time."""

from __future__ import annotations

import numpy as np

from understudy.rotations import BoolArray, IntArray


def runs(labels: BoolArray) -> list[tuple[int, int]]:
    """First frame, and frame after the last, of every row of true labels (T,)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], labels, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def neighbours(known: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """For each of ``count`` frames the known ones (N,) at or before and at or after it; the outermost beyond them."""
    frames = np.arange(count)
    before = known[np.maximum(np.searchsorted(known, frames, side="right") - 1, 0)]
    return before, known[np.minimum(np.searchsorted(known, frames), len(known) - 1)]


def nearest(known: IntArray, count: int) -> IntArray:
    """For each of ``count`` frames the nearest of the known frames (N,), the earlier of two as near."""
    before, after = neighbours(known, count)
    frames = np.arange(count)
    return np.where(np.abs(frames - before) <= np.abs(after - frames), before, after)
