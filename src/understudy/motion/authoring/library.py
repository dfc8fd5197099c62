"""Authored clips: from a file, ours or a user's, to a Clip."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from understudy.errors import FileError, UnknownNameError
from understudy.files import ArrayFile, read_arrays, write_arrays
from understudy.motion.authoring.body import Puppet, neutral_skeleton, puppet
from understudy.motion.authoring.document import Document, other_side, read_score, read_table
from understudy.motion.authoring.kinematics import clip_of
from understudy.motion.authoring.score import RATE_HZ, Contact, Roll, Score, within
from understudy.motion.clip import Clip
from understudy.motion.contacts import Contacts
from understudy.rotations import Array

_DATA = Path(__file__).parent / "data"
_POSES = "poses"
_SOLVED, _KIND, _VERSION = _DATA / "solved.npz", "authored", 1
_GRAIN = 1e-5  # solved poses are kept to 0.01 mm and 0.01 mrad

AUTHORED: tuple[str, ...] = tuple(sorted(path.stem for path in _DATA.glob("*.toml") if path.stem != _POSES))
"""The names of the bundled clips."""


_LIMBS = ("left_foot", "right_foot", "left_hand", "right_hand")
_LIMB_OF = dict.fromkeys(("heel", "ball", "toe"), "foot") | dict.fromkeys(("wrist", "palm", "fingers"), "hand")


@dataclass(frozen=True)
class Authored:
    """An authored clip with what its file says about it.

    Attributes:
        about, source: what it shows, and where its numbers come from.
        contacts: what is planted on the floor when; for a clip that repeats, within its first cycle.
        rolls: which regions of the body roll or lie on the floor when.
        period_s: length of a cycle, None for a clip that does not repeat.
    """

    clip: Clip
    about: str
    source: str
    contacts: tuple[Contact, ...]
    rolls: tuple[Roll, ...]
    period_s: float | None

    @property
    def limb_contacts(self) -> Contacts:
        """When feet and hands are planted according to the file, for every frame of the clip."""
        labels = np.zeros((self.clip.frame_count, len(_LIMBS)), bool)
        for contact in self.contacts:
            limb = next((i for i, name in enumerate(_LIMBS) if _limb_of(contact.balls[0]) == name), None)
            if limb is not None:
                labels[:, limb] |= within(self.clip.times_s, contact.from_s, contact.to_s, self.period_s)
        return Contacts(_LIMBS, labels, self.clip.rate_hz)


def _limb_of(ball: str) -> str:
    side, _, kind = ball.partition("_")
    return f"{side}_{_LIMB_OF.get(kind, kind)}"


def authored_clip(name: str) -> Clip:
    """The bundled clip of that name, at 60 Hz, on ``neutral_skeleton()``."""
    return authored(name).clip


@cache
def authored(name: str) -> Authored:
    """The bundled clip of that name, with its contacts."""
    if name not in AUTHORED:
        raise UnknownNameError("authored clip", name, AUTHORED)
    return read_authored(_DATA / f"{name}.toml")


def load_authored(path: str | Path) -> Clip:
    """The clip of a user's own TOML file, at 60 Hz; ``docs/authoring.md`` says how to write one."""
    return read_authored(path).clip


def read_authored(path: str | Path) -> Authored:
    """The clip of a TOML file, with its contacts."""
    path = Path(path)
    table = read_table(path)
    if "mirror_of" in table:
        return _mirror(path, str(table.get("about", "")), read_authored(_beside(path, table["mirror_of"])))
    body = puppet()
    score = read_score(Document(path, body, table, read_table(_DATA / f"{_POSES}.toml")), path.stem)
    poses = _solved_poses().get(_digest(path))
    if poses is None:
        poses = solved(body, score)
    clip = clip_of(body, neutral_skeleton(), _written_out(body, score, poses), RATE_HZ, path.stem)
    period = score.cycle.duration_s if score.cycle else None
    return Authored(clip, score.about, score.source, score.contacts, score.rolls, period)


def solved(body: Puppet, score: Score) -> Array:
    """Poses (T, 3 + D) of a score, to the grain they are kept with."""
    from understudy.motion.authoring.perform import perform  # scipy is slow to import, and bundled clips don't need it

    return np.round(perform(body, score) / _GRAIN) * _GRAIN


def bundle() -> Path:
    """Solve every bundled clip and keep the poses beside their sources; for developers, after changing either."""
    body, poses = puppet(), read_table(_DATA / f"{_POSES}.toml")
    arrays = {}
    for name in AUTHORED:
        path = _DATA / f"{name}.toml"
        table = read_table(path)
        if "mirror_of" not in table:
            steps = np.round(solved(body, read_score(Document(path, body, table, poses), name)) / _GRAIN)
            arrays[_digest(path)] = np.diff(steps, n=2, axis=0, prepend=np.zeros((2, body.size))).astype(np.int32)
    write_arrays(_SOLVED, ArrayFile(_KIND, _VERSION, {"grain": _GRAIN}, arrays))
    return _SOLVED


@cache
def _solved_poses() -> dict[str, Array]:
    """Digest of a clip's sources to its poses (T, 3 + D), for the bundled clips."""
    if not _SOLVED.is_file():
        return {}
    kept = read_arrays(_SOLVED, _KIND, _VERSION).arrays
    return {digest: _GRAIN * np.cumsum(np.cumsum(steps, axis=0), axis=0) for digest, steps in kept.items()}


def _digest(path: Path) -> str:
    """What a clip's poses were solved from: its file and the shared poses."""
    return hashlib.sha256(path.read_bytes() + (_DATA / f"{_POSES}.toml").read_bytes()).hexdigest()[:16]


def _written_out(body: Puppet, score: Score, poses: Array) -> Array:
    """Poses with their cycle repeated and closed by one more frame, where there is a cycle."""
    if score.cycle is None:
        return poses
    shift = np.zeros(body.size)
    shift[0] = score.cycle.advance_m
    cycles = [poses + turn * shift for turn in range(score.cycle.repeats)]
    return np.concatenate([*cycles, poses[:1] + score.cycle.repeats * shift])


def _mirror(path: Path, about: str, original: Authored) -> Authored:
    """An authored clip with left and right changed: rotations are mirrored across the plane y = 0."""
    clip, skeleton = original.clip, original.clip.skeleton
    order = [skeleton.index(other_side(name)) for name in skeleton.names]
    mirrored = clip.with_(
        name=path.stem,
        root_positions=clip.root_positions * [1.0, -1.0, 1.0],
        rotations=clip.rotations[:, order] * [1.0, -1.0, 1.0, -1.0],
    )
    contacts = tuple(
        Contact(other_side(c.name), tuple(map(other_side, c.balls)), c.from_s, c.to_s) for c in original.contacts
    )
    rolls = tuple(Roll(other_side(roll.region), roll.from_s, roll.to_s) for roll in original.rolls)
    return Authored(mirrored, about or original.about, original.source, contacts, rolls, original.period_s)


def _beside(path: Path, name: object) -> Path:
    """The file a mirror is of: beside it, or bundled."""
    for folder in (path.parent, _DATA):
        candidate = folder / f"{name}.toml"
        if isinstance(name, str) and name == Path(name).name and candidate.is_file():
            if "mirror_of" in read_table(candidate):
                raise FileError(path, f"mirror_of: '{name}' is itself a mirror of another clip", hint="name that one")
            return candidate
    bundled = ", ".join(AUTHORED)
    raise FileError(path, f"mirror_of: there is no '{name}.toml' beside it", hint=f"the bundled clips are {bundled}")
