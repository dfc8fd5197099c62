"""Which samples of a fragment go on."""

from __future__ import annotations

import numpy as np

from understudy.errors import ReconstructionError
from understudy.reconstruction.settings import Selection
from understudy.rotations import Array, IntArray

DIVERGED = 1e9
"""The cost of a sample whose simulation diverged; none of them goes on."""

_KEPT, _POWER = 0.6, 6  # samcon-2010 section 3.2.3: the best 60 %, spread by f(x) = x^6


def selected(how: Selection, costs: Array, count: int, rng: np.random.Generator) -> IntArray:
    """About count of the samples whose costs are (n,), the best one first."""
    return spread(costs, count) if how == "spread" else systematic(costs, count, rng)


def spread(costs: Array, count: int) -> IntArray:
    """About count samples spread over the costs (n,) of the best 60 %, the low ones densest, the best one first.

    samcon-2010 section 3.2.3: the samples nearest to cost_min + (cost_max - cost_min) x^6, x even in [0, 1).
    """
    best = _best(costs, _KEPT)
    count = min(count, len(best))
    sorted_costs = costs[best]
    wanted = sorted_costs[0] + (sorted_costs[-1] - sorted_costs[0]) * (np.arange(count) / count) ** _POWER
    above = np.clip(np.searchsorted(sorted_costs, wanted), 1, max(len(best) - 1, 1)) % len(best)
    below = np.maximum(above - 1, 0)
    places = np.where(wanted - sorted_costs[below] <= sorted_costs[above] - wanted, below, above)
    steps = np.arange(count)
    different = np.maximum.accumulate(places - steps) + steps  # none twice
    return best[different[different < len(best)]]


def systematic(costs: Array, count: int, rng: np.random.Generator) -> IntArray:
    """count of the samples, the better ones several times (control-graphs-2016 section 5.3; Douc and Cappe 2005).

    The best tenth is resampled with weights that fall from one to a third over its range of costs.
    """
    best = _best(costs, 0.1)
    gaps = costs[best] - costs[best[0]]
    weights = np.exp(-gaps / max(float(gaps[-1]), 1e-12) * np.log(3.0))
    edges = np.cumsum(weights / weights.sum())
    picks = (rng.random() + np.arange(count)) / count
    return best[np.minimum(np.searchsorted(edges, picks), len(best) - 1)]


def _best(costs: Array, share: float) -> IntArray:
    """The share of the samples that cost least, the least first, of those that did not diverge."""
    order = np.argsort(costs, kind="stable")
    best = order[: max(1, round(share * len(order)))]
    best = best[costs[best] < DIVERGED]
    if not len(best):
        raise ReconstructionError(
            f"all {len(costs)} samples of a fragment diverged; the character's gains may be too strong for its physics"
        )
    return best
