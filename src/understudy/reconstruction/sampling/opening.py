"""The opening: how fast everything moves at the start, which is searched for too.

The first frame's velocities are the worst known of a recording, and a clip cut out of a longer one begins with a
momentum that its first pose alone does not tell. So they are sampled like offsets, and cost like offsets where they
depart from the reference's.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from understudy.reconstruction.sampling.local_model import Value
from understudy.rotations import Array

_ROOT_M_S, _ROOT_RAD_S, _JOINT_RAD_S = 0.3, 1.0, 1.0  # standard deviations of what is sampled
_REACH = 3.0  # most a velocity may depart, in these


class Opening:
    """Velocities of nv degrees of freedom, and what departing from the reference's costs.

    Args:
        nv: of the character; of a state (X,) = (2 nv,) the latter half are velocities.
        effort: weight of departures, each counted in windows, as of offsets.
    """

    def __init__(self, nv: int, effort: float) -> None:
        self.windows: Array = np.repeat([_ROOT_M_S, _ROOT_RAD_S, _JOINT_RAD_S], [3, 3, nv - 6])
        self.weights: Array = effort / (self.windows**2 * nv)
        self._nv = nv

    def draw(self, best: Array, value: Value | None, scales: Array, rng: np.random.Generator) -> Array:
        """Departures (n, nv) around the best known one (nv,) and, by scales (n,) of noise, about where value points."""
        step = np.zeros(self._nv) if value is None else self._step(best, value)
        drawn = best + step + rng.normal(size=(len(scales), self._nv)) * self.windows * scales[:, None]
        drawn[0] = best
        return np.clip(drawn, -_REACH * self.windows, _REACH * self.windows)

    def cost(self, departures: Array) -> Array:
        """(n,) of departures (n, nv)."""
        return np.square(departures) @ self.weights

    def _step(self, best: Array, value: Value) -> Array:
        """The way to the least of the cost to come and the departure's own."""
        own = slice(self._nv, 2 * self._nv)
        matrix = value.matrix[own, own] + np.diag(self.weights)
        step = -linalg.solve(matrix, value.slope[own] + self.weights * best, assume_a="pos")
        return np.clip(step, -self.windows, self.windows)
