"""A clip, the Reference fitted to it and a performance of that, side by side at the frames to be returned.

Letters: T frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.character.fitting.kinematics import Kinematics, Postures
from understudy.character.fitting.matching import Matching
from understudy.character.fitting.ticks import places_at, rotations_at
from understudy.character.reference import Reference
from understudy.errors import CharacterError
from understudy.motion import Clip, at_times
from understudy.rotations import Array

_MOST_FRAMES = 5_000_000


@dataclass(frozen=True)
class SideBySide:
    """The same T moments of a clip, its Reference and a performance; clip and Reference hold still after their end.

    Attributes:
        clip: the clip's poses.
        reference: the Reference's.
        performed: the performance's.
        matching: which joint moves which body.
    """

    clip: Clip
    reference: Postures
    performed: Postures
    matching: Matching


def side_by_side(clip: Clip, reference: Reference, qpos: Array, rate_hz: float, matching: Matching) -> SideBySide:
    """What a clip, its Reference and performed positions qpos (T, nq) at rate_hz do at the clip's frame times."""
    times_s = _frame_times(clip, len(qpos), rate_hz)
    held_s = np.minimum(times_s, min(reference.duration_s, clip.duration_s))
    kinematics = Kinematics(reference.character.model)
    return SideBySide(
        at_times(clip, held_s),
        _sampled(kinematics.postures(reference.qpos), held_s * reference.rate_hz),
        _sampled(kinematics.postures(qpos), times_s * rate_hz),
        matching,
    )


def _frame_times(clip: Clip, tick_count: int, rate_hz: float) -> Array:
    """(T,) times [s] of the clip's frames that were performed."""
    count = (tick_count - 1) / rate_hz * clip.rate_hz + 1.0
    if count > _MOST_FRAMES:
        raise CharacterError(f"{tick_count} ticks at {rate_hz:g} Hz are {count:.3g} frames of clip '{clip.name}'")
    return np.arange(int(np.floor(count + 1e-6))) / clip.rate_hz


def _sampled(postures: Postures, at: Array) -> Postures:
    """Postures at ticks ``at`` (T,), in between by cubics; without the axes of their degrees of freedom."""
    at = np.where(np.abs(at - np.round(at)) < 1e-6, np.round(at), at)
    at = np.clip(at, 0.0, len(postures.positions_w) - 1.0)
    turned = [rotations_at(rotations.continuous(q), at) for q in np.moveaxis(postures.rotations_w, 1, 0)]
    axes = np.zeros((len(at), 0, 3))
    return Postures(places_at(postures.positions_w, at), np.stack(turned, axis=1), axes, axes)
