"""Where a performance starts: the first pose as it is, lifted out of the ground, or refused."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from understudy import rotations
from understudy.character import Reference, load_character
from understudy.errors import ReconstructionError
from understudy.reconstruction import ReconstructionSettings, plan_of
from understudy.reconstruction.planning import start_of
from understudy.simulation import Ground, Platform, Scene, VaultBox, Wall, World


def start_in(reference, scene=None):
    return start_of(plan_of(reference, scene or Scene(), ReconstructionSettings()))


def raised(reference, by_m):
    qpos = np.array(reference.qpos)
    qpos[:, 2] += by_m
    return replace(reference, qpos=qpos)


def deepest_m(qpos, character):
    """How deep anything is in anything else, in a flat scene."""
    world = World(Scene(), character, 1, 1)
    data = mujoco.MjData(world.model)
    data.qpos[:] = qpos
    mujoco.mj_forward(world.model, data)
    return max((-contact.dist for contact in data.contact), default=0.0)


def root_height_m(start):
    return start.row[1 + 2]  # the time is before qpos


def test_a_free_first_pose_is_where_it_starts(walking):
    start = start_in(raised(walking, 0.05))
    model = walking.character.model
    assert start.lifted_m == 0.0
    np.testing.assert_array_equal(start.row[1 : 1 + model.nq], raised(walking, 0.05).qpos[0])
    np.testing.assert_array_equal(start.row[1 + model.nq : 1 + model.nq + model.nv], walking.qvel[0])
    assert start.row[0] == 0.0


def test_a_first_pose_sunk_2_cm_into_the_floor_is_lifted_out_of_it(walking):
    standing, sunk = start_in(walking), start_in(raised(walking, -0.02))
    assert sunk.lifted_m == pytest.approx(0.02 + standing.lifted_m, abs=0.0011)  # a millimetre is let be
    assert root_height_m(sunk) == pytest.approx(root_height_m(standing), abs=0.0011)
    assert 0.0 < sunk.lifted_m < 0.03


def test_what_is_lifted_is_no_deeper_than_a_millimetre(walking):
    sunk, nq = raised(walking, -0.05), walking.character.model.nq
    assert deepest_m(sunk.qpos[0], walking.character) > 0.04
    assert deepest_m(start_in(sunk).row[1 : 1 + nq], walking.character) <= 0.001


@pytest.mark.parametrize(
    ("element", "told"),
    [
        (VaultBox(x_m=-0.25, depth_m=0.5), "vault"),
        (Wall(x_m=-0.1), "wall"),
    ],
)
def test_a_start_inside_something_is_refused_by_its_name(walking, element, told):
    scene = Scene("narrow", (Ground(), element))
    words = f"in scene 'narrow' character 'human' starts inside '.*{told}.*'; move the clip, or the scene"
    with pytest.raises(ReconstructionError, match=words):
        start_in(walking, scene)


def test_a_start_on_a_platform_is_on_top_of_it(walking):
    scene = Scene("stage", (Ground(), Platform(-1.0, 1.0, 0.3)))
    above = start_in(walking, scene).row[3] - start_in(walking).row[3]
    assert above == pytest.approx(0.3, abs=0.01)


def test_a_start_beside_something_is_where_it_is(walking):
    scene = Scene("wide", (Ground(), VaultBox(x_m=1.5)))
    np.testing.assert_array_equal(start_in(walking, scene).row, start_in(walking).row)


def test_a_first_pose_far_below_the_floor_is_refused(walking):
    with pytest.raises(ReconstructionError, match="in scene 'flat' character 'human' starts inside 'ground'"):
        start_in(raised(walking, -0.2))


def test_limbs_that_are_in_each_other_are_no_obstacle():
    character = load_character("human")
    shoulder = character.model.joint("left_shoulder").qposadr[0]
    qpos = np.tile(character.standing_qpos, (6, 1))
    qpos[:, 2] += 0.5
    qpos[:, shoulder : shoulder + 4] = rotations.multiply(
        qpos[:, shoulder : shoulder + 4], rotations.exp([-0.6, 0.0, 0.0])
    )
    reference = Reference(character, 50.0, qpos, np.zeros((6, character.model.nv)))
    assert deepest_m(reference.qpos[0], character) > 0.02, "an arm in the trunk"
    assert start_in(reference).lifted_m == 0.0
