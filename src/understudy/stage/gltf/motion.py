"""Where all bodies of a staged model are over time, and how that is told as keyframes."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from understudy import rotations
from understudy.character import body_poses
from understudy.errors import UnderstudyError
from understudy.records import frozen
from understudy.rotations import Array


@dataclass(frozen=True)
class Motion:
    """All B bodies of a model, the world among them, at T times.

    Attributes:
        times_s: (T,) from 0 on, apart even as float32.
        positions_w: (T, B, 3) [m].
        rotations_w: (T, B, 4).
    """

    times_s: Array
    positions_w: Array
    rotations_w: Array

    def __post_init__(self) -> None:
        frozen(self, times_s=self.times_s, positions_w=self.positions_w, rotations_w=self.rotations_w)


def motion_of(model: mujoco.MjModel, qpos: Array, rate_hz: float) -> Motion:
    """The motion of positions qpos (T, nq)."""
    times = np.arange(len(qpos)) / rate_hz if rate_hz > 0.0 else np.full(len(qpos), np.nan)
    if not (np.diff(times.astype(np.float32)) > 0.0).all():
        raise UnderstudyError(f"{len(qpos)} frames at {rate_hz:g} Hz are no times that a file can tell apart")
    poses = body_poses(model, qpos)
    positions = np.insert(poses.positions_w, 0, 0.0, axis=1)
    return Motion(times, positions, np.insert(poses.rotations_w, 0, rotations.IDENTITY, axis=1))


def local_motion(motion: Motion, body: int, parent: int) -> tuple[Array, Array]:
    """Places (T, 3) [m] and rotations (T, 4), their signs continuous, of a body in its parent's frame."""
    back = rotations.conjugate(motion.rotations_w[:, parent])
    places = rotations.rotate(back, motion.positions_w[:, body] - motion.positions_w[:, parent])
    turned = rotations.multiply(back, motion.rotations_w[:, body])
    return places, rotations.continuous(rotations.normalize(turned))
