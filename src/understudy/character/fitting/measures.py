"""How well fitted poses keep to the floor, to their contacts and to the joint limits."""

from __future__ import annotations

import numpy as np

from understudy.character.fitting.ground import lowest_points
from understudy.character.fitting.kinematics import Postures
from understudy.character.fitting.limits import Limits
from understudy.character.fitting.report import FloorUse, LimitUse
from understudy.character.fitting.steady import RestSettings, resting
from understudy.character.fitting.touching import Touching
from understudy.rotations import Array

_ON_FLOOR_M = 0.01


def floor_use(touching: Touching, postures: Postures, rate_hz: float) -> FloorUse:
    """Penetration, sliding and floating of poses over the floor z = 0."""
    lowest = lowest_points(touching.parts, postures)[..., 2].min(axis=1)
    depth = np.maximum(-lowest, 0.0)
    points = touching.points(postures)
    feet = points[:, touching.feet]
    on_floor = feet[..., 2] < _ON_FLOOR_M
    stays = on_floor[1:] & on_floor[:-1]
    sliding = rate_hz * np.linalg.norm(np.diff(feet[..., :2], axis=0), axis=-1)
    heights = touching.heights(postures)
    at_rest = resting(points, heights, rate_hz, RestSettings())
    return FloorUse(
        worst_penetration_mm=1000.0 * float(depth.max()),
        mean_penetration_mm=1000.0 * float(depth.mean()),
        foot_slide_mm_s=1000.0 * _mean(sliding[stays]),
        floating_mm=1000.0 * _mean(np.maximum(heights, 0.0)[at_rest]),
    )


def limit_use(limits: Limits, asked: Array) -> tuple[LimitUse, ...]:
    """Joints that were asked (T, L) beyond their limits, the worst first."""
    uses = [
        LimitUse(name, float(np.degrees(asked[:, i].max())), float(np.mean(asked[:, i] > 1e-6)))
        for i, name in enumerate(limits.names)
        if asked[:, i].max() > 1e-6
    ]
    return tuple(sorted(uses, key=lambda use: -use.worst_deg))


def _mean(values: Array) -> float:
    return float(values.mean()) if values.size else 0.0
