"""Comparing any two motions: the same bodies found, the same frames taken, the metrics and what they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from understudy import rotations
from understudy.cost.metrics import (
    ACCELERATION_HZ,
    Failure,
    acceleration_error_mm,
    first_failure,
    first_strict_failure,
    global_error_mm,
    local_error_mm,
)
from understudy.cost.track import SAME_RATE, Track
from understudy.errors import CostError
from understudy.rotations import Array

_MOSTLY = 0.5  # bodies are matched by name when this share of the smaller body list is in the other
_NOT_STRICT = "no strict success is told, as the roots' own axes differ or are not known"
_APART_M, _NEIGHBOURS, _SAME_AXES_RAD = 0.01, 3, 0.5


@dataclass(frozen=True)
class Match:
    """Two tracks made comparable: of the same bodies, in the same frames.

    Attributes:
        motion: what was done.
        reference: what should have been done.
        by: whether bodies were found by their own names, or by the body parts they are.
        notes: what had to be resampled or cut.
        missing_s: how much earlier the motion ends than the reference [s]; below 0 when later.
    """

    motion: Track
    reference: Track
    by: Literal["name", "body part"]
    notes: tuple[str, ...]
    missing_s: float


@dataclass(frozen=True)
class Comparison:
    """The metrics of a motion against a reference, and what they were measured on.

    Attributes:
        motion, reference: the names of the two.
        success: whether the run never was more than 0.5 m off on average, to the reference's end.
        strict: whether, besides, its root was never 0.25 m off in height or 0.8 rad in tilt; None when its rotation
        can't
            be compared.
        failure: why and when it failed, empty for a strict success.
        global_mm, local_mm: E_g and E_l [mm].
        acceleration_mm: E_acc [mm/frame^2 at 30 Hz].
        bodies: the bodies compared, as the reference calls them.
        by: whether they were found by name or by body part.
        rate_hz, frame_count: of the frames compared.
        notes: what had to be resampled or cut.
    """

    motion: str
    reference: str
    success: bool
    strict: bool | None
    failure: str
    global_mm: float
    local_mm: float
    acceleration_mm: float
    bodies: tuple[str, ...]
    by: Literal["name", "body part"]
    rate_hz: float
    frame_count: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return table([self])


def compare(motion: Track, reference: Track) -> Comparison:
    """How far a motion is from the one it should be.

    Bodies are matched by name, or by body part where the names differ; of different rates the lower is taken; what goes
    past the end of the shorter is left out and told. A motion that ends before its reference is no success.
    """
    pair = match(motion, reference)
    p, q = pair.motion, pair.reference
    failure = first_failure(p, q)
    same_axes = pair.by == "name" and _same_root_axes(p, q)
    strict_failure = first_strict_failure(p, q) if same_axes else failure
    finished = _unfinished(motion, pair)
    return Comparison(
        motion.name,
        reference.name,
        failure is None and not finished,
        (strict_failure is None and not finished) if same_axes else None,
        _told(failure or strict_failure, q.rate_hz) or finished,
        global_error_mm(p, q),
        local_error_mm(p, q),
        acceleration_error_mm(p, q),
        q.names,
        pair.by,
        q.rate_hz,
        q.frame_count,
        pair.notes if same_axes else (*pair.notes, _NOT_STRICT),
    )


def match(motion: Track, reference: Track) -> Match:
    """The two tracks cut down to the bodies and frames they share; raises CostError when they share no bodies."""
    pairs, by = _shared_bodies(motion, reference)
    notes: list[str] = []
    rate_hz = min(motion.rate_hz, reference.rate_hz)
    for track in (motion, reference):
        if abs(track.rate_hz - rate_hz) > SAME_RATE * rate_hz:
            notes.append(f"{track.name} resampled from {track.rate_hz:g} Hz to {rate_hz:g} Hz")
    if rate_hz < (1.0 - SAME_RATE) * ACCELERATION_HZ:
        notes.append(f"E_acc is of {rate_hz:g} Hz drawn out to {ACCELERATION_HZ:g} Hz, and says little")
    left_out = len(reference.names) - len(pairs)
    if left_out > 0:
        notes.append(f"{left_out} of the {len(reference.names)} bodies of {reference.name} have no counterpart")
    p, q = (_only(track, [pair[i] for pair in pairs]).at_rate(rate_hz) for i, track in enumerate((motion, reference)))
    count, missing_s = min(p.frame_count, q.frame_count), q.duration_s - p.duration_s
    if p.frame_count != q.frame_count:
        longer = p if p.frame_count > q.frame_count else q
        notes.append(f"the last {abs(missing_s):.2f} s of {longer.name} left out, the other is shorter")
    return Match(p.first(count), q.first(count), by, tuple(notes), missing_s)


def table(comparisons: Sequence[Comparison]) -> str:
    """Comparisons as lines of text: the metrics of each, then what they rest on, once for those that share it."""
    heads = ("motion", "reference", "success", "strict", "E_g mm", "E_l mm", "E_acc mm/frame^2")
    rows = [heads, *(_row(comparison) for comparison in comparisons)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = [
        "  ".join(
            cell.ljust(width) if column < 4 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, *dict.fromkeys(line for c in comparisons for line in _basis(c))])


def _row(c: Comparison) -> tuple[str, ...]:
    words = {True: "yes", False: "no", None: "-"}
    figures = [f"{value:.1f}" if np.isfinite(value) else "-" for value in (c.global_mm, c.local_mm, c.acceleration_mm)]
    return (c.motion, c.reference, words[c.success], words[c.strict], *figures)


def _basis(c: Comparison) -> list[str]:
    how = "fails strictly" if c.success else "fails"
    lines = [f"{c.motion} against {c.reference} {how}: {c.failure}"] if c.failure else []
    lines += [f"{c.motion} against {c.reference}: {note}" for note in c.notes]
    lines.append(
        f"{c.frame_count} frames at {c.rate_hz:g} Hz, E_acc at 30 Hz; "
        f"{len(c.bodies)} bodies matched by {c.by}: {', '.join(c.bodies)}"
    )
    return lines


def _shared_bodies(motion: Track, reference: Track) -> tuple[list[tuple[int, int]], Literal["name", "body part"]]:
    """Indices of the bodies that belong together, in the reference's order, and how they were found."""
    ours = {name: index for index, name in enumerate(motion.names)}
    by_name = [(ours[name], index) for index, name in enumerate(reference.names) if name in ours]
    if by_name and len(by_name) >= _MOSTLY * min(len(motion.names), len(reference.names)):
        return by_name, "name"
    by_part = [(motion.roles[part], index) for part, index in reference.roles.items() if part in motion.roles]
    if by_part:
        return sorted(by_part, key=lambda pair: pair[1]), "body part"
    raise CostError(
        f"'{motion.name}' and '{reference.name}' have no bodies in common, by name or by body part: "
        f"{', '.join(motion.names[:6])} and {', '.join(reference.names[:6])}"
    )


