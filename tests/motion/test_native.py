"""Our own clip files: bit for bit, and never believed blindly."""

import numpy as np
import pytest
from motion_samples import wander

from understudy.errors import FileError
from understudy.files import ArrayFile, read_arrays, write_arrays
from understudy.motion import ReadSettings, load_clip, read_clip, write_clip


@pytest.fixture
def path(tmp_path):
    write_clip(wander(), tmp_path / "clip.npz")
    return tmp_path / "clip.npz"


def test_a_clip_comes_back_bit_for_bit_and_nothing_is_guessed(path):
    clip, reading = wander(), read_clip(path)
    back = reading.clip
    assert (back.name, back.rate_hz, back.skeleton.names) == (clip.name, clip.rate_hz, clip.skeleton.names)
    for name in ("root_positions", "rotations"):
        assert np.array_equal(getattr(back, name), getattr(clip, name))
    for name in ("parents", "offsets", "end_parents", "end_offsets"):
        assert np.array_equal(getattr(back.skeleton, name), getattr(clip.skeleton, name))
    assert reading.guesses == reading.warnings == ()


def test_the_file_is_readable_without_understudy(path):
    with np.load(path, allow_pickle=False) as plain:
        assert np.array_equal(plain["rotations"], wander().rotations)


def test_settings_hold_all_the_same(path):
    settings = ReadSettings(drop_frames=5, unit_m=0.5, rate_hz=10.0, floor_m=0.25)
    clip, back = wander(), read_clip(path, settings).clip
    assert back.frame_count == clip.frame_count - 5
    assert back.rate_hz == 10.0
    assert np.allclose(back.root_positions[0], 0.5 * clip.root_positions[5] - [0.0, 0.0, 0.25])


def changed(path, header=None, **arrays):
    old = read_arrays(path, "clip", 1)
    merged = {name: array for name, array in {**old.arrays, **arrays}.items() if array is not None}
    write_arrays(path, ArrayFile("clip", 1, {**old.header, **(header or {})}, merged))
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rotations": None}, "has no array rotations"),
        ({"rotations": np.zeros((121, 21, 4))}, "holds no sound clip .*zero quaternion"),
        ({"rotations": np.ones((3, 21, 4))}, "holds no sound clip"),
        ({"root_positions": np.full((121, 3), np.nan)}, "no sensible numbers in root_positions"),
        ({"root_positions": np.full((121, 3), 1e300)}, "no sensible numbers in root_positions"),
        ({"parents": np.arange(21)}, "a joint's parent must come before it"),
        ({"parents": np.full(21, 0.5)}, "no sensible numbers in parents"),
        ({"end_parents": np.full(7, 99)}, "every limb end needs"),
        ({"offsets": np.array(["a"] * 21)}, "no sensible numbers in offsets"),
        ({"header": {"names": "abc"}}, "holds no sound clip"),
        ({"header": {"names": ["same"] * 21}}, "joint names must differ"),
        ({"header": {"rate_hz": 0.0}}, "frame rate must be above 0"),
        ({"header": {"rate_hz": "fast"}}, "holds no sound clip"),
    ],
)
def test_a_damaged_clip_is_refused_by_name(path, change, message):
    with pytest.raises(FileError, match=message):
        load_clip(changed(path, **change))


def test_another_kind_of_file_and_a_newer_format_are_refused(path):
    old = read_arrays(path, "clip", 1)
    write_arrays(path, ArrayFile("rollout", 1, old.header, old.arrays))
    with pytest.raises(FileError, match="holds a rollout, not a clip"):
        load_clip(path)
    write_arrays(path, ArrayFile("clip", 99, old.header, old.arrays))
    with pytest.raises(FileError, match="format version 99 of a clip is not known here"):
        load_clip(path)
