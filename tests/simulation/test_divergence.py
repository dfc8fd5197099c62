"""A simulation that diverges stops alone, is named, and leaves a file."""

from pathlib import Path

import numpy as np
import pytest

from understudy.simulation import Rollout, Target, World, replay, scene


@pytest.fixture
def shattered(tumbler, poses, tmp_path, monkeypatch):
    """Five simulations of which number 3 gets a monstrous torque in the third tick, beside a sound twin world."""
    monkeypatch.chdir(tmp_path)
    world = World(scene("flat"), tumbler, 5, 2, measures=("momentum", "contacts"), divergence_folder=tmp_path / "seen")
    sound = World(scene("flat"), tumbler, 5, 2)
    for tick in range(5):
        positions = poses.draw(5)
        torques = np.zeros((5, 7))
        torques[3, 6] = 1e12 if tick == 2 else 0.0
        world.advance(Target(positions, torques=torques))
        sound.advance(Target(positions))
    return world, sound, tmp_path


def test_only_the_diverging_simulation_is_taken_out(shattered):
    world, sound, _ = shattered
    assert list(np.flatnonzero(~world.alive)) == [3]
    others = [0, 1, 2, 4]
    np.testing.assert_array_equal(world.get_states(others).rows, sound.get_states(others).rows)


def test_it_is_named_with_its_tick_and_body(shattered):
    (found,) = shattered[0].divergences
    assert (found.simulation, found.tick, found.body) == (3, 2, "tail")
    assert str(found).startswith("simulation 3 diverged in tick 2 at body 'tail': ")


def test_its_state_and_measures_stay_finite(shattered):
    world, _, _ = shattered
    assert np.isfinite(world.get_states().rows).all()
    assert np.isfinite(world.momentum().mass_centre_w).all()
    assert np.isfinite(world.contacts().forces_w).all()
    assert world.get_states(3).time_s[0] == pytest.approx(2 * world.tick_s)


def test_its_file_opens_and_replays(shattered):
    (found,) = shattered[0].divergences
    assert isinstance(found.path, Path)
    rollout = Rollout.load(found.path)
    assert rollout.outcome == found.reason
    assert rollout.rate_hz == pytest.approx(200.0)
    np.testing.assert_array_equal(replay(rollout), rollout.states)


def test_nothing_is_written_where_the_user_works(shattered):
    assert [path.name for path in shattered[2].iterdir()] == ["seen"]


def test_a_reset_or_a_state_brings_it_back(shattered, rest):
    world, _, _ = shattered
    world.set_states(world.get_states(0))
    assert world.alive.all()
    world.advance(Target(rest))
    assert world.alive.all()
    assert len(world.divergences) == 1


def test_an_undefined_target_takes_out_its_simulation_only(tumbler, rest):
    world = World(scene("flat"), tumbler, 3)
    positions = np.repeat(rest, 3, axis=0)
    positions[1, 8] = np.nan
    world.advance(Target(positions))
    assert list(world.alive) == [True, False, True]
    assert "undefined" in world.divergences[0].reason


def test_all_may_diverge_at_once(tumbler, rest, tmp_path):
    world = World(scene("flat"), tumbler, 4, divergence_folder=tmp_path)
    world.advance(Target(rest, torques=np.full((1, 7), 1e13)))
    assert not world.alive.any()
    assert len(world.divergences) == 4
    assert len(list(tmp_path.iterdir())) == 3, "the first few are saved"
    world.advance(Target(rest))
    assert np.isfinite(world.get_states().rows).all()
