"""Files that are odd, damaged, hostile, or no clips: read with a warning, or refused with the reason, at once."""

import io
import json
import pickle
import re
import struct
import time
import zipfile

import numpy as np
import pytest
from clip_files import HIERARCHY, motion, row, written

from understudy.errors import FileError, UnderstudyError
from understudy.motion import read_clip

ROWS = [row(), row(), row()]
SOUND = HIERARCHY + motion(ROWS)


def refused(path, message):
    with pytest.raises(FileError, match=message):
        read_clip(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ROOT Hips", "ROOT Hips x\nROOT Hips", r":3: 'Hips x' of line 2 has no opening brace"),
        ("JOINT Chest", "JOINT Chest\n{", r":8: a brace opens, but no joint was named"),
        ("OFFSET 0 20 0", "OFFSET 0 20", r":8: OFFSET has 2 numbers; it needs 3"),
        ("OFFSET 0 20 0", "OFFSET 0 twenty 0", r":8: OFFSET: 'twenty' is not a number"),
        ("OFFSET 0 20 0", "OFFSET 0 nan 0", r":8: OFFSET: 'nan' is not a number"),
        ("    OFFSET 0 20 0\n", "", r"'Chest' of line 6 has no OFFSET"),
        ("CHANNELS 3", "CHANNELS 4", r":9: CHANNELS says 4, but 3 channels are named"),
        ("CHANNELS 3", "CHANNELS", r":9: CHANNELS says Zrotation"),
        ("Zrotation", "Wrotation", r":5: channel 'Wrotation' is not known"),
        ("Yposition", "Xposition", r":5: joint 'Hips' has a channel twice"),
        ("    JOINT Head", "    SEGMENT Head", r":10: 'SEGMENT Head' is not expected here"),
        ("End Site\n      {", "End Site\n      {\nJOINT x\n{", r":16: an End Site holds a joint"),
        ("}\nMOTION", "MOTION", r"1 brace\(s\) not closed; the last is that of 'Hips' in line 2"),
        ("}\nMOTION", "}\n}\nMOTION", r"a brace closes that was not opened"),
        ("MOTION", "MOVES", r"has no MOTION section"),
        ("Frames: 3", "Frames: many", r":\d+: 'Frames: many' is not a count"),
        ("Frames: 3", "Frames: -3", r":\d+: 'Frames: -3' is not a count"),
        ("0.0333333", "-0.0333333", r":\d+: 'Frame Time: -0\.0333333' can't be"),
        ("0.0333333", "nan", r":\d+: 'Frame Time: nan' can't be"),
        ("0.0333333", "1e-300", r":\d+: 'Frame Time: 1e-300' can't be"),
    ],
)
def test_a_bvh_that_is_wrong_is_refused_with_its_line(tmp_path, old, new, message):
    assert old in SOUND
    refused(written(tmp_path, SOUND.replace(old, new, 1)), message)


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("nan", "'nan' is not"),
        ("-1.#IND", "'-1.#IND' is not"),
        ("inf", "'inf'"),
        ("1e300", "'1e300'"),
        ("0x10", "'0x10'"),
    ],
)
def test_a_number_that_is_none_is_refused_with_its_line(tmp_path, number, message):
    lines = SOUND.split("\n")
    line = lines.index("MOTION") + 4  # the second row, counted from 0
    lines[line] = lines[line].replace("90", number, 1)
    refused(written(tmp_path, "\n".join(lines)), rf"clip\.bvh:{line + 1}: {re.escape(message)}")


def test_a_number_of_a_million_digits_is_refused_at_once(tmp_path):
    for number in ("9" * 1_000_000, "9" * 1_000_000 + "x", "-" * 1_000_000, "1" + "." * 1_000_000):
        start = time.process_time()
        refused(written(tmp_path, SOUND.replace(" 90 ", f" {number} ", 1)), "is not a number")
        assert time.process_time() - start < 1.0


def test_a_header_that_claims_a_billion_frames_costs_nothing(tmp_path):
    start = time.process_time()
    reading = read_clip(written(tmp_path, HIERARCHY + motion(ROWS, frames=999_999_999_999)))
    assert reading.clip.frame_count == 3
    assert "says 999999999999, 3 are there" in reading.warnings[0]
    assert time.process_time() - start < 1.0


