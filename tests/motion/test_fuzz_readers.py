"""Whatever stands in a file, a reader gives a clip or our own error, at once (benchmarks/fuzz.py tries a million)."""

import contextlib
import io
import json
import time
import zipfile

import hypothesis.strategies as st
import numpy as np
import pytest
from clip_files import AMC, ASF, HIERARCHY, motion, row
from hypothesis import HealthCheck, given, settings
from hypothesis.extra import numpy as arrays
from motion_samples import wander

from understudy.errors import UnderstudyError
from understudy.motion import Reading, read_clip, write_clip

QUICK = settings(
    max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
BVH = (HIERARCHY + motion([row(), row(1, 2, 3), row(4, 5, 6)])).encode()
WORDS = (
    *b'nan - 1e400 1e-400 999999999999 -1 { } [ ] MOTION begin end :hierarchy root 1 " 1,5 \xff \xef\xbb\xbf'.split(),
    *(b"End Site", b"JOINT j", b"ROOT r", b"OFFSET 1 2 3", b"CHANNELS 3 Xrotation", b"Frames: 7", b"Frame Time: -1"),
    *(b"\0", b"\r", b"\n", b"1\nroot 1 2 3 4 5 6"),
)


def gives_a_clip_or_our_error(path):
    start = time.process_time()
    with contextlib.suppress(UnderstudyError):
        assert isinstance(read_clip(path), Reading)
    assert time.process_time() - start < 1.0


@st.composite
def edited(draw, data):
    """Sound contents with up to four pieces replaced by other words or bytes."""
    for _ in range(draw(st.integers(1, 4))):
        first = draw(st.integers(0, len(data)))
        last = draw(st.integers(first, min(len(data), first + 60)))
        piece = draw(st.one_of(st.sampled_from(WORDS), st.binary(max_size=12), st.just(data[first:last] * 3)))
        data = data[:first] + piece + data[last:]
    return data


@QUICK
@given(data=edited(BVH))
def test_bvh_with_pieces_replaced(tmp_path, data):
    (tmp_path / "clip").write_bytes(data)
    gives_a_clip_or_our_error(tmp_path / "clip")


@QUICK
@given(
    words=st.lists(st.sampled_from((*WORDS, b"OFFSET 0 1 0\nCHANNELS 1 Xrotation", b"End Site\n{\nOFFSET 0 1 0\n}")))
)
def test_bvh_of_any_keywords(tmp_path, words):
    (tmp_path / "clip").write_bytes(b"HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n" + b"\n".join(words))
    gives_a_clip_or_our_error(tmp_path / "clip")


@QUICK
@given(rows=st.lists(st.lists(st.floats(allow_nan=True), max_size=35), max_size=6), frames=st.integers())
def test_bvh_of_any_numbers(tmp_path, rows, frames):
    (tmp_path / "clip").write_text(HIERARCHY + motion(rows, frames=frames))
    gives_a_clip_or_our_error(tmp_path / "clip")


@QUICK
@given(asf=edited(ASF.encode()), amc=st.just(AMC.encode()))
def test_asf_with_pieces_replaced(tmp_path, asf, amc):
    (tmp_path / "body.asf").write_bytes(asf)
    (tmp_path / "clip").write_bytes(amc)
    gives_a_clip_or_our_error(tmp_path / "clip")


@QUICK
@given(amc=edited(AMC.encode()))
def test_amc_with_pieces_replaced(tmp_path, amc):
    (tmp_path / "body.asf").write_text(ASF)
    (tmp_path / "clip").write_bytes(amc)
    gives_a_clip_or_our_error(tmp_path / "clip")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FRAME = st.tuples(JSON, st.integers(0, 43)).map(lambda odd: [1.0] * odd[1] + [odd[0]] + [1.0] * (43 - odd[1]))


@QUICK
@given(frames=st.lists(FRAME, min_size=1, max_size=3) | JSON, more=JSON)
def test_deepmimic_of_any_json(tmp_path, frames, more):
    (tmp_path / "clip").write_text(json.dumps({"Loop": more, "Frames": frames}))
    gives_a_clip_or_our_error(tmp_path / "clip")


@QUICK
@given(frames=st.lists(st.lists(st.floats(-2.0, 2.0), min_size=44, max_size=44), min_size=1, max_size=5))
def test_deepmimic_of_any_numbers(tmp_path, frames):
    (tmp_path / "clip").write_text(json.dumps({"Frames": frames}))
    gives_a_clip_or_our_error(tmp_path / "clip")


SHAPES = st.sampled_from([(), (3,), (3, 3), (3, 66), (3, 156), (3, 21, 4), (21, 3), (21,), (0, 3), (1, 1)])
ANY_ARRAY = arrays.arrays(
    dtype=st.sampled_from(["<f8", "<f4", "<f2", ">f8", "<i8", "|u1", "|b1", "<c16", "<U3", "|S3", "<M8[s]"]),
    shape=SHAPES,
    elements=None,
    fill=st.nothing(),
)


def with_arrays(path, replaced):
    """An archive with some arrays changed."""
    with zipfile.ZipFile(path) as archive:
        members = {member.filename: archive.read(member) for member in archive.infolist()}
    for name, array in replaced.items():
        stream = io.BytesIO()
        np.lib.format.write_array(stream, array, allow_pickle=False)
        members[f"{name}.npy"] = stream.getvalue()
    with zipfile.ZipFile(path.with_name("changed"), "w") as archive:
        for name, contents in members.items():
            archive.writestr(name, contents)
    return path.with_name("changed")


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    np.savez(folder / "amass.npz", trans=np.zeros((3, 3)), poses=np.zeros((3, 156)), mocap_framerate=60.0)
    write_clip(wander(0.05), folder / "ours.npz")
    return folder


@QUICK
@given(name=st.sampled_from(["trans", "poses", "mocap_framerate", "root_orient", "stature_m"]), array=ANY_ARRAY)
def test_amass_of_any_arrays(archives, name, array):
    gives_a_clip_or_our_error(with_arrays(archives / "amass.npz", {name: array}))


@QUICK
@given(
    name=st.sampled_from(["parents", "offsets", "end_parents", "end_offsets", "root_positions", "rotations", "header"]),
    array=ANY_ARRAY,
)
def test_our_own_of_any_arrays(archives, name, array):
    gives_a_clip_or_our_error(with_arrays(archives / "ours.npz", {name: array}))


@QUICK
@given(header=JSON)
def test_our_own_of_any_header(archives, header):
    header = {"kind": "clip", "format_version": 1, "names": header, "rate_hz": header, "name": header}
    gives_a_clip_or_our_error(with_arrays(archives / "ours.npz", {"header": np.array(json.dumps(header))}))


@QUICK
@given(which=st.sampled_from(["amass.npz", "ours.npz"]), data=st.data())
def test_archives_with_pieces_replaced(archives, which, data):
    (archives / "changed").write_bytes(data.draw(edited((archives / which).read_bytes())))
    gives_a_clip_or_our_error(archives / "changed")


@QUICK
@given(
    begin=st.sampled_from([b"", b"HIERARCHY ", b"{", b":FULLY-SPECIFIED\n", b"PK\3\4"]), data=st.binary(max_size=200)
)
def test_any_bytes(tmp_path, begin, data):
    (tmp_path / "clip").write_bytes(begin + data)
    gives_a_clip_or_our_error(tmp_path / "clip")
