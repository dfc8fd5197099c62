"""The schedule: which fragments each round goes through, whatever comes of them."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.reconstruction.sampling.schedule import Schedule

COUNTS, SEEDS = st.integers(1, 60), st.integers(0, 10**6)


@dataclass(frozen=True)
class History:
    """A search gone through to its end.

    Attributes:
        windows: of every round, in order.
        rounds: that each fragment was in since it was last entered.
    """

    windows: list[tuple[int, int]]
    rounds: np.ndarray

    @property
    def begins(self):
        return [begin for begin, _ in self.windows]


def searched(schedule, count, distances, most=3000):
    """Rounds until the schedule says that all is done; distances(k, rounds) [m] is how well a fragment follows then."""
    histories, windows, end = [[] for _ in range(count)], [], 0
    while len(windows) < most:
        window = schedule.next_window(histories, end)
        if window is None:
            return History(windows, np.array([len(history) for history in histories]))
        windows.append(window)
        begin, end = window
        for k in range(begin, end):
            histories[k].append(distances(k, len(histories[k]) + 1))
        histories[end:] = [[] for _ in range(count - end)]  # what follows begins elsewhere now
    raise AssertionError(f"no end after {most} rounds: {windows[-5:]}")


def random_distances(seed, far_m):
    rng = np.random.default_rng(seed)
    return lambda k, rounds: rng.uniform(0.0, far_m)  # noqa: ARG005


@settings(max_examples=60, deadline=None)
@given(COUNTS, SEEDS, st.sampled_from([0.02, 0.1, 0.3, 0.9]), st.integers(1, 8))
def test_every_search_ends_with_every_fragment_sampled_often_enough(count, seed, far_m, most_rounds):
    schedule = Schedule(most_rounds)
    history = searched(schedule, count, random_distances(seed, far_m))
    assert history.rounds.min() >= min(schedule.least_rounds, most_rounds)


@settings(max_examples=60, deadline=None)
@given(COUNTS, SEEDS, st.sampled_from([0.02, 0.1, 0.3, 0.9]))
def test_windows_join_what_was_sampled_and_enter_a_stride_at_most(count, seed, far_m):
    schedule = Schedule()
    entered = 0
    for begin, end in searched(schedule, count, random_distances(seed, far_m)).windows:
        assert 0 <= begin < end <= count
        assert begin <= entered, "a window begins where a path leads to"
        assert end <= entered + schedule.stride
        entered = end


@settings(max_examples=60, deadline=None)
@given(COUNTS, SEEDS)
def test_begins_never_fall_while_nothing_is_lost(count, seed):
    history = searched(Schedule(), count, random_distances(seed, 0.1))
    assert (np.diff(history.begins) >= 0).all()
    assert all(end - begin <= Schedule().longest for begin, end in history.windows)


@settings(max_examples=60, deadline=None)
@given(COUNTS, SEEDS)
def test_a_fragment_that_is_not_lost_is_sampled_in_so_many_rounds_and_those_of_the_lookahead(count, seed):
    schedule = Schedule()
    history = searched(schedule, count, random_distances(seed, 0.1))
    assert history.rounds.max() <= schedule.rounds + -(-schedule.lookahead // schedule.stride)


def test_fragments_that_follow_at_once_are_left_after_the_least_rounds():
    assert set(searched(Schedule(), 3, lambda k, rounds: 0.0).rounds) == {3}  # noqa: ARG005


def test_a_fragment_that_follows_at_last_holds_the_window_until_then():
    history = searched(Schedule(rounds=9), 3, lambda k, rounds: 0.0 if k != 1 or rounds >= 5 else 0.1)
    assert history.begins == [0, 0, 0, 1, 1]
    assert history.rounds.tolist() == [3, 5, 5]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 18, 19])
def test_the_first_window_enters_a_stride(count):
    assert Schedule().next_window([[]] * count, 0) == (0, min(3, count))


def test_all_is_done_when_every_fragment_is_settled():
    schedule = Schedule()
    assert schedule.next_window([[0.01] * 3, [0.1] * 6, [0.03] * 4], 3) is None
    assert schedule.next_window([[0.01] * 3, [0.1] * 5, [0.03] * 4], 3) == (1, 3)
    assert schedule.next_window([[0.01] * 2, [0.1] * 6, [0.03] * 4], 3) == (0, 3)


def test_what_leads_to_a_lost_fragment_is_sampled_again():
    # of 30 fragments the one of index 12 is lost: the 10 before it are gone back to, and the 3 after it go with it
    windows = searched(Schedule(), 30, lambda k, rounds: 0.5 if k == 12 else 0.0).windows  # noqa: ARG005
    back = windows.index((2, 16))
    assert windows[back - 1][0] == 12


def test_a_fragment_that_stays_lost_is_given_up_when_patience_ends():
    schedule = Schedule()
    rounds = searched(schedule, 30, lambda k, rounds: 0.5 if k == 12 else 0.0).rounds  # noqa: ARG005
    patient = schedule.rounds + schedule.patience
    assert patient <= rounds[12] <= patient + schedule.lookahead
    assert rounds[:2].max() == schedule.least_rounds, "what does not lead there is let be"


def test_a_lost_fragment_that_comes_nearer_is_tried_longer():
    schedule = Schedule()
    rounds = searched(schedule, 30, lambda k, rounds: 0.95**rounds if k == 12 else 0.0).rounds
    assert rounds[12] >= schedule.lost_rounds > schedule.rounds + schedule.patience


def test_a_lost_fragment_that_is_found_again_costs_no_further_rounds():
    history = searched(Schedule(), 30, lambda k, rounds: 0.5 if k == 12 and rounds <= 8 else 0.0)
    assert history.rounds.max() < Schedule().lost_rounds


def test_after_a_failure_that_is_given_up_the_rest_is_only_shown():
    plan = Schedule()
    fallen = searched(plan, 40, lambda k, rounds: 0.01 if k < 10 else 0.8)  # noqa: ARG005
    assert fallen.rounds[10] >= plan.rounds + plan.patience
    assert fallen.rounds[11 + plan.tail :].max() <= plan.least_rounds + plan.lookahead
    far = searched(plan, 40, lambda k, rounds: 0.01 if k < 10 else 0.3)  # noqa: ARG005
    assert len(far.windows) > 2 * len(fallen.windows)  # lost, but not failed: no fragment is spared
