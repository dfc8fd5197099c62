"""AMASS's layout: SMPL's joints on the house's body, there and back."""

import numpy as np
import pytest
from motion_samples import human_skeleton, wander

from understudy import rotations
from understudy.errors import FileError
from understudy.motion import Clip, ReadSettings, WriteSettings, describe, load_clip, read_clip, write_clip
from understudy.motion.formats.amass import JOINTS, smpl_skeleton

AMASS = WriteSettings(layout="amass")


def saved(tmp_path, **arrays):
    path = tmp_path / "clip.npz"
    np.savez(path, **arrays)
    return path


def standing(frames=4, stature_m=1.7):
    """Upright with the model's y axis up, as AMASS turns it: facing -y."""
    poses = np.zeros((frames, 156))
    poses[:, 0] = np.pi / 2
    return {"trans": np.tile([1.0, 2.0, 0.56 * stature_m], (frames, 1)), "poses": poses, "mocap_framerate": 60.0}


def test_a_body_stands_upright_on_the_floor_and_faces_where_it_should(tmp_path):
    clip = read_clip(saved(tmp_path, **standing())).clip
    place = dict(zip(JOINTS, clip.joint_positions_w[0], strict=True))
    assert np.allclose(place["pelvis"], [1.0, 2.0, 0.952])
    assert place["head"][2] > 1.4
    assert np.allclose(place["left_hip"] - place["right_hip"], [2 * 0.052 * 1.7, 0.0, 0.0])  # its left is +x
    assert place["left_foot"][1] < place["left_ankle"][1] - 0.05  # the toes point to -y
    assert place["left_foot"][2] < 0.05
    assert clip.rate_hz == 60.0


def test_the_stature_is_told_from_the_height_of_the_pelvis_and_can_be_set(tmp_path):
    path = saved(tmp_path, **standing(stature_m=1.55))
    reading = read_clip(path)
    assert describe(reading.clip).stature_m == pytest.approx(1.55, abs=0.02)
    assert "stature" in {guess.what for guess in reading.guesses}
    assert describe(read_clip(path, ReadSettings(stature_m=1.9)).clip).stature_m == pytest.approx(1.9, abs=0.01)


def test_the_layout_of_smplx_is_read_with_and_without_poses(tmp_path):
    parts = standing()
    poses, rate = parts.pop("poses"), parts.pop("mocap_framerate")
    parts |= {"root_orient": poses[:, :3], "pose_body": poses[:, 3:66], "mocap_frame_rate": rate}
    split = load_clip(saved(tmp_path, **parts))
    whole = load_clip(saved(tmp_path, **standing()))
    assert np.array_equal(split.rotations, whole.rotations)


def test_a_clip_of_smpls_joints_comes_back_the_same(tmp_path):
    clip, path = wander(skeleton=smpl_skeleton(1.63)), tmp_path / "clip.npz"
    write_clip(clip, path, AMASS)
    back = load_clip(path)
    assert np.abs(back.joint_positions_w - clip.joint_positions_w).max() < 1e-4
    assert rotations.angle_between(back.rotations, clip.rotations).max() < 1e-4


def test_a_clip_of_the_houses_body_parts_keeps_its_shape(tmp_path):
    clip, path = wander(), tmp_path / "clip.npz"
    write_clip(clip, path, AMASS)
    back = load_clip(path)
    for smpl, part in (
        ("left_ankle", "left_foot"),
        ("right_wrist", "right_hand"),
        ("head", "head"),
        ("spine2", "chest"),
    ):
        ours, theirs = clip.skeleton.index(part), back.skeleton.index(smpl)
        assert np.abs(back.joint_positions_w[:, theirs] - clip.joint_positions_w[:, ours]).max() < 1e-4


def test_a_real_file_comes_back_the_same(mocap, tmp_path):
    for name in ("cmu_07_01_walk_poses", "cmu_49_06_cartwheel_poses", "cmu_88_01_backflip_stageii"):
        clip = load_clip(mocap / "amass" / f"{name}.npz")
        write_clip(clip, tmp_path / "clip.npz", AMASS)
        back = load_clip(tmp_path / "clip.npz")
        assert back.rate_hz == pytest.approx(120.0, abs=1e-3)
        assert np.abs(back.joint_positions_w - clip.joint_positions_w).max() < 1e-4
        assert rotations.angle_between(back.rotations, clip.rotations).max() < 1e-4


def test_a_real_file_moves_like_the_bvh_it_was_made_from(mocap):
    amass = load_clip(mocap / "amass" / "cmu_07_01_walk_poses.npz")
    bvh = load_clip(mocap / "cmu_bvh" / "07_01.bvh")
    quarter = rotations.about_z(-np.pi / 2)  # its world has the BVH's z along -y
    assert np.allclose(amass.root_positions, rotations.rotate(quarter, bvh.root_positions), atol=1e-6)
    for joint, other in (("left_knee", "LeftLeg"), ("right_elbow", "RightForeArm"), ("spine1", "LowerBack")):
        a, b = amass.skeleton.index(joint), bvh.skeleton.index(other)
        turns = rotations.multiply(quarter, bvh.joint_rotations_w[:, b])
        # turned alike, up to what the rest poses differ by, which stays the same
        off = rotations.multiply(rotations.conjugate(turns), amass.joint_rotations_w[:, a])
        assert rotations.angle_between(off, off[0]).max() < 1e-3, joint


def test_a_clip_on_another_skeleton_is_refused(tmp_path):
    names = tuple(f"joint{i}" for i in range(len(human_skeleton())))
    with pytest.raises(FileError, match="not on SMPL's joints"):
        write_clip(wander(0.1, skeleton=human_skeleton(names)), tmp_path / "clip.npz", AMASS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"poses": np.zeros((3, 156))}, "'trans' has 4 frames, and the poses 3"),
        ({"poses": np.zeros((4, 60))}, r"must be numbers \(T, 66\)"),
        ({"poses": np.full((4, 156), np.nan)}, "array 'poses' has what is no sensible number in frame 0"),
        ({"trans": np.full((4, 3), 1e300)}, "no sensible number in frame 0"),
        ({"trans": np.array([["a"] * 3] * 4)}, "array 'trans' is <U1"),
        ({"mocap_framerate": -1.0}, "array 'mocap_framerate' is not one sensible number"),
        ({"poses": np.zeros((0, 156)), "trans": np.zeros((0, 3))}, "'trans' has 0 frames"),
    ],
)
def test_arrays_that_are_wrong_are_refused_by_name(tmp_path, change, message):
    with pytest.raises(FileError, match=message):
        read_clip(saved(tmp_path, **(standing() | change)))


def test_a_missing_rate_is_guessed_and_told(tmp_path):
    arrays = standing()
    del arrays["mocap_framerate"]
    reading = read_clip(saved(tmp_path, **arrays))
    assert reading.clip.rate_hz == 120.0
    assert "frame rate" in {guess.what for guess in reading.guesses}


def test_one_frame_is_a_clip(tmp_path):
    assert isinstance(load_clip(saved(tmp_path, **standing(1))), Clip)
