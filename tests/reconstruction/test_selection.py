"""Selection: which samples go on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.reconstruction.sampling.selection import spread, systematic

COSTS = st.lists(st.floats(0.0, 1e9), min_size=1, max_size=60).map(np.array)


@settings(max_examples=60, deadline=None)
@given(COSTS, st.integers(1, 40))
def test_the_best_is_first_none_goes_twice_and_all_are_of_the_best_three_fifths(costs, count):
    chosen = spread(costs, count)
    best = np.sort(costs)[: max(1, round(0.6 * len(costs)))]
    assert costs[chosen[0]] == best[0]
    assert len(set(chosen.tolist())) == len(chosen)
    assert 1 <= len(chosen) <= min(count, len(best))
    assert (costs[chosen] <= best[-1]).all()
    assert (np.diff(costs[chosen]) >= 0.0).all()


def test_selection_is_densest_at_low_costs_and_reaches_the_high_ones():
    costs = np.random.default_rng(0).permutation(np.linspace(0.0, 10.0, 1000))
    chosen = costs[spread(costs, 100)]
    assert len(chosen) == 100
    counts = np.histogram(chosen, bins=6, range=(0.0, 6.0))[0]  # the best 60 % cost 0 to 6
    assert (np.diff(counts) <= 0).all(), counts
    assert counts[0] > 50
    assert chosen[-1] > 5.0


def test_two_of_five_by_hand():
    # the best 60 % of five are those of cost 1, 3 and 4; asked for are 1 + 3 (0, 0.5)^6, that is 1 and 1.05: the best,
    # and the next that costs as much
    assert spread(np.array([4.0, 9.0, 1.0, 7.0, 3.0]), 2).tolist() == [2, 4]


def test_selection_follows_the_samples_in_whatever_order_they_are():
    rng = np.random.default_rng(1)
    costs, order = rng.exponential(size=80), rng.permutation(80)
    np.testing.assert_array_equal(order[spread(costs[order], 20)], spread(costs, 20))


def test_of_samples_that_cost_the_same_the_first_go_on():
    assert spread(np.full(10, 3.0), 4).tolist() == [0, 1, 2, 3]


def test_a_saved_diverged_sample_never_comes_before_a_sound_one():
    costs = np.array([1e9, 2.0, 1e9, 1.0, 3.0])
    assert spread(costs, 3)[:3].tolist() == [3, 1, 4]


@settings(max_examples=60, deadline=None)
@given(COSTS, st.integers(1, 100), st.integers(0, 9))
def test_resampling_gives_as_many_as_asked_for_all_of_the_best_tenth(costs, count, seed):
    chosen = systematic(costs, count, np.random.default_rng(seed))
    assert len(chosen) == count
    assert set(costs[chosen]) <= set(np.sort(costs)[: max(1, round(0.1 * len(costs)))])


def test_better_samples_are_resampled_at_least_as_often():
    # systematic resampling rounds each share up or down, so that of two the worse may come once more, not twice
    costs = np.random.default_rng(2).exponential(size=300)
    order, total = np.argsort(costs)[:30], np.zeros(30)
    for seed in range(200):
        counts = np.bincount(systematic(costs, 400, np.random.default_rng(seed)), minlength=300)[order]
        assert counts.sum() == 400
        assert (counts[1:] - np.minimum.accumulate(counts[:-1]) <= 1).all()
        total += counts
    assert (np.diff(total) <= 20).all()  # of 200 draws, on average
    assert total[0] / total[-1] == pytest.approx(3.0, rel=0.05), "the worst of them a third as often as the best"


def test_resampling_is_told_by_its_random_generator():
    costs = np.random.default_rng(3).exponential(size=200)
    one, same, other = (systematic(costs, 50, np.random.default_rng(seed)).tolist() for seed in (5, 5, 6))
    assert one == same
    assert one != other
