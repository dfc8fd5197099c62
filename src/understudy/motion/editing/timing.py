"""Editing when: crop, resample, retime."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.clip import Clip
from understudy.rotations import Array

_MAX_FRAMES = 5_000_000  # about 11 hours at 120 Hz; asked for more, something is wrong with a rate or a factor


def crop(clip: Clip, start_s: float = 0.0, end_s: float | None = None) -> Clip:
    """The frames from start_s to end_s [s], both included; to the last frame when end_s is None."""
    end_s = clip.duration_s if end_s is None else end_s
    if not 0.0 <= start_s <= end_s <= clip.duration_s + 0.5 / clip.rate_hz:
        raise ClipError(
            f"clip '{clip.name}' can't be cropped from {start_s:g} s to {end_s:g} s: it lasts from 0 to "
            f"{clip.duration_s:g} s, and the start must not come after the end"
        )
    first, last = round(start_s * clip.rate_hz), round(end_s * clip.rate_hz)
    return crop_frames(clip, first, min(last, clip.frame_count - 1))


def crop_frames(clip: Clip, first: int, last: int) -> Clip:
    """The frames from first to last, both included and counted from 0."""
    if not 0 <= first <= last < clip.frame_count:
        raise ClipError(
            f"clip '{clip.name}' has no frames {first} to {last}: it has frames 0 to {clip.frame_count - 1}, "
            "and the first must not come after the last"
        )
    return clip.with_(root_positions=clip.root_positions[first : last + 1], rotations=clip.rotations[first : last + 1])


def resample(clip: Clip, rate_hz: float) -> Clip:
    """The same motion at another frame rate: places in between by lines, rotations by slerp.

    The last frame is dropped when it falls between two frames of the new rate.
    """
    if not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise ClipError(f"clip '{clip.name}' can't be resampled to {rate_hz:g} Hz: a rate is above 0")
    count = int(np.floor(clip.duration_s * rate_hz + 1e-6)) + 1
    check_frame_count(clip, count)
    return at_times(clip, np.arange(count) / rate_hz).with_(rate_hz=rate_hz)


def retime(clip: Clip, *, speed: float | None = None, duration_s: float | None = None) -> Clip:
    """The motion at ``speed`` times its speed, or so that it lasts duration_s [s]; the frame rate stays.

    First and last frame are kept, so the duration is rounded to whole frames.
    """
    if (speed is None) == (duration_s is None):
        raise ClipError(f"clip '{clip.name}': retiming needs either a speed or a duration, and not both")
    asked = speed if duration_s is None else duration_s
    if asked is None or not (np.isfinite(asked) and asked > 0.0):
        raise ClipError(f"clip '{clip.name}' can't be retimed: a speed or a duration is above 0, not {asked:g}")
    wanted_s = clip.duration_s / asked if duration_s is None else asked
    return warp(clip, (0.0, clip.duration_s), (0.0, wanted_s))


def warp(clip: Clip, times_s: Sequence[float], new_times_s: Sequence[float]) -> Clip:
    """Retime piece by piece: what happened at times_s [s] happens at new_times_s [s]; the frame rate stays.

    In between, time runs by a monotone cubic (Fritsch and Carlson 1980), so that the speed does not jump. Both lists
    rise; the first and last of times_s say what is kept of the clip.
    """
    old, new = np.array(times_s, float), np.array(new_times_s, float)
    sound = old.ndim == 1 and old.shape == new.shape and len(old) >= 2 and np.isfinite([old, new]).all()
    if not (sound and np.all(np.diff(old) > 0.0) and np.all(np.diff(new) > 0.0)):
        raise ClipError(
            f"clip '{clip.name}' can't be retimed from {list(times_s)} s to {list(new_times_s)} s: "
            "both need the same number of times, at least two, each later than the one before"
        )
    if old[0] < 0.0 or old[-1] > clip.duration_s + 1e-6:
        raise ClipError(f"clip '{clip.name}' lasts from 0 to {clip.duration_s:g} s; {list(times_s)} s is outside")
    from scipy.interpolate import PchipInterpolator  # slow to import

    length_s = new[-1] - new[0]
    check_frame_count(clip, length_s * clip.rate_hz)
    count = max(2, round(length_s * clip.rate_hz) + 1)
    wanted = np.linspace(new[0], new[-1], count)
    return at_times(clip, np.clip(PchipInterpolator(new, old)(wanted), old[0], old[-1]))


def at_times(clip: Clip, times_s: Array) -> Clip:
    """The clip's poses at any times (N,) [s] within it, as N frames of a clip of the same rate."""
    place = np.clip(np.asarray(times_s, float) * clip.rate_hz, 0.0, clip.frame_count - 1)
    place = np.where(np.abs(place - np.round(place)) < 1e-6, np.round(place), place)
    before = np.floor(place).astype(int)
    after = np.minimum(before + 1, clip.frame_count - 1)
    part = place - before
    positions = clip.root_positions[before] * (1.0 - part[:, None]) + clip.root_positions[after] * part[:, None]
    turned = rotations.slerp(clip.rotations[before], clip.rotations[after], part[:, None])
    return clip.with_(root_positions=positions, rotations=turned)


def check_frame_count(clip: Clip, count: float) -> None:
    """Refuse an edit that would fill the memory."""
    if count > _MAX_FRAMES:
        raise ClipError(f"clip '{clip.name}' would get {count:.3g} frames; the most is {_MAX_FRAMES}")
