"""What a Reference asks of the scene: what it is near to, how much must hold it up, whether it can balance there."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import mujoco
import numpy as np

from understudy.character import Reference
from understudy.cost import Moments, moments_of_reference
from understudy.records import frozen
from understudy.rotations import Array, BoolArray

NEAR_M = 0.08  # what is this near to something of the scene may stand or lean on it; fitted clips sway that much
_SMOOTHED_S = {"support": 0.15, "balance": 0.3}
_BORNE = 0.5  # of the weight; with less to bear there is no point that it would be borne at
_DIRECTIONS = np.stack([np.cos(a := np.arange(36) * (np.pi / 18.0)), np.sin(a)])  # (2, 36)


@dataclass(frozen=True)
class Surroundings:
    """Of a Reference with T ticks and B bodies.

    Attributes:
        near: (T, B) whether each body is within 0.08 m of anything in the scene that is not the character.
        support: (T,) how much of the weight something must bear: the upward acceleration of the centre of mass
            relative to free fall, in units of gravity; 1 at rest, 0 in flight.
        off_balance_m: (T,) how far outside all that is near the scene the ground would have to push for the motion to
            be what it is (the zero moment point's distance from the convex hull of the places near to it) [m].
    """

    near: BoolArray
    support: Array
    off_balance_m: Array

    def __post_init__(self) -> None:
        frozen(self, near=self.near, support=self.support, off_balance_m=self.off_balance_m)


def surroundings_of(reference: Reference, scene_model: mujoco.MjModel, scene_qpos: Array) -> Surroundings:
    """Look at every tick of a reference in a scene's model, whose props are where scene_qpos (nq,) has them."""
    gravity_m_s2 = max(float(-scene_model.opt.gravity[2]), 1e-6)
    moments, rate_hz = moments_of_reference(reference), reference.rate_hz
    lift = _rates(moments.mass_velocity_w[:, 2:], rate_hz, _SMOOTHED_S["support"])[:, 0]
    near, places = _nearness(reference, scene_model, scene_qpos)
    off = np.zeros(len(lift))
    wrench = _wrench(moments, rate_hz, reference.character.mass_kg, gravity_m_s2)
    borne = wrench[:, 2] > _BORNE * reference.character.mass_kg * gravity_m_s2
    for t in np.flatnonzero(borne & near.any(axis=1)):
        off[t] = _outside(_pressed_at(moments.mass_centre_w[t], wrench[t], places[t]), places[t])
    return Surroundings(near, 1.0 + lift / gravity_m_s2, off)


def _nearness(reference: Reference, scene_model: mujoco.MjModel, scene_qpos: Array) -> tuple[BoolArray, list[Array]]:
    """(T, B) which bodies are near the scene, and at each tick the places (C, 3) at which they are."""
    model = copy.copy(scene_model)
    model.geom_margin[:] = 0.5 * NEAR_M  # those of two geoms add up
    data = mujoco.MjData(model)
    names = reference.character.body_names
    owner = np.array([names.index(n) if n in names else -1 for n in (model.body(b).name for b in range(model.nbody))])
    near, places = np.zeros((reference.tick_count, len(names)), bool), []
    for t, qpos in enumerate(reference.qpos):
        data.qpos[:] = scene_qpos
        data.qpos[: len(qpos)] = qpos
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        pairs = owner[model.geom_bodyid[data.contact.geom].reshape(-1, 2)]
        outside = (pairs < 0).any(axis=1) & (pairs >= 0).any(axis=1)
        near[t, pairs[outside].max(axis=1)] = True
        places.append(data.contact.pos.reshape(-1, 3)[outside].copy())
    return near, places


def _wrench(moments: Moments, rate_hz: float, mass_kg: float, gravity_m_s2: float) -> Array:
    """(T, 6) force [N] and torque about the centre of mass [N m] that something must apply."""
    smoothed = _SMOOTHED_S["balance"]
    up = np.array([0.0, 0.0, gravity_m_s2])
    force = mass_kg * (_rates(moments.mass_velocity_w, rate_hz, smoothed) + up)
    return np.concatenate([force, _rates(moments.angular_momentum_w, rate_hz, smoothed)], axis=1)


def _pressed_at(mass_centre: Array, wrench: Array, places: Array) -> Array:
    """(2,) where on the ground at the height of places (C, 3) a push alone has that force and torque."""
    height = mass_centre[2] - places[:, 2].mean()
    level = -wrench[:2] * height + [-wrench[4], wrench[3]]
    return mass_centre[:2] + level / wrench[2]


def _outside(point: Array, places: Array) -> float:
    """How far a point (2,) is outside the convex hull of places (C, 3), seen from above [m]."""
    beyond = point @ _DIRECTIONS - (places[:, :2] @ _DIRECTIONS).max(axis=0)
    return float(max(beyond.max(), 0.0))


def _rates(values: Array, rate_hz: float, smoothed_s: float) -> Array:
    """(T, n) derivatives of values (T, n) by time, averaged over smoothed_s."""
    if len(values) < 2:
        return np.zeros_like(values)
    raw = np.gradient(values, 1.0 / rate_hz, axis=0)
    width = max(1, round(smoothed_s * rate_hz)) | 1
    padded = np.pad(raw, ((width // 2, width // 2), (0, 0)), mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, width, axis=0).mean(axis=-1)
