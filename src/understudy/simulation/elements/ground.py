"""The ground everything stands on."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.simulation.elements.element import Builder, Element, Solid


@dataclass(frozen=True)
class Ground(Element):
    """An endless level floor at height_m."""

    height_m: float = 0.0

    def add_to(self, builder: Builder) -> None:
        builder.fixed("ground", Solid("plane", (0, 0, 0.5), (0, 0, self.height_m), look="ground"))
