"""A performance as a clip again, in the skeleton of the clip it is of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.character import FitSettings, returned_clip
from understudy.errors import ReconstructionError
from understudy.motion import Clip
from understudy.reconstruction.reconstruction import Reconstruction


def performed_clip(reconstruction: Reconstruction, fitting: FitSettings | None = None) -> Clip:
    """What was performed, as a clip of the recorded skeleton, its size and its frame rate.

    Over uneven ground it is returned as if on the flat floor, where feet that rest are known, and lifted after.

    Args:
        reconstruction: that knows its clip.
        fitting: how the reference was fitted to it; its map and scale count.
    """
    clip, reference, rollout = reconstruction.clip, reconstruction.reference, reconstruction.rollout
    if clip is None:
        raise ReconstructionError(f"it is not known which clip '{reference.name}' was fitted to")
    lift_m = reconstruction.lift_m
    flat, qpos = reference.qpos.copy(), rollout.qpos[:, : reference.qpos.shape[1]].copy()
    flat[:, 2] -= lift_m
    qpos[:, 2] -= lift_m[: len(qpos)]
    returned = returned_clip(clip, replace(reference, qpos=flat), qpos, rollout.rate_hz, fitting or FitSettings())
    if not lift_m.any():
        return returned
    lifts = np.interp(returned.times_s, np.arange(len(lift_m)) / reference.rate_hz, lift_m)
    return returned.with_(root_positions=returned.root_positions + lifts[:, None] * [0.0, 0.0, 1.0])
