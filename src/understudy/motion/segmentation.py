"""Where a motion is cut: contact switches and extremal points, and fragments of control that end on them.

samcon-2010 section 3.2.3: extremal limb positions and stance-swing switches are found "using a combination of position
thresholds and the Kinematic Centroid Segmentation method [Jenkins and Mataric 2003]", and the steps of about 0.1 s are
adjusted to end on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.body_parts import BodyParts, body_parts
from understudy.motion.clip import Clip
from understudy.motion.contacts import ContactSettings, contact_labels
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

SHORTEST = 0.5  # a fragment lasts at least this share of the length asked for, and at most twice that length


@dataclass(frozen=True)
class SegmentPoint:
    """One moment a motion is cut at.

    Attributes:
        frame: the frame it falls on.
        kind: a contact switching, a limb at an extreme, or one of the clip's two ends.
        parts: the feet and hands, or limbs, it is due to.
    """

    frame: int
    kind: Literal["contact", "extreme", "end"]
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class SegmentSettings:
    """How a clip is cut."""

    contacts: ContactSettings = field(default_factory=ContactSettings)
    swing: float = 0.15  # a limb's centroid must have moved by this share of the limb's length before an extreme counts
    turn_back: float = 0.02  # and turned back by this share, so that noise at the top makes no second extreme


def segment(clip: Clip, settings: SegmentSettings | None = None) -> tuple[SegmentPoint, ...]:
    """The points a clip is cut at, from its first frame to its last; of points on one frame, contacts come first."""
    settings = settings or SegmentSettings()
    last = clip.frame_count - 1
    contacts = contact_labels(clip, settings.contacts)
    found: dict[int, SegmentPoint] = {0: SegmentPoint(0, "end"), last: SegmentPoint(last, "end")}
    for frame in contacts.switches.tolist():
        changed = np.flatnonzero(contacts.labels[frame] != contacts.labels[frame - 1])
        found.setdefault(frame, SegmentPoint(frame, "contact", tuple(contacts.names[k] for k in changed)))
    for limb, frames in _extremes(clip, settings).items():
        for frame in frames:
            known = found.setdefault(frame, SegmentPoint(frame, "extreme"))
            if known.kind == "extreme":
                found[frame] = SegmentPoint(frame, "extreme", (*known.parts, limb))
    return tuple(found[frame] for frame in sorted(found))


def fragment_times(clip: Clip, fragment_s: float = 0.1, settings: SegmentSettings | None = None) -> Array:
    """The times [s] from 0 to the clip's end at which fragments of about fragment_s end, with segmentation points hit.

    Every fragment lasts between half and twice fragment_s. A point nearer than half of it to one already taken is left
    out: the ends are taken first, then contact switches, then extremes, each in order of time.
    """
    if not (np.isfinite(fragment_s) and fragment_s > 0.0):
        raise ClipError(f"a fragment lasts more than 0 s, not {fragment_s:g}")
    if clip.duration_s < SHORTEST * fragment_s:
        raise ClipError(
            f"clip '{clip.name}' of {clip.duration_s:g} s is too short for a fragment of {SHORTEST * fragment_s:g} s"
        )
    points = segment(clip, settings)
    rank = {"end": 0, "contact": 1, "extreme": 2}
    return spaced(
        [point.frame / clip.rate_hz for point in sorted(points, key=lambda p: (rank[p.kind], p.frame))], fragment_s
    )


def spaced(points_s: Sequence[float], fragment_s: float) -> Array:
    """Rising times [s] that hit points_s (the more important first; the first two are the ends), evenly in between."""
    shortest = SHORTEST * fragment_s - 1e-9
    kept = list(points_s[:2])
    for point in points_s[2:]:
        if min(abs(point - other) for other in kept) >= shortest:
            kept.append(point)
    kept.sort()
    times = [np.array([kept[0]])]
    for start, stop in pairwise(kept):
        pieces = max(1, round((stop - start) / fragment_s))
        times.append(start + (stop - start) * np.arange(1, pieces + 1) / pieces)
    return np.concatenate(times)


def _extremes(clip: Clip, settings: SegmentSettings) -> dict[str, list[int]]:
    """For each limb the frames at which it turns back, by Kinematic Centroid Segmentation."""
    parts = body_parts(clip.skeleton, clip.joint_positions_w[0])
    limbs = {f"{side}_{limb}": (f"{side}_{first}", base) for side in ("left", "right") for limb, first, base in _LIMBS}
    return {
        limb: swing_extremes(
            clip.joint_positions_w[:, _chain(clip.skeleton, parts, first)],
            clip.joint_rotations_w[:, parts[base]],
            settings,
        )
        for limb, (first, base) in limbs.items()
        if first in parts and base in parts
    }


_LIMBS = (("leg", "thigh", "pelvis"), ("arm", "upper_arm", "chest"))


def _chain(skeleton: Skeleton, parts: BodyParts, first: str) -> list[int]:
    """The joints from the limb's first to its hand or foot."""
    side = first.split("_")[0]
    last = next(
        (f"{side}_{part}" for part in ("foot", "hand") if _leads(skeleton, parts, first, f"{side}_{part}")), first
    )
    chain = [parts[last]]
    while chain[-1] != parts[first]:
        chain.append(int(skeleton.parents[chain[-1]]))
    return chain[::-1]


def _leads(skeleton: Skeleton, parts: BodyParts, first: str, last: str) -> bool:
    if last not in parts:
        return False
    joint = parts[last]
    while joint > parts[first]:
        joint = int(skeleton.parents[joint])
    return joint == parts[first]


def swing_extremes(places_w: Array, base_w: Array, settings: SegmentSettings | None = None) -> list[int]:
    """Frames at which a limb turns back: the mean of its places is the bob of a pendulum that hangs on its first one.

    Args:
        places_w: (T, n, 3) its joints, from where it hangs to its end [m].
        base_w: (T, 4) rotation of what it hangs on.
        settings: how far a swing goes.
    """
    bob = places_w.mean(axis=1) - places_w[:, 0]
    length = float(np.linalg.norm(np.diff(places_w[0], axis=0), axis=1).sum())
    centroid = rotations.rotate(rotations.conjugate(base_w), bob) / max(length, 1e-9)
    return centroid_extremes(centroid, settings or SegmentSettings())


def centroid_extremes(centroid: Array, settings: SegmentSettings) -> list[int]:
    """Frames at which a limb's centroid (T, 3) is farthest from where its swing began.

    From the start of a segment the distance to the centroid there is followed; where it has passed ``swing`` and then
    falls back by ``turn_back``, its greatest value was an extreme, and the next segment starts there.
    """
    found: list[int] = []
    start = peak = 0
    farthest = 0.0
    for frame in range(1, len(centroid)):
        distance = float(np.linalg.norm(centroid[frame] - centroid[start]))
        if distance > farthest:
            peak, farthest = frame, distance
        elif farthest > settings.swing and distance < farthest - settings.turn_back:
            found.append(peak)
            start, farthest = peak, 0.0
            peak, farthest = _restart(centroid, start, frame)
    return found


def _restart(centroid: Array, start: int, frame: int) -> tuple[int, float]:
    """The farthest frame from a new segment's start among those already passed."""
    distances = np.linalg.norm(centroid[start : frame + 1] - centroid[start], axis=1)
    return start + int(np.argmax(distances)), float(distances.max())
