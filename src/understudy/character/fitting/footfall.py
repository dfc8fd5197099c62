"""When a figure's feet rest on the floor, and how the flat foot lies in the ankle's frame."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy import rotations
from understudy.character.fitting.figure import Figure
from understudy.rotations import Array

_SPEED_M_S = 0.25
_HEIGHT_M = 0.04
_BELIEVABLE = np.radians(45.0)
_DOUBT_S = 0.1
_IGNORED, _CERTAIN = np.radians(4.0), np.radians(8.0)


def resting_weights(figure: Figure, side: str, rate_hz: float) -> Array:
    """(T,) how surely a foot rests: ankle and toes slow, and low compared with the rest of the clip."""
    weights = np.ones(figure.frame_count)
    for part in (f"{side}_foot", f"{side}_toes"):
        if part in figure.places:
            height = figure.places[part][:, 2]
            low = float(np.quantile(height, 0.1))
            weights *= np.exp(-((np.maximum(height - low, 0.0) / _HEIGHT_M) ** 2))
            weights *= np.exp(-((speeds(figure.places[part], rate_hz) / _SPEED_M_S) ** 2))
    return weights + 1e-6


def speeds(places: Array, rate_hz: float) -> Array:
    """(T, ...) speeds [m/s] of points at places (T, ..., 3), by central differences."""
    if len(places) < 2:
        return np.zeros(places.shape[:-1])
    return np.linalg.norm(np.gradient(places, axis=0), axis=-1) * rate_hz


def with_flat_feet(figure: Figure, frames: Mapping[str, Array], rate_hz: float) -> dict[str, Array]:
    """The anatomical frames (T, 4) of the parts, feet and toes tilted so that they are level while they rest.

    A rest pose's feet need not be flat: with legs astride, CMU's are rolled outwards with their shins. Frames in which
    a foot rests tell; those that ask for more than a believable tilt (kneeling, lying) don't count, and a few degrees
    are left alone, since feet roll in walking.
    """
    result = dict(frames)
    for side in ("left", "right"):
        weights = resting_weights(figure, side, rate_hz)
        for part in (part for part in (f"{side}_foot", f"{side}_toes") if part in frames):
            up = rotations.rotate(rotations.conjugate(frames[part]), np.array([0.0, 0.0, 1.0]))
            result[part] = rotations.multiply(frames[part], _tilt(up, weights / rate_hz))
    return result


def _tilt(up: Array, seconds: Array) -> Array:
    """The turn (4,) that brings upright onto the usual direction of up (T, 3), each frame counting so many seconds."""
    upright = np.array([0.0, 0.0, 1.0])
    seconds = np.where(up[:, 2] > np.cos(_BELIEVABLE), seconds, 0.0)
    mean = rotations.normalize(np.sum(seconds[:, None] * up, axis=0) + _DOUBT_S * upright)
    tilt = rotations.log(rotations.between(upright, mean))
    size = float(np.linalg.norm(tilt))
    share = np.clip((size - _IGNORED) / (_CERTAIN - _IGNORED), 0.0, 1.0)
    return rotations.exp(share * tilt)
