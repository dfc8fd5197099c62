"""A chair and a rocking chair, standing behind the character so that it can sit down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy import rotations
from understudy.rotations import IDENTITY
from understudy.simulation.elements.element import Builder, Element, Solid

_PLANK = 0.02  # half-thickness of seat and back [m]


def _seat_and_back(seat_m: float, width_m: float, depth_m: float, back_m: float, mass_kg: float) -> list[Solid]:
    """Seat with its top at seat_m over the origin, and a back of height back_m behind it."""
    half = width_m / 2
    return [
        Solid("box", (depth_m / 2, half, _PLANK), (0, 0, seat_m - _PLANK), look="wood", mass_kg=mass_kg * 0.4),
        Solid(
            "box",
            (_PLANK, half, back_m / 2),
            (-depth_m / 2 + _PLANK, 0, seat_m + back_m / 2),
            look="wood",
            mass_kg=mass_kg * 0.25,
        ),
    ]


@dataclass(frozen=True)
class Chair(Element):
    """A chair of four legs that can be moved and tipped over."""

    is_ground: ClassVar[bool] = False
    x_m: float = -0.45
    seat_m: float = 0.45
    width_m: float = 0.46
    depth_m: float = 0.44
    back_m: float = 0.45
    mass_kg: float = 7.0

    def add_to(self, builder: Builder) -> None:
        half_leg = (self.seat_m - 2 * _PLANK) / 2
        legs = [
            Solid(
                "box",
                (0.02, 0.02, half_leg),
                (x * (self.depth_m / 2 - 0.02), y * (self.width_m / 2 - 0.02), half_leg),
                look="wood",
                mass_kg=self.mass_kg * 0.35 / 4,
            )
            for x in (-1, 1)
            for y in (-1, 1)
        ]
        parts = _seat_and_back(self.seat_m, self.width_m, self.depth_m, self.back_m, self.mass_kg)
        builder.free("chair", (self.x_m, 0, 0), IDENTITY, *parts, *legs)


@dataclass(frozen=True)
class RockingChair(Element):
    """A chair on two round runners of radius runner_m, free to rock."""

    is_ground: ClassVar[bool] = False
    x_m: float = -0.45
    seat_m: float = 0.45
    width_m: float = 0.50
    depth_m: float = 0.46
    back_m: float = 0.55
    runner_m: float = 1.0
    mass_kg: float = 10.0

    def add_to(self, builder: Builder) -> None:
        parts = _seat_and_back(self.seat_m, self.width_m, self.depth_m, self.back_m, self.mass_kg)
        for side in (-1, 1):
            y = side * (self.width_m / 2 - 0.02)
            parts += self._runner(y) + [self._leg(x, y) for x in (-0.18, 0.18)]
        builder.free("rocking_chair", (self.x_m, 0, 0), IDENTITY, *parts)

    def _runner(self, y: float, pieces: int = 9, reach_rad: float = 0.42) -> list[Solid]:
        """Capsules along an arc whose lowest point touches z = 0; the lateral pieces overlap at their ends."""
        thick = 0.015
        radius = self.runner_m - thick
        angles = (np.arange(pieces) - (pieces - 1) / 2) * 2 * reach_rad / pieces
        half = radius * np.tan(reach_rad / pieces)
        return [
            Solid(
                "capsule",
                (thick, float(half)),
                (float(radius * np.sin(a)), y, float(self.runner_m - radius * np.cos(a))),
                rotations.from_axis_angle((0, 1, 0), np.pi / 2 - a),
                look="wood",
                mass_kg=self.mass_kg * 0.25 / 2 / pieces,
            )
            for a in angles
        ]

    def _leg(self, x: float, y: float) -> Solid:
        foot = self.runner_m - np.sqrt((self.runner_m - 0.015) ** 2 - x**2)
        top = self.seat_m - 2 * _PLANK
        half = float(top - foot) / 2
        return Solid(
            "box", (0.018, 0.018, half), (x, y, float(foot) + half), look="wood", mass_kg=self.mass_kg * 0.1 / 4
        )
