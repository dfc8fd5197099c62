"""A dive that ends lower than it did: its flight lasts as long as the deeper fall takes (samcon-2010 §4).

Letters: T frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.errors import ClipError
from understudy.motion.clip import Clip
from understudy.motion.contacts import contact_labels
from understudy.motion.editing.timing import at_times, check_frame_count
from understudy.rotations import Array
from understudy.spans import runs

_CLEAR = 0.16  # of the root's height at take-off: how high joints are, in their flesh, above ground that is not touched
_GRAVITY_M_S2 = 9.81


@dataclass(frozen=True)
class Flight:
    """When nothing touches the ground, and over what place it begins.

    Attributes:
        start_s, end_s: take-off and landing [s].
        take_off: (2,) the root's place over the ground at take-off [m].
    """

    start_s: float
    end_s: float
    take_off: Array

    @property
    def duration_s(self) -> float:
        return self.end_s - self.start_s


def flight_of(clip: Clip) -> Flight:
    """The longest flight of a clip: from where feet and hands are off the ground to where something is near it again.

    Raises:
        ClipError: when the clip has none.
    """
    lowest = np.minimum(clip.joint_positions_w[..., 2].min(axis=1), _lowest_ends(clip))
    touching = np.asarray(contact_labels(clip).labels.any(axis=1))
    seen = [run for run in runs(~touching) if run[0] > 0]  # no one saw the take-off of one at the start
    flights = [found for run in seen if (found := _within(run, lowest, clip.root_positions[:, 2]))]
    if not flights:
        raise ClipError(f"clip '{clip.name}' has no flight: there is always something on the ground, or near it")
    start, end = max(flights, key=lambda flight: flight[1] - flight[0])
    return Flight(start / clip.rate_hz, end / clip.rate_hz, clip.root_positions[start, :2].copy())


def fall_further(clip: Clip, drop_m: float, gravity_m_s2: float = _GRAVITY_M_S2) -> Clip:
    """The clip with its longest flight made as long as it takes to land drop_m [m] lower than it did.

    In flight the poses go by more slowly, at one rate, and the body goes on over the ground as fast as it did; all that
    follows happens later and further on. Heights stay those above a flat floor, for the clip to be laid over an edge
    under the root at take-off: less the free fall from there, the body rises and falls as it must. With c the centre
    of the joints, which the flight of T takes from c0 to c1, v = (c1 - c0) / T + g T / 2 upwards at take-off, and the
    new flight T' is the time in which a throw at v comes down to c1 - drop_m.
    """
    if not (np.isfinite(drop_m) and drop_m >= 0.0 and np.isfinite(gravity_m_s2) and gravity_m_s2 > 0.0):
        raise ClipError(f"clip '{clip.name}' can fall 0 m or more further, not {drop_m:g} m (at {gravity_m_s2:g} m/s²)")
    flight = flight_of(clip)
    old_s, g = flight.duration_s, gravity_m_s2
    centre = clip.joint_positions_w.mean(axis=1)
    rate = clip.rate_hz
    velocity = (centre[round(flight.end_s * rate)] - centre[round(flight.start_s * rate)]) / old_s
    velocity[2] += 0.5 * g * old_s
    down = velocity[2] * old_s - 0.5 * g * old_s**2 - drop_m
    new_s = (velocity[2] + np.sqrt(velocity[2] ** 2 - 2.0 * g * down)) / g
    check_frame_count(clip, (clip.duration_s + new_s) * rate)
    times_s = np.arange(int((clip.duration_s + new_s - old_s) * rate + 1e-6) + 1) / rate
    flying_s = np.clip(times_s - flight.start_s, 0.0, new_s)  # since take-off
    shown_s = flying_s * old_s / new_s  # how far the poses of the flight are
    slowed = at_times(clip, times_s - flying_s + shown_s)
    way = velocity * (flying_s - shown_s)[:, None]
    way[:, 2] += np.minimum(0.5 * g * flying_s**2, drop_m) - 0.5 * g * (flying_s**2 - shown_s**2)
    return slowed.with_(root_positions=slowed.root_positions + way)


def _within(run: tuple[int, int], lowest: Array, root: Array) -> tuple[int, int] | None:
    """First and last frame in the air of a run of frames without contact; None where it never gets clear."""
    start, stop = run
    clear = _CLEAR * root[start]
    top = start + int(np.argmax(lowest[start:stop]))
    if lowest[top] < clear:
        return None
    landed = np.flatnonzero(lowest[top:stop] < clear)
    return start, top + int(landed[0]) if len(landed) else stop - 1


def _lowest_ends(clip: Clip) -> Array:
    """(T,) height of the lowest limb end [m]."""
    return clip.end_positions_w[..., 2].min(axis=1, initial=np.inf)
