"""Workers: the same samples end the same, whoever simulates them and beside whom."""

import numpy as np
import pytest

from understudy.cost import moments_of
from understudy.reconstruction import LocalWorkers
from understudy.reconstruction.planning import start_of
from understudy.reconstruction.workers import Ends

FIELDS = ("qpos", "qvel", "places_w", "mass_centre_w", "mass_velocity_w", "angular_momentum_w")


def assert_same(a: Ends, b: Ends) -> None:
    """To the last bit."""
    np.testing.assert_array_equal(a.rows, b.rows)
    np.testing.assert_array_equal(a.alive, b.alive)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(a.moments, name), getattr(b.moments, name), err_msg=name)


def of(ends: Ends, index) -> Ends:
    return Ends(ends.rows[index], ends.moments[index], ends.alive[index])


def samples(plan, count, seed=0):
    """Starts (count, S) and offsets (count, D) at random."""
    windows = plan.space.windows_rad
    offsets = np.random.default_rng(seed).uniform(-1.0, 1.0, (count, len(windows))) * windows
    return np.repeat(start_of(plan).row[None], count, axis=0), offsets


@pytest.fixture(scope="module")
def many(plan):
    """600 samples of the first fragment by one thread, simulated in two parts."""
    return LocalWorkers(plan, 1).run(0, *samples(plan, 600))


def test_any_number_of_threads_gives_the_same_bits(plan, many):
    assert_same(LocalWorkers(plan, 2).run(0, *samples(plan, 600)), many)


def test_a_sample_alone_ends_as_it_does_among_many(plan, many):
    starts, offsets = samples(plan, 600)
    workers = LocalWorkers(plan, 1)
    for i in (0, 299, 300, 599):
        assert_same(workers.run(0, starts[i : i + 1], offsets[i : i + 1]), of(many, slice(i, i + 1)))


@pytest.mark.parametrize("batch", [7, 16])
def test_the_parts_that_samples_are_cut_into_do_not_matter(plan, many, batch, monkeypatch):
    monkeypatch.setattr("understudy.reconstruction.workers.BATCH", batch)
    starts, offsets = samples(plan, 600)
    ends = LocalWorkers(plan, 1).run(0, starts[:40], offsets[:40])
    assert len(ends.rows) == 40
    assert_same(ends, of(many, slice(0, 40)))


def test_what_workers_did_before_does_not_matter(plan, many):
    starts, offsets = samples(plan, 600)
    workers = LocalWorkers(plan, 1)
    workers.run(2, many.rows[:30], offsets[:30])
    workers.run(1, many.rows[:50], offsets[:50])
    assert_same(workers.run(0, starts[:20], offsets[:20]), of(many, slice(0, 20)))
    workers.close()
    assert_same(workers.run(0, starts[:20], offsets[:20]), of(many, slice(0, 20)))


def test_samples_go_on_from_where_each_of_them_was(plan, many):
    _, offsets = samples(plan, 8, seed=1)
    workers = LocalWorkers(plan, 1)
    together = workers.run(1, many.rows[:8], offsets)
    assert_same(workers.run(1, many.rows[5:6], offsets[5:6]), of(together, slice(5, 6)))
    seconds = together.rows[:, 0] - many.rows[:8, 0]
    np.testing.assert_allclose(seconds, plan.ticks(1) / plan.reference.rate_hz)


def test_moments_are_of_the_states_they_come_with(plan, many):
    character = plan.reference.character
    nq, nv = character.model.nq, character.model.nv
    np.testing.assert_array_equal(many.moments.qpos, many.rows[:, 1 : 1 + nq])
    computed = moments_of(character, many.rows[:3, 1 : 1 + nq], many.rows[:3, 1 + nq : 1 + nq + nv])
    np.testing.assert_allclose(many.moments.places_w[:3], computed.places_w, atol=1e-12)
    np.testing.assert_allclose(many.moments.angular_momentum_w[:3], computed.angular_momentum_w, atol=1e-9)


def test_another_offset_ends_elsewhere(many):
    assert len(np.unique(many.moments.qpos[:, 7])) == 600
    assert many.alive.all()


def no_number(plan, starts, offsets):  # noqa: ARG001
    offsets[3, 0] = np.nan


def undefined_start(plan, starts, offsets):  # noqa: ARG001
    starts[3, 10] = np.nan


def far_too_fast(plan, starts, offsets):  # noqa: ARG001
    starts[3, 1 + plan.reference.character.model.nq + 10] = 1e13


@pytest.mark.parametrize("spoil", [no_number, undefined_start, far_too_fast])
def test_a_sample_that_diverges_is_marked_dead_and_disturbs_no_other(plan, many, spoil):
    starts, offsets = (values[:12].copy() for values in samples(plan, 600))
    spoil(plan, starts, offsets)
    ends = LocalWorkers(plan, 2).run(0, starts, offsets)
    others = np.arange(12) != 3
    assert not ends.alive[3]
    assert_same(of(ends, others), of(many, np.flatnonzero(others)))


def test_all_samples_may_diverge(plan):
    starts, offsets = samples(plan, 5)
    ends = LocalWorkers(plan, 1).run(0, starts, np.full_like(offsets, np.nan))
    assert not ends.alive.any()
    assert np.isfinite(ends.rows).all()
