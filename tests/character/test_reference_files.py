"""References as files."""

from pathlib import Path

import numpy as np
import pytest

from understudy.character import Reference, load_character
from understudy.errors import FileError
from understudy.files import ArrayFile, read_arrays, write_arrays


@pytest.fixture(scope="module")
def reference() -> Reference:
    human = load_character("human")
    rng = np.random.default_rng(0)
    qpos = np.tile(human.standing_qpos, (4, 1))
    qpos[:, :3] += rng.normal(size=(4, 3))
    return Reference(human, 30.0, qpos, rng.normal(size=(4, human.model.nv)), "sway", ("matched by names",))


def test_a_saved_reference_comes_back_to_the_last_bit_with_its_character(reference: Reference, tmp_path: Path) -> None:
    reference.save(tmp_path / "reference.npz")
    back = Reference.load(tmp_path / "reference.npz")
    np.testing.assert_array_equal(back.qpos, reference.qpos)
    np.testing.assert_array_equal(back.qvel, reference.qvel)
    assert (back.name, back.rate_hz, back.notes) == ("sway", 30.0, ("matched by names",))
    assert back.character.xml == reference.character.xml
    assert [joint.name for joint in back.character.joints] == [joint.name for joint in reference.character.joints]


def test_another_kind_of_file_is_refused_by_name(tmp_path: Path) -> None:
    write_arrays(tmp_path / "other.npz", ArrayFile("rollout", 1, {}, {"qpos": np.zeros(3)}))
    with pytest.raises(FileError, match="holds a rollout, not a reference"):
        Reference.load(tmp_path / "other.npz")


@pytest.mark.parametrize("spoil", ["missing", "short", "nan", "newer character", "no header"])
def test_a_damaged_reference_is_refused(reference: Reference, tmp_path: Path, spoil: str) -> None:
    path = tmp_path / "reference.npz"
    reference.save(path)
    contents = read_arrays(path, "reference", 1)
    arrays, header = dict(contents.arrays), dict(contents.header)
    if spoil == "missing":
        del arrays["qvel"]
    elif spoil == "short":
        arrays["qpos"] = arrays["qpos"][:, :-1]
    elif spoil == "nan":
        arrays["qpos"] = np.full_like(arrays["qpos"], np.nan)
    elif spoil == "newer character":
        header["character"] = {**header["character"], "format_version": 99}
    else:
        header = {}
    write_arrays(path, ArrayFile("reference", 1, header, arrays))
    with pytest.raises(FileError, match=r"reference\.npz"):
        Reference.load(path)
