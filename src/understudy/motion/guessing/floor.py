"""The height of the floor under a clip."""

from __future__ import annotations

import numpy as np

from understudy import rotations
from understudy.motion.clip import Clip
from understudy.motion.recording import Guess, ReadSettings
from understudy.rotations import Array

_FRAMES = 300
_WIDTH_M = 0.03  # heights this near to each other are one floor
_STEADY = 0.25  # the share of frames whose lowest point rests on it
_LOW_M, _HIGH_M = (
    -0.06,
    0.12,
)  # where the lowest joint of a body on the floor is, toes in the soles or only ankles known
_OFF_M = 0.5  # mats and pits are less; beyond, the heights are not meant from the floor


def on_floor(clip: Clip, is_body: bool, settings: ReadSettings) -> tuple[Clip, Guess | None]:
    """The clip with its floor at height 0 when that was asked for, or when it is clearly elsewhere; else as it is.

    A floor up to half a metre off is told, not moved: people stand on mats, and fall into soft ones. None is looked for
    under what is not known to be a body with feet.
    """
    if settings.floor_m is not None:
        return _lowered(clip, settings.floor_m), None
    if not is_body:
        return clip, None
    lowest = _lowest_points(clip)
    floor_m, share = _most_common(lowest)
    if share < _STEADY or _LOW_M <= floor_m <= _HIGH_M:
        return clip, None
    why = f"the lowest joint is there in {100 * share:.0f} % of the frames"
    if abs(floor_m) <= _OFF_M:
        return clip, Guess("floor", f"at {floor_m:+.2f} m, left there", why, "--floor-m")
    return _lowered(clip, floor_m), Guess("floor", f"moved from {floor_m:+.2f} m to 0", why, "--floor-m")


def _lowered(clip: Clip, height_m: float) -> Clip:
    return clip.with_(root_positions=clip.root_positions - np.array([0.0, 0.0, height_m]))


def _lowest_points(clip: Clip) -> Array:
    """(T',) height [m] of the lowest joint or limb end in some of the frames."""
    frames = np.unique(np.linspace(0, clip.frame_count - 1, min(_FRAMES, clip.frame_count)).astype(int))
    skeleton = clip.skeleton
    positions, turned = skeleton.forward(clip.root_positions[frames], clip.rotations[frames])
    lowest = positions[..., 2].min(axis=1)
    if len(skeleton.end_parents):
        ends = positions[:, skeleton.end_parents] + rotations.rotate(
            turned[:, skeleton.end_parents], skeleton.end_offsets
        )
        lowest = np.minimum(lowest, ends[..., 2].min(axis=1))
    return lowest


def _most_common(heights: Array) -> tuple[float, float]:
    """The height most of (n,) heights are near to, and the share of them that are."""
    heights = np.sort(heights)
    counts = np.searchsorted(heights, heights + _WIDTH_M, side="right") - np.arange(len(heights))
    best = int(np.argmax(counts))
    return float(np.median(heights[best : best + counts[best]])), float(counts[best]) / len(heights)
