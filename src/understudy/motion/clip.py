"""The Clip: a recorded motion of a Skeleton."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion.skeleton import Skeleton
from understudy.records import frozen, kept
from understudy.rotations import Array


@dataclass(frozen=True)
class Clip:
    """A recorded motion of T frames: SI units, z up, facing +x at heading zero.

    Attributes:
        skeleton: the J joints that move.
        rate_hz: frames per second.
        root_positions: (T, 3) world places of the root joint [m].
        rotations: (T, J, 4) unit quaternions from each joint's frame to its parent's; the root's to the world.
        name: what to call it, as a rule the file's name without its ending.
    """

    skeleton: Skeleton
    rate_hz: float
    root_positions: Array
    rotations: Array
    name: str = "clip"

    def __post_init__(self) -> None:
        frozen(self, rate_hz=float(self.rate_hz), root_positions=kept(self.root_positions))
        turned = kept(self.rotations)
        joints = len(self.skeleton)
        if self.root_positions.ndim != 2 or self.root_positions.shape[1] != 3:
            raise ClipError(f"clip '{self.name}': root_positions must be (T, 3), not {self.root_positions.shape}")
        if turned.shape != (self.frame_count, joints, 4):
            raise ClipError(
                f"clip '{self.name}': rotations of {self.frame_count} frames and {joints} joints "
                f"must be ({self.frame_count}, {joints}, 4), not {turned.shape}"
            )
        if self.frame_count == 0:
            raise ClipError(f"clip '{self.name}' has no frames")
        if not (np.isfinite(self.rate_hz) and self.rate_hz > 0.0):
            raise ClipError(f"clip '{self.name}': the frame rate must be above 0 Hz, not {self.rate_hz}")
        bad = ~(np.isfinite(self.root_positions).all(axis=1) & np.isfinite(turned).all(axis=(1, 2)))
        if bad.any():
            raise ClipError(f"clip '{self.name}': frame {np.flatnonzero(bad)[0]} holds a value that is not a number")
        squares = np.einsum("tjc,tjc->tj", turned, turned)
        if np.any(squares < 1e-12):
            frame, joint = np.argwhere(squares < 1e-12)[0]
            raise ClipError(
                f"clip '{self.name}': joint {self.skeleton.names[joint]} has a zero quaternion in frame {frame}"
            )
        unit = np.abs(squares - 1.0).max() < 1e-13
        frozen(self, rotations=turned if unit else turned / np.sqrt(squares)[..., None])

    @property
    def frame_count(self) -> int:
        return len(self.root_positions)

    @property
    def duration_s(self) -> float:
        """Time from the first frame to the last [s]."""
        return (self.frame_count - 1) / self.rate_hz

    @property
    def times_s(self) -> Array:
        """(T,) the time of each frame from the first [s]."""
        return np.arange(self.frame_count) / self.rate_hz

    @cached_property
    def _world(self) -> tuple[Array, Array]:
        places, turned = self.skeleton.forward(self.root_positions, self.rotations)
        places.flags.writeable = turned.flags.writeable = False
        return places, turned

    @property
    def joint_positions_w(self) -> Array:
        """(T, J, 3) world places of the joints [m]."""
        return self._world[0]

    @property
    def joint_rotations_w(self) -> Array:
        """(T, J, 4) world rotations of the joints."""
        return self._world[1]

    @cached_property
    def end_positions_w(self) -> Array:
        """(T, E, 3) world places of the limb ends [m]."""
        parents = self.skeleton.end_parents
        ends = self.joint_positions_w[:, parents] + rotations.rotate(
            self.joint_rotations_w[:, parents], self.skeleton.end_offsets
        )
        ends.flags.writeable = False
        return ends

    def with_(self, **changes: Any) -> Clip:
        """A copy with some fields changed."""
        return dataclasses.replace(self, **changes)
