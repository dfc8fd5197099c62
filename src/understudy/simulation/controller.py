"""Controllers: what decides, tick by tick, what a character should do."""

from __future__ import annotations

from typing import Protocol

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from understudy.character import Character, Reference
from understudy.errors import SimulationError
from understudy.rotations import Array
from understudy.simulation.state import State
from understudy.simulation.target import Target


class Controller(Protocol):
    """Everything that drives a character, learned or not."""

    def reset(self) -> None:
        """A run begins at tick 0."""

    def act(self, state: State, tick: int) -> Target:
        """What to ask for during the tick that begins at state."""


class PoseController:
    """Holds one pose by the character's own PD servos.

    Args:
        pose: (P,) joint positions, laid out as qpos after the root's seven numbers.
        gain_scale: (J,) factor of the gains of each joint, or None for 1.
    """

    def __init__(self, pose: ArrayLike, gain_scale: ArrayLike | None = None) -> None:
        scale = None if gain_scale is None else np.atleast_2d(np.asarray(gain_scale, float))
        self._target = Target(np.atleast_2d(np.asarray(pose, float)), scale)

    @classmethod
    def standing(cls, character: Character) -> PoseController:
        """Holds the character's standing pose, with the gains its joints have while they bear weight."""
        return cls(character.standing_qpos[7:], [joint.contact_scale for joint in character.joints])

    def reset(self) -> None:
        pass

    def act(self, state: State, tick: int) -> Target:  # noqa: ARG002
        return self._target


class ReferenceController:
    """Follows a Reference by the character's own PD servos: during a tick it asks for the pose at the tick's end.

    Args:
        reference: what to follow; it is held at its last pose.
        rate_hz: control ticks per second of the World.
        start_tick: tick of the reference at which a run begins.
    """

    def __init__(self, reference: Reference, rate_hz: float, start_tick: int = 0) -> None:
        if not 0 <= start_tick < reference.tick_count:
            raise SimulationError(f"reference '{reference.name}' has ticks 0 to {reference.tick_count - 1}")
        count = max(1, int((reference.tick_count - 1 - start_tick) / reference.rate_hz * rate_hz + 1e-9))
        self._poses = poses_at(reference, start_tick / reference.rate_hz + np.arange(1, count + 1) / rate_hz)[:, 7:]

    @property
    def tick_count(self) -> int:
        """How many ticks the reference lasts."""
        return len(self._poses)

    def reset(self) -> None:
        pass

    def act(self, state: State, tick: int) -> Target:  # noqa: ARG002
        return Target(self._poses[min(tick, len(self._poses) - 1)][None])


def poses_at(reference: Reference, times_s: ArrayLike) -> Array:
    """A reference's qpos (T, nq) at given times (T,) [s], on the geodesic between ticks, held beyond its ends."""
    model = reference.character.model
    ticks = np.clip(np.asarray(times_s, float) * reference.rate_hz, 0, reference.tick_count - 1)
    nearest = np.rint(ticks)
    ticks = np.where(np.abs(ticks - nearest) < 1e-6, nearest, ticks)  # a tick is itself, rounding aside
    result = np.empty((len(ticks), model.nq))
    step = np.empty(model.nv)
    for i, tick in enumerate(ticks):
        before = int(tick)
        result[i] = reference.qpos[before]
        if tick > before:
            mujoco.mj_differentiatePos(model, step, 1.0, reference.qpos[before], reference.qpos[before + 1])
            mujoco.mj_integratePos(model, result[i], step, tick - before)
    return result
