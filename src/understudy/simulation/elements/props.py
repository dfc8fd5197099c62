"""Loose things: boxes and balls, to push, to carry, and to throw at a character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from understudy.rotations import IDENTITY
from understudy.simulation.elements.element import Builder, Element, Solid


@dataclass(frozen=True)
class FreeBox(Element):
    """A loose box with edges size_m whose centre begins at place_m."""

    is_ground: ClassVar[bool] = False
    name: str = "box"
    size_m: tuple[float, float, float] = (0.2, 0.2, 0.2)
    mass_kg: float = 2.0
    place_m: tuple[float, float, float] = (1.5, 0.0, 0.1)

    def add_to(self, builder: Builder) -> None:
        half = tuple(edge / 2 for edge in self.size_m)
        builder.free(self.name, self.place_m, IDENTITY, Solid("box", half, look="prop", mass_kg=self.mass_kg))


@dataclass(frozen=True)
class FreeBall(Element):
    """A loose ball whose centre begins at place_m."""

    is_ground: ClassVar[bool] = False
    name: str = "ball"
    radius_m: float = 0.11
    mass_kg: float = 0.43
    place_m: tuple[float, float, float] = (1.5, 0.0, 0.11)

    def add_to(self, builder: Builder) -> None:
        solid = Solid("sphere", (self.radius_m,), look="prop", mass_kg=self.mass_kg)
        builder.free(self.name, self.place_m, IDENTITY, solid)
