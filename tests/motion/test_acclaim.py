"""Acclaim: skeletons and motions; the same takes as BVH agree with them."""

import numpy as np
import pytest
from clip_files import AMC, ASF, written

from understudy import rotations
from understudy.errors import FileError
from understudy.motion import ReadSettings, describe, read_clip
from understudy.motion.formats.asf import read_asf

CMU_M = 0.0254 / 0.45
SAME_JOINTS = {  # where the BVH conversion, which leaves out the thorax' length, has the same place
    "root": "Hips", "lfemur": "LeftUpLeg", "ltibia": "LeftLeg", "lfoot": "LeftFoot", "ltoes": "LeftToeBase",
    "rfemur": "RightUpLeg", "rtibia": "RightLeg", "rfoot": "RightFoot", "upperback": "Spine", "thorax": "Spine1",
}  # fmt: skip
SAME_TURNS = SAME_JOINTS | {
    "head": "Head", "lhumerus": "LeftArm", "lradius": "LeftForeArm", "rhumerus": "RightArm", "lthumb": "LThumb",
    "lowerneck": "Neck", "lclavicle": "LeftShoulder",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    written(tmp_path, ASF, "body.asf")
    return tmp_path


def read(folder, amc=AMC, settings=None):
    return read_clip(written(folder, amc, "clip.amc"), settings or ReadSettings(unit_m=1.0))


def test_a_joint_stands_where_its_bone_begins_and_the_last_bone_ends_in_an_end(folder):
    skeleton = read_asf(folder / "body.asf").skeleton()
    assert skeleton.names == ("root", "lhipjoint", "lfemur", "ltibia", "nothing_dum", "head")
    assert np.allclose(skeleton.offsets, [[0, 0, 0], [0, 0, 0], [2, 0, 0], [0, -7, 0], [0, 0, 0], [0, 0, 0]])
    assert [skeleton.names[j] for j in skeleton.end_parents] == ["ltibia", "head"]
    assert np.allclose(skeleton.end_offsets, [[0, -7, 0], [0, 9, 0]])


def test_a_bone_turns_about_its_own_axes(folder):
    clip = read(folder).clip
    # the tibia's axis is turned by 90 degrees about y, so its rx turns about -z of the file, which is -y of ours
    assert np.allclose(rotations.log(clip.rotations[0, 3]), [0.0, 0.0, 0.0] + np.deg2rad(40.0) * np.array([-1, 0, 0]))


def test_turns_are_done_in_the_order_listed(folder):
    clip = read(folder).clip
    z = rotations.about_z
    x = lambda degrees: rotations.from_axis_angle([1.0, 0.0, 0.0], np.deg2rad(degrees))  # noqa: E731
    y = lambda degrees: rotations.from_axis_angle([0.0, 1.0, 0.0], np.deg2rad(degrees))  # noqa: E731
    axis = x(20.0)  # the file's z is our x, its x our y, its y our z
    turned = rotations.multiply(x(-20.0), rotations.multiply(z(np.deg2rad(30.0)), y(0.0)))
    expected = rotations.multiply(axis, rotations.multiply(turned, rotations.conjugate(axis)))
    assert rotations.angle_between(clip.rotations[1, 2], expected) < 1e-9


def test_missing_degrees_of_freedom_are_zero(folder):
    clip = read(folder).clip
    assert np.allclose(clip.rotations[:, clip.skeleton.index("lhipjoint")], rotations.IDENTITY)


def test_the_root_moves_and_turns(folder):
    clip = read(folder).clip
    assert np.allclose(clip.root_positions, [[0, 0, 16], [1, 0, 16]])
    assert np.allclose(rotations.log(clip.rotations[1, 0]), [np.pi / 2, 0, 0])


def test_the_rate_and_the_skeleton_are_guessed_and_told(folder):
    reading = read(folder)
    told = {guess.what: guess for guess in reading.guesses}
    assert reading.clip.rate_hz == 120.0
    assert told["frame rate"].flag == "--rate-hz"
    assert (told["skeleton"].value, told["skeleton"].flag) == ("body.asf", "--asf")
    faster = AMC.replace(":DEGREES", ":DEGREES\n:SAMPLES-PER-SECOND 60")
    assert read(folder, faster).clip.rate_hz == 60.0


def test_of_several_skeletons_the_one_with_the_same_beginning_is_taken(folder):
    (folder / "body.asf").rename(folder / "07.asf")
    written(folder, ASF.replace("length 9", "length 8"), "09.asf")
    clip = read_clip(written(folder, AMC, "09_06.amc"), ReadSettings(unit_m=1.0)).clip
    assert np.allclose(clip.skeleton.end_offsets[1], [0, 0, 8])
    with pytest.raises(FileError, match=r"there are 07\.asf, 09\.asf; give it with --asf"):
        read_clip(written(folder, AMC, "walk.amc"))
    settings = ReadSettings(unit_m=1.0, asf=folder / "07.asf")
    assert np.allclose(read_clip(folder / "walk.amc", settings).clip.skeleton.end_offsets[1], [0, 0, 9])


def test_line_endings_comments_and_bones_in_any_order_do_not_matter(folder):
    lines = AMC.replace("\n", "\r\n").split("\r\n")
    lines[4], lines[5], lines[6] = lines[6], lines[4], lines[5] + "\r\n# in between"
    plain, odd = read(folder).clip, read(folder, "\r\n".join(lines)).clip
    assert np.array_equal(plain.rotations, odd.rotations)


def test_a_bone_that_is_not_in_every_frame_is_told(folder):
    reading = read(folder, AMC.replace("head 10 20\n", ""))
    assert "head" in reading.warnings[0]


def test_radians_are_read_as_such(folder):
    degrees = read(folder, AMC).clip
    amc = AMC.replace(":DEGREES", ":RADIANS")
    for number in ("30", "40", "-2e1", "4.0e+001", "90", "20", "10"):
        amc = amc.replace(f" {number} ", f" {np.deg2rad(float(number)):.15g} ")
        amc = amc.replace(f" {number}\n", f" {np.deg2rad(float(number)):.15g}\n")
    assert np.allclose(read(folder, amc).clip.rotations, degrees.rotations, atol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("lfemur 30 0 0", "lfemur 30 0", r"clip\.amc:6: 'lfemur' has 2 numbers; its skeleton gives it rx ry rz"),
        ("lfemur 30 0 0", "lfemur 30 nan 0", r"clip\.amc:6: 'nan' is not a number"),
        ("lfemur 30", "rfemur 30", r"clip\.amc:6: 'rfemur' is no bone of the skeleton; root, lhipjoint, lfemur"),
        ("1\nroot", "root", r"clip\.amc:4: 'root' stands before the number of the first frame"),
        (AMC[AMC.index("1\n") :], "", r"clip\.amc: has no frames"),
    ],
)
def test_a_motion_that_is_wrong_is_refused_with_its_line(folder, old, new, message):
    with pytest.raises(FileError, match=message):
        read(folder, AMC.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "root lhipjoint nothing_dum",
            "root lhipjoint\n    head nothing_dum",
            "hang on nothing or in a circle: .*head",
        ),
        ("root lhipjoint", "lhead lhipjoint", "the hierarchy names 'lhead', which is no bone"),
        ("lfemur ltibia", "lfemur ltibia lfemur", r"body\.asf:\d+: bone 'lfemur' has two parents"),
        ("name ltibia", "name lfemur", r"body\.asf:\d+: bone 'lfemur' is there twice"),
        ("direction 1 0 0", "direction 1 0", r"body\.asf:16: 2 numbers where 3 belong"),
        ("direction 1 0 0", "direction 1 x 0", r"body\.asf:16: 'x' is not a number"),
        ("dof rx ry rz", "dof rx ry rq", r"body\.asf:\d+: degrees of freedom 'rx ry rq' are not known"),
        ("axis 0 0 20  XYZ", "axis 0 0 20  XXZ", r"body\.asf:\d+: axis order 'XXZ'"),
        ("     length 9\n", "", r"body\.asf:\d+: a bone has no length"),
        (ASF[ASF.index(":bonedata") :], "", r"body\.asf:\d+: has no bones"),
    ],
)
def test_a_skeleton_that_is_wrong_is_refused_with_its_line(folder, old, new, message):
    assert old in ASF
    written(folder, ASF.replace(old, new, 1), "body.asf")
    with pytest.raises(FileError, match=message):
        read(folder)


