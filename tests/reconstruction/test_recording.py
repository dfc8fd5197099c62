"""The record of what a search found: its costs, and that it is what was sampled."""

from dataclasses import replace

import numpy as np
import pytest

from understudy.cost import Anatomy, TrackingCost, deviation, moments_of, moments_of_reference
from understudy.errors import ReconstructionError
from understudy.reconstruction import LocalWorkers
from understudy.reconstruction.planning import start_of
from understudy.reconstruction.recording import costs_of, recorded
from understudy.reconstruction.sampling import Path
from understudy.simulation import World, record


@pytest.fixture(scope="module")
def path(plan):
    """Random offsets through the three fragments, and where they lead."""
    rng, workers = np.random.default_rng(0), LocalWorkers(plan, 1)
    offsets = 0.3 * rng.uniform(-1.0, 1.0, (3, len(plan.space))) * plan.space.windows_rad
    rows = [start_of(plan).row]
    for k in range(3):
        rows.append(workers.run(k, rows[-1][None], offsets[k : k + 1]).rows[0])
    return Path(offsets, np.stack(rows), np.ones(3, int))


@pytest.fixture(scope="module")
def rollout(plan, path):
    return recorded(plan, path, seed=3)


def test_the_record_goes_through_the_states_that_were_sampled(plan, path, rollout):
    assert rollout.tick_count == plan.reference.tick_count
    assert rollout.seed == 3
    np.testing.assert_array_equal(rollout.qpos[plan.bounds], path.rows[:, rollout.layout.qpos])
    np.testing.assert_array_equal(rollout.qvel[plan.bounds], path.rows[:, rollout.layout.qvel])


def test_states_that_no_simulation_leads_to_are_refused(plan, path):
    rows = np.array(path.rows)
    rows[2, 10] += 1e-12
    with pytest.raises(ReconstructionError, match="not what was sampled; its workers simulate something else"):
        recorded(plan, replace(path, rows=rows), seed=0)


def test_costs_are_the_tracking_cost_at_the_ends_of_the_fragments(plan, path, rollout):
    cost, character, ends = TrackingCost(effort=2.0), plan.reference.character, plan.bounds[1:]
    now = moments_of(character, rollout.qpos[ends], rollout.qvel[ends])
    off = deviation(Anatomy(character), now, moments_of_reference(plan.reference)[ends])
    a = path.offsets
    around = [a[1], *(0.5 * (a[:-2] + a[2:])), a[-2]]  # a neighbour, or the middle of two
    exertions = [
        cost.exertion(plan.space.windows_rad, middle).terms(own[None]) for own, middle in zip(a, around, strict=True)
    ]
    expected = cost.evaluate(off, {name: np.concatenate([e[name] for e in exertions]) for name in exertions[0]})
    found = costs_of(plan, path.offsets, rollout, cost)
    assert set(found) == set(expected)
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-9, err_msg=name)
        assert (found[name] > 0.0).all()


def test_fragments_that_a_run_did_not_get_to_cost_infinitely_much(plan, path, rollout):
    whole = costs_of(plan, path.offsets, rollout, TrackingCost())
    ticks = int(plan.bounds[2]) + 1  # it ended with the second fragment
    inputs = [rollout.inputs.of(tick) for tick in range(ticks - 1)]
    world = World(plan.scene, plan.reference.character, 1, 1)
    short = record(world, rollout.states[:ticks], rollout.push_steps[:ticks], inputs)
    for name, values in costs_of(plan, path.offsets, short, TrackingCost()).items():
        np.testing.assert_array_equal(values[:2], whole[name][:2], err_msg=name)
        assert values[2] == np.inf
