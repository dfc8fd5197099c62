"""What a World measures when asked to: sensors put into the model, and read back as named arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import mujoco
import numpy as np
from mujoco.batch import Batch

from understudy.errors import SimulationError, UnknownNameError
from understudy.rotations import Array, IntArray
from understudy.simulation.actor import Actor

Measure = Literal["momentum", "bodies", "contacts"]
MEASURES: tuple[Measure, ...] = get_args(Measure)

_MOMENTUM_SENSORS = {
    "mass_centre": mujoco.mjtSensor.mjSENS_SUBTREECOM,
    "mass_velocity": mujoco.mjtSensor.mjSENS_SUBTREELINVEL,
    "angular_momentum": mujoco.mjtSensor.mjSENS_SUBTREEANGMOM,
}
_CONTACT_FIELDS = sum(
    1 << int(field)
    for field in (
        mujoco.mjtConDataField.mjCONDATA_FOUND,
        mujoco.mjtConDataField.mjCONDATA_FORCE,
        mujoco.mjtConDataField.mjCONDATA_POS,
    )
)
_NET_FORCE = 3  # mjSENS_CONTACT's reduction "netforce"


@dataclass(frozen=True)
class Momentum:
    """Of a whole character, in n simulations.

    Attributes:
        mass_centre_w: (n, 3) centre of mass [m].
        mass_velocity_w: (n, 3) its velocity [m/s].
        angular_momentum_w: (n, 3) about the centre of mass [kg m^2/s].
    """

    mass_centre_w: Array
    mass_velocity_w: Array
    angular_momentum_w: Array


@dataclass(frozen=True)
class Bodies:
    """Of a character's B bodies, in the order of ``character.body_names``, in n simulations.

    Attributes:
        positions_w: (n, B, 3) of their frames' origins [m].
        rotations_w: (n, B, 4).
        velocities_w: (n, B, 3) of the origins [m/s].
        spins_w: (n, B, 3) angular velocities [rad/s].
    """

    positions_w: Array
    rotations_w: Array
    velocities_w: Array
    spins_w: Array


@dataclass(frozen=True)
class BodyContacts:
    """What touches a character's B bodies, each body's contacts put together, in n simulations.

    Attributes:
        counts: (n, B) how many contact points.
        forces_w: (n, B, 3) on the body, summed over them, as the last physics step applied them [N].
        places_w: (n, B, 3) their centre, weighted by force [m]; zero without contact.
    """

    counts: IntArray
    forces_w: Array
    places_w: Array


def check_measures(measures: Sequence[str]) -> tuple[Measure, ...]:
    """The measures asked for, in the order of MEASURES; raises UnknownNameError."""
    for measure in measures:
        if measure not in MEASURES:
            raise UnknownNameError("measure", measure, MEASURES)
    return tuple(measure for measure in MEASURES if measure in measures)


def add_sensors(spec: mujoco.MjSpec, measures: Sequence[Measure], bodies: Sequence[Sequence[str]]) -> None:
    """Put in the sensors the measures need; bodies are each character's, the root first."""
    for sensor in list(spec.sensors):
        spec.delete(sensor)  # a character's own would cost time and nobody reads them
    for names in bodies:
        if "momentum" in measures:
            for kind, sensor_type in _MOMENTUM_SENSORS.items():
                sensor = spec.add_sensor(name=f"{kind}:{names[0]}", type=sensor_type)
                sensor.objtype, sensor.objname = mujoco.mjtObj.mjOBJ_BODY, names[0]
        if "contacts" in measures:
            for name in names:
                sensor = spec.add_sensor(name=f"contact:{name}", type=mujoco.mjtSensor.mjSENS_CONTACT)
                sensor.objtype, sensor.objname = mujoco.mjtObj.mjOBJ_BODY, name
                sensor.intprm[:3] = [_CONTACT_FIELDS, _NET_FORCE, 1]


class Meter:
    """Reads one actor's measures out of a batch, as they were at the batch's last call."""

    def __init__(self, batch: Batch, actor: Actor, measures: Sequence[Measure]) -> None:
        model = batch.model
        self._actor, self._measures = actor, tuple(measures)
        names = [model.body(int(i)).name for i in actor.bodies]
        self._data: Array = batch.bind("sensordata")
        if "momentum" in measures:
            self._momentum = [_columns(model, f"{kind}:{names[0]}", 3) for kind in _MOMENTUM_SENSORS]
        if "contacts" in measures:
            self._contacts = np.stack([_columns(model, f"contact:{name}", 7) for name in names])  # (B, 7)
        if "bodies" in measures:
            self._xpos, self._xquat = batch.bind("xpos"), batch.bind("xquat")
            self._cvel, self._centre = batch.bind("cvel"), batch.bind("subtree_com")

    def momentum(self) -> Momentum:
        self._require("momentum")
        return Momentum(*(self._data[:, columns] for columns in self._momentum))

    def contacts(self) -> BodyContacts:
        self._require("contacts")
        values = self._data[:, self._contacts]  # (n, B, 7): found, force, place
        return BodyContacts(values[..., 0].astype(int), -values[..., 1:4], values[..., 4:7])

    def bodies(self) -> Bodies:
        """MuJoCo's cvel is [spin, velocity] of the body at the centre of mass of its whole tree."""
        self._require("bodies")
        own = self._actor.bodies
        positions, spins = self._xpos[:, own], self._cvel[:, own, :3]
        arm = positions - self._centre[:, [self._actor.root_body]]
        return Bodies(positions, self._xquat[:, own], self._cvel[:, own, 3:] + np.cross(spins, arm), spins)

    def end_effectors(self) -> Bodies:
        """The same of the character's end effectors alone, in its order of them."""
        own = [self._actor.character.body_index(name) for name in self._actor.character.end_effectors]
        found = self.bodies()
        parts = (found.positions_w, found.rotations_w, found.velocities_w, found.spins_w)
        return Bodies(*(part[:, own] for part in parts))

    def _require(self, measure: Measure) -> None:
        if measure not in self._measures:
            raise SimulationError(
                f"this world doesn't measure {measure}; build it with World(..., measures=('{measure}',))"
            )


def _columns(model: mujoco.MjModel, sensor: str, width: int) -> IntArray:
    begin = int(model.sensor(sensor).adr[0])
    return np.arange(begin, begin + width)