def _only(track: Track, bodies: Sequence[int]) -> Track:
    """The track of some bodies, and of the root where it is not among them."""
    keep = list(bodies)
    root = keep.index(track.root) if track.root in keep else None
    if root is None:
        raise CostError(
            f"the root of '{track.name}', {track.names[track.root]}, has no counterpart in the other motion"
        )
    turned = None if track.rotations_w is None else track.rotations_w[:, keep]
    names = tuple(track.names[body] for body in keep)
    return replace(track, names=names, positions_w=track.positions_w[:, keep], rotations_w=turned, root=root, roles={})


def _same_root_axes(p: Track, q: Track) -> bool:
    """Whether the two roots' own axes lie alike in the body: most of the nearest bodies are in the same direction.

    Rigs of the same names may differ in it; then tilts can't be compared.
    """
    if p.root_rotations_w is None or q.root_rotations_w is None:
        return False
    ours, theirs = _from_root(p, p.root_rotations_w), _from_root(q, q.root_rotations_w)
    away = np.linalg.norm(theirs, axis=1)
    nearest = [body for body in np.argsort(away, kind="stable") if away[body] > _APART_M][:_NEIGHBOURS]
    if not nearest:
        return True
    cosines = np.sum(rotations.normalize(ours[nearest]) * rotations.normalize(theirs[nearest]), axis=1)
    return float(np.median(np.arccos(np.clip(cosines, -1.0, 1.0)))) < _SAME_AXES_RAD


def _from_root(track: Track, root_rotations_w: Array) -> Array:
    """(B, 3) where each body is in the root's axes, on average [m]."""
    away = track.positions_w - track.root_positions_w[:, None]
    return rotations.rotate(rotations.conjugate(root_rotations_w)[:, None], away).mean(axis=0)


def _unfinished(motion: Track, pair: Match) -> str:
    if pair.missing_s > 1.5 / pair.reference.rate_hz:
        why = f" ({motion.unfinished})" if motion.unfinished else ""
        return f"it ends {pair.missing_s:.2f} s early{why}"
    return motion.unfinished


def _told(failure: Failure | None, rate_hz: float) -> str:
    return f"{failure.why} at {failure.frame / rate_hz:.2f} s" if failure else ""
