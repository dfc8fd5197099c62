"""Skeletons and clips: forward kinematics, what they refuse, and that nobody can change them."""

import dataclasses

import numpy as np
import pytest
from motion_samples import PARTS, human_skeleton, wander

from understudy import anthropometry, rotations
from understudy.errors import ClipError, UnknownNameError
from understudy.motion import Clip, Skeleton

ARM = Skeleton(("shoulder", "elbow"), [-1, 0], [[9.0, 9.0, 9.0], [0.3, 0.0, 0.0]], [1], [[0.25, 0.0, 0.0]])


def arm(shoulder_rad, elbow_rad, place=(0.0, 0.0, 1.0)):
    """An arm of 0.3 m and 0.25 m along x, turned about the vertical."""
    turned = rotations.about_z(np.array([[shoulder_rad, elbow_rad]]))
    return Clip(ARM, 30.0, np.array([place]), turned)


# --- forward kinematics ---


def test_an_arm_bent_by_a_right_angle_reaches_around_the_corner():
    # elbow 0.3 m along y once the shoulder is turned to the left; the hand 0.25 m back along -x beyond it
    clip = arm(np.pi / 2, np.pi / 2)
    assert np.allclose(clip.joint_positions_w, [[[0.0, 0.0, 1.0], [0.0, 0.3, 1.0]]])
    assert np.allclose(clip.end_positions_w, [[[-0.25, 0.3, 1.0]]])
    assert np.allclose(rotations.angle_between(clip.joint_rotations_w[0, 1], rotations.about_z(np.pi)), 0.0)


def test_the_roots_own_offset_moves_nothing():
    assert np.allclose(arm(0.0, 0.0).joint_positions_w[0, 0], [0.0, 0.0, 1.0])


def test_bones_keep_their_lengths_whatever_the_pose():
    clip = wander()
    skeleton = clip.skeleton
    bones = clip.joint_positions_w[:, 1:] - clip.joint_positions_w[:, skeleton.parents[1:]]
    assert np.allclose(np.linalg.norm(bones, axis=-1), np.linalg.norm(skeleton.offsets[1:], axis=-1))
    ends = clip.end_positions_w - clip.joint_positions_w[:, skeleton.end_parents]
    assert np.allclose(np.linalg.norm(ends, axis=-1), np.linalg.norm(skeleton.end_offsets, axis=-1))


