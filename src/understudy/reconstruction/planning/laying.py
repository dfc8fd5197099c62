"""A clip recorded on a flat floor, laid over the ground of a scene: ramps, steps, drops, a mat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.character import Reference, velocities
from understudy.rotations import Array
from understudy.simulation import Scene, ground_heights

_FLAT_M = 1e-6


def lift_over(reference: Reference, scene: Scene) -> Array:
    """(T,) how far each tick is to be lifted [m] so that the root is as far above the ground as above the flat floor.

    Where the ground changes at once, the lift follows the parabola of a free fall: down after an edge, up before one.
    """
    heights = ground_heights(scene, reference.qpos[:, :2])
    times_s = np.arange(len(heights)) / reference.rate_hz
    falls = 0.5 * scene.gravity_m_s2 * np.square(times_s[:, None] - times_s[None])
    return (heights[None] - falls).max(axis=1)


def lifted(reference: Reference, lift_m: Array) -> Reference:
    """The reference with every tick lifted by lift_m (T,) [m]."""
    if np.abs(lift_m).max() < _FLAT_M:
        return reference
    qpos = reference.qpos.copy()
    qpos[:, 2] += lift_m
    return replace(reference, qpos=qpos, qvel=velocities(reference.character.model, qpos, reference.rate_hz))
