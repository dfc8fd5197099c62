"""A root seen in its facing frame: the vertical kept, x along where the character faces."""

from __future__ import annotations

from dataclasses import dataclass

from understudy import rotations
from understudy.rotations import Array


@dataclass(frozen=True)
class Root:
    """Roots of n simulations.

    Attributes:
        position_w: (n, 3) [m].
        heading_rad: (n,) angle about the vertical of where it faces.
        rotation_f: (n, 4) its rotation with the heading taken off: how it leans.
        velocity_f: (n, 3) [m/s].
        spin_f: (n, 3) angular velocity [rad/s].
    """

    position_w: Array
    heading_rad: Array
    rotation_f: Array
    velocity_f: Array
    spin_f: Array


def root_of(qpos: Array, qvel: Array) -> Root:
    """The root whose free joint has qpos (n, 7 or more) and qvel (n, 6 or more) in MuJoCo's layout.

    MuJoCo gives a free joint's linear velocity in the world's frame and its angular velocity in the body's.
    """
    rotation_w = qpos[:, 3:7]
    heading = rotations.heading(rotation_w)
    back = rotations.about_z(-heading)
    spin_w = rotations.rotate(rotation_w, qvel[:, 3:6])
    return Root(
        qpos[:, :3],
        heading,
        rotations.multiply(back, rotation_w),
        rotations.rotate(back, qvel[:, :3]),
        rotations.rotate(back, spin_w),
    )
