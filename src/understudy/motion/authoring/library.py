"""Authored clips: from a file, ours or a user's, to a Clip."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from understudy.errors import FileError, UnknownNameError
from understudy.motion.authoring.body import Puppet, neutral_skeleton, puppet
from understudy.motion.authoring.document import Document, mirrored_angles, read_score, read_table
from understudy.motion.authoring.kinematics import clip_of
from understudy.motion.authoring.score import Contact, Roll, Score
from understudy.motion.authoring.solve import solve
from understudy.motion.authoring.targets import targets
from understudy.motion.clip import Clip
from understudy.rotations import Array

RATE_HZ = 60.0
_DATA = Path(__file__).parent / "data"
_POSES = "poses"
AUTHORED: tuple[str, ...] = tuple(sorted(path.stem for path in _DATA.glob("*.toml") if path.stem != _POSES))
"""The names of the bundled clips."""

# Weights of physics in successive Gauss-Newton steps: contacts first, then forces, at half the frame rate and then at the whole.
_COARSE = (0.0, 0.0, 0.0, 0.1, 0.1, 0.2, 0.3, 0.5, 0.7) + (1.0,) * 10
_FINE = (1.0,) * 4


@dataclass(frozen=True)
class Authored:
    """An authored clip with what its file says about it.

    Attributes:
        about, source: what it shows, and where its numbers come from.
        contacts: what is planted on the floor when; for a clip that repeats, within its first period.
        rolls: what rolls or lies on the floor when.
        period_s: length of a cycle, None for a clip that does not repeat.
    """

    clip: Clip
    about: str
    source: str
    contacts: tuple[Contact, ...]
    rolls: tuple[Roll, ...]
    period_s: float | None


def authored_clip(name: str) -> Clip:
    """The bundled clip of that name, at 60 Hz."""
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
    body = puppet()
    table = read_table(path)
    mirrored = "mirror_of" in table
    if mirrored:
        source = _beside(path, table["mirror_of"])
        score = read_score(_document(source, body), path.stem)
    else:
        score = read_score(_document(path, body), path.stem)
    x = solve_score(body, score)
    if mirrored:
        x = mirrored_poses(body, x)
    clip = clip_of(body, neutral_skeleton(), x, RATE_HZ, path.stem)
    about = str(table.get("about", score.about))
    period = score.cycle.duration_s if score.cycle else None
    contacts = tuple(_other_side(contact) for contact in score.contacts) if mirrored else score.contacts
    return Authored(clip, about, score.source, contacts, score.rolls, period)


def solve_score(body: Puppet, score: Score) -> Array:
    """Poses (T, 3 + D) of a score at RATE_HZ, cycles written out and closed by one more frame."""
    coarse = targets(body, score, RATE_HZ / 2.0)
    x = solve(body, coarse, coarse.x, _COARSE)
    fine = targets(body, score, RATE_HZ)
    x = solve(body, fine, _doubled(x, coarse.shift, len(fine.x)), _FINE)
    x[:, :2] -= x[0, :2]
    if score.cycle is None or fine.shift is None:
        return x
    cycles = [x + turn * fine.shift for turn in range(score.cycle.repeats)]
    return np.concatenate([*cycles, x[:1] + score.cycle.repeats * fine.shift])


def _doubled(x: Array, shift: Array | None, count: int) -> Array:
    """Poses at twice the rate, by cubic splines."""
    from scipy.interpolate import CubicSpline

    if shift is not None:
        x = np.concatenate([x[-3:] - shift, x, x[:4] + shift])
    times = np.arange(len(x)) * 2.0 - (6.0 if shift is not None else 0.0)
    return CubicSpline(times, x)(np.arange(count))


def mirrored_poses(body: Puppet, x: Array) -> Array:
    """Poses (T, 3 + D) with left and right changed."""
    return np.concatenate([x[:, :3] * [1.0, -1.0, 1.0], mirrored_angles(body, x[:, 3:])], axis=1)


def _other_side(contact: Contact) -> Contact:
    def swap(name: str) -> str:
        return (
            name.translate(str.maketrans("", ""))
            if "_" not in name
            else _SWAP.get(name.split("_")[0], "") + name[len(name.split("_")[0]) :]
        )

    return Contact(swap(contact.name), tuple(swap(ball) for ball in contact.balls), contact.from_s, contact.to_s)


_SWAP = {"left": "right", "right": "left"}


def _beside(path: Path, name: object) -> Path:
    for folder in (path.parent, _DATA):
        candidate = folder / f"{name}.toml"
        if candidate.is_file():
            return candidate
    raise FileError(
        path, f"mirror_of: there is no '{name}.toml' beside it", hint=f"bundled clips are {', '.join(AUTHORED)}"
    )


def _document(path: Path, body: Puppet) -> Document:
    table = read_table(path)
    if "mirror_of" in table:
        raise FileError(path, "mirror_of: it is itself a mirror of another clip", hint="name the clip they both mirror")
    return Document(path, body, table, read_table(_DATA / f"{_POSES}.toml"))
