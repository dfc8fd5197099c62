"""Where a Reference is cut into fragments."""

from __future__ import annotations

import numpy as np

from understudy.character import Reference, floor_contacts
from understudy.errors import ReconstructionError
from understudy.motion import spaced
from understudy.rotations import IntArray


def uniform_bounds(reference: Reference, fragment_s: float) -> IntArray:
    """Ticks of fragments of fragment_s, the last between half and one and a half times as long."""
    step, last = _fragment_ticks(reference, fragment_s), reference.tick_count - 1
    inner = np.arange(step, last, step)
    return np.array([0, *inner[last - inner >= 0.5 * step], last])


def contact_bounds(reference: Reference, fragment_s: float) -> IntArray:
    """Ticks of fragments of about fragment_s that end where a foot or hand touches the floor or leaves it (3.2.3)."""
    last = reference.tick_count - 1
    step = _fragment_ticks(reference, fragment_s)
    switches = [tick for tick in floor_contacts(reference).switches.tolist() if 0 < tick < last]
    return np.unique(np.rint(spaced([0.0, float(last), *map(float, switches)], float(step))).astype(int))


def _fragment_ticks(reference: Reference, fragment_s: float) -> int:
    if reference.tick_count < 2:
        raise ReconstructionError(f"reference '{reference.name}' holds one pose; there is nothing to follow")
    return max(1, round(fragment_s * reference.rate_hz))
