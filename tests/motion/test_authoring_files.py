"""A user's own authored clips: what a file may say, and how its mistakes are told."""

import contextlib
import tomllib
from pathlib import Path

import numpy as np
import pytest
from authored_checks import balls_of
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations
from understudy.errors import FileError, UnderstudyError, UnknownNameError
from understudy.motion import AUTHORED, authored_clip, load_authored, mirror, read_authored
from understudy.motion.authoring.body import ANGLES, puppet
from understudy.motion.authoring.document import Document, mirrored_angles, read_score, read_table
from understudy.motion.authoring.kinematics import clip_of, pose
from understudy.motion.authoring.library import _DATA, neutral_skeleton

BOW = """
about = "Bows and stands up again."

[poses.bow]
from = "stand"
pelvis = { pitch = 25 }
both_thigh = { flex = 28 }
left_upper_arm = { flex = 60 }

[[keys]]
at = 0.0
pose = "stand"

[[keys]]
at = 0.5
pose = "bow"

[[keys]]
at = 1.0
pose = "stand"

[[contacts]]
parts = ["left_foot", "right_foot"]
"""
CYCLE = "[cycle]\nduration = 1.0\n[cycle.curves]\n"


def write(folder: Path, text: str, name: str = "bow.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_users_file_becomes_a_clip_near_its_keys(tmp_path: Path) -> None:
    record = read_authored(write(tmp_path, BOW))
    assert record.clip.name == "bow"
    assert record.clip.frame_count == 61
    assert record.about == "Bows and stands up again."
    lean = np.degrees(np.arccos(rotations.rotate(record.clip.rotations[30, 0], [0.0, 0.0, 1.0])[2]))
    assert lean == pytest.approx(25.0, abs=6.0)
    assert balls_of(record.clip).clearance.min() > -0.005
    assert record.limb_contacts.of("left_foot").all()


def test_a_file_can_be_the_mirror_of_another(tmp_path: Path) -> None:
    left = load_authored(write(tmp_path, BOW))
    right = load_authored(write(tmp_path, 'mirror_of = "bow"\n', "other.toml"))
    np.testing.assert_allclose(mirror(left).joint_positions_w, right.joint_positions_w, atol=1e-9)
    assert right.name == "other"


@pytest.mark.parametrize(
    ("wrong", "right", "told"),
    [
        ("left_upper_arm", "left_uper_arm", ["pose 'bow'", "left_uper_arm", "did you mean left_upper_arm"]),
        ("arm = { flex = 60 }", "arm = { bend = 60 }", ["pose 'bow', left_upper_arm", "bend", "abduct"]),
        ("flex = 60", 'flex = "60"', ["left_upper_arm.flex", "must be a number"]),
        ("flex = 60", "flex = nan", ["left_upper_arm.flex", "must be a number"]),
        ("flex = 60", "flex = 1e9", ["left_upper_arm.flex", "from -1080 to 1080"]),
        ("left_upper_arm = { flex = 60 }", "left_upper_arm = 60", ["left_upper_arm", "must be a table"]),
        ('pose = "bow"', 'pose = "baw"', ["key 2", "no pose named 'baw'", "did you mean bow"]),
        ('pose = "bow"', "pose = 3", ["key 2", "no pose named '3'"]),
        ('from = "stand"', 'from = "bow"', ["ring", "bow -> bow"]),
        ("at = 0.5", "at = 1.5", ["key 3", "no later than"]),
        ("at = 0.0\n", "at = 0.1\n", ["key 1", "must be at 0"]),
        ("at = 0.5", "at = inf", ["key 2", "must be a number"]),
        ("at = 0.5\n", "at = 0.5\nhold = -1\n", ["key 2", "hold", "from 0"]),
        ("at = 0.5\n", "at = 0.5\nplace = { w = 1 }\n", ["key 2", "place", "no entry named 'w'"]),
        ('"left_foot", ', '"left_fot", ', ["contact 1", "did you mean left_foot"]),
        ('parts = ["left_foot", "right_foot"]', 'parts = "left_foot"', ["contact 1", "list its parts"]),
        ('"right_foot"]', '"right_foot"]\nfrom = 2\nto = 1', ["contact 1", "not after its start"]),
        ("[[contacts]]", "[[contact]]", ["no entry named 'contact'", "did you mean contacts"]),
        ("[[contacts]]", "[[contacts", ["bow.toml:2", "not TOML"]),
        ("[[contacts]]", "[cycle]\nduration = 1.0\nrepeats = 1.5\n[[contacts]]", ["cycle.repeats", "whole number"]),
        ("[[contacts]]", "[cycle]\n[[contacts]]", ["cycle.duration", "must be a number"]),
        ("[[contacts]]", CYCLE + "both_thigh.flex = [1, 2, 3, 4, 5]\n[[contacts]]", ["both_thigh.flex", "even count"]),
        ("[[contacts]]", CYCLE + "tail.flex = [1, 2, 3, 4]\n[[contacts]]", ["cycle.curves", "no joint named 'tail'"]),
        ("[[contacts]]", '[[rolls]]\nparts = ["tail"]\n[[contacts]]', ["rolls 1", "no part named 'tail'"]),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_file_pose_and_joint(tmp_path: Path, wrong: str, right: str, told: list[str]) -> None:
    assert wrong in BOW
    path = write(tmp_path, BOW.replace(wrong, right, 1))
    with pytest.raises(FileError) as problem:
        load_authored(path)
    for words in ("bow.toml", *told):
        assert words in str(problem.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no key pose"),
        ("[[keys]]\nat = 0\npose = 'stand'\n", "two or more"),
        ("[[keys]]\nat = 0\n", "must name a pose"),
        ("keys = 3\n", "[[keys]]"),
        ("poses = 3\n[[keys]]\nat = 0\npose = 'stand'\n", "must be a table"),
        ("mirror_of = 'nobody'\n", "no 'nobody.toml' beside it"),
        ("mirror_of = '../walk'\n", "no '../walk.toml' beside it"),
        ("mirror_of = 'turn_right'\n", "itself a mirror"),
    ],
)
def test_files_without_a_motion_are_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(FileError, match=r"bow\.toml") as problem:
        load_authored(write(tmp_path, text))
    assert told in str(problem.value)


def test_what_is_no_text_at_all_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bow.toml"
    for contents in (b"\xff\xfe\x00", b"#" * (2 << 20)):
        path.write_bytes(contents)
        with pytest.raises(FileError, match=r"bow\.toml"):
            load_authored(path)
    with pytest.raises(FileError, match="can't be read"):
        load_authored(tmp_path / "none.toml")
    with pytest.raises(FileError, match="can't be read"):
        load_authored(tmp_path)


def test_an_unknown_name_lists_the_bundled_clips() -> None:
    with pytest.raises(UnknownNameError, match="did you mean walk"):
        authored_clip("wolk")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    name=st.sampled_from(["walk", "cartwheel", "kip_up"]),
    at=st.floats(0.0, 1.0),
    junk=st.text(max_size=6),
    cut=st.integers(0, 8),
)
def test_a_damaged_file_is_read_or_refused_but_never_more(name: str, at: float, junk: str, cut: int) -> None:
    text = (_DATA / f"{name}.toml").read_text(encoding="utf-8")
    place = int(at * len(text))
    try:
        table = tomllib.loads(text[:place] + junk + text[place + cut :])
    except tomllib.TOMLDecodeError:
        return
    with contextlib.suppress(UnderstudyError):
        read_score(Document(Path("x.toml"), puppet(), table, read_table(_DATA / "poses.toml")), name)


def test_positive_angles_go_where_the_table_of_the_guide_says() -> None:
    body, skeleton = puppet(), neutral_skeleton()

    def moved(part: str, angle: str, watched: str) -> np.ndarray:
        x = np.zeros((2, body.size))
        x[1, 3 + body.names.index(f"{part}.{angle}")] = np.radians(20.0)
        clip = clip_of(body, skeleton, x, 60.0, "x")
        j = skeleton.index(watched)
        return clip.joint_positions_w[1, j] - clip.joint_positions_w[0, j]

    for side, left in (("left", 1.0), ("right", -1.0)):
        assert moved(f"{side}_upper_arm", "flex", f"{side}_hand")[0] > 0.1  # forwards
        assert moved(f"{side}_upper_arm", "abduct", f"{side}_hand")[1] * left > 0.1  # outwards
        assert moved(f"{side}_lower_arm", "flex", f"{side}_hand")[0] > 0.05
        assert moved(f"{side}_clavicle", "raise", f"{side}_upper_arm")[2] > 0.02
        assert moved(f"{side}_clavicle", "forward", f"{side}_upper_arm")[0] > 0.02
        assert moved(f"{side}_thigh", "flex", f"{side}_shin")[0] > 0.1
        assert moved(f"{side}_thigh", "abduct", f"{side}_foot")[1] * left > 0.1
        assert moved(f"{side}_thigh", "rotate", f"{side}_toes")[1] * left < -0.02  # inwards
        assert moved(f"{side}_shin", "flex", f"{side}_foot")[0] < -0.1
        assert moved(f"{side}_foot", "flex", f"{side}_toes")[2] > 0.02
    for part in ("pelvis", "spine", "chest"):
        forwards, leaning = ("pitch", "lean") if part == "pelvis" else ("bend", "lean")
        assert moved(part, forwards, "head")[0] > 0.05
        assert moved(part, leaning, "head")[1] > 0.05
    assert moved("pelvis", "heading", "left_upper_arm")[0] < -0.02  # turned left, the left shoulder goes back


def test_no_angles_is_standing_straight_with_hanging_arms() -> None:
    body, skeleton = puppet(), neutral_skeleton()
    clip = clip_of(body, skeleton, np.zeros((1, body.size)), 60.0, "x")
    for side in ("left", "right"):
        arm = clip.joint_positions_w[0, skeleton.index(f"{side}_hand")]
        arm = arm - clip.joint_positions_w[0, skeleton.index(f"{side}_upper_arm")]
        np.testing.assert_allclose(arm[:2], 0.0, atol=1e-9)
        assert arm[2] < -0.5


def test_the_puppet_and_the_clip_agree_and_its_derivatives_are_right() -> None:
    body = puppet()
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, body.size)) * 0.5
    posed = pose(body, x)
    clip = clip_of(body, neutral_skeleton(), x, 60.0, "x")
    np.testing.assert_allclose(posed.places, clip.joint_positions_w, atol=1e-12)
    points = posed.points(body.masses)
    jacobian = posed.jacobian(body.masses, points)
    step = rng.normal(size=x.shape) * 1e-6
    change = pose(body, x + step).points(body.masses) - points
    np.testing.assert_allclose(np.einsum("tkin,tn->tki", jacobian, step), change, atol=1e-10)


def test_mirrored_angles_are_the_mirrored_pose() -> None:
    body, skeleton = puppet(), neutral_skeleton()
    angles = np.random.default_rng(1).normal(size=(3, len(body.names))) * 0.4
    zero = np.zeros((3, 3))
    one = clip_of(body, skeleton, np.concatenate([zero, angles], axis=1), 60.0, "x")
    other = clip_of(body, skeleton, np.concatenate([zero, mirrored_angles(body, angles)], axis=1), 60.0, "x")
    np.testing.assert_allclose(mirror(one).joint_positions_w, other.joint_positions_w, atol=1e-9)


def test_the_guide_names_every_part_and_bundled_pose() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "authoring.md").read_text(encoding="utf-8")
    for part, angles in ANGLES.items():
        kind = part.removeprefix("left_").removeprefix("right_")
        assert kind in guide
        for angle in angles:
            assert f"`{angle}`" in guide
    for name in read_table(_DATA / "poses.toml"):
        assert f"`{name}`" in guide
    assert "python -m understudy.motion.authoring" in guide
    assert "walk" in AUTHORED
