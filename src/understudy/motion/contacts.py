"""Contact labels: when feet and hands stand on the ground, by their height and speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from understudy.errors import ClipError, UnknownNameError
from understudy.motion.body_parts import BodyParts, body_parts
from understudy.motion.clip import Clip
from understudy.motion.skeleton import Skeleton
from understudy.records import frozen
from understudy.rotations import Array, BoolArray, IntArray
from understudy.spans import runs


@dataclass(frozen=True)
class Contacts:
    """What touches the ground when.

    Attributes:
        names: K body parts or bodies.
        labels: (T, K) whether each is in contact.
        rate_hz: frames per second.
    """

    names: tuple[str, ...]
    labels: BoolArray
    rate_hz: float

    def __post_init__(self) -> None:
        labels = np.array(self.labels, bool)
        if labels.ndim != 2 or labels.shape[1] != len(self.names):
            raise ClipError(
                f"contacts of {len(self.names)} parts need labels (T, {len(self.names)}), not {labels.shape}"
            )
        frozen(self, names=tuple(self.names), labels=labels, rate_hz=float(self.rate_hz))

    def of(self, name: str) -> BoolArray:
        """(T,) the labels of one part."""
        if name not in self.names:
            raise UnknownNameError("contact", name, self.names)
        return self.labels[:, self.names.index(name)]

    @property
    def switches(self) -> IntArray:
        """The frames at which any label differs from the frame before, rising."""
        return 1 + np.flatnonzero(np.any(self.labels[1:] != self.labels[:-1], axis=1))


@dataclass(frozen=True)
class ContactSettings:
    """When a foot or hand counts as standing on the ground.

    A contact begins below the first two thresholds and ends above the second two, so that noise around one threshold
    does not make it flicker. Heights are counted from where the joint is when its limb rests on the ground: an ankle
    lies a few centimetres above the sole.
    """

    begin_height_m: float = 0.05
    begin_speed_m_s: float = 0.5
    end_height_m: float = 0.08
    end_speed_m_s: float = 0.9
    floor_m: float = 0.0
    shortest_s: float = 0.05  # contacts and gaps shorter than this are noise
    speed_window_s: float = 0.04  # speeds are differences over this time

    def __post_init__(self) -> None:
        if not (self.begin_height_m <= self.end_height_m and 0.0 < self.begin_speed_m_s <= self.end_speed_m_s):
            raise ClipError("a contact must end at a height and a speed no lower than those it begins at")
        if not (self.shortest_s >= 0.0 and self.speed_window_s >= 0.0):
            raise ClipError("the shortest contact and the speed window are 0 s or longer")


# How high a joint may lie in its flesh while its limb rests on the ground, as a share of the length of the leg from hip
# to ankle (0.83 m in an adult): the ankle in a flat foot, the ball of the foot, the wrist over bent fingers, finger and
# toe tips.
_RESTING = {"foot": 0.13, "toes": 0.06, "hand": 0.12, "end": 0.04}
_ABOVE = {"foot": "shin", "hand": "lower_arm"}


def contact_labels(clip: Clip, settings: ContactSettings | None = None) -> Contacts:
    """When each foot and hand of the skeleton (``left_foot``, ...) is on the ground with any of its joints and ends.

    Raises:
        ClipError: when neither feet nor hands can be told from the joints' names or the shape of the tree.
    """
    settings = settings or ContactSettings()
    parts = body_parts(clip.skeleton, clip.joint_positions_w[0])
    limbs = {
        f"{side}_{kind}": found
        for kind in ("foot", "hand")
        for side in ("left", "right")
        if (found := _limb(clip.skeleton, parts, side, kind))
    }
    if not limbs:
        raise ClipError(
            f"clip '{clip.name}': can't tell which joints are feet or hands from names like "
            f"{', '.join(clip.skeleton.names[:5])}"
        )
    leg_m = _leg_length(clip.skeleton, parts.joints.get("left_thigh"), parts.joints.get("left_foot"))
    labels = [_low_and_slow(clip, limb, leg_m, settings) for limb in limbs.values()]
    begins, lasts = (np.stack([label[i] for label in labels], axis=1) for i in range(2))
    return steady_contacts(tuple(limbs), begins, lasts, clip.rate_hz, settings.shortest_s)


def steady_contacts(
    names: Sequence[str], begins: BoolArray, lasts: BoolArray, rate_hz: float, shortest_s: float
) -> Contacts:
    """Contacts of K parts from two thresholds: where ``begins`` (T, K), and around it while ``lasts`` (T, K).

    Contacts and gaps shorter than shortest_s [s] are taken for noise.
    """
    shortest = round(shortest_s * rate_hz)
    labels = [without_short(hysteresis(begins[:, k], lasts[:, k]), shortest) for k in range(len(names))]
    return Contacts(tuple(names), np.stack(labels, axis=1), rate_hz)


def hysteresis(begins: BoolArray, lasts: BoolArray) -> BoolArray:
    """(T,) true from where ``begins`` holds for as long as ``lasts`` holds, forwards and backwards in time."""
    lasts = lasts | begins
    result = np.zeros(len(lasts), bool)
    for start, stop in runs(lasts):
        result[start:stop] = begins[start:stop].any()
    return result


def without_short(labels: BoolArray, shortest: int) -> BoolArray:
    """(T,) labels with gaps, then runs, of fewer than ``shortest`` frames removed; those at either end stay."""
    labels = np.array(labels)
    for value in (False, True):
        edges = np.flatnonzero(np.diff(labels.astype(int)) != 0) + 1
        for start, stop in pairwise(edges):
            if labels[start] == value and stop - start < shortest:
                labels[start:stop] = not value
    return labels


@dataclass(frozen=True)
class _Limb:
    """What of a foot or hand may touch the ground.

    Attributes:
        joints, ends: indices of its joints and of the limb ends on them.
        resting: how high each of these may lie while the limb rests on the ground, as a share of the leg's length.
    """

    joints: list[int]
    ends: list[int]
    resting: list[float]


def _limb(skeleton: Skeleton, parts: BodyParts, side: str, kind: str) -> _Limb | None:
    """The foot or hand from its joint outwards; where there is no joint, the end of the shin or lower arm."""
    joint, above = parts.joints.get(f"{side}_{kind}"), parts.joints.get(f"{side}_{_ABOVE[kind]}")
    if joint is None:
        ends = np.flatnonzero(skeleton.end_parents == above).tolist() if above is not None else []
        return _Limb([], ends, [_RESTING[kind]] * len(ends)) if ends else None
    joints = _below(skeleton, joint)
    ends = np.flatnonzero(np.isin(skeleton.end_parents, joints)).tolist()
    inner = _RESTING["toes" if kind == "foot" else "end"]
    return _Limb(joints, ends, [_RESTING[kind], *[inner] * (len(joints) - 1), *[_RESTING["end"]] * len(ends)])


def _low_and_slow(clip: Clip, limb: _Limb, leg_m: float, settings: ContactSettings) -> tuple[BoolArray, BoolArray]:
    """(T,) whether any point of a limb is low and slow enough to begin contact, and to stay in it."""
    points = np.concatenate([clip.joint_positions_w[:, limb.joints], clip.end_positions_w[:, limb.ends]], axis=1)
    resting_m = leg_m * np.array(limb.resting)
    heights = points[..., 2] - settings.floor_m
    lowest = np.quantile(heights, 0.02, axis=0)
    heights = heights - np.clip(lowest, 0.0, resting_m)
    speeds = _speeds(points, clip.rate_hz, settings.speed_window_s)
    begins = (heights < settings.begin_height_m) & (speeds < settings.begin_speed_m_s)
    lasts = (heights < settings.end_height_m) & (speeds < settings.end_speed_m_s)
    return np.asarray(begins.any(axis=1)), np.asarray(lasts.any(axis=1))


def _speeds(points: Array, rate_hz: float, window_s: float) -> Array:
    """(T, P) speeds [m/s] of points (T, P, 3) as differences over about window_s, one-sided at the ends."""
    count, half = len(points), max(1, round(0.5 * window_s * rate_hz))
    before, after = np.maximum(np.arange(count) - half, 0), np.minimum(np.arange(count) + half, count - 1)
    steps = np.linalg.norm(points[after] - points[before], axis=-1)
    return steps * rate_hz / np.maximum(after - before, 1)[:, None]


def _below(skeleton: Skeleton, joint: int) -> list[int]:
    found = [joint]
    for other in found:
        found.extend(skeleton.children(other))
    return found


def _leg_length(skeleton: Skeleton, thigh: int | None, foot: int | None) -> float:
    """The way [m] along the bones from hip to ankle; an adult's where the skeleton has no leg."""
    if thigh is None or foot is None:
        return 0.83
    length = 0.0
    while foot not in (thigh, 0):
        length += float(np.linalg.norm(skeleton.offsets[foot]))
        foot = int(skeleton.parents[foot])
    return length
