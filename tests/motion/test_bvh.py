"""BVH: what the numbers mean, in every dialect; real files where they are at hand."""

import itertools

import numpy as np
import pytest
from clip_files import HIERARCHY, motion, row, written

from understudy import rotations
from understudy.errors import FileError
from understudy.motion import ReadSettings, describe, read_clip
from understudy.motion.formats.bvh import read_bvh

STILL = [row(), row(), row()]
AS_IT_IS = ReadSettings(up_axis="z", forward_axis="x", unit_m=1.0, drop_frames=0)


def read(tmp_path, hierarchy=HIERARCHY, rows=STILL, settings=None, **kwargs):
    return read_clip(written(tmp_path, hierarchy + motion(rows, **kwargs)), settings or ReadSettings())


def test_y_up_and_z_forward_in_centimetres_become_z_up_and_x_forward_in_metres(tmp_path):
    clip = read(tmp_path, rows=[row(x=10.0, y=90.0, z=30.0)] * 3).clip
    assert np.allclose(clip.root_positions, [0.3, 0.1, 0.9])
    assert np.allclose(clip.skeleton.offsets[clip.skeleton.index("LeftUpLeg")], [0.0, 0.09, 0.0])
    assert np.allclose(clip.skeleton.offsets[clip.skeleton.index("LeftLeg")], [0.0, 0.0, -0.42])
    assert np.allclose(clip.end_positions_w[0, 1], [0.45, 0.19, 0.0])  # the left toes, ahead of the foot


@pytest.mark.parametrize("order", ["".join(letters) for letters in itertools.permutations("XYZ")])
def test_a_joint_turns_by_the_product_of_its_channels_in_the_order_listed(tmp_path, order):
    names = " ".join(f"{letter}rotation" for letter in order)
    hierarchy = HIERARCHY.replace("CHANNELS 3 Zrotation Xrotation Yrotation", f"CHANNELS 3 {names}", 1)
    rows = [row(0, 0, 0, 10.0 * i, -20.0, 35.0) for i in range(3)]
    clip = read(tmp_path, hierarchy, rows, AS_IT_IS).clip
    expected = rotations.IDENTITY
    for letter, angle in zip(order, (20.0, -20.0, 35.0), strict=True):
        turn = rotations.from_axis_angle(np.eye(3)["XYZ".index(letter)], np.deg2rad(angle))
        expected = rotations.multiply(expected, turn)
    assert rotations.angle_between(clip.rotations[2, 1], expected) < 1e-9


def test_a_turn_in_the_file_is_the_same_turn_about_our_axes(tmp_path):
    # bending the left knee by 90 degrees about the file's x: the foot goes from below to behind
    rows = [row(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, 0)] * 3
    clip = read(tmp_path, rows=rows).clip
    knee, foot = (clip.joint_positions_w[0, clip.skeleton.index(name)] for name in ("LeftLeg", "LeftFoot"))
    assert np.allclose(foot - knee, [-0.42, 0.0, 0.0], atol=1e-9)


def test_channels_may_come_in_any_order_and_the_root_may_turn_before_it_moves(tmp_path):
    straight = read(tmp_path, rows=[row(30, 20, 10)] * 3).clip
    first, rest = "Xposition Yposition Zposition ", "Zrotation Xrotation Yrotation"
    swapped = HIERARCHY.replace(f"6 {first}{rest}", f"6 {rest} {first.strip()}", 1)
    rows = [[30, 20, 10, 0, 90, 0, *row()[6:]]] * 3
    turned = read(tmp_path, swapped, rows).clip
    assert np.allclose(straight.joint_positions_w, turned.joint_positions_w)


def test_joints_without_channels_and_with_one_channel_are_read(tmp_path):
    hierarchy = HIERARCHY.replace("    CHANNELS 3 Zrotation Xrotation Yrotation\n", "", 1)
    hierarchy = hierarchy.replace("      CHANNELS 3 Zrotation Xrotation Yrotation", "      CHANNELS 1 Yrotation", 1)
    rows = [[0, 90, 0, 0, 0, 0, 25.0, *[0] * 18]] * 3
    clip = read(tmp_path, hierarchy, rows).clip
    assert np.allclose(clip.rotations[:, 1], rotations.IDENTITY)
    assert np.allclose(rotations.log(clip.rotations[0, 2]), [0.0, 0.0, np.deg2rad(25.0)])


