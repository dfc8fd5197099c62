"""A clip moved, frame by frame.

Letters: T frames.
"""

from __future__ import annotations

from understudy.motion import Clip
from understudy.rotations import Array


def moved(clip: Clip, way: Array) -> Clip:
    """The clip moved by way (T, 3) [m]."""
    return clip.with_(root_positions=clip.root_positions + way)
