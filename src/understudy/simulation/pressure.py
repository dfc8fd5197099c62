"""The pressure on the ground, as a mat of square sensors under the scene would measure it.

Letters: T ticks, N sensors and ticks with any pressure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.errors import SimulationError
from understudy.records import frozen
from understudy.rotations import Array, IntArray
from understudy.simulation.contacts import Contacts


@dataclass(frozen=True)
class Pressure:
    """What presses down on the ground, sensor by sensor.

    Attributes:
        cell_m: the edge of a sensor.
        ticks: (N,) when.
        cells: (N, 2) which: the sensor from cells * cell_m to (cells + 1) * cell_m, along x and y.
        kilopascals: (N,) the downward force on it by its area.
        tick_count: T.
    """

    cell_m: float
    ticks: IntArray
    cells: IntArray
    kilopascals: Array
    tick_count: int

    def __post_init__(self) -> None:
        frozen(self, ticks=self.ticks, cells=self.cells, kilopascals=self.kilopascals)

    @property
    def highest(self) -> Array:
        """(T,) the highest pressure at each moment [kPa], 0 where nothing touches."""
        result = np.zeros(self.tick_count)
        np.maximum.at(result, self.ticks, self.kilopascals)
        return result

    @property
    def areas_m2(self) -> Array:
        """(T,) the area that is pressed on at each moment [m²]."""
        counts = np.bincount(self.ticks, minlength=self.tick_count).astype(float)
        return counts * self.cell_m**2

    def map(self) -> tuple[IntArray, Array]:
        """Where each pressed sensor is (C, 2), in cells, and the highest pressure it felt (C,) [kPa]."""
        where, which = np.unique(self.cells, axis=0, return_inverse=True)
        felt = np.zeros(len(where))
        np.maximum.at(felt, which.ravel(), self.kilopascals)
        return where, felt


def ground_pressure(contacts: Contacts, cell_m: float = 0.05) -> Pressure:
    """The pressure of all contacts with what never moves: upward forces on bodies, summed sensor by sensor."""
    if not (np.isfinite(cell_m) and cell_m > 0.0):
        raise SimulationError(f"a sensor's edge must be above 0 m, not {cell_m:g}")
    bears = (contacts.pairs[:, 1] == 0) & (contacts.forces_w[:, 2] > 0.0)
    places = np.floor(contacts.positions_w[bears, :2] / cell_m).astype(int)
    keys = np.column_stack([contacts.ticks[bears], places])
    pressed, which = np.unique(keys, axis=0, return_inverse=True)
    newtons = np.bincount(which.ravel(), contacts.forces_w[bears, 2], minlength=len(pressed))
    return Pressure(cell_m, pressed[:, 0], pressed[:, 1:], newtons / cell_m**2 / 1000.0, len(contacts))