def test_the_roots_offset_is_not_added_to_its_position(tmp_path):
    hierarchy = HIERARCHY.replace("OFFSET 0 0 0", "OFFSET 5 90 7", 1)
    plain, offset = read(tmp_path).clip, read(tmp_path, hierarchy).clip
    assert np.allclose(plain.root_positions, offset.root_positions)


def test_end_sites_are_kept_and_missing_ones_are_not_missed(tmp_path):
    clip = read(tmp_path).clip
    assert [clip.skeleton.names[j] for j in clip.skeleton.end_parents] == ["Head", "LeftFoot", "RightFoot"]
    bare = HIERARCHY
    while "End Site" in bare:
        start = bare.index("End Site")
        bare = bare[:start] + bare[bare.index("}", start) + 1 :]
    assert len(read(tmp_path, bare).clip.skeleton.end_parents) == 0


def test_of_two_skeletons_the_first_is_read(tmp_path):
    second = HIERARCHY.removeprefix("HIERARCHY\n").replace("Hips", "Hips2")
    reading = read(tmp_path, HIERARCHY + second, [row() + row(x=500.0)] * 3)
    assert len(reading.clip.skeleton) == 9
    assert np.allclose(reading.clip.root_positions[:, 1], 0.0)
    assert "2 skeletons" in reading.warnings[0]


# frame times


@pytest.mark.parametrize(
    ("written_time", "rate_hz"),
    [
        ("0.0333333", 30.0),
        (".0083333", 120.0),
        ("0.0333", 30.0),
        ("0.008333", 120.0),
        ("0.00834168", 1.0 / 0.00834168),  # 119.88 Hz, not 120 written badly
        ("0.0417083750417", 1.0 / 0.0417083750417),
        ("1e-2", 100.0),
        ("0,04", 25.0),
    ],
)
def test_a_frame_time_is_the_whole_rate_it_is_rounded_from(tmp_path, written_time, rate_hz):
    assert read(tmp_path, frame_time=written_time).clip.rate_hz == pytest.approx(rate_hz, rel=1e-12)


def test_a_missing_rate_is_guessed_and_told_and_can_be_set(tmp_path):
    reading = read(tmp_path, frame_time="0")
    assert reading.clip.rate_hz == 30.0
    assert [g.flag for g in reading.guesses if g.what == "frame rate"] == ["--rate-hz"]
    assert read(tmp_path, frame_time="0", settings=ReadSettings(rate_hz=50.0)).clip.rate_hz == 50.0


# position channels of other joints than the root

SIX = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"


def six_channels_on_the_chest(place):
    hierarchy = HIERARCHY.replace("    CHANNELS 3 Zrotation Xrotation Yrotation", f"    {SIX}", 1)
    return hierarchy, [[0, 90, 0, 0, 0, 0, *place, *[0] * 24]] * 3


def test_position_channels_that_repeat_the_offset_change_nothing(tmp_path):
    reading = read(tmp_path, *six_channels_on_the_chest((0, 20, 0)))
    assert np.allclose(reading.clip.skeleton.offsets[1], [0.0, 0.0, 0.2])
    assert not [guess for guess in reading.guesses if "position" in guess.what]


def test_position_channels_of_zero_are_added_to_the_offset(tmp_path):
    reading = read(tmp_path, *six_channels_on_the_chest((0, 0, 0)))
    assert np.allclose(reading.clip.skeleton.offsets[1], [0.0, 0.0, 0.2])
    assert "added" in str(reading.guesses[0])