def test_a_row_too_long_or_too_short_is_refused_with_its_line(tmp_path):
    for wrong, length in ((ROWS[1][:-1], 29), ([*ROWS[1], 0], 31)):
        path = written(tmp_path, HIERARCHY + motion([ROWS[0], wrong, ROWS[2], ROWS[0]]))
        refused(path, rf":\d+: a row of {length} numbers; the joints have 30 channels")


def test_a_cut_off_row_is_left_out_with_a_warning(tmp_path):
    reading = read_clip(written(tmp_path, HIERARCHY + motion([*ROWS, ROWS[0][:7]], frames=4)))
    assert reading.clip.frame_count == 3
    assert "7 numbers more were left out" in reading.warnings[0]


def test_joints_of_the_same_name_are_numbered(tmp_path):
    reading = read_clip(written(tmp_path, SOUND.replace("Left", "").replace("Right", "")))
    assert reading.clip.skeleton.names[3:] == ("UpLeg", "Leg", "Foot", "UpLeg_2", "Leg_2", "Foot_2")
    assert "UpLeg, Leg, Foot" in reading.warnings[0]


def test_bones_of_no_length_are_read(tmp_path):
    flat = re.sub(r"OFFSET .*", "OFFSET 0 0 0", SOUND)
    reading = read_clip(written(tmp_path, flat))
    assert np.allclose(reading.clip.skeleton.offsets, 0.0)
    assert "no bone to judge by" in str(reading.guesses)


@pytest.mark.parametrize("depth", [1_000, 3_000, 200_000])
def test_nesting_however_deep_is_read_or_refused_at_once(tmp_path, depth):
    begin = "".join(f"JOINT j{i}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" for i in range(depth))
    text = (
        f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n{begin}{'}' * (depth + 1)}\n"
    )
    path = written(tmp_path, text + motion([[0.0] * (depth + 3)]))
    start = time.process_time()
    if depth < 2_000:
        assert len(read_clip(path).clip.skeleton) == depth + 1
    else:
        refused(path, "more than 2000 joints|no MOTION section in the first 4 MiB|has no MOTION")
    assert time.process_time() - start < 2.0


def test_a_star_of_many_limbs_is_read_at_once(tmp_path):
    limbs = "".join(f"JOINT l{i}\n{{\nOFFSET 0 {i} 0\nJOINT m{i}\n{{\nOFFSET 0 1 0\n}}\n}}\n" for i in range(900))
    text = f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n{limbs}}}\n"
    start = time.process_time()
    read_clip(written(tmp_path, text + motion([[0.0] * 3] * 2)))
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "is empty"),
        (b" \r\n\t ", "is empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00", "git LFS pointer.*git lfs pull"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"Kaydara FBX Binary  \0\x1a", "is FBX"),
        (b"glTF\2\0\0\0", "is glTF"),
        (pickle.dumps({"a": 1}), "is a pickle, which is never read"),
        (b"\x93NUMPY\1\0", "is a single array"),
        ("HIERARCHY".encode("utf-16"), "UTF-16"),
        (b"\x1f\x8b\x08", "compressed with gzip"),
        (bytes(range(256)) * 20, "binary file of no known kind"),
        (b"Hello, this is a letter.", "is not a clip; BVH, Acclaim AMC"),
        (b"HIERARCHY", "has no MOTION"),
        (b"HIERARCHY\nMOTION\n", "no ROOT before MOTION"),
        (b"PK\3\4", "not a sound npz archive"),
        (b"{", "not sound JSON"),
        (b'{"Frames":', "not sound JSON"),
        (b":fully-specified\n", "needs its skeleton"),
    ],
)
def test_what_is_no_clip_is_told_what_it_is(tmp_path, contents, message):
    refused(written(tmp_path, contents, "file"), message)


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path):
    refused(tmp_path / "nowhere.bvh", "does not exist")
    refused(tmp_path, "is a folder")


