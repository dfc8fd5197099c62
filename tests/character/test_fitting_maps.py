"""Joint maps a user writes, and what is said when clip and character don't go together."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from understudy import rotations
from understudy.character import FitSettings, fit, load_character, write_map
from understudy.errors import CharacterError, FileError, UnderstudyError, UnknownNameError
from understudy.motion import Clip, Skeleton, authored_clip, crop


def _short() -> Clip:
    return crop(authored_clip("kick"), 0.5, 0.8)


def _renamed(clip: Clip, names: dict[str, str]) -> Clip:
    skeleton = clip.skeleton
    return clip.with_(skeleton=replace(skeleton, names=tuple(names.get(name, name) for name in skeleton.names)))


def _map(tmp_path: Path, text: str) -> FitSettings:
    path = tmp_path / "joints.toml"
    path.write_text(text, encoding="utf-8")
    return FitSettings(map=path)


def test_a_written_map_read_back_fits_the_same(tmp_path: Path) -> None:
    clip, human = _short(), load_character("human")
    guessed = fit(clip, human)
    path = tmp_path / "joints.toml"
    write_map(guessed.report, path)
    again = fit(clip, human, FitSettings(map=path))
    assert again.report.matched == guessed.report.matched
    assert np.array_equal(again.reference.qpos, guessed.reference.qpos)


def test_a_map_overrules_the_guess(tmp_path: Path) -> None:
    """Left and right arms swapped by the map: the left arm does what the right one did."""
    clip, human = _short(), load_character("human")
    parts = ("clavicle", "upper_arm", "lower_arm", "hand")
    lines = [f'{a}_{part} = "{b}_{part}"' for part in parts for a, b in (("left", "right"), ("right", "left"))]
    swapped = fit(clip, human, _map(tmp_path, "[joints]\n" + "\n".join(lines)))
    assert {match.part: match.joint for match in swapped.report.matched}["left_hand"] == "right_hand"
    assert "joints.toml" in swapped.report.told_by


def test_a_part_left_out_by_the_map_keeps_its_rest_pose(tmp_path: Path) -> None:
    clip, human = _short(), load_character("human")
    report = fit(clip, human, _map(tmp_path, '[joints]\nhead = ""\nneck = ""\n')).report
    assert "head" in report.unmatched
    assert {"head", "neck"} <= set(report.dropped)


def test_names_that_say_nothing_are_told_by_the_shape_of_the_tree() -> None:
    clip = _short()
    nameless = _renamed(clip, {name: f"bone{i}" for i, name in enumerate(clip.skeleton.names)})
    human = load_character("human")
    one, other = fit(clip, human), fit(nameless, human)
    assert other.report.told_by == "shape"
    assert np.abs(one.reference.qpos - other.reference.qpos).max() < 0.1


def test_a_skeleton_that_is_no_body_is_refused_with_the_lines_to_write() -> None:
    names = tuple(f"link{i}" for i in range(5))
    chain = Skeleton(names, np.arange(-1, 4), np.tile([0.1, 0.0, 0.0], (5, 1)))
    clip = Clip(chain, 30.0, np.zeros((2, 3)), np.tile(rotations.IDENTITY, (2, 5, 1)))
    with pytest.raises(CharacterError) as caught:
        fit(clip, load_character("human"))
    message = str(caught.value)
    assert "can't tell which joints of the clip are the" in message
    assert "[joints]\n" in message
    assert 'left_thigh = "..."' in message
    assert "link0, link1" in message


def test_two_legs_and_four_are_told_apart() -> None:
    with pytest.raises(CharacterError, match="stands on two legs, 'cheetah' on four"):
        fit(_short(), load_character("cheetah"))


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("joints", FileError, "is no TOML file"),
        ("[legs]\n", FileError, "unknown table legs; body parts and joint names follow the line [joints]"),
        ("", FileError, "has no table [joints]"),
        ("[joints]\nleft_thigh = 3\n", FileError, "left_thigh must be a joint's name in quotes"),
        ('[joints]\nleft_tigh = "left_thigh"\n', UnknownNameError, "no body part"),
        ('[joints]\nleft_thigh = "LeftUpLeg"\n', UnknownNameError, "no joint"),
        ('[joints]\nleft_thigh = "left_shin"\nleft_shin = "left_shin"\n', FileError, "is named for more than one"),
    ],
)
def test_a_map_that_makes_no_sense_is_refused(
    tmp_path: Path, text: str, kind: type[UnderstudyError], message: str
) -> None:
    with pytest.raises(kind) as caught:
        fit(_short(), load_character("human"), _map(tmp_path, text))
    assert message in str(caught.value)
    assert "joints.toml" in str(caught.value)


def test_a_map_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="can't be read"):
        fit(_short(), load_character("human"), FitSettings(map=tmp_path / "none.toml"))


def test_joint_names_with_quotes_survive_the_map(tmp_path: Path) -> None:
    clip = _renamed(_short(), {"left_thigh": 'left "thigh" \\ é'})
    human = load_character("human")
    guessed = fit(clip, human)
    write_map(guessed.report, tmp_path / "joints.toml")
    again = fit(clip, human, FitSettings(map=tmp_path / "joints.toml"))
    assert again.report.matched == guessed.report.matched