def test_position_channels_near_the_offset_replace_it_unless_the_user_says_otherwise(tmp_path):
    hierarchy, rows = six_channels_on_the_chest((0, 26, 0))
    assert np.allclose(read(tmp_path, hierarchy, rows).clip.skeleton.offsets[1], [0.0, 0.0, 0.26])
    for meaning, length in (("added", 0.46), ("ignored", 0.2)):
        clip = read(tmp_path, hierarchy, rows, ReadSettings(positions=meaning)).clip
        assert np.allclose(clip.skeleton.offsets[1], [0.0, 0.0, length])


def test_bones_that_change_their_length_get_their_usual_one_and_a_warning(tmp_path):
    hierarchy, _ = six_channels_on_the_chest((0, 0, 0))
    rows = [[0, 90, 0, 0, 0, 0, 0, length, 0, *[0] * 24] for length in (20, 21, 22, 35, 23)]
    reading = read(tmp_path, hierarchy, rows)
    assert np.allclose(reading.clip.skeleton.offsets[1], [0.0, 0.0, 0.22])
    assert "Chest" in reading.warnings[0]


def test_a_root_on_the_floor_gives_way_to_the_pelvis_that_moves_above_it(tmp_path):
    inner = HIERARCHY.removeprefix("HIERARCHY\n").replace("ROOT", "JOINT")
    hierarchy = f"HIERARCHY\nROOT Floor\n{{\nOFFSET 0 0 0\n{SIX}\n{inner}}}\n"
    rows = [[100, 0, 0, 0, 0, 90, *row(0, 0, 10, y=80.0 + 5 * i, z=40.0 * i)] for i in range(4)]
    reading = read(tmp_path, hierarchy, rows)
    assert reading.clip.skeleton.names[0] == "Hips"
    # a quarter turn about the vertical takes the pelvis' way along z to one along the file's x, which is our y
    assert np.allclose(reading.clip.root_positions[3], [0.0, 1.0 + 1.2, 0.95])
    assert np.allclose(rotations.log(reading.clip.rotations[3, 0]), [0.0, 0.0, np.deg2rad(100.0)])
    assert [guess.what for guess in reading.guesses][:2] == ["position channels", "root"]


# frames in front


def test_an_added_pose_and_zeros_in_front_are_left_out_and_told(tmp_path):
    walking = [row(*np.sin(0.1 * i + np.arange(27)) * 20, z=i) for i in range(8)]
    pose, zeros = row(), [0.0] * 30
    for front, count in (([pose], 1), ([zeros, zeros], 2), ([pose, zeros], 2), ([], 0)):
        reading = read(tmp_path, rows=front + walking)
        assert reading.clip.frame_count == 8
        told = [guess.value for guess in reading.guesses if guess.what == "frames left out"]
        assert told == ([f"{count} at the start"] if count else [])
        kept = read(tmp_path, rows=front + walking, settings=ReadSettings(drop_frames=0))
        assert kept.clip.frame_count == 8 + count


def test_dropping_every_frame_is_refused(tmp_path):
    with pytest.raises(FileError, match="has 3 frames, so 3 can't be dropped"):
        read(tmp_path, settings=ReadSettings(drop_frames=3))


# axes, units, floor


def turned_file(up, forward, factor=1.0):
    """The hierarchy and one frame written in other axes and another unit."""
    names = {"x": np.eye(3)[0], "y": np.eye(3)[1], "z": np.eye(3)[2]}
    vector = {name: np.array(value) for name, value in names.items()} | {f"-{n}": -v for n, v in names.items()}
    up, forward = vector[up], vector[forward]
    basis = np.stack([np.cross(up, forward), up, forward], axis=1)  # of the original's x (left), y and z
    lines = []
    for line in HIERARCHY.split("\n"):
        if "OFFSET" in line:
            moved = factor * basis @ [float(word) for word in line.split()[1:]]
            line = "OFFSET " + " ".join(f"{value:.10g}" for value in moved)
        lines.append(line)
    place = factor * basis @ [10.0, 90.0, 30.0]
    return "\n".join(lines), [[*place, *[0.0] * 27]] * 3


