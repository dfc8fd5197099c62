"""The contents of a file a reader works on: in memory when small, mapped when large, refused when there are none."""

from __future__ import annotations

import contextlib
import mmap
from collections.abc import Iterator
from pathlib import Path

from understudy.errors import FileError

Contents = bytes | mmap.mmap

_MAPPED = 4 << 20
_BOM = b"\xef\xbb\xbf"


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Contents]:
    """The bytes of a file; those of a large one come into memory only when they are looked at."""
    try:
        size = path.stat().st_size
        if size < _MAPPED:
            yield path.read_bytes()
            return
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            yield mapped
    except OSError as problem:
        raise FileError(path, f"can't be read ({problem.strerror or problem})") from problem


def read_text(path: Path, most_bytes: int) -> str:
    """A whole text file of at most that size, with every line ending in a line feed."""
    with opened(path) as contents:
        _refuse_large(path, len(contents), most_bytes)
        return decoded(contents[:]).replace("\r\n", "\n").replace("\r", "\n")


@contextlib.contextmanager
def text_lines(path: Path, most_bytes: int) -> Iterator[Iterator[str]]:
    """The lines of a text file of at most that size, one after the other, so that they need not all be in memory."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            _refuse_large(path, path.stat().st_size, most_bytes)
            yield file
    except OSError as problem:
        raise FileError(path, f"can't be read ({problem.strerror or problem})") from problem


def _refuse_large(path: Path, size: int, most_bytes: int) -> None:
    if size > most_bytes:
        raise FileError(path, f"is larger than {most_bytes >> 20} MiB, which no file of this kind is")


def decoded(text: bytes) -> str:
    """Text of UTF-8, with or without byte order mark, or else of whatever one-byte code."""
    text = text.removeprefix(_BOM)
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def line_at(contents: Contents, offset: int) -> int:
    """The line, counted from 1, that a place in the contents lies on."""
    before = contents[:offset]
    feeds = before.count(b"\n")
    return 1 + (feeds or before.count(b"\r"))
