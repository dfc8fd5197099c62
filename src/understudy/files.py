"""Files of arrays: an npz whose member ``header`` is JSON text, readable by ``numpy.load`` alone.

Written to a temporary name and renamed; never pickled; checked before anything is allocated.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from understudy.errors import FileError

BOMB_BYTES, BOMB_RATIO = 128 << 20, 100.0  # an archive past both is refused
_BLOCK = 1 << 18  # bytes


@dataclass(frozen=True)
class ArrayFile:
    """What an array file holds: its kind, format version, further header fields, and named arrays."""

    kind: str
    version: int
    header: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside ``path`` to write to; it takes the name when the block ends well."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileError(path, f"the folder {path.parent} does not exist", hint="make it first")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.", suffix=path.suffix)
        os.close(handle)
    except OSError as problem:
        raise FileError(path, f"can't be written ({problem.strerror})") from problem
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as problem:
        raise FileError(path, f"can't be written ({problem.strerror})") from problem
    finally:
        temporary.unlink(missing_ok=True)


def write_arrays(path: str | Path, contents: ArrayFile) -> None:
    """Write an array file; an interrupted write leaves what was there before."""
    header = {"kind": contents.kind, "format_version": contents.version, **contents.header}
    with (
        replacing(path) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as archive,
    ):
        for name, array in {"header": np.array(json.dumps(header)), **contents.arrays}.items():
            member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED if _packs_well(np.asarray(array)) else zipfile.ZIP_STORED
            with archive.open(member, "w", force_zip64=True) as stream:
                np.lib.format.write_array(cast(BinaryIO, stream), np.asarray(array), allow_pickle=False)


def with_parts(contents: ArrayFile, parts: Mapping[str, ArrayFile]) -> ArrayFile:
    """Contents that hold other contents: their headers under their names, their arrays behind ``name_``."""
    headers = {name: {"format_version": part.version, **part.header} for name, part in parts.items()}
    arrays = {f"{name}_{key}": array for name, part in parts.items() for key, array in part.arrays.items()}
    return ArrayFile(contents.kind, contents.version, {**contents.header, **headers}, {**contents.arrays, **arrays})


def part_of(contents: ArrayFile, name: str, kind: str, newest_version: int, path: str | Path) -> ArrayFile:
    """What ``with_parts`` put in under that name; raises FileError when it is not there, or of a newer format."""
    try:
        header = dict(contents.header[name])
        version = int(header.pop("format_version"))
    except (KeyError, TypeError, ValueError) as problem:
        raise FileError(path, f"has no {name} in it") from problem
    _check_version(path, kind, version, newest_version)
    begin = f"{name}_"
    arrays = {key.removeprefix(begin): array for key, array in contents.arrays.items() if key.startswith(begin)}
    return ArrayFile(kind, version, header, arrays)


def _packs_well(array: NDArray[Any]) -> bool:
    """Whether compressing an array saves a third of it, tried on its beginning; joint rotations seldom do."""
    sample = array.ravel()[: _BLOCK // max(array.itemsize, 1)].tobytes()
    return len(zlib.compress(sample, 1)) < 0.67 * len(sample) or len(sample) < 1000


def read_arrays(path: str | Path, kind: str, newest_version: int) -> ArrayFile:
    """Read an array file of the given kind, refusing other kinds and formats newer than newest_version."""
    arrays = read_npz(path)
    try:
        header = json.loads(str(arrays.pop("header")[()]))
        found, version = str(header.pop("kind")), int(header.pop("format_version"))
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as problem:
        raise FileError(path, "not an Understudy file (its header is missing or damaged)") from problem
    if found != kind:
        raise FileError(path, f"holds a {found}, not a {kind}")
    _check_version(path, kind, version, newest_version)
    return ArrayFile(kind, version, header, arrays)


def _check_version(path: str | Path, kind: str, version: int, newest: int) -> None:
    if not 1 <= version <= newest:
        raise FileError(
            path,
            f"format version {version} of a {kind} is not known here",
            hint=f"this Understudy reads 1 to {newest}; a newer one wrote it",
        )


def kind_of(path: str | Path) -> str | None:
    """The kind of an array file, or None when it is not one of ours."""
    try:
        header = json.loads(str(read_npz(path, only=("header",))["header"][()]))
        return str(header["kind"])
    except (FileError, KeyError, ValueError, TypeError, RecursionError):
        return None


def npz_members(path: str | Path) -> tuple[str, ...]:
    """The names of the arrays in an npz."""
    with _opened_npz(Path(path)) as archive:
        return tuple(member.filename.removesuffix(".npy") for member in archive.infolist())


def read_npz(path: str | Path, only: tuple[str, ...] | None = None) -> dict[str, NDArray[Any]]:
    """The arrays of an npz (those named in ``only``), with its claims checked before memory is taken for them."""
    path = Path(path)
    with _opened_npz(path) as archive:
        members = [m for m in archive.infolist() if only is None or m.filename.removesuffix(".npy") in only]
        _refuse_bomb(path, members)
        return {m.filename.removesuffix(".npy"): _read_member(path, archive, m) for m in members}


@contextlib.contextmanager
def _opened_npz(path: Path) -> Iterator[zipfile.ZipFile]:
    """The archive; whatever zipfile and numpy raise over damaged contents, our own error comes out."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except FileError:
        raise
    except OSError as problem:
        raise FileError(path, f"can't be read ({problem.strerror or problem})") from problem
    except MemoryError as problem:
        raise FileError(path, "holds arrays larger than the memory") from problem
    except Exception as problem:  # a dozen kinds, as a fuzzer found: of struct, zlib, tokenize, ast, encodings...
        raise FileError(path, f"not a sound npz archive ({type(problem).__name__}: {str(problem)[:100]})") from problem


def _refuse_bomb(path: Path, members: list[zipfile.ZipInfo]) -> None:
    claimed = sum(member.file_size for member in members)
    held = path.stat().st_size
    if claimed > BOMB_BYTES and claimed > BOMB_RATIO * held:
        raise FileError(
            path,
            f"claims {claimed / 2**20:.0f} MiB out of a file of {held / 2**20:.1f} MiB",
            hint="it looks like a zip bomb",
        )


def _read_member(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    name = member.filename
    if not name.endswith(".npy"):
        raise FileError(path, f"member '{name}' is not an array")
    with archive.open(member) as stream:
        readable = cast(BinaryIO, stream)
        version = np.lib.format.read_magic(readable)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read_header(readable)
        if dtype.hasobject:
            raise FileError(path, f"array '{name}' holds pickled objects, which are never read")
        size = math.prod(shape) * dtype.itemsize
        if size != member.file_size - stream.tell() or any(n < 0 for n in shape):
            raise FileError(
                path, f"array '{name}' claims shape {shape}, which is not the {member.file_size} bytes it has"
            )
        buffer = np.empty(size, np.uint8)
        for first in range(0, size, _BLOCK):  # block by block: a long clip is not twice in memory
            part = stream.read(min(_BLOCK, size - first))
            if len(part) != min(_BLOCK, size - first):
                raise FileError(path, f"array '{name}' is cut off")
            buffer[first : first + len(part)] = np.frombuffer(part, np.uint8)
        return buffer.view(dtype).reshape(shape, order="F" if fortran else "C")


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
