"""What sampling teaches about the dynamics near the best path, and the best way on that follows from it.

Every sample of a fragment tells how its state and its offsets led to an end state. Around the best path these are
nearly linear: x' = A x + B a + c, fitted by ridge regression to all samples of the last rounds. With a cost that is
quadratic in x' and a, the optimal offsets and the cost still to come follow backwards from the last fragment by the
affine Riccati recursion (the time-varying linear-quadratic regulator; with fitted dynamics it is the linear-Gaussian
step of Levine and Abbeel 2014). The law steers the next round's samples, its value judges them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from understudy.cost import Exertion, TrackingCost
from understudy.records import frozen
from understudy.rotations import Array

_NEAR = 0.8  # of the samples, those whose bodies end nearest; the far ones have fallen and tell nothing of here
_PLACES_RIDGE = 1e-5  # bodies follow from the state, almost without noise
_FLAT = 1e-6  # added to standard deviations, and to what is inverted


@dataclass(frozen=True)
class Samples:
    """What n samples of one fragment did.

    Attributes:
        before: (n, X) deviations of their states when it began.
        offsets: (n, D) [rad].
        after: (n, X) when it ended.
        places_w: (n, 3 B) of their bodies when it ended.
    """

    before: Array
    offsets: Array
    after: Array
    places_w: Array

    def __post_init__(self) -> None:
        frozen(self, **vars(self))

    @staticmethod
    def concatenate(parts: Sequence[Samples]) -> Samples:
        """Several one after another, in double precision."""
        return Samples(*(np.concatenate([getattr(p, name) for p in parts]).astype(float) for name in vars(parts[0])))


@dataclass(frozen=True)
class Law:
    """Offsets of a fragment as a linear function of the state it begins in: offset + gain (x - centre).

    Attributes:
        centre: (X,) deviation of the state on the best path.
        gain: (D, X).
        offset: (D,) [rad].
    """

    centre: Array
    gain: Array
    offset: Array

    def __post_init__(self) -> None:
        frozen(self, **vars(self))

    def __call__(self, states: Array) -> Array:
        """Offsets (n, D) in states (n, X)."""
        return self.offset + (states - self.centre) @ self.gain.T


@dataclass(frozen=True)
class Value:
    """The cost still to come as a function of the state: d' matrix d + 2 slope d, with d = x - centre, but a constant.

    Attributes:
        centre: (X,).
        matrix: (X, X) symmetric, not below 0.
        slope: (X,).
    """

    centre: Array
    matrix: Array
    slope: Array

    def __post_init__(self) -> None:
        frozen(self, **vars(self))

    def __call__(self, states: Array) -> Array:
        """(n,) for states (n, X)."""
        away = states - self.centre
        return np.sum((away @ self.matrix + 2.0 * self.slope) * away, axis=1)


def nothing_to_come(centre: Array) -> Value:
    """The value at the end of what is looked at."""
    return Value(centre, np.zeros((len(centre), len(centre))), np.zeros(len(centre)))


@dataclass(frozen=True)
class Best:
    """The best path through one fragment: deviations before and after it (X,), and its offsets (D,)."""

    before: Array
    offsets: Array
    after: Array


def step_back(
    samples: Samples,
    best: Best,
    to_come: Value,
    cost: TrackingCost,
    exertion: Exertion,
    windows_rad: Array,
    ridge: float,
) -> tuple[Law, Value]:
    """The law of a fragment and the value where it begins, given the value where it ends (centred on the best path).

    Args:
        samples: of the fragment, of the last rounds.
        best: the path they are near.
        to_come: the value at its end.
        cost: what is minimised,
        exertion: and what the fragment's offsets cost.
        windows_rad: (D,) half-widths; the law's offset moves by at most that much from the best path's.
        ridge: of the regression, against the variance of the samples.
    """
    near = _nearest(samples)
    before, offsets, after = near.before - best.before, near.offsets - best.offsets, near.after - best.after
    slope, shift = regression(np.concatenate([before, offsets], axis=1), after, ridge)
    states = before.shape[1]
    A, B = slope[:states].T, slope[states:].T
    C, places = regression(after, near.places_w, _PLACES_RIDGE)  # places_w = places + after C
    by_state, by_place = cost.state_weights(states // 2), cost.place_weights(len(places))
    Q = np.diag(by_state) + C @ (by_place[:, None] * C.T) + to_come.matrix
    q = by_state * best.after + C @ (by_place * places) + to_come.slope
    R, r = exertion.weights, exertion.slope(best.offsets)
    factor = linalg.cho_factor(np.diag(R + _FLAT) + B.T @ Q @ B)
    gain = -linalg.cho_solve(factor, B.T @ Q @ A)
    step = np.clip(-linalg.cho_solve(factor, r + B.T @ (Q @ shift + q)), -windows_rad, windows_rad)
    closed, drift = A + B @ gain, shift + B @ step
    matrix = closed.T @ Q @ closed + gain.T @ (R[:, None] * gain)
    begin = closed.T @ (Q @ drift + q) + gain.T @ (R * step + r)
    law = Law(best.before, gain, best.offsets + step)
    return law, Value(best.before, 0.5 * (matrix + matrix.T), begin)


def regression(inputs: Array, outputs: Array, ridge: float) -> tuple[Array, Array]:
    """Slopes (I, O) and intercepts (O,) of outputs (n, O) on inputs (n, I); inputs are standardised for the ridge."""
    mean, spread, middle = inputs.mean(axis=0), inputs.std(axis=0) + _FLAT, outputs.mean(axis=0)
    standard = (inputs - mean) / spread
    gram = standard.T @ standard
    gram[np.diag_indices_from(gram)] += ridge * len(inputs)
    slopes = linalg.cho_solve(linalg.cho_factor(gram), standard.T @ (outputs - middle)) / spread[:, None]
    return slopes, middle - mean @ slopes


def _nearest(samples: Samples) -> Samples:
    distances = np.linalg.norm(samples.places_w, axis=1)
    near = distances <= np.quantile(distances, _NEAR)
    return Samples(*(values[near] for values in vars(samples).values()))
