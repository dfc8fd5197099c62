"""Where a Reference is cut into fragments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.character import Reference, floor_contacts, limb_extremes
from understudy.errors import ReconstructionError
from understudy.motion import spaced
from understudy.rotations import IntArray


def uniform_bounds(reference: Reference, fragment_s: float) -> IntArray:
    """Ticks of fragments of fragment_s, the last between half and one and a half times as long."""
    step, last = _fragment_ticks(reference, fragment_s), reference.tick_count - 1
    inner = np.arange(step, last, step)
    return np.array([0, *inner[last - inner >= 0.5 * step], last])


def contact_bounds(reference: Reference, fragment_s: float) -> IntArray:
    """Ticks of fragments of about fragment_s that end where a foot or hand touches the floor or leaves it."""
    return _bounds_at(_switches(reference), reference, fragment_s)


def extreme_bounds(reference: Reference, fragment_s: float) -> IntArray:
    """Those that also end where a limb turns back, if no contact switches near it (samcon-2010 section 3.2.3)."""
    extremes = sorted(tick for ticks in limb_extremes(reference).values() for tick in ticks)
    return _bounds_at([*_switches(reference), *extremes], reference, fragment_s)


def _switches(reference: Reference) -> list[int]:
    return floor_contacts(reference).switches.tolist()


def _bounds_at(points: Sequence[int], reference: Reference, fragment_s: float) -> IntArray:
    """Ticks of fragments of about fragment_s that end at points; of those too near each other, at the first given."""
    step, last = _fragment_ticks(reference, fragment_s), reference.tick_count - 1
    inner = [float(tick) for tick in points if 0 < tick < last]
    return np.unique(np.rint(spaced([0.0, float(last), *inner], float(step))).astype(int))


def _fragment_ticks(reference: Reference, fragment_s: float) -> int:
    if reference.tick_count < 2:
        raise ReconstructionError(f"reference '{reference.name}' holds one pose; there is nothing to follow")
    return max(1, round(fragment_s * reference.rate_hz))
