"""Frames at the start of a recording that are not part of the motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.recording import Guess, ReadSettings, Recording
from understudy.rotations import Array, BoolArray

_JUMP = 8.0  # an added pose is that many times farther from the next than the following are from each other,
_WRITTEN = 0.5  # or that share of its joints are not turned at all, as only a written pose has it,
_FEWER = 1.5  # that many times as many as in the frames that follow,
_STEP_RAD = 0.05  # and it is at least that far from the next, on the average over the joints
_LOOKED_AT = 6


def without_leading_frames(recording: Recording, settings: ReadSettings) -> Recording:
    """The recording from where the motion begins: without an added first pose, and without frames of zeros."""
    if settings.drop_frames is not None:
        if settings.drop_frames >= recording.frame_count:
            raise ClipError(f"has {recording.frame_count} frames, so {settings.drop_frames} can't be dropped")
        return _from(recording, settings.drop_frames)
    count, why = _leading(recording)
    if count == 0:
        return recording
    return _from(recording, count).told(Guess("frames left out", f"{count} at the start", why, "--drop-frames"))


def _leading(recording: Recording) -> tuple[int, str]:
    zeros = _zero_frames(recording, 0)
    if zeros:
        return zeros, "all zero"
    zeros = _zero_frames(recording, 1)
    if not _is_added(recording.rotations[0], recording.rotations[1 + zeros : 1 + zeros + _LOOKED_AT]):
        return 0, ""
    return 1 + zeros, "a pose put in front, from which the motion jumps" + (", and zeros" if zeros else "")


def _zero_frames(recording: Recording, first: int) -> int:
    """How many frames from ``first`` on have every number zero, when others follow them."""
    frames = slice(first, None)
    still = np.all(recording.root_positions[frames] == 0.0, axis=1)
    if still.all():
        return 0
    count = int(np.argmin(still))
    unturned = np.abs(recording.rotations[first : first + count, :, 1:]).max(axis=(1, 2)) == 0.0
    return count if unturned.all() else int(np.argmin(unturned))


def _is_added(first: Array, following: Array) -> bool:
    """Whether a pose (J, 4) does not belong to the frames (T, J, 4) that follow it."""
    if len(following) < 3:
        return False
    step = rotations.angle_between(first, following[0]).mean()
    later = rotations.angle_between(following[:-1], following[1:]).mean(axis=1)
    unturned = _is_unturned(first).sum()
    unturned_later = _is_unturned(following).sum(axis=1).max()
    written = unturned >= max(_WRITTEN * len(first), _FEWER * unturned_later)
    return bool(step > _STEP_RAD and (written or step > _JUMP * later.max()))


def _is_unturned(turned: Array) -> BoolArray:
    return np.all(np.abs(turned[..., 1:]) < 1e-6, axis=-1)


def _from(recording: Recording, first: int) -> Recording:
    return replace(recording, root_positions=recording.root_positions[first:], rotations=recording.rotations[first:])
