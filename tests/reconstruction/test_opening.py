"""The opening: velocities of the start are sampled near the best known, and cost what they depart."""

import numpy as np
import pytest
from scipy import optimize

from understudy.reconstruction.sampling.local_model import Value
from understudy.reconstruction.sampling.opening import Opening

NV = 9


@pytest.fixture
def opening():
    return Opening(NV, 0.3)


def bowl(rng, far=0.1):
    """A value whose lowest place is about so far from its centre."""
    root = rng.normal(size=(2 * NV, 2 * NV))
    return Value(np.zeros(2 * NV), root @ root.T, far * rng.normal(size=2 * NV))


def test_departing_by_a_window_everywhere_costs_the_weight_of_effort(opening):
    assert opening.cost(opening.windows[None]) == pytest.approx(0.3)
    assert opening.cost(np.zeros((1, NV))) == 0.0


def test_the_first_is_the_best_known_whatever_the_noise(opening):
    rng = np.random.default_rng(0)
    best = 0.5 * rng.uniform(-1.0, 1.0, NV) * opening.windows
    for value in (None, bowl(rng)):
        np.testing.assert_array_equal(opening.draw(best, value, np.ones(5), rng)[0], best)


def test_without_noise_the_others_are_where_the_cost_is_lowest(opening):
    rng = np.random.default_rng(1)
    best, value = 0.1 * rng.uniform(-1.0, 1.0, NV), bowl(rng)

    def cost(departure):
        # the value is centred on the best path, whose departure is the best known
        state = np.concatenate([np.zeros(NV), departure - best])
        return float(value(state[None])[0] + opening.cost(departure[None])[0])

    drawn = opening.draw(best, value, np.zeros(3), rng)
    lowest = optimize.minimize(cost, best, tol=1e-14).x
    np.testing.assert_allclose(drawn[1], lowest, atol=1e-5)
    np.testing.assert_array_equal(drawn[1], drawn[2])


def test_a_step_is_a_window_at_most_and_all_stay_within_three(opening):
    rng = np.random.default_rng(2)
    far = opening.draw(np.zeros(NV), bowl(rng, 1e6), np.zeros(2), rng)[1]
    assert (np.abs(far) <= opening.windows + 1e-12).all()
    assert (np.abs(opening.draw(np.zeros(NV), None, np.full(50, 100.0), rng)) <= 3.0 * opening.windows + 1e-12).all()


def test_scales_say_how_much_each_departs(opening):
    scales = np.repeat([0.0, 0.5, 1.0], 400)
    drawn = opening.draw(np.zeros(NV), None, scales, np.random.default_rng(3)) / opening.windows
    spreads = [drawn[scales == scale].std() for scale in (0.0, 0.5, 1.0)]
    assert spreads == pytest.approx([0.0, 0.5, 1.0], abs=0.03)
