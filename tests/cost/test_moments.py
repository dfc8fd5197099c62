"""Moments: measured alike whether they come from a world, from positions, or from a reference."""

import importlib

import numpy as np
import pytest

from understudy.character import Reference, body_poses
from understudy.cost import MEASURES, Moments, moments_of, moments_of_reference, moments_of_world
from understudy.simulation import Scene, Target, World

FIELDS = ("qpos", "qvel", "places_w", "mass_centre_w", "mass_velocity_w", "angular_momentum_w")


def assert_equal(a: Moments, b: Moments) -> None:
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


def test_moments_of_positions_are_what_a_world_measures_there(human):
    world = World(Scene(), human.character, 3, 1, measures=MEASURES)
    poses = human.positions(3, np.random.default_rng(0), 0.1)[:, 7:]
    world.advance(Target(poses), 5)
    measured = moments_of_world(world)
    computed = moments_of(human.character, measured.qpos, measured.qvel)
    for name in FIELDS:
        np.testing.assert_allclose(getattr(measured, name), getattr(computed, name), atol=1e-9, err_msg=name)


def test_moments_hold_of_the_first_simulations_as_many_as_asked_for(human):
    world = World(Scene(), human.character, 4, 1, measures=MEASURES)
    world.reset(human.positions(4, np.random.default_rng(1)))
    assert_equal(moments_of_world(world, 2), moments_of_world(world)[:2])


def test_moments_are_a_copy_that_later_ticks_leave_alone(human):
    world = World(Scene(), human.character, 1, 1, measures=MEASURES)
    before = moments_of_world(world)
    heights = before.places_w[0, :, 2].copy()
    world.advance(Target(human.positions(1, np.random.default_rng(2))[:, 7:]), 10)
    np.testing.assert_array_equal(before.places_w[0, :, 2], heights)
    with pytest.raises(ValueError, match="read-only"):
        before.places_w[0] = 0.0


def test_places_are_those_of_kinematics(anybody):
    moments = anybody.moments(4, np.random.default_rng(3))
    expected = body_poses(anybody.character.model, moments.qpos).positions_w
    np.testing.assert_allclose(moments.places_w, expected, atol=1e-12)


def test_a_character_that_flies_as_one_moves_its_mass_centre_and_does_not_spin(anybody):
    qvel = np.zeros((1, anybody.anatomy.nv))
    qvel[0, :3] = (0.5, -1.0, 2.0)
    moments = anybody.at(anybody.positions(1, np.random.default_rng(4)), qvel)
    np.testing.assert_allclose(moments.mass_velocity_w, qvel[:, :3], atol=1e-12)
    np.testing.assert_allclose(moments.angular_momentum_w, 0.0, atol=1e-9)


def test_the_mass_centres_velocity_is_its_change_with_time(human):
    import mujoco

    model, here = human.character.model, human.moments(1, np.random.default_rng(5))
    step = 1e-6
    qpos = here.qpos.copy()
    mujoco.mj_integratePos(model, qpos[0], here.qvel[0], step)
    change = (human.at(qpos).mass_centre_w - here.mass_centre_w) / step
    np.testing.assert_allclose(change, here.mass_velocity_w, atol=1e-4)


def test_the_moment_of_a_tick_does_not_depend_on_the_other_ticks(human, monkeypatch):
    rng = np.random.default_rng(6)
    qpos, qvel = human.positions(11, rng), rng.normal(size=(11, human.anatomy.nv))
    whole = moments_of_reference(Reference(human.character, 50.0, qpos, qvel))
    for tick in (0, 7, 10):
        assert_equal(whole[tick], moments_of(human.character, qpos[tick : tick + 1], qvel[tick : tick + 1]))
    monkeypatch.setattr(importlib.import_module("understudy.cost.moments"), "_AT_ONCE", 4)  # 4, 4 and 3 of them
    assert_equal(moments_of(human.character, qpos, qvel), whole)


def test_moments_joined_are_moments_taken_apart(human):
    moments = human.moments(6, np.random.default_rng(7))
    assert_equal(Moments.concatenate([moments[:2], moments[2], moments[np.arange(6) > 2]]), moments)
    assert len(moments[np.array([5, 1])]) == 2
    assert_equal(moments[np.array([5, 1])][1], moments[1])
