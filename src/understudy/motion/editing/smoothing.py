"""Low-pass filtering without delay, of places and of rotations."""

from __future__ import annotations

import numpy as np

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.clip import Clip
from understudy.rotations import Array

_ORDER = 2  # of one pass; forwards and backwards make 4


def low_pass(clip: Clip, cutoff_hz: float) -> Clip:
    """The clip without what is faster than cutoff_hz [Hz], undelayed: a Butterworth filter run forwards and backwards.

    Its gain at the cutoff is 1/sqrt(2). Rotations are filtered as unit quaternions of continuous sign and set back on
    the sphere, which is the filter-weighted chordal mean of the neighbouring rotations: the result does not depend on
    the axes chosen, for joint or parent, and a steady spin stays as it is.
    """
    if not (np.isfinite(cutoff_hz) and 0.0 < cutoff_hz < 0.5 * clip.rate_hz):
        raise ClipError(
            f"clip '{clip.name}' of {clip.rate_hz:g} Hz can be filtered above 0 and below {0.5 * clip.rate_hz:g} Hz, "
            f"not at {cutoff_hz:g} Hz"
        )
    from scipy.signal import butter  # slow to import

    sections = butter(_ORDER, _one_pass_cutoff(cutoff_hz, clip.rate_hz), fs=clip.rate_hz, output="sos")
    turned = rotations.continuous(clip.rotations)
    return clip.with_(
        root_positions=_both_ways(sections, clip.root_positions, cutoff_hz, clip.rate_hz),
        rotations=rotations.normalize(_both_ways(sections, turned, cutoff_hz, clip.rate_hz)),
    )


def _one_pass_cutoff(cutoff_hz: float, rate_hz: float) -> float:
    """The cutoff of one pass for which two passes are 3 dB down at cutoff_hz (Winter 2009, section 3.4.4.2).

    Two passes have gain 1 / (1 + (w/w1)^(2n)) at the analogue frequency w = tan(pi f / rate): 1/sqrt(2) at
    w1 = w / (sqrt(2) - 1)^(1/2n).
    """
    analogue = np.tan(np.pi * cutoff_hz / rate_hz) / (np.sqrt(2.0) - 1.0) ** (0.5 / _ORDER)
    return float(np.arctan(analogue) * rate_hz / np.pi)


def _both_ways(sections: Array, values: Array, cutoff_hz: float, rate_hz: float) -> Array:
    """Filtered along the first axis, the ends continued point-symmetrically for one period of the cutoff."""
    from scipy.signal import sosfiltfilt

    padding = min(len(values) - 1, int(np.ceil(rate_hz / cutoff_hz)) + 6)
    return np.asarray(sosfiltfilt(sections, values, axis=0, padlen=padding))