def test_turning_and_moving_the_root_turns_and_moves_everything():
    clip = wander()
    turn, shift = rotations.exp([0.3, -1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    turned = np.array(clip.rotations)
    turned[:, 0] = rotations.multiply(turn, turned[:, 0])
    moved = clip.with_(root_positions=rotations.rotate(turn, clip.root_positions) + shift, rotations=turned)
    assert np.allclose(moved.joint_positions_w, rotations.rotate(turn, clip.joint_positions_w) + shift)
    assert np.allclose(moved.end_positions_w, rotations.rotate(turn, clip.end_positions_w) + shift)


def test_the_neutral_body_at_rest_is_the_one_of_anthropometry():
    skeleton, places = human_skeleton(), anthropometry.joint_places()
    still = np.tile(rotations.IDENTITY, (1, len(skeleton), 1))
    clip = Clip(skeleton, 30.0, places["pelvis"][None], still)
    assert np.allclose(clip.joint_positions_w[0], [places[part] for part in PARTS])
    assert clip.end_positions_w[0, :, 2].min() == pytest.approx(0.0)  # the heels stand on the floor


# --- times ---


def test_a_clip_lasts_from_its_first_frame_to_its_last():
    clip = wander(seconds=2.0, rate_hz=60.0)
    assert clip.frame_count == 121
    assert clip.duration_s == pytest.approx(2.0)
    assert clip.times_s[-1] == pytest.approx(clip.duration_s)
    assert dataclasses.replace(clip, rate_hz=30.0).duration_s == pytest.approx(4.0)


# --- aliasing ---


def test_a_clip_does_not_change_with_the_arrays_it_was_made_of():
    places, turned = np.zeros((3, 3)), np.tile(rotations.IDENTITY, (3, 2, 1))
    clip = Clip(ARM, 30.0, places, turned)
    places += 1.0
    turned[...] = [0.0, 1.0, 0.0, 0.0]
    assert not clip.root_positions.any()
    assert np.array_equal(clip.rotations, np.tile(rotations.IDENTITY, (3, 2, 1)))


def test_a_sealed_view_of_an_open_array_is_copied():
    places = np.zeros((3, 3))
    view = places[:]
    view.flags.writeable = False
    clip = Clip(ARM, 30.0, view, np.tile(rotations.IDENTITY, (3, 2, 1)))
    places += 1.0
    assert not clip.root_positions.any()


@pytest.mark.parametrize("field", ["root_positions", "rotations", "joint_positions_w", "end_positions_w"])
def test_nobody_changes_a_clips_arrays_by_mistake(field):
    clip = wander()
    before = getattr(clip, field).copy()
    try:
        getattr(clip, field)[...] = 0.0
    except ValueError:
        assert np.array_equal(getattr(clip, field), before)
    else:
        pytest.fail(f"{field} could be written to")


def test_a_changed_copy_leaves_the_clip_as_it_was():
    clip = wander()
    other = clip.with_(name="other", root_positions=clip.root_positions + 1.0)
    assert other.name == "other"
    assert not np.allclose(other.joint_positions_w, clip.joint_positions_w)
    assert np.allclose(other.joint_positions_w - 1.0, clip.joint_positions_w)


def test_a_skeleton_does_not_change_with_the_arrays_it_was_made_of():
    offsets, parents = np.ones((2, 3)), np.array([-1, 0])
    skeleton = Skeleton(("a", "b"), parents, offsets)
    offsets += 1.0
    parents[1] = 7
    assert np.array_equal(skeleton.offsets, np.ones((2, 3)))
    assert skeleton.parents.tolist() == [-1, 0]
    with pytest.raises(ValueError, match="read-only"):
        skeleton.offsets[0] = 0.0


def test_quaternions_are_made_unit_and_keep_their_direction():
    clip = Clip(ARM, 30.0, np.zeros((1, 3)), np.array([[[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, -3.0, 0.0]]]))
    assert np.array_equal(clip.rotations, [[[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]]])


# --- refusals ---

STILL = np.tile(rotations.IDENTITY, (4, 2, 1))


def with_value(array, value):
    array = np.array(array)
    array[2, 1] = value
    return array


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"root_positions": np.zeros((4, 2))}, r"root_positions must be \(T, 3\), not \(4, 2\)"),
        ({"root_positions": np.zeros((3, 3))}, r"must be \(3, 2, 4\), not \(4, 2, 4\)"),
        ({"rotations": np.zeros((4, 3, 4))}, r"2 joints must be \(4, 2, 4\), not \(4, 3, 4\)"),
        ({"root_positions": np.zeros((0, 3)), "rotations": np.zeros((0, 2, 4))}, "has no frames"),
        ({"rate_hz": 0.0}, "above 0 Hz, not 0"),
        ({"rate_hz": -30.0}, "above 0 Hz, not -30"),
        ({"rate_hz": float("nan")}, "above 0 Hz, not nan"),
        ({"rate_hz": float("inf")}, "above 0 Hz, not inf"),
        ({"root_positions": with_value(np.zeros((4, 3)), np.nan)}, "frame 2 holds a value that is not a number"),
        ({"rotations": with_value(STILL, np.inf)}, "frame 2 holds a value that is not a number"),
        ({"rotations": with_value(STILL, 0.0)}, "joint elbow has a zero quaternion in frame 2"),
    ],
)
def test_a_clip_that_makes_no_sense_is_refused(change, words):
    good = {"skeleton": ARM, "rate_hz": 30.0, "root_positions": np.zeros((4, 3)), "rotations": STILL, "name": "x"}
    Clip(**good)
    with pytest.raises(ClipError, match=words):
        Clip(**(good | change))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"names": ()}, "a skeleton of 0 joints"),
        ({"names": ("a",)}, r"1 joints needs parents \(1,\)"),
        ({"offsets": np.zeros((3, 3))}, r"offsets \(2, 3\)"),
        ({"names": ("a", "a")}, "joint names must differ; repeated: a"),
        ({"parents": [0, 0]}, "only the first joint has none"),
        ({"parents": [-1, -1]}, "only the first joint has none"),
        ({"parents": [-1, 1]}, "a joint's parent must come before it"),
        ({"offsets": np.full((2, 3), np.nan)}, "offsets must be finite"),
        ({"end_parents": [1], "end_offsets": [[np.inf, 0.0, 0.0]]}, "offsets must be finite"),
    ],
)
def test_a_skeleton_that_makes_no_sense_is_refused(change, words):
    good = {"names": ("a", "b"), "parents": [-1, 0], "offsets": np.zeros((2, 3))}
    Skeleton(**good)
    with pytest.raises(ClipError, match=words):
        Skeleton(**(good | change))


def test_joints_are_found_by_name_and_unknown_names_are_told():
    skeleton = human_skeleton()
    assert skeleton.names[skeleton.index("left_foot")] == "left_foot"
    assert skeleton.children(skeleton.index("pelvis")) == [
        skeleton.index(part) for part in ("spine", "left_thigh", "right_thigh")
    ]
    with pytest.raises(UnknownNameError, match="no joint named 'left_feet'; did you mean left_foot"):
        skeleton.index("left_feet")
