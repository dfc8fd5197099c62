"""Clips laid over the ground of scenes that are not flat."""

from dataclasses import replace

import numpy as np
import pytest

from understudy.character import fit, load_character
from understudy.motion import authored_clip, crop
from understudy.reconstruction import ReconstructionSettings, performed_clip, plan_of, reconstruct
from understudy.reconstruction.planning.laying import lift_over, lifted
from understudy.simulation import SCENES, ground_heights, scene


@pytest.fixture(scope="module")
def clip():
    return authored_clip("walk")


@pytest.fixture(scope="module")
def walking(clip):
    return fit(clip, load_character("human")).reference


def test_heights_of_the_ground_by_hand():
    places = np.array([[0.0, 0.0], [1.0 + 2.0, 0.0], [1.0 + 4.0 + 1.0, 0.0], [0.0, 50.0]])
    rise = np.tan(np.radians(10.0))
    found = ground_heights(scene("ramp", slope_deg=10.0, length_m=4.0), places)
    np.testing.assert_allclose(found, [0.0, 2.0 * rise, 4.0 * rise, 0.0], atol=1e-3)
    found = ground_heights(scene("step_down", height_m=0.5, distance_m=1.0), np.array([[0.0, 0.0], [1.5, 0.0]]))
    np.testing.assert_allclose(found, [0.0, -0.5], atol=1e-6)


@pytest.mark.parametrize("name", ["chair", "wall", "vault", "rail", "props", "pebbles"])
def test_furniture_and_what_is_only_rough_is_no_ground(name):
    grid = np.stack(np.meshgrid(np.linspace(-1.0, 3.0, 17), np.linspace(-0.5, 0.5, 5)), axis=-1).reshape(-1, 2)
    assert not ground_heights(scene(name), grid).any()


@pytest.mark.parametrize("name", SCENES)
def test_there_is_ground_at_the_start_of_every_scene_at_height_0(name):
    assert abs(ground_heights(scene(name), np.zeros((1, 2)))[0]) < 0.05


def test_on_a_flat_floor_nothing_changes(walking):
    assert not lift_over(walking, scene()).any()
    assert lifted(walking, np.zeros(walking.tick_count)) is walking


def test_the_lift_is_never_below_the_ground_and_falls_no_faster_than_anything(walking):
    where = scene("step_down", height_m=0.5, distance_m=1.0)
    lift_m = lift_over(walking, where)
    assert (lift_m >= ground_heights(where, walking.qpos[:, :2]) - 1e-12).all()
    assert lift_m[0] == 0.0
    assert lift_m[-1] == pytest.approx(-0.5)
    assert np.diff(lift_m, 2).min() * walking.rate_hz**2 >= -9.81 - 1e-6


def test_a_lifted_reference_moves_as_it_is_lifted(walking):
    slope = np.arange(walking.tick_count) / walking.rate_hz * 0.3
    risen, flat = lifted(walking, slope), lifted(walking, np.full(walking.tick_count, 0.1))
    np.testing.assert_allclose(risen.qvel[:, 2], flat.qvel[:, 2] + 0.3, atol=1e-6)
    np.testing.assert_array_equal(np.delete(risen.qpos, 2, axis=1), np.delete(walking.qpos, 2, axis=1))


def test_gains_and_fragments_are_those_of_the_flat_floor(walking):
    settings = ReconstructionSettings(cut="contacts")
    flat, ramp = (plan_of(walking, scene(name), settings) for name in ("flat", "ramp"))
    np.testing.assert_array_equal(flat.bounds, ramp.bounds)
    np.testing.assert_array_equal(flat.gain_scale, ramp.gain_scale)


def test_what_is_performed_on_a_higher_floor_is_returned_on_it(clip):
    short = crop(clip, 0.0, 0.3)
    reference = fit(short, load_character("human")).reference
    done = reconstruct(reference, settings=ReconstructionSettings(samples=60, saved=10, rounds=1), clip=short)
    lift_m, states = np.full(reference.tick_count, 0.2), done.rollout.states.copy()
    states[:, done.rollout.layout.qpos.start + 2] += 0.2
    raised = replace(
        done, reference=lifted(reference, lift_m), lift_m=lift_m, rollout=replace(done.rollout, states=states)
    )
    ours, theirs = performed_clip(raised), performed_clip(done)
    np.testing.assert_allclose(ours.root_positions, theirs.root_positions + np.array([0.0, 0.0, 0.2]), atol=1e-9)
