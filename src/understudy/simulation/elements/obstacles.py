"""Things in the way: beam, mat, wall, rail, and the box to vault over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy import rotations
from understudy.simulation.elements.element import Builder, Element, Solid


@dataclass(frozen=True)
class Beam(Element):
    """A balance beam along x, its top at height_m."""

    width_m: float = 0.12
    height_m: float = 0.10
    start_m: float = 0.8
    length_m: float = 5.0
    y_m: float = 0.0

    def add_to(self, builder: Builder) -> None:
        half = (self.length_m / 2, self.width_m / 2, self.height_m / 2)
        centre = (self.start_m + self.length_m / 2, self.y_m, self.height_m / 2)
        builder.fixed("beam", Solid("box", half, centre, look="wood"))


@dataclass(frozen=True)
class Mat(Element):
    """A gymnastics mat the body sinks into.

    time_s and damping are MuJoCo's solref: how slowly a contact pushes back (0.02 s is a hard floor), and its damping
    ratio. A standing person sinks in a few centimetres, a fall ends on the floor beneath.
    """

    thickness_m: float = 0.10
    start_m: float = 0.8
    length_m: float = 3.0
    width_m: float = 2.0
    time_s: float = 0.06
    damping: float = 1.2

    def add_to(self, builder: Builder) -> None:
        half = (self.length_m / 2, self.width_m / 2, self.thickness_m / 2)
        centre = (self.start_m + self.length_m / 2, 0.0, self.thickness_m / 2)
        solid = Solid(
            "box",
            half,
            centre,
            look="mat",
            solref=(self.time_s, self.damping),
            solimp=(0.5, 0.95, self.thickness_m / 2, 0.5, 2.0),
        )
        builder.fixed("mat", solid)


@dataclass(frozen=True)
class Wall(Element):
    """An upright wall across the way, its near face at x_m."""

    is_ground: ClassVar[bool] = False
    x_m: float = 1.5
    height_m: float = 2.5
    width_m: float = 3.0
    thickness_m: float = 0.2
    friction: float | None = None

    def add_to(self, builder: Builder) -> None:
        half = (self.thickness_m / 2, self.width_m / 2, self.height_m / 2)
        centre = (self.x_m + self.thickness_m / 2, 0.0, self.height_m / 2)
        builder.fixed("wall", Solid("box", half, centre, friction=self.friction))


@dataclass(frozen=True)
class Rail(Element):
    """A round rail across the way, its top at height_m, on two posts."""

    is_ground: ClassVar[bool] = False
    x_m: float = 1.5
    height_m: float = 0.5
    radius_m: float = 0.03
    width_m: float = 2.0

    def add_to(self, builder: Builder) -> None:
        across = rotations.from_axis_angle((1, 0, 0), np.pi / 2)
        centre = (self.x_m, 0.0, self.height_m - self.radius_m)
        posts = [(self.x_m, side * self.width_m / 2, centre[2] / 2) for side in (-1, 1)]
        builder.fixed(
            "rail",
            Solid("capsule", (self.radius_m, self.width_m / 2), centre, across, look="steel"),
            *[Solid("cylinder", (self.radius_m, centre[2] / 2), place, look="steel") for place in posts],
        )


@dataclass(frozen=True)
class VaultBox(Element):
    """A box to vault over, its near face at x_m."""

    is_ground: ClassVar[bool] = False
    x_m: float = 1.5
    depth_m: float = 0.5
    width_m: float = 1.2
    height_m: float = 0.9

    def add_to(self, builder: Builder) -> None:
        half = (self.depth_m / 2, self.width_m / 2, self.height_m / 2)
        centre = (self.x_m + self.depth_m / 2, 0.0, self.height_m / 2)
        builder.fixed("vault_box", Solid("box", half, centre, look="wood"))
