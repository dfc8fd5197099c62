"""A State restores exactly, on any number of threads."""

import numpy as np
import pytest

from understudy.character import Physics
from understudy.errors import SimulationError
from understudy.simulation import State, Target, World, scene


def _run(world: World, targets: list[Target], begin: int, end: int) -> None:
    for t in range(begin, end):
        world.advance(targets[t])


@pytest.fixture
def targets(poses) -> list[Target]:
    """Ten ticks for six simulations, with gains and torques of their own."""
    random = np.random.default_rng(5)
    return [Target(poses.draw(6), random.uniform(0.5, 2.0, (6, 3)), random.normal(size=(6, 7))) for _ in range(10)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("physics", [Physics(), Physics(integrator="discrete"), Physics(solver="pgs", iterations=10)])
def test_continuing_from_a_state_equals_never_having_stopped(tumbler, targets, threads, physics):
    through, stopped = (World(scene("pebbles"), tumbler, 6, threads, physics=physics) for _ in range(2))
    for world in (through, stopped):
        world.set_friction(np.linspace(0.3, 1.5, 6))
        _run(world, targets, 0, 4)
        world.push("trunk", [30.0, 10.0, 0.0], 0.085)  # ends within the sixth tick
    _run(through, targets, 4, 10)
    _run(stopped, targets, 4, 5)
    saved = stopped.get_states()
    _run(stopped, targets, 5, 7)
    stopped.reset()
    other = World(scene("pebbles"), tumbler, 6, threads, physics=physics)
    other.set_states(saved)
    stopped.set_states(saved)
    _run(stopped, targets, 5, 10)
    _run(other, targets, 5, 10)
    for world in (stopped, other):
        np.testing.assert_array_equal(world.get_states().rows, through.get_states().rows)
        np.testing.assert_array_equal(world.get_states().push_steps, 0)


def test_one_thread_and_two_give_the_same_bits(tumbler, targets):
    one, two = (World(scene("hills"), tumbler, 6, threads, measures=("contacts",)) for threads in (1, 2))
    for world in (one, two):
        _run(world, targets, 0, 10)
    np.testing.assert_array_equal(one.get_states().rows, two.get_states().rows)
    np.testing.assert_array_equal(one.contacts().forces_w, two.contacts().forces_w)


def test_survivors_copied_onto_many_simulations_go_on_alike(tumbler, targets):
    world = World(scene("flat"), tumbler, 6)
    _run(world, targets, 0, 3)
    survivors = world.get_states()[[4, 1]]
    world.set_states(survivors[[0, 0, 0, 1, 1, 1]])
    world.advance(targets[3][2])  # the same target for all
    rows = world.get_states().rows
    np.testing.assert_array_equal(rows[0], rows[2])
    np.testing.assert_array_equal(rows[3], rows[5])
    assert not np.array_equal(rows[0], rows[3])


def test_indexing_and_joining_states_are_inverse(tumbler, targets):
    world = World(scene("flat"), tumbler, 6)
    _run(world, targets, 0, 2)
    state = world.get_states()
    joined = State.concatenate([state[:2], state[2], state[np.array([False] * 3 + [True] * 3)]])
    for name in ("rows", "warnings", "push_steps", "friction", "alive"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(state, name))
    assert len(state[5]) == 1
    assert state.qpos.shape == (6, 16)
    np.testing.assert_allclose(state.time_s, 2 * world.tick_s)


def test_a_state_is_a_copy_and_read_only(tumbler, targets):
    world = World(scene("flat"), tumbler, 6)
    state = world.get_states()
    kept = state.rows.copy()
    _run(world, targets, 0, 1)
    np.testing.assert_array_equal(state.rows, kept)
    with pytest.raises(ValueError, match="read-only"):
        state.qpos[0] = 0.0


def test_a_state_of_another_model_or_size_is_refused(tumbler):
    world, other = World(scene("flat"), tumbler, 3), World(scene("props"), tumbler, 3)
    with pytest.raises(SimulationError, match="another model"):
        world.set_states(other.get_states())
    with pytest.raises(SimulationError, match="holds 3 simulations; the state holds 2"):
        world.set_states(world.get_states()[:2])
    with pytest.raises(SimulationError, match="different models"):
        State.concatenate([world.get_states(), other.get_states()])
