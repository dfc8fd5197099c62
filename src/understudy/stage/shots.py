"""Shots: which moments of a performance are drawn, and from which side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.errors import UnderstudyError
from understudy.stage.performance import Performance

_STILL_VIEWS = 4  # of what does not move, on a sheet
TURNTABLE_S = 5.0  # and how long a video of it takes to go round
_MOST_ON_SHEET = 400


@dataclass(frozen=True)
class Shot:
    """A moment of the performance [s], the camera's turn away from its place [rad], and what is written on it."""

    time_s: float
    turn_rad: float = 0.0
    label: str = ""


def turned_round(count: int) -> list[Shot]:
    """What does not move, from all sides."""
    return [Shot(0.0, 2.0 * np.pi * index / count) for index in range(count)]


def sheet_shots(performance: Performance, frames: int, times_s: Sequence[float] | None) -> list[Shot]:
    """The given times, or evenly spaced ones; of what does not move, a few views around it."""
    if times_s is None and performance.frame_count == 1:
        return turned_round(_STILL_VIEWS)
    if times_s is None:
        count = min(frames, performance.frame_count)
        moments = list(np.linspace(0.0, performance.duration_s, count)) if count > 0 else []
    else:
        moments = [float(time) for time in times_s]
        for time in moments:
            _check_span(performance, time, time, f"time {time:g} s")
    if not 1 <= len(moments) <= _MOST_ON_SHEET:
        raise UnderstudyError(f"a sheet shows 1 to {_MOST_ON_SHEET} frames, not {frames if times_s is None else 0}")
    return [Shot(float(time), 0.0, f"{time:.2f} s") for time in moments]


def video_shots(performance: Performance, frame_s: float, span_s: tuple[float, float] | None) -> list[Shot]:
    """One every frame_s of all or a part of it; what does not move is turned round once."""
    if performance.frame_count == 1:
        return turned_round(max(round(TURNTABLE_S / frame_s), 1))
    begin, end = span_s or (0.0, performance.duration_s)
    _check_span(performance, begin, end, f"part from {begin:g} to {end:g} s")
    count = int((end - begin) / frame_s + 1e-6) + 1
    return [Shot(time, 0.0, f"{time:.2f} s") for time in begin + frame_s * np.arange(count)]


def _check_span(performance: Performance, begin: float, end: float, what: str) -> None:
    if not 0.0 <= begin <= end <= performance.duration_s + 1e-9:
        raise UnderstudyError(
            f"'{performance.name}' runs from 0 to {performance.duration_s:g} s; there is no {what} in it"
        )
