"""From our axes to glTF's: z up and x forward become y up and z forward; quaternions from w first to w last.

Forward stays forward: glTF's models face its +z, which Blender turns into its own front, -y.
"""

from __future__ import annotations

import numpy as np

from understudy import rotations
from understudy.rotations import Array

_VECTOR = [1, 2, 0]  # glTF's x, y, z are our left, up and forward
_QUATERNION = [2, 3, 1, 0]


def vectors(v: Array) -> Array:
    """Vectors (..., 3) in glTF's axes."""
    return v[..., _VECTOR]


def quaternions(q: Array) -> Array:
    """Quaternions (..., 4) in glTF's axes, w last."""
    return q[..., _QUATERNION]


def inverse_transforms(positions: Array, turned: Array) -> Array:
    """(N, 4, 4) what leads into frames at positions (N, 3) turned by (N, 4), in glTF's axes, column after column."""
    back = rotations.conjugate(turned)
    result = np.zeros((len(positions), 4, 4))
    result[:, :3, :3] = rotations.to_matrix(back)[:, _VECTOR][:, :, _VECTOR].transpose(0, 2, 1)
    result[:, 3, :3] = vectors(rotations.rotate(back, -positions))
    result[:, 3, 3] = 1.0
    return result
