"""Ground that is not flat: pebbles and hills, made from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.rotations import Array
from understudy.simulation.elements.element import Builder, Element, Solid


@dataclass(frozen=True)
class Pebbles(Element):
    """Half-buried round stones that rise up to height_m out of the ground, scattered ahead by a seeded generator."""

    is_ground: ClassVar[bool] = False
    count: int = 120
    height_m: float = 0.025
    start_m: float = 0.6
    length_m: float = 5.0
    width_m: float = 1.6
    seed: int = 0

    def add_to(self, builder: Builder) -> None:
        random = np.random.default_rng(self.seed)
        rise = random.uniform(0.4, 1.0, self.count) * self.height_m
        radius = rise * random.uniform(1.5, 3.0, self.count)
        x = self.start_m + random.uniform(0, self.length_m, self.count)
        y = random.uniform(-0.5, 0.5, self.count) * self.width_m
        for i in range(self.count):
            place = (float(x[i]), float(y[i]), float(rise[i] - radius[i]))
            builder.fixed("pebble", Solid("sphere", (float(radius[i]),), place))


@dataclass(frozen=True)
class Hills(Element):
    """A height field: smooth noise of width bump_m, level with the ground along all its borders.

    Its highest point is at height_m; it spans start_m to start_m + length_m along x.
    """

    height_m: float = 0.25
    bump_m: float = 0.6
    start_m: float = 0.6
    length_m: float = 8.0
    width_m: float = 4.0
    cell_m: float = 0.08
    seed: int = 0

    def add_to(self, builder: Builder) -> None:
        half = (self.length_m / 2, self.width_m / 2)
        centre = (self.start_m + half[0], 0.0, 0.001)  # a millimetre up, clear of the plane below it
        builder.fixed("hills", Solid("hfield", half, centre, heights=self.heights()))

    def heights(self) -> Array:
        """(rows along y, columns along x) heights above the ground [m]."""
        from scipy.ndimage import gaussian_filter  # slow to import

        rows, columns = round(self.width_m / self.cell_m) + 1, round(self.length_m / self.cell_m) + 1
        noise = np.random.default_rng(self.seed).normal(size=(rows, columns))
        smooth = gaussian_filter(noise, self.bump_m / self.cell_m / 2, mode="nearest")
        smooth = np.clip(smooth - np.quantile(smooth, 0.25), 0.0, None) ** 1.5  # level valleys between the hills
        border = np.minimum.outer(_from_edge(rows, self.cell_m), _from_edge(columns, self.cell_m))
        smooth *= np.clip(border / 0.6, 0.0, 1.0) ** 2 * (3 - 2 * np.clip(border / 0.6, 0.0, 1.0))
        return self.height_m * smooth / smooth.max()


def _from_edge(count: int, cell_m: float) -> Array:
    """(count,) distance of each grid line from the nearer end [m]."""
    index = np.arange(count)
    return cell_m * np.minimum(index, index[::-1])
