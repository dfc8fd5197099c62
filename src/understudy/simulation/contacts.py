"""The contacts of a recorded run, tick by tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from understudy.errors import SimulationError
from understudy.records import frozen
from understudy.rotations import Array, BoolArray, IntArray
from understudy.simulation.inputs import Inputs
from understudy.simulation.retrace import retrace


@dataclass(frozen=True)
class TickContacts:
    """The C contact points of one moment.

    Attributes:
        positions_w: (C, 3) [m].
        forces_w: (C, 3) on the first body of each pair [N]; the second feels the opposite.
        bodies: C pairs of body names; the second is ``world`` where something fixed is touched.
    """

    positions_w: Array
    forces_w: Array
    bodies: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Contacts:
    """The contact points of T moments, one after another in flat arrays; ``contacts[t]`` are those of tick t.

    Attributes:
        offsets: (T + 1,) where each tick's points begin.
        positions_w: (N, 3) [m].
        forces_w: (N, 3) [N].
        pairs: (N, 2) indices into body_names.
        body_names: all bodies of the model.
    """

    offsets: IntArray
    positions_w: Array
    forces_w: Array
    pairs: IntArray
    body_names: tuple[str, ...]

    def __post_init__(self) -> None:
        frozen(self, offsets=self.offsets, positions_w=self.positions_w, forces_w=self.forces_w, pairs=self.pairs)
        count = len(self.positions_w)
        shapes = (self.positions_w.shape, self.forces_w.shape, self.pairs.shape)
        if self.offsets.ndim != 1 or len(self.offsets) == 0 or shapes != ((count, 3), (count, 3), (count, 2)):
            raise SimulationError("contacts need offsets (T + 1,), positions and forces (N, 3) and pairs (N, 2)")
        if self.offsets[0] != 0 or self.offsets[-1] != count or np.any(np.diff(self.offsets) < 0):
            raise SimulationError(f"contact offsets must rise from 0 to the number of contacts, {count}")
        if count and (self.pairs.min() < 0 or self.pairs.max() >= len(self.body_names)):
            raise SimulationError(f"contact pairs must be indices of the {len(self.body_names)} bodies")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, tick: int) -> TickContacts:
        tick = range(len(self))[tick]
        own = slice(int(self.offsets[tick]), int(self.offsets[tick + 1]))
        names = tuple((self.body_names[a], self.body_names[b]) for a, b in self.pairs[own])
        return TickContacts(self.positions_w[own], self.forces_w[own], names)

    @property
    def ticks(self) -> IntArray:
        """(N,) the tick of each point."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def touching(self, names: Sequence[str]) -> BoolArray:
        """(T, B) whether each of the B named bodies touches something that is not among them."""
        owner = np.array([names.index(name) if name in names else -1 for name in self.body_names])
        pairs = owner[self.pairs]
        outside = (pairs < 0).any(axis=1) & (pairs >= 0).any(axis=1)
        result = np.zeros((len(self), len(names)), bool)
        result[self.ticks[outside], pairs[outside].max(axis=1)] = True
        return result


def contacts_of(model: mujoco.MjModel, rows: Array, inputs: Inputs | None = None, friction: float = 1.0) -> Contacts:
    """The contacts at state rows (T, S), with the forces they have under the inputs (T - 1) that follow each."""
    ticks = [_present(shown, data) for shown, data in retrace(model, rows, inputs, friction)]
    names = tuple(model.body(i).name for i in range(model.nbody))
    offsets = np.cumsum([0, *[len(tick) for tick in ticks]])
    flat = np.concatenate(ticks) if ticks else np.zeros((0, 8))
    return Contacts(offsets, flat[:, :3].copy(), flat[:, 3:6].copy(), flat[:, 6:].astype(int), names)


def _present(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """(C, 8) place, force on the first body, first and second body, of the contacts that are active."""
    result = np.zeros((data.ncon, 8))
    bodies = model.geom_bodyid[data.contact.geom].reshape(-1, 2)
    wrench = np.zeros(6)
    for i in range(data.ncon):
        mujoco.mj_contactForce(model, data, i, wrench)
        frame = data.contact.frame[i].reshape(3, 3)  # its rows are the axes; x points from the first geom to the second
        force, pair = frame.T @ wrench[:3], bodies[i, ::-1]
        if model.body_weldid[pair[0]] == 0:
            force, pair = -force, pair[::-1]
        result[i] = [*data.contact.pos[i], *force, *pair]
    return result[data.contact.efc_address >= 0]
