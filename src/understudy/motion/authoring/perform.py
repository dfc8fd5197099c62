"""From a score to poses: the targets, solved at half the frame rate and then at the whole."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import LinAlgError

from understudy.errors import ClipError
from understudy.motion.authoring.body import Puppet
from understudy.motion.authoring.score import RATE_HZ, Score
from understudy.motion.authoring.solve import solve
from understudy.motion.authoring.targets import targets
from understudy.rotations import Array

# Weights of physics in successive Gauss-Newton steps: contacts first, then forces too.
COARSE = (0.0, 0.0, 0.0, 0.1, 0.1, 0.2, 0.3, 0.5, 0.7) + (1.0,) * 10
FINE = (1.0,) * 4


def perform(body: Puppet, score: Score) -> Array:
    """Poses (T, 3 + D) of a score at RATE_HZ, beginning over the origin; one cycle, not closed, of one that repeats."""
    coarse = targets(body, score, RATE_HZ / 2.0)
    fine = targets(body, score, RATE_HZ)
    try:
        x = solve(body, coarse, coarse.x, COARSE)
        x = solve(body, fine, _doubled(x, coarse.shift, len(fine.x)), FINE)
    except (LinAlgError, ValueError) as problem:
        raise ClipError(
            f"authored clip '{score.name}' can't be solved ({problem}); are its poses possible?"
        ) from problem
    x[:, :2] -= x[0, :2]
    return x


def _doubled(x: Array, shift: Array | None, count: int) -> Array:
    """Poses (count, n) at twice the rate of poses (T, n), by cubic splines."""
    before = 0 if shift is None else 3
    if shift is not None:
        x = np.concatenate([x[-before:] - shift, x, x[: before + 1] + shift])
    times = 2.0 * (np.arange(len(x)) - before)
    return CubicSpline(times, x)(np.arange(count))
