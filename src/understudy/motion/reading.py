"""Reading a clip from any file: its kind is told from its contents, never from its ending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from understudy.errors import FileError
from understudy.files import kind_of, npz_members
from understudy.motion.clip import Clip
from understudy.motion.formats.amass import read_amass, recognises_amass
from understudy.motion.formats.amc import read_amc, recognises_amc, recognises_asf
from understudy.motion.formats.bvh import read_bvh, recognises_bvh
from understudy.motion.formats.deepmimic import read_deepmimic, recognises_deepmimic
from understudy.motion.formats.native import read_native, recognises_native
from understudy.motion.recording import Reading, ReadSettings

_HEAD = 4096  # bytes by which a file is told
_KNOWN = "BVH, Acclaim AMC, AMASS npz, DeepMimic text and Understudy's own clips are read"


@dataclass(frozen=True)
class TextFormat:
    """A kind of text file: how to tell it from its first bytes, and how to read it."""

    name: str
    recognises: Callable[[bytes], bool]
    read: Callable[[Path, ReadSettings], Reading]


TEXT_FORMATS = (
    TextFormat("BVH", recognises_bvh, read_bvh),
    TextFormat("AMC", recognises_amc, read_amc),
    TextFormat("DeepMimic", recognises_deepmimic, read_deepmimic),
)

_OTHERS: tuple[tuple[bytes, str], ...] = (
    (b"version https://git-lfs", "is a git LFS pointer, not the file itself; fetch it with 'git lfs pull'"),
    (b"Kaydara FBX Binary", "is FBX, which is not read; convert it to BVH, with Blender for instance"),
    (b"; FBX", "is FBX, which is not read; convert it to BVH, with Blender for instance"),
    (b"glTF", "is glTF, which is not read; convert it to BVH, with Blender for instance"),
    (b"\x80\x02", "is a pickle, which is never read; save its arrays as npz"),
    (b"\x80\x03", "is a pickle, which is never read; save its arrays as npz"),
    (b"\x80\x04", "is a pickle, which is never read; save its arrays as npz"),
    (b"\x80\x05", "is a pickle, which is never read; save its arrays as npz"),
    (b"\x93NUMPY", "is a single array; an npz with several is needed"),
    (b"\xff\xfe", "is text in UTF-16; save it as UTF-8"),
    (b"\xfe\xff", "is text in UTF-16; save it as UTF-8"),
    (b"<", "is a web page or XML, perhaps where a download failed"),
    (b"\x1f\x8b", "is compressed with gzip; unpack it first"),
)


def read_clip(path: str | Path, settings: ReadSettings | None = None) -> Reading:
    """Read a clip, with the guesses that were made and what is odd about the file.

    Raises:
        FileError: when the file is no clip, or a damaged one; it says where and why.
    """
    path, settings = Path(path), settings or ReadSettings()
    return _reader_of(path)(path, settings)


def load_clip(path: str | Path) -> Clip:
    """Read a clip and take every guess as it is."""
    return read_clip(path).clip


def _reader_of(path: Path) -> Callable[[Path, ReadSettings], Reading]:
    head = _head(path)
    if head.startswith(b"PK"):
        return _npz_reader(path)
    for kind in TEXT_FORMATS:
        if kind.recognises(head):
            return kind.read
    if recognises_asf(head):
        raise FileError(path, "is a skeleton (ASF) without motion", hint="give the AMC file that belongs to it")
    for begin, what in _OTHERS:
        if head.lstrip().startswith(begin):
            raise FileError(path, what)
    if b"\0" in head:
        raise FileError(path, "is a binary file of no known kind", hint=_KNOWN)
    raise FileError(path, "is not a clip", hint=_KNOWN)


def _head(path: Path) -> bytes:
    if path.is_dir():
        raise FileError(path, "is a folder, not a clip")
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except FileNotFoundError as problem:
        raise FileError(path, "does not exist") from problem
    except (OSError, ValueError) as problem:
        raise FileError(path, f"can't be read ({problem})") from problem
    if not head.strip():
        raise FileError(path, "is empty")
    return head


def _npz_reader(path: Path) -> Callable[[Path, ReadSettings], Reading]:
    members = npz_members(path)
    if "header" in members:
        kind = kind_of(path)
        if recognises_native(kind):
            return read_native
        raise FileError(path, f"holds a {kind}, not a clip" if kind else "is not one of Understudy's files, nor AMASS")
    if recognises_amass(set(members)):
        return read_amass
    found = ", ".join(members[:8]) or "nothing"
    raise FileError(path, f"is an archive of {found[:200]}", hint="a clip in it would have 'trans' and 'poses'")
