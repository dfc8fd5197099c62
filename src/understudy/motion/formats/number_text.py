"""Text of numbers to an array: strict about what a number is, and fast, for half an hour of motion is 170 MB of it."""

from __future__ import annotations

import io
import re
import warnings

import numpy as np

from understudy.rotations import Array

LARGE = 4 << 20  # bytes from which scipy's parser is worth the half second that importing it takes
_NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")  # no two ways to match, so linear in time
_TO_LINES = bytes.maketrans(b" \t\r\v\f", b"\n\n\n\n\n")
_DIGIT, _DOT, _SIGN, _EXPONENT, _SPACE, _OTHER = range(6)
_KINDS = bytes(
    next(
        (kind for kind, letters in enumerate((b"0123456789", b".", b"+-", b"eE", b" \t\n\r\v\f")) if code in letters),
        _OTHER,
    )
    for code in range(256)
)
_MAY_FOLLOW = bytes(
    first * 8 + second
    for first, seconds in {
        _DIGIT: (_DIGIT, _DOT, _EXPONENT, _SPACE),
        _DOT: (_DIGIT, _EXPONENT, _SPACE),
        _SIGN: (_DIGIT, _DOT),
        _EXPONENT: (_DIGIT, _SIGN),
        _SPACE: (_DIGIT, _DOT, _SIGN, _SPACE),
    }.items()
    for second in seconds
)
_MARK_MAY_FOLLOW = bytes(
    first * 8 + second
    for first, seconds in {
        _DOT: (_EXPONENT, _SPACE),
        _EXPONENT: (_SPACE,),
        _SPACE: (_DOT, _EXPONENT, _SPACE),
    }.items()
    for second in seconds
)
_BIGGEST = 1e9  # no length or angle of a recording is beyond


class BadNumberError(ValueError):
    """Something in the text that is not a number.

    Attributes:
        offset: where it begins, in bytes.
        token: what stands there.
    """

    def __init__(self, offset: int, token: bytes) -> None:
        self.offset = offset
        self.token = token[:40].decode("utf-8", "replace")
        super().__init__(f"'{self.token}' is not a number")


def parse_numbers(text: bytes, *, large: bool = False) -> Array:
    """The numbers (n,) in text, parted by white space of any kind; ``large`` when it is part of a large file."""
    if not text.strip():
        return np.zeros(0)
    values = None
    if _looks_sound(text):
        values = _parse_large(text) if large else None
        values = _parse_small(text) if values is None else values
    if values is None or not np.all(np.abs(values) <= _BIGGEST):
        return _parse_one_by_one(text)
    return values


def _looks_sound(text: bytes) -> bool:
    """Whether every token has the form of a number, told by which kinds of character follow which."""
    kinds = (b" " + text + b" ").translate(_KINDS)
    if _pairs(kinds).translate(None, _MAY_FOLLOW):
        return False
    marks = kinds.translate(None, bytes([_DIGIT, _SIGN]))  # what is left of a token is nothing, a dot, an e, or both
    return not _pairs(marks).translate(None, _MARK_MAY_FOLLOW)


def _pairs(kinds: bytes) -> bytes:
    """Each character's kind and its successor's as one number."""
    kind = np.frombuffer(kinds, np.uint8)
    return (kind[:-1] * np.uint8(8) + kind[1:]).tobytes()


def _parse_small(text: bytes) -> Array | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy before 2.3 only warns of what it can't read
        try:
            return np.fromstring(text, sep=" ")
        except (ValueError, DeprecationWarning):
            return None


def _parse_large(text: bytes) -> Array | None:
    """By scipy's reader of Matrix Market files, eight times as fast as numpy's: one column, a number on each line."""
    from scipy.io import mmread

    filled = np.frombuffer(b" " + text, np.uint8) > 32  # what is sound has no other control characters
    count = np.count_nonzero(filled[1:] & ~filled[:-1])  # never 0, of which the reader dies
    head = b"%%%%MatrixMarket matrix array real general\n%d 1\n" % count
    try:
        return np.asarray(mmread(io.BytesIO(head + text.translate(_TO_LINES))), float).ravel()
    except (ValueError, OverflowError):
        return None


def _parse_one_by_one(text: bytes) -> Array:
    """Slowly, to find the culprit."""
    values = []
    for match in re.finditer(rb"\S+", text):
        token = match.group()
        value = float(token) if _NUMBER.fullmatch(token) else np.nan
        if not abs(value) <= _BIGGEST:
            raise BadNumberError(match.start(), token)
        values.append(value)
    return np.array(values)
