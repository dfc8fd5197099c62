"""Targets turned into what a model takes: controls, gains per actuator, forces per degree of freedom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from understudy.errors import SimulationError
from understudy.records import frozen
from understudy.rotations import Array, IntArray
from understudy.simulation.actor import Actor
from understudy.simulation.target import Target


@dataclass(frozen=True)
class Inputs:
    """What a model is fed during one advance, for n simulations or one row for all.

    Attributes:
        controls: (n, K, nu), each held for one K-th of the advance.
        gain_scale: (n, actuators) factor of each actuator's gains, or None for 1.
        torques: (n, nv) forces at the degrees of freedom [N m], or None for 0.
    """

    controls: Array
    gain_scale: Array | None = None
    torques: Array | None = None

    def __post_init__(self) -> None:
        frozen(self, controls=self.controls, gain_scale=self.gain_scale, torques=self.torques)

    def of(self, index: int | slice | IntArray) -> Inputs:
        """The inputs of the simulations at index; those that hold for all stay as they are."""
        return Inputs(
            _pick(self.controls, index),
            None if self.gain_scale is None else _pick(self.gain_scale, index),
            None if self.torques is None else _pick(self.torques, index),
        )

    def first(self, count: int) -> Inputs:
        """The first ``count`` rows."""
        parts = (self.gain_scale, self.torques)
        return Inputs(self.controls[:count], *[None if part is None else part[:count] for part in parts])

    @staticmethod
    def stacked(items: Sequence[Inputs]) -> Inputs:
        """One simulation's inputs of several advances, one after another; parts that only some have are filled in."""
        if len({item.controls.shape[1] for item in items}) > 1:
            raise SimulationError("targets recorded together must be cut into the same number of pieces")
        controls = np.concatenate([item.controls for item in items])
        return Inputs(
            controls,
            _filled([item.gain_scale for item in items], 1.0),
            _filled([item.torques for item in items], 0.0),
        )


def inputs_of(target: Target, actors: Sequence[Actor], model: mujoco.MjModel) -> Inputs:
    """The inputs a target means; raises SimulationError when its widths are not those of the actors."""
    _check_width("positions", target.positions, sum(actor.joint_position_count for actor in actors), actors)
    positions = target.positions if target.positions.ndim == 3 else target.positions[:, None]
    rows, pieces = positions.shape[:2]
    flat = positions.reshape(rows * pieces, -1)
    controls = np.zeros((rows * pieces, model.nu))
    begin = 0
    for actor in actors:
        end = begin + actor.joint_position_count
        controls[:, actor.control_map.ctrl_indices] = actor.control_map.controls(flat[:, begin:end])
        begin = end
    return Inputs(
        controls.reshape(rows, pieces, model.nu),
        _actuator_scale(target.gain_scale, actors, model),
        _all_torques(target.torques, actors, model),
    )


def _actuator_scale(scale: Array | None, actors: Sequence[Actor], model: mujoco.MjModel) -> Array | None:
    if scale is None:
        return None
    _check_width("gain_scale", scale, sum(len(actor.character.joints) for actor in actors), actors)
    result = np.ones((len(scale), model.nactuator))
    begin = 0
    for actor in actors:
        mapping = actor.control_map
        result[:, mapping.actuator_indices] = scale[:, begin + mapping.actuator_joints]
        begin += len(actor.character.joints)
    return result


def _all_torques(torques: Array | None, actors: Sequence[Actor], model: mujoco.MjModel) -> Array | None:
    if torques is None:
        return None
    _check_width("torques", torques, sum(actor.joint_velocity_count for actor in actors), actors)
    result = np.zeros((len(torques), model.nv))
    begin = 0
    for actor in actors:
        end = begin + actor.joint_velocity_count
        result[:, actor.qvel.start + 6 : actor.qvel.stop] = torques[:, begin:end]
        begin = end
    return result


def _check_width(name: str, values: Array, width: int, actors: Sequence[Actor]) -> None:
    if values.shape[-1] != width:
        who = " and ".join(f"'{actor.name}'" for actor in actors)
        raise SimulationError(f"target {name} of {who} must have {width} columns, not {values.shape[-1]}")


def _pick(values: Array, index: int | slice | IntArray) -> Array:
    if len(values) == 1:
        return values
    return values[index : index + 1] if isinstance(index, (int, np.integer)) else values[index]


def _filled(parts: Sequence[Array | None], value: float) -> Array | None:
    widths = {part.shape[1] for part in parts if part is not None}
    if not widths:
        return None
    default = np.full((1, widths.pop()), value)
    return np.concatenate([default if part is None else part for part in parts])
