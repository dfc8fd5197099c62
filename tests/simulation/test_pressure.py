"""Laws of the pressure on the ground."""

import numpy as np
import pytest

from understudy.errors import SimulationError
from understudy.simulation import Contacts, ground_pressure

#        tick    place [m]             force [N]            pair
POINTS = [
    (0, (0.01, 0.01, 0.0), (0.0, 0.0, 10.0), (1, 0)),
    (0, (0.04, 0.02, 0.0), (3.0, 0.0, 20.0), (2, 0)),
    (0, (-0.01, 0.01, 0.0), (0.0, 0.0, 5.0), (1, 0)),
    (2, (0.01, 0.01, 0.0), (0.0, 0.0, 50.0), (1, 0)),
    (2, (0.01, 0.01, 0.5), (0.0, 0.0, 99.0), (1, 2)),  # a body on a body
]


def contacts() -> Contacts:
    ticks, places, forces, pairs = zip(*POINTS, strict=True)
    offsets = np.searchsorted(ticks, np.arange(5))
    return Contacts(offsets, np.array(places), np.array(forces), np.array(pairs), ("world", "foot", "hand"))


def test_forces_on_one_sensor_add_up() -> None:
    pressure = ground_pressure(contacts(), cell_m=0.05)  # 25 cm²: 10 N are 4 kPa
    np.testing.assert_allclose(pressure.highest, [12.0, 0.0, 20.0, 0.0])
    np.testing.assert_allclose(pressure.areas_m2, [0.005, 0.0, 0.0025, 0.0])


def test_the_map_holds_the_highest_each_sensor_felt() -> None:
    where, felt = ground_pressure(contacts(), cell_m=0.05).map()
    assert where.tolist() == [[-1, 0], [0, 0]]
    np.testing.assert_allclose(felt, [2.0, 20.0])


@pytest.mark.parametrize("cell_m", [0.01, 0.05, 0.3])
def test_whatever_the_sensors_the_whole_force_is_felt(cell_m: float) -> None:
    pressure = ground_pressure(contacts(), cell_m)
    newtons = np.bincount(pressure.ticks, 1000.0 * pressure.kilopascals * cell_m**2, minlength=4)
    np.testing.assert_allclose(newtons, [35.0, 0.0, 50.0, 0.0])


def test_a_sensor_has_a_size() -> None:
    with pytest.raises(SimulationError, match="above 0 m, not 0"):
        ground_pressure(contacts(), 0.0)
