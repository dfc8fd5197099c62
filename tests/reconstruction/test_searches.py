"""What each round of a search does, and that all it knows can be written down."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from understudy.cost import TrackingCost
from understudy.reconstruction import LocalWorkers, ReconstructionSettings
from understudy.reconstruction.planning import start_of
from understudy.reconstruction.recording import costs_of, recorded
from understudy.reconstruction.sampling import GuidedSearch, SamconSearch
from understudy.reconstruction.sampling.known import Stage, Waypoint, below, named
from understudy.reconstruction.sampling.local_model import Law, Samples, Value
from understudy.reconstruction.sampling.schedule import Schedule

METHODS = ("guided", "samcon-2010")


@pytest.fixture(autouse=True)
def _as_reconstruct_does():
    """Algebra on one thread: the same bits on any number of cores, and no threads that wait for each other."""
    with threadpool_limits(1, "blas"):
        yield


def new_search(plan, method, seed=0):
    row = start_of(plan).row
    settings = ReconstructionSettings(samples=60, saved=10, rounds=4, seed=seed)
    if method == "guided":
        return GuidedSearch(plan, settings, row, Schedule(4, 4))
    return SamconSearch(plan, settings, row)


def assert_equal(a, b):
    """Two mappings of the same arrays."""
    assert set(a) == set(b)
    for name, values in a.items():
        np.testing.assert_array_equal(values, b[name], err_msg=name)
        assert np.asarray(values).dtype == np.asarray(b[name]).dtype, name


def test_no_round_of_a_window_makes_the_best_path_worse(plan):
    search, workers, totals = new_search(plan, "guided"), LocalWorkers(plan, 1), []
    while search.advance(workers):
        path = search.path()
        costs = costs_of(plan, path.offsets, recorded(plan, path, 0), TrackingCost())
        start = search.waypoints[0].state[None, search.anatomy.nv :]
        totals.append(float(sum(term.sum() for term in costs.values()) + search.opening.cost(start)[0]))
    assert len(totals) == 4
    assert (np.diff(totals) <= 1e-9).all()
    assert totals[-1] < 0.8 * totals[0]


@pytest.mark.parametrize("method", METHODS)
def test_a_path_leads_through_the_states_it_says(plan, method):
    search, workers = new_search(plan, method), LocalWorkers(plan, 1)
    while search.advance(workers):
        pass
    path = search.path()
    nq = plan.reference.character.model.nq
    np.testing.assert_array_equal(path.rows[0, 1 : 1 + nq], start_of(plan).row[1 : 1 + nq])
    for k in range(3):
        ends = workers.run(k, path.rows[k : k + 1], path.offsets[k : k + 1])
        np.testing.assert_array_equal(ends.rows[0], path.rows[k + 1])


@pytest.mark.parametrize("method", METHODS)
def test_a_search_that_is_done_stays_as_it_is(plan, method):
    search, workers = new_search(plan, method), LocalWorkers(plan, 1)
    while search.advance(workers):
        pass
    before = search.simulated
    assert not search.advance(workers)
    assert search.done == 3
    assert search.simulated == before


@pytest.mark.parametrize("method", METHODS)
def test_a_search_restored_after_any_round_knows_the_same_and_goes_on_the_same(plan, method):
    search, workers = new_search(plan, method), LocalWorkers(plan, 1)
    restored = None
    while search.advance(workers):
        if restored is not None:
            restored.advance(workers)
            assert_equal(restored.arrays(), search.arrays())
        restored = new_search(plan, method)
        restored.restore({name: np.array(array) for name, array in search.arrays().items()})
        assert_equal(restored.arrays(), search.arrays())
        assert restored.simulated == search.simulated
        assert restored.done == search.done


def test_every_search_has_random_numbers_of_its_own(plan):
    # whatever else draws from numpy's global generator, or has drawn
    paths = []
    for noise in (0, 1):
        np.random.seed(noise)  # noqa: NPY002
        search, workers = new_search(plan, "samcon-2010"), LocalWorkers(plan, 1)
        while search.advance(workers):
            np.random.rand(noise)  # noqa: NPY002
        paths.append(search.path().offsets)
    np.testing.assert_array_equal(*paths)


def random_record(kind, rng, *shapes):
    return kind(*(rng.normal(size=shape) for shape in shapes))


def test_what_is_known_of_a_fragment_is_the_same_after_it_was_written_down():
    rng = np.random.default_rng(0)
    samples = [random_record(Samples, rng, (3, 4), (3, 2), (3, 4), (3, 6)) for _ in range(2)]
    law = random_record(Law, rng, 4, (2, 4), 2)
    for stage in (Stage(), Stage([0.3], rng.normal(size=2)), Stage([0.3, 0.1], rng.normal(size=2), law, samples)):
        again = Stage.of_arrays(stage.arrays())
        assert_equal(again.arrays(), stage.arrays())
        assert again.history == stage.history
        assert (again.law is None) == (stage.law is None)
        assert len(again.samples) == len(stage.samples)


def test_what_is_known_of_a_moment_is_the_same_after_it_was_written_down():
    rng = np.random.default_rng(1)
    value = random_record(Value, rng, 4, (4, 4), 4)
    for waypoint in (
        Waypoint(rng.normal(size=9), rng.normal(size=4)),
        Waypoint(np.ones(9), np.ones(4), value),
    ):
        again = Waypoint.of_arrays(waypoint.arrays())
        assert_equal(again.arrays(), waypoint.arrays())
        assert (again.value is None) == (waypoint.value is None)


def test_arrays_named_for_one_thing_are_not_those_of_another():
    arrays = {**named({"a": np.zeros(1)}, "stage1"), **named({"a": np.ones(1)}, "stage12")}
    assert_equal(below(arrays, "stage1"), {"a": np.zeros(1)})
    assert_equal(below(arrays, "stage12"), {"a": np.ones(1)})
    assert below(arrays, "stage2") == {}
