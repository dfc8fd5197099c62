"""The speed a clip was recorded at, where it can't be the one it is played at: nothing falls faster than it falls.

Recordings with a wrong frame rate are common: several subjects of the CMU database play at twice their speed. The
ground only pushes, so that no centre of mass, on it or off it, is accelerated downwards by more than gravity.
"""

from __future__ import annotations

import numpy as np

from understudy.character import Reference
from understudy.cost import moments_of_reference
from understudy.rotations import Array

_WINDOW_S = 0.16
_TOO_FAST, _WINDOWS = 1.3, 5  # times gravity: what falls faster, in so many windows or more, does not fall as it did
_DOUBTLESS, _DOUBTLESS_WINDOWS = 2.0, 7  # more than a jump of a marker makes
_USUAL = 0.8  # quantile of those windows: the others begin or end on the ground
_TWICE = (0.36, 0.72)  # speeds in between are one half: recordings at 60 Hz that claim 120


def natural_speed(reference: Reference, gravity_m_s2: float, *, doubtless: bool = False) -> float | None:
    """The factor at which a reference would fall with gravity; None when it does not fall faster as it is.

    Only when there is no doubt about it, if so asked: it falls more than twice as fast, for longer than a jump of a
    marker makes.
    """
    times, windows = (_DOUBTLESS, _DOUBTLESS_WINDOWS) if doubtless else (_TOO_FAST, _WINDOWS)
    falls = -_vertical_accelerations(reference)
    falls = falls[falls > times * gravity_m_s2]
    if len(falls) < windows or gravity_m_s2 <= 0.0:
        return None
    speed = float(np.sqrt(gravity_m_s2 / np.quantile(falls, _USUAL)))
    return 0.5 if _TWICE[0] < speed < _TWICE[1] else speed


def _vertical_accelerations(reference: Reference) -> Array:
    """Of the centre of mass, by parabolas through windows of 0.16 s [m/s^2]."""
    heights = moments_of_reference(reference).mass_centre_w[:, 2]
    count = max(3, round(_WINDOW_S * reference.rate_hz))
    if len(heights) < count:
        return np.zeros(0)
    times_s = (np.arange(count) - 0.5 * (count - 1)) / reference.rate_hz
    squares = np.linalg.pinv(np.stack([times_s**2, times_s, np.ones(count)], axis=1))[0]
    return 2.0 * np.lib.stride_tricks.sliding_window_view(heights, count) @ squares
