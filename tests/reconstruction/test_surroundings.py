"""What a reference asks of its scene."""

from dataclasses import replace

import numpy as np
import pytest
from performances import still

from understudy import rotations
from understudy.character import velocities
from understudy.reconstruction.account.surroundings import surroundings_of
from understudy.simulation import Ground, Platform, Scene, World


def around(reference, scene=None):
    world = World(scene or Scene(), reference.character, 1, 1)
    return surroundings_of(reference, world.model, world.get_states().qpos[0])


def test_standing_is_borne_by_the_feet_and_in_balance(human):
    found = around(still(human, 30))
    near = set(np.array(human.body_names)[found.near.all(axis=0)])
    assert {"left_foot", "right_foot"} <= near
    assert not {"pelvis", "left_hand"} & near
    np.testing.assert_allclose(found.support, 1.0)
    assert found.off_balance_m.max() == 0.0


def test_hanging_in_the_air_is_borne_by_nothing(human):
    found = around(still(human, 30, height_m=0.5))
    assert not found.near.any()
    np.testing.assert_allclose(found.support, 1.0)


def test_what_stands_on_something_of_the_scene_is_near_it(human):
    block = Scene("block", (Ground(), Platform(-1.0, 1.0, 0.5)))
    assert around(still(human, 10, height_m=0.5), block).near.any(axis=1).all()


def test_free_fall_needs_no_support(human):
    times = np.arange(40) / 50.0
    reference = still(human, 40)
    qpos = reference.qpos.copy()
    qpos[:, 2] += 0.2 + 3.0 * times - 0.5 * 9.81 * times**2
    flying = replace(reference, qpos=qpos, qvel=velocities(human.model, qpos, 50.0))
    np.testing.assert_allclose(around(flying).support[6:-6], 0.0, atol=1e-6)


@pytest.mark.parametrize("lean_rad", [0.3, -0.3])
def test_leaning_far_out_over_the_feet_is_out_of_balance(human, lean_rad):
    """The height of the centre of mass, about 0.9 m, times sin(0.3) is 0.27 m; feet reach a part of that way."""
    reference = still(human, 20)
    turn = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.array(lean_rad))
    qpos = reference.qpos.copy()
    qpos[:, :3] = rotations.rotate(turn, qpos[:, :3])
    qpos[:, 3:7] = rotations.multiply(turn, qpos[:, 3:7])
    assert around(replace(reference, qpos=qpos)).off_balance_m.min() > 0.05


def test_a_reference_of_one_or_two_ticks_can_be_looked_at(human):
    for ticks in (1, 2):
        np.testing.assert_allclose(around(still(human, ticks)).support, 1.0)
