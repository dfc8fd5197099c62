"""What a name or a file on the command line means."""

from __future__ import annotations

import tomllib
from pathlib import Path

from understudy.character import CHARACTERS, Character, Reference, load_character
from understudy.cost import Track, track_of
from understudy.errors import FileError, UnderstudyError, UnknownNameError
from understudy.files import kind_of
from understudy.motion import AUTHORED, authored_clip, load_authored, load_clip
from understudy.reconstruction import Reconstruction
from understudy.simulation import Rollout
from understudy.stage.subject import Subject

_MODELS = (".xml", ".mjcf")
_CHARACTER_KEY = "bodies"  # a TOML file with it is a character's table, one without an authored clip


def open_subject(path_or_name: str | Path) -> Subject:
    """The clip, character, reference or rollout of that file, or the bundled clip or character of that name.

    A file comes before a name. Files are told apart by what they hold; MJCF models are adopted as characters. Of a
    reconstruction it is the rollout.
    """
    return open_pair(path_or_name)[0]


def open_pair(path_or_name: str | Path) -> tuple[Subject, Subject | None]:
    """What ``open_subject`` gives, and what it should look like, where the file knows: a reconstruction's reference."""
    path = Path(path_or_name)
    if path.is_file() and kind_of(path) == "reconstruction":
        reconstruction = Reconstruction.load(path)
        return reconstruction.rollout, reconstruction.reference
    return _named(path_or_name), None


def _named(path_or_name: str | Path) -> Subject:
    path, name = Path(path_or_name), str(path_or_name)
    if path.is_dir():
        raise FileError(path, "is a folder", hint="name a file in it")
    if path.exists():
        return _open_file(path)
    if name in AUTHORED:
        return authored_clip(name)
    if name in CHARACTERS:
        return load_character(name)
    if path.suffix or path.name != name:
        raise FileError(path, "there is no such file")
    raise UnknownNameError("file, bundled clip or bundled character", name, [*AUTHORED, *CHARACTERS])


def open_track(path_or_name: str | Path) -> Track:
    """The places of body parts over time of anything that moves, to be compared."""
    subject = open_subject(path_or_name)
    if isinstance(subject, Character):
        raise UnderstudyError(
            f"'{path_or_name}' is a character, which does not move; give a clip, reference, rollout or reconstruction"
        )
    return track_of(subject)


def _open_file(path: Path) -> Subject:
    kind = kind_of(path)
    if kind == "rollout":
        return Rollout.load(path)
    if kind == "reference":
        return Reference.load(path)
    ending = path.suffix.lower()
    if kind == "character" or ending in _MODELS:
        return load_character(path)
    if ending == ".toml":
        return load_character(path) if _CHARACTER_KEY in _toml(path) else load_authored(path)
    return load_clip(path)


def _toml(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise FileError(path, f"can't be read ({problem})") from problem
