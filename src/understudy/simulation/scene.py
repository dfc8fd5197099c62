"""The Scene: ground, terrain, props and friction a World is built with, as data."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

from understudy.errors import SimulationError
from understudy.simulation.elements import Builder, Element, Ground


@dataclass(frozen=True)
class Scene:
    """Ground, elements and friction; the character starts at the origin of its own choice, facing +x.

    Attributes:
        name: ``stairs``.
        elements: what is there, the Ground among it.
        friction: sliding friction of everything that doesn't name its own. Where a character meets the scene's fixed
            solids, theirs decides; between moving things, the higher of the two.
        gravity_m_s2: downwards [m/s^2].
    """

    name: str = "flat"
    elements: tuple[Element, ...] = (Ground(),)
    friction: float = 1.0
    gravity_m_s2: float = 9.81

    def __post_init__(self) -> None:
        object.__setattr__(self, "elements", tuple(self.elements))
        strangers = [type(element).__name__ for element in self.elements if not isinstance(element, Element)]
        if strangers:
            raise SimulationError(f"scene '{self.name}': {strangers[0]} is not an Element")
        if not self.friction >= 0:
            raise SimulationError(f"scene '{self.name}': friction must be 0 or more, not {self.friction}")

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """Add the elements to a spec, after whatever it holds."""
        builder = Builder(spec, self.friction)
        for element in self.elements:
            element.add_to(builder)
        spec.option.gravity = [0.0, 0.0, -self.gravity_m_s2]
