"""The Performance: positions of a MuJoCo model over time, the one form in which everything is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

from understudy.errors import UnderstudyError
from understudy.records import frozen
from understudy.rotations import Array, BoolArray

_SIGNS = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij"), axis=-1).reshape(8, 3)


@dataclass(frozen=True)
class Forces:
    """Forces (N, 3) [N] at places (N, 3) [m]."""

    places_w: Array
    forces_w: Array


@dataclass(frozen=True)
class Touches:
    """What acts on a figure from outside.

    Attributes:
        places_w: (C, 3) where it touches the world [m].
        loads: the contact force on each body that touches, where known.
        pushes: other forces on bodies.
    """

    places_w: Array
    loads: Forces | None = None
    pushes: Forces | None = None


@dataclass(frozen=True)
class Performance:
    """Positions of a MuJoCo model over time.

    Attributes:
        name: what to call it in captions.
        make_spec: makes a fresh model; its positions are laid out as ``qpos``.
        rate_hz: frames per second.
        qpos: (T, nq) positions.
        has_ground: whether the model brings the ground it stands on.
        touches: frame to its contacts, or None when none are known.
        figure_count: the camera follows so many of the model's first free bodies.
        hips: bodies of the left and the right hip, whose line tells the heading; empty when not known.
    """

    name: str
    make_spec: Callable[[], mujoco.MjSpec]
    rate_hz: float
    qpos: Array
    has_ground: bool = False
    touches: Callable[[int], Touches] | None = None
    figure_count: int = 1
    hips: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self, qpos=_sound(self.name, np.array(self.qpos, float)))

    @property
    def frame_count(self) -> int:
        return len(self.qpos)

    @property
    def duration_s(self) -> float:
        return (self.frame_count - 1) / self.rate_hz

    @cached_property
    def model(self) -> mujoco.MjModel:
        """The model alone."""
        return self.make_spec().compile()

    def at(self, time_s: float) -> Array:
        """(nq,) positions at a time, between frames the shorter way round, outside of them the first or last."""
        place = float(np.clip(time_s * self.rate_hz, 0.0, self.frame_count - 1))
        before = int(place)
        between = place - before
        if between < 1e-6:
            return self.qpos[before]
        if between > 1.0 - 1e-6:
            return self.qpos[before + 1]
        result, step = self.qpos[before].copy(), np.zeros(self.model.nv)
        mujoco.mj_differentiatePos(self.model, step, 1.0, result, self.qpos[before + 1])
        mujoco.mj_integratePos(self.model, result, step, between)
        return result

    def touches_at(self, time_s: float) -> Touches | None:
        """The contacts of the nearest frame."""
        if self.touches is None:
            return None
        return self.touches(int(np.clip(round(time_s * self.rate_hz), 0, self.frame_count - 1)))


def _sound(name: str, qpos: Array) -> Array:
    """(T, nq) with frames that hold a value that is not a number, as a diverged run may, replaced by the one before."""
    good: BoolArray = np.atleast_1d(np.isfinite(qpos).all(axis=1))
    if not len(good) or not good[0]:
        raise UnderstudyError(f"'{name}' has no first frame that could be drawn")
    return qpos[np.maximum.accumulate(np.where(good, np.arange(len(qpos)), 0))]


def box_corners(model: mujoco.MjModel, data: mujoco.MjData, geoms: BoolArray) -> Array:
    """(N, 3) corners of the boxes around the chosen geoms (G,) [m], in the present pose."""
    boxes = model.geom_aabb[geoms]
    corners = boxes[:, None, :3] + _SIGNS * boxes[:, None, 3:]
    turned = data.geom_xmat[geoms].reshape(-1, 3, 3)
    return (corners @ turned.transpose(0, 2, 1) + data.geom_xpos[geoms][:, None]).reshape(-1, 3)
