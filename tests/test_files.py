"""Array files: what is written is read; what is damaged, foreign or newer is refused; nothing is left half-written."""

import io
import json
import zipfile

import numpy as np
import pytest

from understudy.errors import FileError
from understudy.files import ArrayFile, kind_of, npz_members, read_arrays, read_npz, replacing, write_arrays

CONTENTS = ArrayFile(
    "clip",
    1,
    {"name": "wälk", "rate_hz": 120.0, "notes": ["a", "b"]},
    {
        "numbers": np.arange(12.0).reshape(3, 4),
        "flags": np.array([True, False]),
        "words": np.array(["left", "right"]),
        "none": np.zeros((0, 3)),
        "one": np.array(5),
        "columns": np.asfortranarray(np.arange(6).reshape(2, 3)),
    },
)


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "a.npz"
    write_arrays(path, CONTENTS)
    found = read_arrays(path, "clip", 1)
    assert (found.kind, found.version, found.header) == ("clip", 1, CONTENTS.header)
    assert set(found.arrays) == set(CONTENTS.arrays)
    for name, array in CONTENTS.arrays.items():
        assert found.arrays[name].dtype == array.dtype
        assert np.array_equal(found.arrays[name], array)


def test_a_file_is_readable_without_understudy(tmp_path):
    path = tmp_path / "a.npz"
    write_arrays(path, CONTENTS)
    with np.load(path, allow_pickle=False) as plain:
        assert np.array_equal(plain["numbers"], CONTENTS.arrays["numbers"])
        assert json.loads(str(plain["header"]))["format_version"] == 1


def test_the_same_contents_are_the_same_bytes(tmp_path):
    for name in ("a.npz", "b.npz"):
        write_arrays(tmp_path / name, CONTENTS)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_kind_and_members_are_told_without_reading_the_rest(tmp_path):
    path = tmp_path / "a.npz"
    write_arrays(path, CONTENTS)
    assert kind_of(path) == "clip"
    assert set(npz_members(path)) == {"header", *CONTENTS.arrays}
    assert list(read_npz(path, only=("flags",))) == ["flags"]
    (tmp_path / "text").write_text("no archive")
    assert kind_of(tmp_path / "text") is None
    assert kind_of(tmp_path / "missing") is None


def test_other_kinds_and_newer_formats_are_refused_by_name(tmp_path):
    path = tmp_path / "a.npz"
    write_arrays(path, CONTENTS)
    with pytest.raises(FileError, match=r"a\.npz: holds a clip, not a rollout"):
        read_arrays(path, "rollout", 1)
    write_arrays(path, ArrayFile("clip", 3, {}, {}))
    with pytest.raises(FileError, match="format version 3 of a clip is not known here; this Understudy reads 1 to 2"):
        read_arrays(path, "clip", 2)


def test_a_plain_npz_is_not_one_of_ours(tmp_path):
    path = tmp_path / "plain.npz"
    np.savez(path, numbers=np.zeros(3))
    with pytest.raises(FileError, match="not an Understudy file"):
        read_arrays(path, "clip", 1)
    assert np.array_equal(read_npz(path)["numbers"], np.zeros(3))


# --- damage ---


def npy(array, **options):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, **options)
    return stream.getvalue()


def archive(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, contents in members.items():
            zipped.writestr(name, contents)
    return path


def claiming(shape):
    """An npy of three numbers whose header claims another shape."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return stream.getvalue() + bytes(24)


def test_pickled_arrays_are_never_read(tmp_path):
    path = archive(tmp_path / "p.npz", {"evil.npy": npy(np.array([{}], object), allow_pickle=True)})
    with pytest.raises(FileError, match=r"'evil\.npy' holds pickled objects, which are never read"):
        read_npz(path)


@pytest.mark.parametrize("shape", [(4,), (10**12,), (2**62, 2**62), (-1, -3), (0, 7)])
def test_a_shape_that_is_not_the_bytes_there_are_is_refused_before_memory_is_taken(tmp_path, shape):
    path = archive(tmp_path / "s.npz", {"a.npy": claiming(shape)})
    with pytest.raises(FileError):
        read_npz(path)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = archive(tmp_path / "bomb.npz", {"a.npy": bytes(200 << 20)})
    assert path.stat().st_size < 1 << 20
    with pytest.raises(FileError, match=r"claims 200 MiB out of a file of 0\.2 MiB; it looks like a zip bomb"):
        read_npz(path)


def test_foreign_members_are_refused(tmp_path):
    with pytest.raises(FileError, match=r"member 'readme\.txt' is not an array"):
        read_npz(archive(tmp_path / "f.npz", {"readme.txt": b"hello"}))


@pytest.mark.parametrize("contents", [b"", b"PK\x03\x04", b"hello", bytes(1000)])
def test_what_is_no_archive_is_refused(tmp_path, contents):
    path = tmp_path / "x.npz"
    path.write_bytes(contents)
    with pytest.raises(FileError, match="not a sound npz archive"):
        read_arrays(path, "clip", 1)


@pytest.mark.parametrize(
    "header", ["{", "[]", "3", '{"kind": "clip"}', '{"kind": "clip", "format_version": "x"}', "[" * 9999]
)
def test_a_damaged_header_is_refused(tmp_path, header):
    path = archive(tmp_path / "h.npz", {"header.npy": npy(np.array(header))})
    with pytest.raises(FileError, match="header is missing or damaged"):
        read_arrays(path, "clip", 1)


def test_any_cut_or_changed_file_gives_our_error_or_its_contents(tmp_path):
    whole, path = tmp_path / "whole.npz", tmp_path / "damaged.npz"
    write_arrays(whole, CONTENTS)
    good, draw = whole.read_bytes(), np.random.default_rng(0)
    refused = 0
    for _ in range(300):
        data = bytearray(good[: draw.integers(len(good))] if draw.random() < 0.3 else good)
        for at in draw.integers(max(len(data), 1), size=draw.integers(1, 6)):
            if data:
                data[at] = draw.integers(256)
        path.write_bytes(data)
        try:
            read_arrays(path, "clip", 1)
        except FileError:
            refused += 1
    assert refused > 200


def test_missing_files_and_folders_are_told(tmp_path):
    with pytest.raises(FileError, match=r"can't be read \(No such file"):
        read_arrays(tmp_path / "missing.npz", "clip", 1)
    with pytest.raises(FileError, match=r"can't be read \(Is a directory"):
        read_arrays(tmp_path, "clip", 1)
    with pytest.raises(FileError, match=r"the folder .*nowhere does not exist; make it first"):
        write_arrays(tmp_path / "nowhere" / "a.npz", CONTENTS)


# --- replacing ---


def _write_half(path):
    path.write_text("half")
    raise KeyError


def test_an_interrupted_write_leaves_what_was_there_and_nothing_beside_it(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(KeyError), replacing(path) as temporary:
        _write_half(temporary)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_finished_write_takes_the_name_with_usual_rights(tmp_path):
    path, usual = tmp_path / "a.txt", tmp_path / "usual.txt"
    usual.write_text("x")
    with replacing(path) as temporary:
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".txt"
        temporary.write_text("new")
        assert not path.exists()
    assert path.read_text() == "new"
    assert path.stat().st_mode == usual.stat().st_mode


def test_a_name_that_is_a_folder_is_refused(tmp_path):
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(FileError, match="can't be written"), replacing(tmp_path / "a.txt") as temporary:
        temporary.write_text("x")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
