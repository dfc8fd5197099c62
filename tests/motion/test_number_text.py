"""Text to numbers: both ways of parsing agree with Python's, and with each other on what is no number."""

import hypothesis.strategies as st
import numpy as np
import pytest
from clip_files import HIERARCHY, motion, row, written
from hypothesis import given, settings

from understudy.motion import load_clip
from understudy.motion.formats.number_text import LARGE, BadNumberError, parse_numbers

QUICK = settings(max_examples=200, deadline=None, derandomize=True)
SOUND = st.tuples(
    st.sampled_from(["", "-", "+"]), st.integers(0, 10**8), st.sampled_from(["", ".", ".5", ".0625"]),
    st.sampled_from(["", "e0", "E-3", "e-40", "e+1"])
).map(lambda parts: "".join(map(str, parts)).encode())  # fmt: skip
GAPS = st.text(alphabet=" \t\r\n", min_size=1, max_size=3)


@QUICK
@given(tokens=st.lists(st.tuples(SOUND, GAPS), max_size=12), large=st.booleans())
def test_numbers_are_what_python_reads(tokens, large):
    text = b"".join(token + gap.encode() for token, gap in tokens)
    expected = [float(token) for token, _ in tokens]
    assert np.allclose(parse_numbers(text, large=large), expected, rtol=1e-15, atol=0.0)


@QUICK
@given(token=st.text(alphabet="0123456789+-.eEnaif_x,#", min_size=1, max_size=8), large=st.booleans())
def test_what_is_no_number_is_found_and_named(token, large):
    text = b"1.5 -2e3\n" + token.encode() + b" 7"
    sound = set(token) <= set("0123456789+-.eE")
    try:
        value = float(token) if sound else np.inf
    except ValueError:
        value = np.inf
    if abs(value) <= 1e9:
        assert np.array_equal(parse_numbers(text, large=large), [1.5, -2000.0, value, 7.0])
        return
    with pytest.raises(BadNumberError) as problem:
        parse_numbers(text, large=large)
    assert (problem.value.offset, problem.value.token) == (9, token)


def test_a_large_file_is_read_as_its_small_parts_are(tmp_path):
    rng = np.random.default_rng(0)
    rows = [row(*values) for values in rng.uniform(-90.0, 90.0, (16_000, 27))]
    whole = written(tmp_path, HIERARCHY + motion(rows), "whole.bvh")
    assert whole.stat().st_size > LARGE
    part = written(tmp_path, HIERARCHY + motion(rows[-50:]), "part.bvh")
    assert np.array_equal(load_clip(whole).rotations[-50:], load_clip(part).rotations)
