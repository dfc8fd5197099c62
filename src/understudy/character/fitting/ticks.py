"""From a clip's frames to a character's ticks, without the kinks that straight interpolation has at every frame.

Letters: T frames of the clip, N ticks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations
from understudy.character.fitting.targets import Targets
from understudy.errors import CharacterError
from understudy.rotations import Array

_MOST_TICKS = 2_000_000


def at_ticks(targets: Targets, rate_hz: float, tick_rate_hz: float) -> Targets:
    """Targets (T) at rate_hz as targets (N) at tick_rate_hz; a last frame between two ticks is left out."""
    frames = len(targets.hips.places_w)
    count = (frames - 1) / rate_hz * tick_rate_hz + 1.0
    if not (np.isfinite(tick_rate_hz) and tick_rate_hz > 0.0 and count <= _MOST_TICKS):
        raise CharacterError(
            f"can't fit at {tick_rate_hz:g} ticks per second: {count:.3g} ticks of a clip of {frames} frames"
        )
    place = np.arange(int(np.floor(count + 1e-6))) * (rate_hz / tick_rate_hz)
    place = np.where(np.abs(place - np.round(place)) < 1e-6, np.round(place), place)
    place = np.clip(place, 0.0, frames - 1.0, dtype=float)
    bodies = tuple(replace(body, rotations_w=rotations_at(body.rotations_w, place)) for body in targets.bodies)
    hips, *ankles = (replace(p, places_w=places_at(p.places_w, place)) for p in (targets.hips, *targets.ankles))
    return replace(targets, bodies=bodies, hips=hips, ankles=tuple(ankles))


def places_at(places: Array, at: Array) -> Array:
    """Places (T, 3) at frame numbers ``at`` (N,), by cubics whose slopes are the central differences."""
    from scipy.interpolate import CubicHermiteSpline

    if len(places) < 2:
        return np.repeat(places, len(at), axis=0)
    return CubicHermiteSpline(np.arange(len(places)), places, np.gradient(places, axis=0))(at)


def rotations_at(turns: Array, at: Array) -> Array:
    """Rotations (T, 4) at frame numbers ``at`` (N,), by cubic Bezier curves on SO(3) (Shoemake 1985)."""
    steps = rotations.log(rotations.multiply(rotations.conjugate(turns[:-1]), turns[1:]))
    ends = np.zeros((1, 3)) if len(steps) == 0 else steps[:1]
    slopes = 0.5 * (np.concatenate([ends, steps]) + np.concatenate([steps, ends if len(steps) == 0 else steps[-1:]]))
    first = np.floor(at).astype(int).clip(0, max(len(turns) - 2, 0))
    second = np.minimum(first + 1, len(turns) - 1)
    share = at - first
    a, d = turns[first], turns[second]
    b = rotations.multiply(a, rotations.exp(slopes[first] / 3.0))
    c = rotations.multiply(d, rotations.exp(-slopes[second] / 3.0))
    ab, bc, cd = (rotations.slerp(p, q, share) for p, q in ((a, b), (b, c), (c, d)))  # de Casteljau
    return rotations.slerp(rotations.slerp(ab, bc, share), rotations.slerp(bc, cd, share), share)
