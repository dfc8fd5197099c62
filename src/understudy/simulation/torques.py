"""What drove the joints of a recorded run, tick by tick."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from understudy.records import frozen
from understudy.rotations import Array, BoolArray
from understudy.simulation.retrace import retrace
from understudy.simulation.rollout import Rollout
from understudy.simulation.servos import damped_dofs

_FULL = 1.0 - 1e-9  # of a limit


@dataclass(frozen=True)
class Torques:
    """What drives a model at the beginning of T - 1 ticks.

    Attributes:
        joints_nm: (T - 1, nv) by servos and by the torques asked for, laid out as qvel, 0 at free roots [N m, N].
        actuators: the names of the model's actuators.
        limited: (actuators,) which of them have a limit.
        at_limit: (T - 1, actuators) whether each is at its limit.
    """

    joints_nm: Array
    actuators: tuple[str, ...]
    limited: BoolArray
    at_limit: BoolArray

    def __post_init__(self) -> None:
        frozen(self, joints_nm=self.joints_nm, limited=self.limited, at_limit=self.at_limit)


def torques_of(rollout: Rollout) -> Torques:
    """The torques of a rollout's ticks; a limited servo's with the damping its joint holds for it."""
    nominal, count = rollout.model, rollout.tick_count - 1
    torques, full = np.zeros((count, nominal.nv)), np.zeros((count, nominal.nactuator), bool)
    limited = np.array(nominal.actuator_forcelimited, bool)
    damped = np.unique(damped_dofs(nominal)[0])
    moments = retrace(nominal, rollout.states[:count], rollout.inputs, rollout.friction)
    for t, (model, data) in enumerate(moments):
        torques[t] = data.qfrc_actuator + data.qfrc_applied
        torques[t, damped] -= model.dof_damping[damped] * data.qvel[damped]
        full[t] = limited & _is_at_limit(model, data)
    names = tuple(nominal.actuator(i).name for i in range(nominal.nactuator))
    return Torques(torques, names, limited, full)


def _is_at_limit(model: mujoco.MjModel, data: mujoco.MjData) -> BoolArray:
    """(actuators,) whether the force of each is as large as its range; of those with several outputs, their norm."""
    if not model.nactuator:
        return np.zeros(0, bool)
    low, high = model.actuator_forcerange.T
    first, several = model.actuator_outadr, model.actuator_outnum > 1
    sizes = np.sqrt(np.add.reduceat(np.square(data.actuator_force), first))
    forces = np.where(several, sizes, data.actuator_force[first])
    return np.asarray((forces >= _FULL * high) | (~several & (forces <= _FULL * low)))
