"""Laws of limbs of two bones, and of joints turned in the world."""

import numpy as np
import pytest
from motion_samples import wander

from understudy import rotations
from understudy.motion import turned_by, two_bone_turns


def _random_limb(rng: np.random.Generator, count: int) -> tuple[np.ndarray, ...]:
    """Places (T, 3) of root, middle and end of bent limbs, and axes (T, 3) about which they bend."""
    root, upper, lower = rng.normal(size=(3, count, 3))
    return root, root + upper, root + upper + lower, rotations.normalize(rotations.cross(upper, lower))


def test_a_limb_of_two_bones_reaches_its_goal_and_its_bones_keep_their_lengths() -> None:
    rng = np.random.default_rng(0)
    root, middle, end, axis = _random_limb(rng, 200)
    a, b = np.linalg.norm(middle - root, axis=1), np.linalg.norm(end - middle, axis=1)
    low, high = 1.01 * np.abs(a - b), 0.99 * (a + b)
    goal = root + rotations.normalize(rng.normal(size=(200, 3))) * rng.uniform(low, high)[:, None]
    above, under = two_bone_turns(root, middle, end, goal, axis)
    knee = root + rotations.rotate(above, middle - root)
    assert np.abs(knee + rotations.rotate(under, end - middle) - goal).max() < 1e-9


def test_a_limb_that_is_where_it_should_be_is_left_alone() -> None:
    root, middle, end, axis = _random_limb(np.random.default_rng(1), 50)
    for turn in two_bone_turns(root, middle, end, end, axis):
        assert np.degrees(rotations.angle_between(turn, rotations.IDENTITY)).max() < 0.1


def test_a_limb_points_at_what_it_can_t_reach_and_a_straight_one_bends_about_its_axis() -> None:
    root, middle, end = (np.array([[0.0, 0.0, z]]) for z in (1.0, 0.5, 0.0))
    goal, axis = np.array([[0.0, 3.0, 1.0]]), np.array([[0.0, 1.0, 0.0]])
    above, under = two_bone_turns(root, middle, end, goal, axis)
    reached = root + rotations.rotate(above, middle - root) + rotations.rotate(under, end - middle)
    assert np.linalg.norm(reached - np.array([[0.0, 1.0, 1.0]])) < 1e-3
    above, under = two_bone_turns(root, middle, end, np.array([[0.0, 0.0, 0.2]]), axis)
    knee = root + rotations.rotate(above, middle - root)
    assert knee[0, 0] == pytest.approx(0.3)  # a shin goes backwards about the left, y; 0.5^2 = 0.3^2 + 0.4^2
    assert abs(knee[0, 1]) < 1e-6


def test_turning_a_joint_in_the_world_takes_along_what_hangs_on_it_and_nothing_else() -> None:
    clip, turn = wander(), rotations.exp(np.array([0.3, -0.2, 0.5]))
    names = clip.skeleton.names
    thigh, foot, toes, head = (clip.skeleton.index(name) for name in ("left_thigh", "left_foot", "left_toes", "head"))
    other = turned_by(clip, {thigh: turn, foot: rotations.IDENTITY})
    before, after = clip.joint_rotations_w, other.joint_rotations_w
    shin = names.index("left_shin")
    assert rotations.angle_between(after[:, shin], rotations.multiply(turn, before[:, shin])).max() < 1e-6
    for joint in (foot, toes, head):
        assert rotations.angle_between(after[:, joint], before[:, joint]).max() < 1e-6
