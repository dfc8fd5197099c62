"""A clip moved and its joints turned, frame by frame and as seen in the world.

Letters: T frames.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy import rotations
from understudy.motion import Clip
from understudy.rotations import Array


def moved(clip: Clip, way: Array) -> Clip:
    """The clip moved by way (T, 3) [m]."""
    return clip.with_(root_positions=clip.root_positions + way)


def turned_by(clip: Clip, ways: Mapping[int, Array]) -> Clip:
    """The clip with some joints turned in the world by ways (T, 4) or (4,), and all that hangs on a joint with it."""
    own, local = clip.joint_rotations_w, np.array(clip.rotations)
    of_all = {-1: rotations.IDENTITY}
    for joint, parent in enumerate(clip.skeleton.parents):
        of_all[joint] = ways.get(joint, of_all[parent])
        if joint in ways:
            above = rotations.IDENTITY if parent < 0 else rotations.multiply(of_all[parent], own[:, parent])
            turns = rotations.multiply(ways[joint], own[:, joint])
            local[:, joint] = rotations.multiply(rotations.conjugate(above), turns)
    return clip.with_(rotations=local)
