"""Rows of labelled frames in time."""

from __future__ import annotations

import numpy as np

from understudy.rotations import Array, BoolArray, IntArray


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


def time_to(labels: BoolArray, rate_hz: float) -> Array:
    """(T,) time [s] to the nearest frame whose label (T,) is true, before or after; infinite when there is none."""
    known = np.flatnonzero(labels)
    if not len(known):
        return np.full(len(labels), np.inf)
    return np.abs(nearest(known, len(labels)) - np.arange(len(labels))) / rate_hz


def bridged(values: Array, labels: BoolArray) -> Array:
    """Values (T, N) where labels (T,) are true, led over smoothly in between; zero when none is.

    Values that are not labelled don't count, and need not be numbers.
    """
    known = np.flatnonzero(labels)
    if not len(known):
        return np.zeros_like(values)
    before, after = neighbours(known, len(values))
    share = np.clip((np.arange(len(values)) - before) / np.maximum(after - before, 1), 0.0, 1.0)[:, None]
    return values[before] + smooth_step(share) * (values[after] - values[before])


def smooth_step(share: Array) -> Array:
    """Shares between 0 and 1 that begin and end without a kink."""
    return share**2 * (3.0 - 2.0 * share)
