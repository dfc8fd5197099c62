"""Editing by joining: blend, concatenate, loop, repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.clip import Clip
from understudy.motion.editing.placing import GroundMove, ground_move
from understudy.motion.editing.timing import at_times, check_frame_count, crop_frames, resample, retime
from understudy.rotations import Array
from understudy.spans import smooth_step

_SAME_OFFSET_M = 1e-3
_CLOSED_RAD, _CLOSED_M = 0.02, 0.01  # how far a loop's last pose may be from its first


def blend(a: Clip, b: Clip, weight: ArrayLike) -> Clip:
    """Between two clips of one skeleton: a at weight 0, b at weight 1.

    b is set at a's starting place and heading, both are stretched to one duration, and at every frame places are
    averaged and rotations interpolated (slerp).

    Args:
        a: the first clip; the result has its frame rate.
        b: the second clip.
        weight: a number from 0 to 1, with which the duration lies between the two as well; or the weights (T,) over
            the course of the motion, spread evenly, with a's duration.
    """
    _same_skeleton(a, b)
    weights = np.atleast_1d(np.asarray(weight, float))
    if weights.ndim != 1 or len(weights) == 0 or not (np.all(weights >= 0.0) and np.all(weights <= 1.0)):
        raise ClipError(f"clips '{a.name}' and '{b.name}' are blended with weights from 0 to 1, not {weights}")
    share = float(weights[0]) if len(weights) == 1 else 0.0
    duration_s = (1.0 - share) * a.duration_s + share * b.duration_s
    if min(a.frame_count, b.frame_count) < 2:
        raise ClipError(f"clips '{a.name}' and '{b.name}' need at least two frames each to be blended")
    a = retime(a, duration_s=duration_s)
    b = at_times(b, np.linspace(0.0, b.duration_s, a.frame_count))
    b = _onto(b, 0, a, 0).apply(b)
    course = np.interp(np.linspace(0.0, 1.0, a.frame_count), np.linspace(0.0, 1.0, len(weights)), weights)
    return _mix(a, b, course)


def concatenate(clips: Sequence[Clip], blend_s: float = 0.2) -> Clip:
    """One clip after another, each set on the ground where the one before ends and facing its way.

    Two neighbours overlap by blend_s [s], over which the first is faded into the second; without overlap the first
    frame of the second replaces the last of the first. The result has the frame rate of the first clip.
    """
    if not clips:
        raise ClipError("there are no clips to put together")
    whole = clips[0]
    for clip in clips[1:]:
        _same_skeleton(whole, clip)
        whole = _append(whole, resample(clip, whole.rate_hz), blend_s)
    return whole.with_(name="+".join(clip.name for clip in clips))


def loop(clip: Clip, blend_s: float = 0.3) -> Clip:
    """The clip with its end bent so that it closes: its last pose is its first, further on over the ground.

    Over the last blend_s [s] a cubic correction grows from nothing to what the last pose lacks to the first, in value
    and in velocity, so that ``repeat`` goes on without a jump in either. The cycle's way and turn over the ground,
    from the first root pose to the last, are kept; height and tilt are closed.
    """
    span = round(blend_s * clip.rate_hz) if np.isfinite(blend_s) else 0
    if not 2 <= span <= clip.frame_count - 1:
        raise ClipError(
            f"clip '{clip.name}' of {clip.duration_s:g} s can't be looped with {blend_s:g} s of blending: it takes "
            f"at least two frames ({2.0 / clip.rate_hz:g} s) and at most the whole clip"
        )
    way = _onto(clip, 0, clip, clip.frame_count - 1)
    last = _Correction.of(clip, -1, way, _pose(clip, 0))
    slope = last - _Correction.of(clip, -2, way, _pose_before(clip))
    s = np.arange(1, span + 1)[:, None] / span
    grow, swing = s * s * (3.0 - 2.0 * s), s * s * (s - 1.0) * span  # Hermite: of the end value, of the end slope
    positions, turned = np.array(clip.root_positions), np.array(clip.rotations)
    positions[-span:] += grow * last.shift + swing * slope.shift
    vectors = grow[..., None] * last.vectors_rad + swing[..., None] * slope.vectors_rad
    turned[-span:] = rotations.multiply(turned[-span:], rotations.exp(vectors))
    return clip.with_(root_positions=positions, rotations=turned)


def repeat(clip: Clip, cycles: int) -> Clip:
    """A closed clip ``cycles`` times over, each cycle going on over the ground where the one before ended."""
    if cycles < 1:
        raise ClipError(f"clip '{clip.name}' can't be repeated {cycles} times: once is the least")
    check_frame_count(clip, cycles * clip.frame_count)
    way = _onto(clip, 0, clip, clip.frame_count - 1)
    gap = _Correction.of(clip, -1, way, _pose(clip, 0))
    gaps_rad = np.linalg.norm(gap.vectors_rad, axis=-1)
    if clip.frame_count < 2 or abs(gap.shift[2]) > _CLOSED_M or np.any(gaps_rad > _CLOSED_RAD):
        raise ClipError(
            f"clip '{clip.name}' does not end as it begins: joint {clip.skeleton.names[int(np.argmax(gaps_rad))]} is "
            f"{np.rad2deg(gaps_rad.max()):.1f} degrees and the root's height {abs(gap.shift[2]):.3f} m off; "
            "close it with loop() before repeating it"
        )
    pieces = [clip]
    for _ in range(cycles - 1):
        pieces.append(way.apply(pieces[-1]))
    return clip.with_(
        root_positions=np.concatenate([clip.root_positions[:1], *(piece.root_positions[1:] for piece in pieces)]),
        rotations=np.concatenate([clip.rotations[:1], *(piece.rotations[1:] for piece in pieces)]),
    )


@dataclass(frozen=True)
class _Pose:
    """A root's place (3,) [m] and the local rotations (J, 4)."""

    place: Array
    rotations: Array