@pytest.mark.parametrize(("up", "forward"), [("y", "z"), ("z", "-y"), ("z", "x"), ("y", "x"), ("-y", "z"), ("x", "y")])
def test_up_and_forward_are_told_from_the_body(tmp_path, up, forward):
    reading = read(tmp_path, *turned_file(up, forward))
    usual = read(tmp_path).clip
    assert np.allclose(reading.clip.skeleton.offsets, usual.skeleton.offsets)
    assert np.allclose(reading.clip.root_positions, [0.3, 0.1, 0.9])
    assert {"up axis": up}.items() <= {guess.what: guess.value for guess in reading.guesses}.items()


def test_axes_set_by_the_user_are_not_guessed(tmp_path):
    reading = read(tmp_path, settings=AS_IT_IS)
    assert np.allclose(reading.clip.root_positions, [0.0, 90.0, 0.0])
    assert not [guess for guess in reading.guesses if "axis" in guess.what]


def test_a_forward_axis_that_points_up_is_refused(tmp_path):
    with pytest.raises(FileError, match="forward_axis can't be -y, for up is y"):
        read(tmp_path, settings=ReadSettings(forward_axis="-y"))


def test_a_rest_pose_that_stands_in_other_axes_than_the_motion_is_stood_up(tmp_path):
    # rest pose y up, but the root always turned so that z is up, as AMASS is often written
    rows = [[0, 0, 90, 0, 90, 0, *[0] * 24]] * 3
    reading = read(tmp_path, rows=rows)
    assert np.allclose(reading.clip.skeleton.offsets[1], [0.0, 0.0, 0.2])
    head = reading.clip.joint_positions_w[0, reading.clip.skeleton.index("Head")]
    assert np.allclose(head, [0.0, 0.0, 1.45])


def test_lying_down_does_not_turn_the_axes(tmp_path):
    rows = [[300, 15, 200, 0, -90, 0, *[0] * 24]] * 3  # on the back, at height 0.15 m
    clip = read(tmp_path, rows=rows).clip
    assert np.allclose(clip.root_positions[:, 2], 0.15)
    assert np.ptp(clip.joint_positions_w[0, :, 2]) < 1e-6


@pytest.mark.parametrize("unit_m", [1.0, 0.1, 0.01, 0.001, 0.0254, 0.3048])
def test_the_unit_is_told_from_the_size_of_the_body(tmp_path, unit_m):
    reading = read(tmp_path, *turned_file("y", "z", 0.01 / unit_m))
    assert describe(reading.clip).stature_m == pytest.approx(0.84 / 0.491)


def test_the_unit_of_the_cmu_database_is_known_by_its_size_and_names(tmp_path):
    hierarchy, rows = turned_file("y", "z", 0.01 / (0.0254 / 0.45))
    assert describe(read(tmp_path, hierarchy, rows).clip).stature_m == pytest.approx(0.84 / 0.491)


def test_a_unit_set_by_the_user_holds(tmp_path):
    assert read(tmp_path, settings=ReadSettings(unit_m=0.02)).clip.root_positions[0, 2] == pytest.approx(1.8)


@pytest.mark.parametrize(("height", "moved", "told"), [(90, 0.0, 0), (110, 0.0, 1), (0, 0.9, 1), (-500, 5.9, 1)])
def test_a_floor_somewhat_off_is_told_and_one_far_off_is_moved(tmp_path, height, moved, told):
    reading = read(tmp_path, rows=[row(y=height)] * 3)
    assert reading.clip.root_positions[0, 2] == pytest.approx(0.01 * height + moved)
    assert len([guess for guess in reading.guesses if guess.what == "floor"]) == told


def test_a_floor_set_by_the_user_lies_at_zero(tmp_path):
    clip = read(tmp_path, rows=[row(y=110)] * 3, settings=ReadSettings(floor_m=0.2)).clip
    assert clip.root_positions[0, 2] == pytest.approx(0.9)
    assert clip.end_positions_w[0, :, 2].min() == pytest.approx(0.0)


