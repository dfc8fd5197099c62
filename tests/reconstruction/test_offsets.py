"""Target offsets: three of a ball, one of a hinge, and what they do to poses."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from understudy import rotations
from understudy.character import load_character
from understudy.errors import ReconstructionError
from understudy.reconstruction.planning import OffsetSpace


@pytest.fixture(scope="module", params=["human", "humanoid29", "cheetah"])
def character(request):
    """Of balls and hinges, of hinges alone, and on four legs."""
    return load_character(request.param)


def poses(character, count, rng):
    """(count, P) joint positions at random."""
    model = character.model
    qpos = np.tile(character.standing_qpos, (count, 1))
    for row, way in zip(qpos, 0.5 * rng.normal(size=(count, model.nv)), strict=True):
        mujoco.mj_integratePos(model, row, way, 1.0)
    return qpos[:, 7:]


def with_window(character, name, window_rad):
    """The character with another sampling window of one joint."""
    joints = tuple(
        replace(joint, window_rad=np.broadcast_to(window_rad, joint.window_rad.shape)) if joint.name == name else joint
        for joint in character.joints
    )
    return replace(character, joints=joints)


def test_no_offset_leaves_positions_alone(character):
    space, positions = OffsetSpace(character, least_rad=0.1), poses(character, 4, np.random.default_rng(0))
    applied = space.apply(positions, np.zeros((3, len(space))))
    for one in applied:
        np.testing.assert_array_equal(one, positions)


def test_an_offset_of_a_ball_turns_it_in_its_own_frame(human):
    space, positions = OffsetSpace(human), poses(human, 1, np.random.default_rng(1))
    turn = np.array([0.1, -0.2, 0.3])
    offsets = np.zeros((1, len(space)))
    offsets[0, [space.names.index(f"left_hip {axis}") for axis in "xyz"]] = turn
    place = int(human.model.joint("left_hip").qposadr[0]) - 7
    expected = positions.copy()
    expected[0, place : place + 4] = rotations.multiply(positions[0, place : place + 4], rotations.exp(turn))
    np.testing.assert_allclose(space.apply(positions, offsets)[0], expected, atol=1e-15)


def test_an_offset_of_a_hinge_is_added(character):
    space, positions = OffsetSpace(character, least_rad=0.1), poses(character, 2, np.random.default_rng(2))
    kinds = character.model.jnt_type
    hinges = [j for j in range(character.model.njnt) if kinds[j] == mujoco.mjtJoint.mjJNT_HINGE]
    assert hinges
    for joint in hinges:
        offsets = np.zeros((1, len(space)))
        offsets[0, space.names.index(character.model.joint(joint).name)] = 0.25
        expected = positions.copy()
        expected[:, character.model.jnt_qposadr[joint] - 7] += 0.25
        np.testing.assert_array_equal(space.apply(positions, offsets)[0], expected)


def test_every_offset_moves_the_velocity_that_it_says_it_does(character):
    space, model = OffsetSpace(character, least_rad=0.1), character.model
    standing = character.standing_qpos
    applied = space.apply(standing[None, 7:], 0.01 * np.eye(len(space)))[:, 0]
    for i, joints in enumerate(applied):
        way = np.zeros(model.nv)
        mujoco.mj_differentiatePos(model, way, 1.0, standing, np.concatenate([standing[:7], joints]))
        expected = np.zeros(model.nv)
        expected[space.dofs[i]] = 0.01
        np.testing.assert_allclose(way, expected, atol=1e-12, err_msg=space.names[i])


def test_with_least_windows_every_joint_has_its_offsets(character):
    space = OffsetSpace(character, least_rad=0.1)
    assert len(space) == character.model.nv - 6
    assert len(set(space.names)) == len(space)
    assert sorted(space.dofs) == list(range(6, character.model.nv))


def test_each_of_several_offsets_is_applied_as_if_alone(character):
    space, rng = OffsetSpace(character, least_rad=0.1), np.random.default_rng(3)
    positions, offsets = poses(character, 3, rng), rng.normal(size=(5, len(space)))
    before = positions.copy()
    together = space.apply(positions, offsets)
    assert together.shape == (5, *positions.shape)
    for one, offset in zip(together, offsets, strict=True):
        np.testing.assert_array_equal(one, space.apply(positions, offset[None])[0])
    np.testing.assert_array_equal(positions, before)


def test_axes_without_a_window_have_no_offset(human):
    whole, less = OffsetSpace(human), OffsetSpace(with_window(human, "left_hip", [0.2, 0.0, 0.3]))
    assert set(whole.names) - set(less.names) == {"left_hip y"}
    assert (less.windows_rad > 0.0).all()
    # what remains still turns what it did
    offsets = np.zeros((1, len(less)))
    offsets[0, less.names.index("left_hip z")] = 0.4
    same = np.zeros((1, len(whole)))
    same[0, whole.names.index("left_hip z")] = 0.4
    positions = poses(human, 1, np.random.default_rng(4))
    np.testing.assert_array_equal(less.apply(positions, offsets), whole.apply(positions, same))


def test_windows_are_the_characters_scaled_and_at_least_so_wide(human):
    plain, scaled, least = OffsetSpace(human), OffsetSpace(human, 2.0), OffsetSpace(human, 0.5, 0.3)
    assert scaled.names == plain.names
    np.testing.assert_allclose(scaled.windows_rad, 2.0 * plain.windows_rad)
    assert least.windows_rad.min() == 0.3
    kept = [least.names.index(name) for name in plain.names]
    np.testing.assert_allclose(least.windows_rad[kept], np.maximum(0.5 * plain.windows_rad, 0.3))


@pytest.mark.parametrize(
    ("window_rad", "told"),
    [
        (np.nan, "nan"),
        (np.inf, "inf"),
        (-0.1, "-0.1"),
    ],
)
def test_a_window_that_makes_no_sense_is_refused_by_the_name_of_its_joint(human, window_rad, told):
    words = f"windows of character 'human' must be 0 rad or more; that of 'right_shoulder x' is {told}"
    with pytest.raises(ReconstructionError, match=words):
        OffsetSpace(with_window(human, "right_shoulder", window_rad))


def test_a_character_of_whom_nothing_is_sampled_is_refused(human):
    with pytest.raises(ReconstructionError, match="all sampling windows of character 'human' are 0 rad"):
        OffsetSpace(human, 0.0)


def test_a_character_whose_source_gives_no_windows_is_sampled_within_0_2_rad():
    space = OffsetSpace(load_character("humanoid29"))
    assert len(space) == 23
    assert set(space.windows_rad) == {0.2}
