"""How a joint of a clip lies on the character's body that it drives, and moves on it.

A joint is turned as its body is; what lies between its frame and the body's, frame by frame, is the clip's own detail
(a spine's curve, a wrist's twist), and kept. Letters: T frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.rotations import Array

_KEPT, _DROPPED = np.radians(45.0), np.radians(75.0)
_DOUBT = np.radians(5.0)
_ROUNDS = 5
_SMOOTH_S = 0.1
_LEAST = 1e-9  # weight of every frame


@dataclass(frozen=True)
class Bearing:
    """How a joint is turned in the frame of its body.

    Attributes:
        usual: (4,) from the joint's frame to the body's, as it is most of the time.
        detail: (T, 3) rotation vectors [rad] in the joint's frame by which the clip departs from that.
    """

    usual: Array
    detail: Array

    def turned(self, body: Array) -> Array:
        """World rotations (T, 4) of the joint on a body turned so (T, 4)."""
        return rotations.multiply(rotations.multiply(body, self.usual), rotations.exp(self.detail))


def bearing(body: Array, joint: Array, weights: Array, rate_hz: float) -> Bearing:
    """The bearing of a joint turned by ``joint`` (T, 4) on a body turned by ``body`` (T, 4).

    What departs far is no detail, but a part the recording shows turned over; it is left out.

    Args:
        weights: (T,) how much each frame says about what is usual.
    """
    from scipy.ndimage import gaussian_filter1d

    between = rotations.multiply(rotations.conjugate(body), joint)
    usual = _usual(between, weights + _LEAST)
    detail = rotations.log(rotations.multiply(rotations.conjugate(usual), between))
    size = np.linalg.norm(detail, axis=1, keepdims=True)
    kept = detail * np.clip((_DROPPED - size) / (_DROPPED - _KEPT), 0.0, 1.0)
    return Bearing(usual, gaussian_filter1d(kept, _SMOOTH_S * rate_hz, axis=0, mode="nearest"))


def _usual(turns: Array, weights: Array) -> Array:
    """The rotation (4,) that most of the turns (T, 4) are near to, by Weiszfeld's rounds."""
    result = rotations.mean(turns, weights)
    for _ in range(_ROUNDS):
        result = rotations.mean(turns, weights / (rotations.angle_between(result, turns) + _DOUBT))
    return result
