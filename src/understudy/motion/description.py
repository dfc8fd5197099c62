"""What a clip amounts to in a few numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.motion.clip import Clip
from understudy.motion.guessing.body import body_size


@dataclass(frozen=True)
class Description:
    """A clip in a few numbers.

    Attributes:
        stature_m: the body's height [m], told from the lengths of its bones, so whatever the pose.
        root_heights_m: the lowest and the highest place of the root [m].
        travel_m: from where the root is at first to where it is farthest, along the ground [m].
    """

    stature_m: float
    root_heights_m: tuple[float, float]
    travel_m: float


def describe(clip: Clip) -> Description:
    """Describe a clip."""
    heights = clip.root_positions[:, 2]
    away = clip.root_positions[:, :2] - clip.root_positions[0, :2]
    return Description(
        stature_m=body_size(clip.skeleton),
        root_heights_m=(float(heights.min()), float(heights.max())),
        travel_m=float(np.linalg.norm(away, axis=1).max()),
    )