@dataclass(frozen=True)
class _Correction:
    """What a frame lacks to a pose: a shift (3,) [m] of the root, rotation vectors (J, 3) [rad] in joints' frames."""

    shift: Array
    vectors_rad: Array

    @staticmethod
    def of(clip: Clip, frame: int, way: GroundMove, pose: _Pose) -> _Correction:
        """What ``frame`` lacks to ``pose`` once that is moved over the ground."""
        wanted = np.array(pose.rotations)
        wanted[0] = rotations.multiply(rotations.about_z(way.angle_rad), wanted[0])
        lack = rotations.log(rotations.multiply(rotations.conjugate(clip.rotations[frame]), wanted))
        return _Correction(way.place(pose.place) - clip.root_positions[frame], lack)

    def __sub__(self, other: _Correction) -> _Correction:
        return _Correction(self.shift - other.shift, self.vectors_rad - other.vectors_rad)


def _pose(clip: Clip, frame: int) -> _Pose:
    return _Pose(clip.root_positions[frame], clip.rotations[frame])


def _pose_before(clip: Clip) -> _Pose:
    """The pose one frame before the first, had the clip moved there as it does in its first step."""
    first, second = _pose(clip, 0), _pose(clip, 1)
    back = rotations.multiply(rotations.conjugate(second.rotations), first.rotations)
    return _Pose(2.0 * first.place - second.place, rotations.multiply(first.rotations, back))


def _onto(clip: Clip, frame: int, other: Clip, other_frame: int) -> GroundMove:
    """What brings a frame's root above another's, to its heading."""
    return ground_move(
        clip.root_positions[frame],
        clip.rotations[frame, 0],
        other.root_positions[other_frame],
        other.rotations[other_frame, 0],
    )


def _append(whole: Clip, clip: Clip, blend_s: float) -> Clip:
    overlap = max(1, round(blend_s * whole.rate_hz)) if np.isfinite(blend_s) and blend_s >= 0.0 else 0
    if not 1 <= overlap <= min(whole.frame_count, clip.frame_count):
        raise ClipError(
            f"clips '{whole.name}' and '{clip.name}' can't overlap by {blend_s:g} s: it takes from 0 s to the duration "
            f"of the shorter, {min(whole.duration_s, clip.duration_s):g} s"
        )
    start, middle = whole.frame_count - overlap, overlap // 2
    clip = _onto(clip, middle, whole, start + middle).apply(clip)
    s = np.arange(1, overlap + 1) / (overlap + 1) if overlap > 1 else np.ones(1)
    faded = _mix(crop_frames(whole, start, whole.frame_count - 1), crop_frames(clip, 0, overlap - 1), smooth_step(s))
    return whole.with_(
        root_positions=np.concatenate(
            [whole.root_positions[:start], faded.root_positions, clip.root_positions[overlap:]]
        ),
        rotations=np.concatenate([whole.rotations[:start], faded.rotations, clip.rotations[overlap:]]),
    )


def _mix(a: Clip, b: Clip, weights: Array) -> Clip:
    """Frame by frame between clips of as many frames, with weights (T,) for b."""
    places = a.root_positions * (1.0 - weights[:, None]) + b.root_positions * weights[:, None]
    return a.with_(root_positions=places, rotations=rotations.slerp(a.rotations, b.rotations, weights[:, None]))


def _same_skeleton(a: Clip, b: Clip) -> None:
    one, other = a.skeleton, b.skeleton
    if one.names != other.names:
        only = sorted(set(one.names) ^ set(other.names))
        what = f"joints in one alone: {', '.join(only[:6])}" if only else "the same joints in another order"
        raise ClipError(f"clips '{a.name}' and '{b.name}' have different skeletons ({what})")
    if not np.array_equal(one.parents, other.parents):
        raise ClipError(f"clips '{a.name}' and '{b.name}' have different skeletons: their joints hang differently")
    apart = np.linalg.norm(one.offsets - other.offsets, axis=1)[1:]
    if np.any(apart > _SAME_OFFSET_M):
        joint = 1 + int(np.argmax(apart))
        raise ClipError(
            f"clips '{a.name}' and '{b.name}' have skeletons of different sizes (joint {one.names[joint]} is "
            f"{apart.max():.3f} m elsewhere); fit both to one character first"
        )