@pytest.mark.parametrize(
    "wrong", [{"unit_m": 0.0}, {"rate_hz": -1.0}, {"drop_frames": -1}, {"up_axis": "x", "forward_axis": "-x"}]
)
def test_settings_that_make_no_sense_are_refused(wrong):
    from understudy.errors import ClipError

    with pytest.raises(ClipError, match="must be"):
        ReadSettings(**wrong)


# real files


def test_every_cmu_clip_loses_its_added_pose_and_stands_upright(mocap):
    for path in sorted((mocap / "cmu_bvh").glob("*.bvh"))[::6]:
        reading = read_clip(path)
        told = {guess.what: guess.value for guess in reading.guesses}
        assert told["frames left out"] == "1 at the start", path.name
        assert told["up axis"] == "y"
        assert "CMU" in told["unit"]
        assert reading.clip.rate_hz == 120.0
        assert 1.4 < describe(reading.clip).stature_m < 1.9


def test_the_cmu_clip_with_a_frame_of_zeros_loses_that_too(mocap):
    clip = read_clip(mocap / "cmu_bvh" / "07_12.bvh").clip
    assert clip.frame_count == 262
    assert clip.root_positions[:, 2].min() == pytest.approx(0.88, abs=0.005)
    assert clip.root_positions[:, 2].max() == pytest.approx(0.98, abs=0.005)


def test_the_mat_under_a_fall_is_told(mocap):
    reading = read_clip(mocap / "cmu_bvh" / "90_16.bvh")
    (floor,) = [guess for guess in reading.guesses if guess.what == "floor"]
    assert floor.value == "at +0.23 m, left there"


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("animated_drawings/fair1_dab.bvh", {"up axis": "z", "forward axis": "-y", "unit": "0.0254 m, inches"}),
        ("animated_drawings/rokoko_jesse_dance.bvh", {"up axis": "y", "unit": "0.01 m, centimetres"}),
        ("bandai_namco/dataset-1_kick_normal_001.bvh", {"root": "Hips", "unit": "0.01 m, centimetres"}),
        ("bvh11/scaled_131_01.bvh", {"up axis": "y", "unit": "1 m, metres"}),
        ("games105/run_forward.bvh", {"up axis": "y", "unit": "1 m, metres"}),
        ("makehuman/walk1.bvh", {"up axis": "z", "unit": "0.1 m, decimetres"}),
        ("makehuman/tpose.bvh", {"position channels": "added to OFFSET", "up axis": "z"}),
        ("makehuman/old_03_03.bvh", {"frames left out": "1 at the start", "unit": "0.01 m, centimetres"}),
        ("makehuman/old_10_01.bvh", {"unit": "0.0254 m, inches"}),
        ("pybvh/bvh_test1.bvh", {"up axis": "z", "forward axis": "y", "unit": "0.0254 m, inches"}),
        ("pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh", {"up axis": "y", "unit": "0.0254 m, inches"}),
        ("scadiver/amass_hierarchy.bvh", {"up axis": "z", "rest pose": "up is y, forward z", "unit": "1 m, metres"}),
        ("xia/strutting_01_000.bvh", {"up axis": "y", "unit": "0.0564444 m, CMU's 1/0.45 inch"}),
    ],
)
def test_real_files_are_guessed_right(mocap, file, expected):
    reading = read_clip(mocap / "misc" / file)
    assert expected.items() <= {guess.what: guess.value for guess in reading.guesses}.items()


def test_lafan_stands_although_its_rest_pose_does_not(mocap):
    clip = read_clip(mocap / "lafan1" / "dance1_subject2_first10frames.bvh").clip
    head, feet = clip.skeleton.index("Head"), clip.skeleton.index("LeftToe")
    assert np.all(clip.joint_positions_w[:, head, 2] > 1.4)
    assert np.all(clip.joint_positions_w[:, feet, 2] < 0.1)


def test_joints_keep_their_full_names(mocap):
    clip = read_bvh(mocap / "misc" / "bvh_python" / "test_freebvh.bvh", ReadSettings()).clip
    assert clip.skeleton.names[0] == "mixamorig:Hips"