def test_a_skeleton_alone_and_a_motion_alone_say_what_is_missing(folder):
    with pytest.raises(FileError, match="give the AMC file that belongs to it"):
        read_clip(folder / "body.asf")
    (folder / "body.asf").unlink()
    with pytest.raises(FileError, match="an AMC file needs its skeleton, an ASF file, and none lies beside it"):
        read(folder)


# real files


@pytest.mark.parametrize(("amc", "bvh"), [("07/07_01", "07_01"), ("09/09_06", "09_06"), ("11/11_01", "11_01")])
def test_the_same_take_is_the_same_motion_as_bvh(mocap, amc, bvh):
    acclaim = read_clip(mocap / "cmu_asfamc" / f"{amc}.amc").clip
    converted = read_clip(mocap / "cmu_bvh" / f"{bvh}.bvh").clip
    assert acclaim.frame_count == converted.frame_count
    for bone, joint in SAME_JOINTS.items():
        a, b = acclaim.skeleton.index(bone), converted.skeleton.index(joint)
        assert np.abs(acclaim.joint_positions_w[:, a] - converted.joint_positions_w[:, b]).max() < 1e-4, bone
    for bone, joint in SAME_TURNS.items():
        a, b = acclaim.skeleton.index(bone), converted.skeleton.index(joint)
        turned = rotations.angle_between(acclaim.joint_rotations_w[:, a], converted.joint_rotations_w[:, b])
        assert turned.max() < 1e-4, bone


def test_a_unit_that_makes_a_giant_is_not_believed(mocap):
    reading = read_clip(mocap / "cmu_asfamc" / "endorphin" / "walking.amc")
    (unit,) = [guess for guess in reading.guesses if guess.what == "unit"]
    assert unit.value == "1 m, metres"
    assert 1.6 < describe(reading.clip).stature_m < 2.0


def test_a_motion_of_zeros_is_the_rest_pose(mocap):
    settings = ReadSettings(asf=mocap / "cmu_asfamc" / "07" / "07.asf")
    clip = read_clip(mocap / "cmu_asfamc" / "dm_control" / "zeros.amc", settings).clip
    assert clip.frame_count == 7
    assert np.allclose(clip.rotations, rotations.IDENTITY)
    left = clip.joint_positions_w[0, clip.skeleton.index("lhumerus")]
    assert left[1] > 0.1  # left is +y
