"""BVH that we write: read back it is the same motion, and it keeps to what Blender's importer takes for granted."""

import numpy as np
import pytest
from motion_samples import human_skeleton, same, wander

from understudy import rotations
from understudy.errors import FileError, UnknownNameError
from understudy.motion import Clip, ReadSettings, Skeleton, WriteSettings, load_clip, read_clip, write_clip
from understudy.motion.formats.amass import smpl_skeleton

KEEP = ReadSettings(drop_frames=0)


def ends(clip):
    """Limb ends in the order of a depth-first walk, as a file has them."""
    skeleton = clip.skeleton
    return skeleton.end_offsets[np.argsort(skeleton.end_parents, kind="stable")]


@pytest.mark.parametrize("unit_m", [0.01, 1.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_clip_comes_back_the_same(tmp_path, unit_m, seed):
    clip, path = wander(seed=seed), tmp_path / "clip.bvh"
    write_clip(clip, path, WriteSettings(unit_m=unit_m))
    back = read_clip(path, KEEP).clip
    assert np.abs(back.joint_positions_w - clip.joint_positions_w).max() < 1e-4
    assert rotations.angle_between(back.rotations, clip.rotations).max() < 1e-4
    assert np.allclose(ends(back), ends(clip), atol=1e-6)
    assert back.rate_hz == clip.rate_hz
    assert back.name == "clip"


def test_joints_listed_breadth_first_come_back_by_their_names(tmp_path):
    clip = wander(skeleton=smpl_skeleton(1.7))
    write_clip(clip, tmp_path / "clip.bvh")
    back = read_clip(tmp_path / "clip.bvh", KEEP).clip
    order = [back.skeleton.index(name) for name in clip.skeleton.names]
    assert np.abs(back.joint_positions_w[:, order] - clip.joint_positions_w).max() < 1e-4
    assert rotations.angle_between(back.rotations[:, order], clip.rotations).max() < 1e-4


def test_turns_at_the_limit_of_euler_angles_come_back(tmp_path):
    skeleton = human_skeleton()
    turned = np.tile(rotations.IDENTITY, (6, len(skeleton), 1))
    for t, angle in enumerate((0.5 * np.pi, -0.5 * np.pi, 0.5 * np.pi - 1e-7, np.pi, 0.5 * np.pi, 2.0)):
        turned[t, 1:] = rotations.multiply(rotations.about_z(0.3), rotations.from_axis_angle([0.0, 1.0, 0.0], angle))
    clip = Clip(skeleton, 30.0, np.tile([0.0, 0.0, 0.9], (6, 1)), turned)
    write_clip(clip, tmp_path / "clip.bvh")
    back = read_clip(tmp_path / "clip.bvh", KEEP).clip
    assert rotations.angle_between(back.rotations, clip.rotations).max() < 1e-4


def test_a_real_clip_comes_back_the_same(mocap, tmp_path):
    for file in ("cmu_bvh/49_06.bvh", "misc/bvh_python/test_freebvh.bvh", "misc/animated_drawings/fair1_dab.bvh"):
        clip = load_clip(mocap / file)
        write_clip(clip, tmp_path / "clip.bvh")
        back = read_clip(tmp_path / "clip.bvh", KEEP).clip
        assert same(clip, back, 1e-5), file
        assert back.skeleton.names == clip.skeleton.names


def test_the_file_is_laid_out_as_blenders_importer_takes_for_granted(tmp_path):
    """It counts lines: a name, a brace, OFFSET, CHANNELS; an End Site and its OFFSET two lines on; a frame a line."""
    clip, path = wander(0.2), tmp_path / "clip.bvh"
    write_clip(clip, path)
    lines = [line.split() for line in path.read_text().splitlines()]
    assert lines[0] == ["HIERARCHY"]
    named = [i for i, words in enumerate(lines) if words[0] in ("ROOT", "JOINT")]
    assert [lines[i][1] for i in named] != []
    assert {lines[i][1] for i in named} == set(clip.skeleton.names)
    for i in named:
        assert lines[i + 1] == ["{"]
        assert lines[i + 2][0] == "OFFSET"
        assert len(lines[i + 2]) == 4
        assert lines[i + 3][0] == "CHANNELS"
        assert int(lines[i + 3][1]) == len(lines[i + 3]) - 2
    ends = [i for i, words in enumerate(lines) if words[:2] == ["End", "Site"]]
    assert len(ends) == len(clip.skeleton.end_parents)
    assert all(lines[i + 2][0] == "OFFSET" for i in ends)
    start = lines.index(["MOTION"])
    assert lines[start + 1] == ["Frames:", str(clip.frame_count)]
    assert lines[start + 2][:2] == ["Frame", "Time:"]
    assert float(lines[start + 2][2]) == pytest.approx(1 / 60)
    rows = lines[start + 3 :]
    assert len(rows) == clip.frame_count
    assert {len(words) for words in rows} == {3 + 3 * len(clip.skeleton)}


def test_blender_sees_y_up_and_z_forward_in_centimetres(tmp_path):
    skeleton = human_skeleton()
    still = np.tile(rotations.IDENTITY, (2, len(skeleton), 1))
    write_clip(Clip(skeleton, 30.0, np.array([[1.0, 2.0, 3.0]] * 2), still), tmp_path / "clip.bvh")
    last = (tmp_path / "clip.bvh").read_text().splitlines()[-1]
    assert [float(word) for word in last.split()[:3]] == [200.0, 300.0, 100.0]  # left, up, forward


def test_a_leaf_without_an_end_gets_an_end_site(tmp_path):
    skeleton = Skeleton(("a", "b"), [-1, 0], [[0, 0, 0], [0, 0, 1.0]])
    clip = Clip(skeleton, 30.0, np.zeros((2, 3)), np.tile(rotations.IDENTITY, (2, 2, 1)))
    write_clip(clip, tmp_path / "clip.bvh")
    assert "End Site" in (tmp_path / "clip.bvh").read_text()


def test_names_that_would_break_the_file_are_refused_and_nothing_is_left(tmp_path):
    skeleton = Skeleton(("a", "b{"), [-1, 0], [[0, 0, 0], [0, 0, 1.0]])
    clip = Clip(skeleton, 30.0, np.zeros((2, 3)), np.tile(rotations.IDENTITY, (2, 2, 1)))
    with pytest.raises(FileError, match="can't stand in BVH"):
        write_clip(clip, tmp_path / "clip.bvh")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_ending_lists_those_there_are(tmp_path):
    with pytest.raises(UnknownNameError, match=r"\.bvh, \.npz"):
        write_clip(wander(0.1), tmp_path / "clip.fbx")
