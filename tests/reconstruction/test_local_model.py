"""The linear-quadratic step, against made-up linear dynamics and a solver that knows nothing of Riccati."""

import numpy as np
import pytest

from understudy.cost import TrackingCost
from understudy.reconstruction.sampling.local_model import (
    Best,
    Law,
    Samples,
    Value,
    nothing_to_come,
    regression,
    step_back,
)

STATES, ACTIONS, PLACES = 14, 4, 6  # of a character of a root, one hinge, and two bodies
COST = TrackingCost(effort=3.0, roughness=2.0)
WINDOWS = np.array([3.0, 4.0, 5.0, 6.0])  # wide: nothing is clipped
EXERTION = COST.exertion(WINDOWS, np.array([0.3, -0.2, 0.1, 0.0]))
RIDGE = 1e-10


class Linear:
    """A fragment whose end is before A' + offsets B' + c, and whose bodies are after C' + p."""

    def __init__(self, rng):
        self.A = 0.4 * rng.normal(size=(STATES, STATES))
        self.B = 0.4 * rng.normal(size=(STATES, ACTIONS))
        self.c = 0.2 * rng.normal(size=STATES)
        self.C, self.p = 0.3 * rng.normal(size=(PLACES, STATES)), 0.2 * rng.normal(size=PLACES)
        self.best = Best(*(0.2 * rng.normal(size=n) for n in (STATES, ACTIONS, STATES)))

    def end(self, before, offsets):
        return before @ self.A.T + offsets @ self.B.T + self.c

    def places(self, after):
        return after @ self.C.T + self.p

    def samples(self, rng, count=300):
        before, offsets = rng.normal(size=(count, STATES)), rng.normal(size=(count, ACTIONS))
        after = self.end(before, offsets)
        return Samples(before, offsets, after, self.places(after))

    def cost(self, before, offsets):
        """(n,) of this fragment, as TrackingCost says."""
        after = self.end(before, offsets)
        return (
            np.square(after) @ COST.state_weights(STATES // 2)
            + np.square(self.places(after)) @ COST.place_weights(PLACES)
            + sum(EXERTION.terms(offsets).values())
        )

    def residuals(self, before, offsets):
        """Of one run: the vector whose square is the cost; what a least-squares solver needs."""
        after = self.end(before, offsets)
        return np.concatenate(
            [
                np.sqrt(COST.state_weights(STATES // 2)) * after,
                np.sqrt(COST.place_weights(PLACES)) * self.places(after),
                np.sqrt(EXERTION.effort) * offsets,
                np.sqrt(EXERTION.roughness) * (offsets - EXERTION.halfway),
            ]
        )


@pytest.fixture(autouse=True)
def _exact_places(monkeypatch):
    """No ridge in the fit of places to states, so that what is exactly linear is found exactly."""
    monkeypatch.setattr("understudy.reconstruction.sampling.local_model._PLACES_RIDGE", RIDGE)


def chain(count, seed):
    """Fragments after one another, the best path through them going where they say."""
    rng = np.random.default_rng(seed)
    fragments = [Linear(rng) for _ in range(count)]
    here = 0.2 * rng.normal(size=STATES)
    for fragment in fragments:
        offsets = 0.2 * rng.normal(size=ACTIONS)
        after = fragment.end(here, offsets)
        fragment.best, here = Best(here, offsets, after), after
    return fragments, rng


def learned(fragments, rng, windows=WINDOWS):
    """The laws of the fragments and the values where they begin."""
    value = nothing_to_come(fragments[-1].best.after)
    laws, values = [], []
    for fragment in reversed(fragments):
        law, value = step_back(fragment.samples(rng), fragment.best, value, COST, EXERTION, windows, RIDGE)
        laws.insert(0, law)
        values.insert(0, value)
    return laws, values


def followed(fragments, laws, state):
    """Offsets (K, D) of the laws from a state on, and what they cost."""
    offsets, cost = [], 0.0
    for fragment, law in zip(fragments, laws, strict=True):
        offsets.append(law(state[None])[0])
        cost += float(fragment.cost(state[None], offsets[-1][None])[0])
        state = fragment.end(state, offsets[-1])
    return np.stack(offsets), cost


def best_by_least_squares(fragments, state):
    """The offsets (K, D) of the lowest cost from a state on: all of them unknowns of one stacked problem."""
    count = len(fragments)

    def residuals(unknown):
        here, result = state, []
        for fragment, offsets in zip(fragments, unknown.reshape(count, ACTIONS), strict=True):
            result.append(fragment.residuals(here, offsets))
            here = fragment.end(here, offsets)
        return np.concatenate(result)

    origin = residuals(np.zeros(count * ACTIONS))
    matrix = np.stack([residuals(unit) - origin for unit in np.eye(count * ACTIONS)], axis=1)
    solution = np.linalg.lstsq(matrix, -origin, rcond=None)[0]
    return solution.reshape(count, ACTIONS), float(np.sum(np.square(residuals(solution))))


def test_regression_finds_exactly_linear_maps():
    rng = np.random.default_rng(0)
    inputs, slopes, shift = rng.normal(size=(80, 5)) * [1, 10, 0.1, 3, 1], rng.normal(size=(5, 3)), rng.normal(size=3)
    found, intercept = regression(inputs, inputs @ slopes + shift, RIDGE)
    np.testing.assert_allclose(found, slopes, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(intercept, shift, rtol=1e-4, atol=1e-5)


def test_regression_goes_through_the_mean_whatever_the_ridge():
    rng = np.random.default_rng(1)
    inputs, outputs = rng.normal(size=(40, 4)), rng.normal(size=(40, 2))
    for ridge in (1e-9, 1e-2, 10.0):
        slopes, intercept = regression(inputs, outputs, ridge)
        np.testing.assert_allclose(inputs.mean(axis=0) @ slopes + intercept, outputs.mean(axis=0), atol=1e-12)


def test_a_ridge_makes_slopes_smaller_and_keeps_their_unit():
    # one input: slope = cov / (var (1 + ridge)); ten times the unit is a tenth of the slope, with any ridge
    inputs = np.random.default_rng(2).normal(size=(200, 1))
    for ridge in (0.0, 0.5, 3.0):
        assert regression(inputs, 2.0 * inputs, ridge)[0] == pytest.approx(2.0 / (1.0 + ridge), rel=1e-4)
        assert regression(10.0 * inputs, 2.0 * inputs, ridge)[0] == pytest.approx(0.2 / (1.0 + ridge), rel=1e-4)


def test_inputs_that_never_change_have_no_slope():
    rng = np.random.default_rng(3)
    inputs = np.concatenate([rng.normal(size=(50, 2)), np.full((50, 1), 7.0)], axis=1)
    slopes, _ = regression(inputs, inputs[:, :1] * 3.0, 1e-6)
    assert slopes[0, 0] == pytest.approx(3.0, rel=1e-4)
    assert slopes[2, 0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_law_of_the_last_fragment_is_what_least_squares_finds(seed):
    (fragment,), rng = chain(1, seed)
    (law,), _ = learned([fragment], rng)
    for state in 0.5 * rng.normal(size=(4, STATES)):
        expected, _ = best_by_least_squares([fragment], state)
        np.testing.assert_allclose(law(state[None]), expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_laws_going_backwards_are_the_least_squares_of_all_fragments_at_once(seed):
    fragments, rng = chain(4, seed)
    laws, _ = learned(fragments, rng)
    for state in fragments[0].best.before + 0.5 * rng.normal(size=(3, STATES)):
        expected, lowest = best_by_least_squares(fragments, state)
        offsets, cost = followed(fragments, laws, state)
        np.testing.assert_allclose(offsets, expected, rtol=1e-3, atol=1e-3)
        assert cost == pytest.approx(lowest, rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_the_value_tells_differences_of_the_cost_to_come(seed):
    fragments, rng = chain(4, seed)
    _, values = learned(fragments, rng)
    states = fragments[0].best.before + 0.5 * rng.normal(size=(5, STATES))
    costs = np.array([best_by_least_squares(fragments, state)[1] for state in states])
    told = values[0](states)
    np.testing.assert_allclose(told - told[0], costs - costs[0], rtol=1e-3, atol=1e-3)


def test_no_other_offsets_of_a_fragment_cost_less_in_all():
    fragments, rng = chain(2, 4)
    laws, values = learned(fragments, rng)
    state = fragments[0].best.before
    law_offsets = laws[0](state[None])
    others = law_offsets + 0.3 * rng.normal(size=(50, ACTIONS))

    def in_all(offsets):
        states = np.repeat(state[None], len(offsets), axis=0)
        return fragments[0].cost(states, offsets) + values[1](fragments[0].end(states, offsets))

    assert (in_all(others) > in_all(law_offsets) - 1e-6).all()


def test_a_value_is_nothing_at_its_centre_and_its_matrix_is_not_below_0():
    fragments, rng = chain(3, 5)
    _, values = learned(fragments, rng)
    for fragment, value in zip(fragments, values, strict=True):
        assert value(fragment.best.before[None]) == pytest.approx(0.0, abs=1e-12)
        np.testing.assert_array_equal(value.matrix, value.matrix.T)
        assert np.linalg.eigvalsh(value.matrix).min() > -1e-9


def test_what_is_far_behind_costs_nothing_more():
    centre = np.random.default_rng(6).normal(size=5)
    assert not nothing_to_come(centre)(np.random.default_rng(7).normal(size=(3, 5))).any()


def test_a_value_by_hand():
    # d = (1, -2): d' [[2, 1], [1, 3]] d = 2 - 4 + 12 = 10; 2 (1, 5) d = 2 - 20 = -18
    value = Value(np.array([3.0, 3.0]), np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, 5.0]))
    assert value(np.array([[4.0, 1.0]])) == pytest.approx(-8.0)


def test_a_law_at_its_centre_is_its_offset():
    rng = np.random.default_rng(8)
    law = Law(rng.normal(size=5), rng.normal(size=(3, 5)), rng.normal(size=3))
    np.testing.assert_array_equal(law(law.centre[None])[0], law.offset)
    away = rng.normal(size=5)
    np.testing.assert_allclose(law((law.centre + away)[None])[0] - law.offset, law.gain @ away)


def test_a_law_moves_the_best_offsets_by_a_window_at_most():
    fragments, rng = chain(2, 9)
    narrow = np.full(ACTIONS, 0.01)
    laws, _ = learned(fragments, rng, narrow)
    for fragment, law in zip(fragments, laws, strict=True):
        moved = np.abs(law.offset - fragment.best.offsets)
        assert (moved <= narrow + 1e-15).all()
        assert moved.max() == pytest.approx(0.01), "the effort alone would move it further"


def test_samples_that_have_fallen_teach_nothing():
    (fragment,), rng = chain(1, 10)
    samples = fragment.samples(rng)
    fallen = Samples(
        np.concatenate([samples.before, rng.normal(size=(60, STATES))]),
        np.concatenate([samples.offsets, rng.normal(size=(60, ACTIONS))]),
        np.concatenate([samples.after, 30.0 * rng.normal(size=(60, STATES))]),
        np.concatenate([samples.places_w, 100.0 + rng.normal(size=(60, PLACES))]),
    )
    end = nothing_to_come(fragment.best.after)
    laws = [step_back(s, fragment.best, end, COST, EXERTION, WINDOWS, RIDGE)[0] for s in (samples, fallen)]
    np.testing.assert_allclose(laws[0].gain, laws[1].gain, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(laws[0].offset, laws[1].offset, rtol=1e-4, atol=1e-6)


def test_samples_joined_are_in_double_precision():
    rng = np.random.default_rng(11)
    half = Samples(*(rng.normal(size=(3, n)).astype(np.float32) for n in (2, 1, 2, 3)))
    whole = Samples.concatenate([half, half])
    assert whole.before.dtype == np.float64
    np.testing.assert_array_equal(whole.places_w, np.concatenate([half.places_w, half.places_w]))
