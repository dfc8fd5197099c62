"""Where a character's joints are in the arrays that costs compare, against MuJoCo's own arithmetic."""

import mujoco
import numpy as np
import pytest

from understudy import rotations


def test_the_difference_is_what_mujoco_says_it_is(anybody):
    model, rng = anybody.character.model, np.random.default_rng(0)
    ours, wanted = anybody.positions(20, rng, 1.5), anybody.positions(20, rng, 1.5)
    expected = np.empty((20, model.nv))
    for row, here, there in zip(expected, ours, wanted, strict=True):
        mujoco.mj_differentiatePos(model, row, 1.0, there, here)
    np.testing.assert_allclose(anybody.anatomy.difference(ours, wanted), expected, atol=1e-9)


def test_going_the_difference_leads_from_what_is_wanted_to_what_is(anybody):
    model, rng = anybody.character.model, np.random.default_rng(1)
    ours, arrived = anybody.positions(8, rng), anybody.positions(8, rng)
    way = anybody.anatomy.difference(ours, arrived)
    for row, step in zip(arrived, way, strict=True):
        mujoco.mj_integratePos(model, row, step, 1.0)
    np.testing.assert_allclose(anybody.anatomy.difference(ours, arrived), 0.0, atol=1e-7)


def test_one_wanted_pose_serves_for_all(anybody):
    rng = np.random.default_rng(2)
    ours, wanted = anybody.positions(5, rng), anybody.positions(1, rng)
    all_of_them = anybody.anatomy.difference(ours, np.repeat(wanted, 5, axis=0))
    np.testing.assert_array_equal(anybody.anatomy.difference(ours, wanted), all_of_them)


def test_a_quaternion_and_its_negative_are_no_way_apart(anybody):
    qpos = anybody.positions(6, np.random.default_rng(3))
    other = qpos.copy()
    other[:, 3:7] *= -1.0
    other[:, anybody.anatomy.balls] *= -1.0
    np.testing.assert_allclose(anybody.anatomy.difference(other, qpos), 0.0, atol=1e-7)


def test_the_length_of_each_joint_is_that_of_its_own_columns(anybody):
    model = anybody.character.model
    values = np.random.default_rng(4).normal(size=(3, model.nv))
    widths = {int(mujoco.mjtJoint.mjJNT_BALL): 3, int(mujoco.mjtJoint.mjJNT_HINGE): 1}
    expected = np.stack(
        [
            np.linalg.norm(values[:, dof : dof + widths[int(kind)]], axis=1)
            for dof, kind in zip(model.jnt_dofadr[1:], model.jnt_type[1:], strict=True)
        ],
        axis=1,
    )
    np.testing.assert_allclose(anybody.anatomy.per_joint(values), expected)


def test_the_root_is_no_joint(anybody):
    values = np.zeros((1, anybody.character.model.nv))
    values[:, :6] = 7.0
    assert not anybody.anatomy.per_joint(values).any()
    assert anybody.anatomy.per_joint(values).shape == (1, anybody.character.model.njnt - 1)


def test_end_effectors_are_the_bodies_of_those_names(anybody):
    names = [anybody.character.body_names[body] for body in anybody.anatomy.end_effectors]
    assert tuple(names) == anybody.character.end_effectors


def test_a_turned_ball_is_that_far_from_where_it_was(human):
    # the left elbow's ball, or whichever is first, turned by 0.3 rad about its own y: the way is (0, 0.3, 0)
    ball, dofs = human.anatomy.balls[0], human.anatomy.ball_dofs[0]
    wanted = human.positions(1, np.random.default_rng(5))
    turned = wanted.copy()
    turned[0, ball] = rotations.multiply(wanted[0, ball], rotations.from_axis_angle([0.0, 1.0, 0.0], 0.3))
    expected = np.zeros((1, human.anatomy.nv))
    expected[0, dofs] = (0.0, 0.3, 0.0)
    np.testing.assert_allclose(human.anatomy.difference(turned, wanted), expected, atol=1e-12)


@pytest.mark.parametrize("name", ["human", "robot", "athlete33"])
def test_a_character_is_about_as_tall_as_its_standing_pose(name):
    from understudy.character import body_poses, load_character
    from understudy.cost import Anatomy

    character = load_character(name)
    highest_joint = body_poses(character.model, character.standing_qpos[None]).positions_w[..., 2].max()
    assert highest_joint < Anatomy(character).height_m < 1.35 * highest_joint
