"""The evaluation metrics, exact (the design's section "Evaluation, exact").

All take two matched tracks, of the same bodies in the same frames: p what was done, q (there: p with a hat) what should
have been done, places (T, B, 3) [m].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.cost.track import Track
from understudy.errors import CostError
from understudy.rotations import Array

FAR_M = 0.5  # a run fails where the mean distance is greater
STRICT_HEIGHT_M = 0.25  # strictly, also where the root's height is off by more
STRICT_TILT_RAD = 0.8  # or its tilt
ACCELERATION_HZ = 30.0


@dataclass(frozen=True)
class Failure:
    """Where a run fails first.

    Attributes:
        frame: counted from 0.
        why: ``bodies 0.62 m off on average``.
    """

    frame: int
    why: str


def distances(p: Track, q: Track) -> Array:
    """(T, B) distance [m] of each body from where it should be."""
    _check_matched(p, q)
    return np.linalg.norm(p.positions_w - q.positions_w, axis=-1)


def first_failure(p: Track, q: Track) -> Failure | None:
    """The first frame at which the mean distance over the bodies is above 0.5 m; None for a success."""
    return _first(distances(p, q).mean(axis=1), FAR_M, "bodies {:.2f} m off on average")


def first_strict_failure(p: Track, q: Track) -> Failure | None:
    """As ``first_failure``, or the root's height off by more than 0.25 m, or its tilt by more than 0.8 rad.

    Raises:
        CostError: when the root's rotation is not known of both.
    """
    height = np.abs(p.root_positions_w[:, 2] - q.root_positions_w[:, 2])
    found = [
        first_failure(p, q),
        _first(height, STRICT_HEIGHT_M, "root {:.2f} m off in height"),
        _first(tilt_errors(p, q), STRICT_TILT_RAD, "root {:.2f} rad off in tilt"),
    ]
    return min((failure for failure in found if failure), key=lambda failure: failure.frame, default=None)


def global_error_mm(p: Track, q: Track) -> float:
    """E_g = 1000 mean ||p - q|| over frames and bodies [mm]."""
    return 1000.0 * float(distances(p, q).mean())


def local_error_mm(p: Track, q: Track) -> float:
    """E_l: E_g with each track's places taken from its own root [mm]."""
    _check_matched(p, q)
    ours, theirs = (track.positions_w - track.root_positions_w[:, None] for track in (p, q))
    return 1000.0 * float(np.linalg.norm(ours - theirs, axis=-1).mean())


def acceleration_error_mm(p: Track, q: Track) -> float:
    """E_acc = 1000 mean ||D2 p - D2 q|| of second differences at 30 Hz [mm/frame^2]; NaN below three frames."""
    _check_matched(p, q)
    ours, theirs = (np.diff(track.at_rate(ACCELERATION_HZ).positions_w, n=2, axis=0) for track in (p, q))
    return 1000.0 * float(np.linalg.norm(ours - theirs, axis=-1).mean()) if len(ours) else float("nan")


def own_acceleration_mm(track: Track) -> float:
    """1000 mean ||D2 p|| of second differences at 30 Hz [mm/frame^2], what E_acc is large or small against."""
    own = np.diff(track.at_rate(ACCELERATION_HZ).positions_w, n=2, axis=0)
    return 1000.0 * float(np.linalg.norm(own, axis=-1).mean()) if len(own) else float("nan")


def tilt_errors(p: Track, q: Track) -> Array:
    """(T,) angle [rad] between the directions in which the two roots, each in its own axes, feel the vertical.

    Turning a root about the vertical does not change it.
    """
    _check_matched(p, q)
    if p.root_rotations_w is None or q.root_rotations_w is None:
        raise CostError(f"the root's rotation is not known of both '{p.name}' and '{q.name}'")
    up = np.array([0.0, 0.0, 1.0])
    ours, theirs = (rotations.rotate(rotations.conjugate(t), up) for t in (p.root_rotations_w, q.root_rotations_w))
    return np.linalg.norm(rotations.log(rotations.between(ours, theirs)), axis=-1)


def _first(values: Array, limit: float, why: str) -> Failure | None:
    over = np.flatnonzero(values > limit)
    return Failure(int(over[0]), why.format(values[over[0]])) if len(over) else None


def _check_matched(p: Track, q: Track) -> None:
    if p.positions_w.shape != q.positions_w.shape or p.rate_hz != q.rate_hz:
        raise CostError(
            f"'{p.name}' {p.positions_w.shape} at {p.rate_hz:g} Hz and '{q.name}' {q.positions_w.shape} at "
            f"{q.rate_hz:g} Hz are not the same bodies in the same frames; match() makes them so"
        )
