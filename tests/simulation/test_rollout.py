"""Rollouts: recorded, saved, and run again to the last bit."""

import numpy as np
import pytest

from understudy.character import Reference
from understudy.errors import FileError, SimulationError
from understudy.files import ArrayFile, write_arrays
from understudy.simulation import (
    PoseController,
    Push,
    ReferenceController,
    Rollout,
    State,
    Target,
    World,
    poses_at,
    replay,
    scene,
    simulate,
)


class Thrashing:
    """A controller with random targets, gains and torques."""

    def __init__(self, poses, pieces: int = 2) -> None:
        self._poses, self._pieces = poses, pieces

    def reset(self) -> None:
        self._random = np.random.default_rng(7)

    def act(self, state: State, tick: int) -> Target:  # noqa: ARG002
        gains = self._random.uniform(0.5, 1.5, (1, 3)) if tick % 2 else None
        return Target(self._poses.draw(1, self._pieces), gains, self._random.normal(size=(1, 7)))


@pytest.fixture
def rollout(tumbler, poses) -> Rollout:
    world = World(scene("stairs"), tumbler)
    world.set_friction(0.7)
    pushes = [Push(3, "trunk", (60.0, 0.0, 20.0), 0.05), Push(6, "tail", (0.0, 20.0, 0.0), 0.03)]
    return simulate(world, Thrashing(poses), 15, pushes=pushes, seed=7)


def test_a_replay_equals_the_rollout_to_the_last_bit(rollout):
    np.testing.assert_array_equal(replay(rollout), rollout.states)
    assert rollout.tick_count == 16
    assert rollout.duration_s == pytest.approx(15 * 0.02)


def test_a_saved_rollout_is_the_same_and_replays(rollout, tmp_path):
    path = tmp_path / "run.npz"
    rollout.save(path)
    loaded = Rollout.load(path)
    np.testing.assert_array_equal(loaded.states, rollout.states)
    np.testing.assert_array_equal(loaded.qpos, rollout.qpos)
    np.testing.assert_array_equal(replay(loaded), rollout.states)
    assert loaded.model_hash == rollout.model_hash
    assert loaded.character_names == ("tumbler",)
    assert loaded.seed == 7
    assert loaded.contacts[9].bodies == rollout.contacts[9].bodies


def test_recorded_contacts_bear_the_weight_of_a_resting_character(tumbler, rest):
    rollout = simulate(World(scene("flat"), tumbler), PoseController(rest), 150)
    last = rollout.contacts[-1]
    np.testing.assert_allclose(last.forces_w.sum(axis=0), [0, 0, tumbler.mass_kg * 9.81], atol=0.5)
    assert set(last.bodies) <= {("left_leg", "world"), ("right_leg", "world"), ("tail", "world")}
    assert len(rollout.contacts) == rollout.tick_count


def test_bodies_that_touch_something_else_are_told_apart(tumbler, rest):
    contacts = simulate(World(scene("flat"), tumbler), PoseController(rest), 100).contacts
    names = tumbler.body_names
    ground = contacts.touching(names)[-1]
    assert [name for name, touches in zip(names, ground, strict=True) if touches] == sorted(
        {first for first, _ in contacts[-1].bodies}, key=names.index
    )
    assert not contacts.touching((*names, "world")).any()  # what touches one of its own does not count
    assert contacts.touching(("tail", "left_leg"))[-1].tolist() == [ground[3], ground[1]]


def test_a_run_that_diverges_ends_early_and_says_why(tumbler):
    class Wild:
        def reset(self) -> None: ...

        def act(self, state: State, tick: int) -> Target:
            return Target(state.qpos[:, 7:], torques=np.full((1, 7), 1e13 * (tick == 3)))

    rollout = simulate(World(scene("flat"), tumbler), Wild(), 20)
    assert rollout.tick_count == 5
    assert "diverged in tick 3" in rollout.outcome


def test_a_reference_controller_asks_for_the_pose_at_the_end_of_the_tick(tumbler, poses):
    start = World(scene("flat"), tumbler).get_states().qpos[:, :7]
    qpos = np.concatenate([np.repeat(start, 11, axis=0), poses.draw(11)], axis=1)
    reference = Reference(tumbler, 50.0, qpos, np.zeros((11, 13)))
    controller = ReferenceController(reference, 50.0)
    state = World(scene("flat"), tumbler).get_states()
    for tick in (0, 4, 9, 30):
        np.testing.assert_allclose(controller.act(state, tick).positions[0], qpos[min(tick + 1, 10), 7:])
    assert controller.tick_count == 10


def test_poses_between_ticks_lie_on_the_geodesic(tumbler, poses):
    qpos = np.concatenate([np.tile([0, 0, 1.0, 1, 0, 0, 0], (2, 1)), poses.draw(2)], axis=1)
    reference = Reference(tumbler, 10.0, qpos, np.zeros((2, 13)))
    ends_and_middle = poses_at(reference, [-1.0, 0.0, 0.05, 0.1, 7.0])
    np.testing.assert_allclose(ends_and_middle[[0, 1, 3, 4]], qpos[[0, 0, 1, 1]])
    middle = ends_and_middle[2]
    cosines = [abs(middle[7:11] @ end[7:11]) for end in qpos]
    assert cosines[0] == pytest.approx(cosines[1])
    assert middle[15] == pytest.approx(qpos[:, 15].mean())


def test_a_world_follows_a_reference_it_can_follow(tumbler):
    world = World(scene("flat", gravity_m_s2=0.0), tumbler)
    times = np.arange(40) / 50.0
    qpos = np.tile(world.get_states().qpos[0, :16], (40, 1))
    qpos[:, 15] = 0.4 * np.sin(4 * times)
    reference = Reference(tumbler, 50.0, qpos, np.zeros((40, 13)))
    world.reset_to(reference)
    rollout = simulate(world, ReferenceController(reference, world.rate_hz), 39)
    assert np.abs(rollout.qpos[:, 15] - qpos[:, 15]).max() < 0.15
    with pytest.raises(SimulationError, match="has ticks 0 to 39"):
        world.reset_to(reference, 40)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"states": np.zeros((3, 5))}, "damaged rollout"),
        ({"scene_xml": np.frombuffer(b"<mujoco/>", np.uint8)}, "not the one it was recorded in"),
        ({"contact_offsets": np.zeros(3, int)}, "damaged rollout"),
        ({"contact_pairs": np.full((2, 2), 99)}, "damaged rollout"),
        ({"states": np.full((16, 95), np.nan)}, "must be a finite array"),
    ],
)
def test_a_damaged_file_is_refused(rollout, tmp_path, change, message):
    path = tmp_path / "run.npz"
    rollout.save(path)
    from understudy.files import read_arrays

    contents = read_arrays(path, "rollout", 1)
    write_arrays(path, ArrayFile("rollout", 1, contents.header, {**contents.arrays, **change}))
    with pytest.raises(FileError, match=message):
        Rollout.load(path)
