"""From what a file says to a Clip: the guesses in their order, then the change to metres, z up and x forward."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from understudy import rotations
from understudy.errors import ClipError, FileError
from understudy.motion.clip import Clip
from understudy.motion.guessing.axes import find_axes
from understudy.motion.guessing.body import body_of
from understudy.motion.guessing.floor import on_floor
from understudy.motion.guessing.leading_frames import without_leading_frames
from understudy.motion.guessing.unit import find_unit
from understudy.motion.recording import OURS, Axes, Guess, Reading, ReadSettings, Recording
from understudy.motion.skeleton import Skeleton
from understudy.records import sealed
from understudy.rotations import Array

_ROWS = 2048  # frames turned at once, for the cache


def settled(path: Path, recording: Recording, settings: ReadSettings) -> Reading:
    """The reading that a recording and the settings for it amount to."""
    try:
        if not recording.is_ours or settings.drop_frames is not None:
            recording = without_leading_frames(recording, settings)
        rate_hz, rate_guess = _rate(recording, settings)
        body = body_of(recording.some_frames())
        axes = find_axes(recording, body, settings)
        unit_m, unit_guess = find_unit(recording, body, settings)
        clip = _in_our_axes(recording, axes.rest, axes.world, unit_m, rate_hz)
        clip, floor_guess = on_floor(clip, body.is_known and not recording.is_ours, settings)
        recording = recording.told(rate_guess, *axes.guesses, unit_guess, floor_guess)
    except ClipError as problem:
        raise FileError(path, str(problem)) from problem
    return Reading(clip, recording.guesses, recording.warnings)


def _rate(recording: Recording, settings: ReadSettings) -> tuple[float, Guess | None]:
    known = settings.rate_hz or recording.rate_hz
    if known is not None:
        return known, None
    usual = recording.usual_rate_hz
    return usual, Guess("frame rate", f"{usual:g} Hz", "the file does not say; this is usual", "--rate-hz")


def _in_our_axes(recording: Recording, rest: Axes, world: Axes, unit_m: float, rate_hz: float) -> Clip:
    """The clip with offsets, rotations and positions in our axes.

    With L turning the file's rest axes into ours and W its world axes, a joint's rotation R becomes L R L^T, the
    root's W R L^T, an offset o L o and a position p W p. The recording's rotations are turned where they are: another
    array of them would be 200 MB for half an hour.
    """
    local, outer, old = rest.matrix, world.matrix, recording.skeleton
    skeleton = Skeleton(
        old.names, old.parents, unit_m * old.offsets @ local.T, old.end_parents, unit_m * old.end_offsets @ local.T
    )
    positions = unit_m * recording.root_positions @ outer.T
    turned = recording.rotations
    if not turned.flags.writeable and not rest == world == OURS:
        turned = turned.copy()
    for first in range(0, len(turned) if rest != OURS else 0, _ROWS):
        rows = slice(first, first + _ROWS)
        turned[rows, :, 1:] = _permuted(turned[rows, :, 1:], local)
    if rest != world:
        turned[:, 0] = rotations.multiply(rotations.from_matrix(outer @ local.T), turned[:, 0])
    return Clip(skeleton, rate_hz, sealed(positions), sealed(turned), recording.name)


def _permuted(vectors: Array, axes: Array) -> Array:
    """Vectors (..., 3) turned by a matrix of zeros and single ones."""
    source = np.argmax(np.abs(axes), axis=1)
    return vectors[..., source] * axes[np.arange(3), source]