def test_the_ending_of_the_name_does_not_matter(tmp_path):
    for name in ("clip.npz", "clip.amc", "clip"):
        assert read_clip(written(tmp_path, SOUND, name)).clip.frame_count == 3


def test_a_huge_file_of_nothing_after_a_sound_beginning_is_refused_at_once(tmp_path):
    path = written(tmp_path, SOUND)
    with path.open("r+b") as file:
        file.truncate(3 << 30)  # sparse: three gigabytes of zero bytes that take no room
    start = time.process_time()
    refused(path, r"clip\.bvh:\d+: '.*' is not a number")
    assert time.process_time() - start < 1.0


# archives


def archive(folder, members):
    path = folder / "clip.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, contents in members.items():
            file.writestr(name, contents)
    return path


def array_bytes(array):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


def claiming(shape, dtype="<f8"):
    """An array's header that claims a shape, and nothing after it."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode()


def test_pickled_arrays_are_never_opened(tmp_path):
    trap = array_bytes(np.array([{"a": 1}], dtype=object))
    refused(archive(tmp_path, {"trans.npy": trap, "poses.npy": trap}), "holds pickled objects, which are never read")


def test_arrays_that_claim_more_than_they_hold_are_refused(tmp_path):
    for shape in ("(999999999999, 3)", "(-1, 3)", "(1000000, 1000000)"):
        path = archive(tmp_path, {"trans.npy": claiming(shape), "poses.npy": claiming(shape)})
        refused(path, "claims shape|not a sound npz archive")


def test_a_zip_bomb_is_refused_before_it_goes_off(tmp_path):
    path = tmp_path / "clip.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name in ("trans", "poses"):
            with file.open(f"{name}.npy", "w") as stream:
                stream.write(claiming("(12500000,)"))
                for _ in range(100):
                    stream.write(b"\0" * 1_000_000)
    start = time.process_time()
    refused(path, r"claims \d+ MiB out of a file of .* zip bomb")
    assert time.process_time() - start < 1.0


def test_an_archive_of_other_things_lists_them(tmp_path):
    refused(archive(tmp_path, {"readme.txt": b"hello"}), "is an archive of readme.txt; a clip in it would have 'trans'")
    refused(archive(tmp_path, {}), "is an archive of nothing")
    refused(archive(tmp_path, {"header.npy": array_bytes(np.array("{}"))}), "is not one of Understudy's files")
    deep = array_bytes(np.array("[" * 100_000))
    refused(archive(tmp_path, {"header.npy": deep}), "is not one of Understudy's files")


def test_an_archive_cut_off_anywhere_is_refused(tmp_path):
    arrays = {"trans": np.zeros((3, 3)), "poses": np.zeros((3, 156)), "mocap_framerate": np.array(60.0)}
    np.savez(tmp_path / "whole.npz", **arrays)
    whole = (tmp_path / "whole.npz").read_bytes()
    for length in range(1, len(whole) - 1, 97):
        refused(written(tmp_path, whole[:length], "clip.npz"), "npz archive|binary|not a clip")


# the collection of odd files: the outcomes its README names

SAME = (
    "01_crlf_tabs_trailing_spaces", "02_exponents", "03_names_with_colon", "04_names_with_spaces",
    "05_position_channels_every_joint", "06_utf8_bom", "07_lowercase_keywords", "08_brace_on_same_line",
    "09_blank_lines_no_final_newline", "10_no_space_after_colon", "11_frame_wrapped_over_lines",
    "12_root_rotation_before_position", "13_no_end_sites", "14_joint_names_ending_in_End", "15_cr_only_line_endings",
    "16_root_offset_equals_first_frame", "23_decimal_comma",
)  # fmt: skip
WARNED = {
    "20_frames_header_one_too_small": (20, "says 19, 20 are there"),
    "21_frames_header_too_large": (20, "says 40, 20 are there"),
    "22_truncated_last_row": (19, "39 numbers more were left out"),
    "37_duplicate_joint_names": (20, "were numbered"),
}
REFUSED = {
    "24_missing_space_before_minus": r":188: '-33\.905900-2\.340300' is not a number",
    "27_zero_frames": "has no whole frame",
    "30_no_motion_section": "has no MOTION section",
    "31_nan_values": r":195: 'nan' is not a number",
    "32_channel_count_wrong": r":9: CHANNELS says 3, but 2 channels are named",
    "33_unbalanced_braces": r"1 brace\(s\) not closed",
    "34_rows_one_value_too_long": r":188: a row of 97 numbers; the joints have 96 channels",
    "35_empty": "is empty",
    "36_git_lfs_pointer": "git LFS pointer",
}


@pytest.fixture(scope="module")
def malformed(mocap):
    return mocap / "misc" / "reconstructed_malformed"


@pytest.mark.parametrize("name", SAME)
def test_an_odd_file_is_the_same_motion(malformed, name):
    base, odd = read_clip(malformed / "00_base.bvh").clip, read_clip(malformed / f"{name}.bvh").clip
    order = [odd.skeleton.names.index(new) for new in as_in(base, odd)]
    assert np.abs(odd.joint_positions_w[:, order] - base.joint_positions_w).max() < 1e-5
    assert odd.rate_hz == base.rate_hz


def as_in(base, odd):
    """The joints of the odd file in the order of the base; where it renames them, their order is the same."""
    return base.skeleton.names if set(base.skeleton.names) == set(odd.skeleton.names) else odd.skeleton.names


def test_names_are_kept_whole(malformed):
    assert "mixamorig:Hips" in read_clip(malformed / "03_names_with_colon.bvh").clip.skeleton.names
    assert "Bip01 Left Up Leg" in read_clip(malformed / "04_names_with_spaces.bvh").clip.skeleton.names
    ends = read_clip(malformed / "14_joint_names_ending_in_End.bvh").clip.skeleton.names
    assert "End_Site_Head" in ends


@pytest.mark.parametrize("name", WARNED)
def test_a_file_that_contradicts_itself_is_read_with_a_warning(malformed, name):
    reading, (frames, warning) = read_clip(malformed / f"{name}.bvh"), WARNED[name]
    assert reading.clip.frame_count == frames
    assert warning in " ".join(reading.warnings)


@pytest.mark.parametrize("name", ["25_frame_time_zero", "26_no_frame_time_line"])
def test_a_file_without_a_rate_is_read_with_a_guess(malformed, name):
    reading = read_clip(malformed / f"{name}.bvh")
    assert reading.clip.rate_hz == 30.0
    assert "frame rate" in {guess.what for guess in reading.guesses}


@pytest.mark.parametrize("name", REFUSED)
def test_a_malformed_file_is_refused_with_the_reason(malformed, name):
    refused(malformed / f"{name}.bvh", REFUSED[name])


def test_every_malformed_file_has_an_outcome_here(malformed):
    listed = {*SAME, *WARNED, *REFUSED, "00_base", "25_frame_time_zero", "26_no_frame_time_line"}
    assert listed == {path.stem for path in malformed.glob("*.bvh")}


def test_rubbish_after_the_announced_frames_is_left_out(mocap):
    reading = read_clip(mocap / "misc" / "wild_malformed" / "TomTomTest.bvh")
    assert reading.clip.frame_count == 432  # 433 announced, the first of which is an added pose
    assert "433 are there; 163 numbers more were left out" in reading.warnings[0]


def test_everything_in_the_collection_is_a_clip_or_is_explained(mocap):
    refused_files, named = [], []
    for path in sorted(mocap.rglob("*")):
        if path.is_dir() or (path.parent.name == "cmu_bvh" and path.suffix == ".bvh"):
            continue
        try:
            read_clip(path)
        except UnderstudyError as problem:
            refused_files.append(path)
            named.append(str(path) in str(problem))
    assert all(named)
    left = {path.name for path in refused_files if path.suffix in (".bvh", ".amc", ".npz")}
    assert left == {*(f"{name}.bvh" for name in REFUSED), "zeros.amc"}


def test_no_json_number_is_too_long_for_us(tmp_path):
    (tmp_path / "clip.txt").write_text(json.dumps({"Frames": [[1.0] * 44]}).replace("1.0", "1" * 5000, 1))
    refused(tmp_path / "clip.txt", "frame 0 holds what is no sensible number|too long")
