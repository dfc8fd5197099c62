"""Ramps, steps and stairs, which the character meets walking along +x."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.simulation.elements.element import Builder, Element, Solid


@dataclass(frozen=True)
class Ramp(Element):
    """A slope that begins at start_m on the level base_m and goes up (down when negative) over length_m of ground."""

    slope_rad: float = 0.15
    start_m: float = 1.0
    length_m: float = 4.0
    width_m: float = 3.0
    base_m: float = 0.0
    friction: float | None = None

    def add_to(self, builder: Builder) -> None:
        along = self.length_m / np.cos(self.slope_rad)
        thick = abs(self.length_m * np.tan(self.slope_rad)) + 0.1  # down to the ground all along
        middle = np.array(
            [self.start_m + self.length_m / 2, 0, self.base_m + self.length_m / 2 * np.tan(self.slope_rad)]
        )
        turn = rotations.from_axis_angle((0, -1, 0), self.slope_rad)
        centre = middle - rotations.rotate(turn, (0, 0, thick / 2))
        half = (along / 2, self.width_m / 2, thick / 2)
        builder.fixed("ramp", Solid("box", half, centre, turn, friction=self.friction))


@dataclass(frozen=True)
class Platform(Element):
    """A block from the level bottom_m up to top_m, between start_m and end_m along x."""

    start_m: float = 1.0
    end_m: float = 4.0
    top_m: float = 0.2
    bottom_m: float = 0.0
    width_m: float = 3.0

    def add_to(self, builder: Builder) -> None:
        half = ((self.end_m - self.start_m) / 2, self.width_m / 2, (self.top_m - self.bottom_m) / 2)
        centre = ((self.start_m + self.end_m) / 2, 0.0, (self.top_m + self.bottom_m) / 2)
        builder.fixed("platform", Solid("box", half, centre))


@dataclass(frozen=True)
class Stairs(Element):
    """count steps of rise_m and run_m each from start_m on, and a landing behind the last; rise_m < 0 leads down."""

    count: int = 6
    rise_m: float = 0.15
    run_m: float = 0.30
    start_m: float = 1.0
    width_m: float = 2.0
    base_m: float = 0.0
    landing_m: float = 2.0

    def add_to(self, builder: Builder) -> None:
        bottom = self.base_m + min(0.0, self.count * self.rise_m) - 0.1
        for i in range(self.count):
            run = self.run_m if i < self.count - 1 else self.landing_m
            top = self.base_m + (i + 1) * self.rise_m
            half = (run / 2, self.width_m / 2, (top - bottom) / 2)
            builder.fixed("stair", Solid("box", half, (self.start_m + i * self.run_m + run / 2, 0, (top + bottom) / 2)))
