"""How high the ground of a scene is: what a clip that was recorded on a flat floor has to be laid over."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from understudy.rotations import Array
from understudy.simulation.engine import be_quiet
from understudy.simulation.scene import Scene

_ABOVE_M = 100.0


def ground_heights(scene: Scene, places: Array) -> Array:
    """(N,) height of the ground at level places (N, 2) [m]; 0 where there is none.

    Furniture, walls, props, and what is only rough (pebbles) are no ground.
    """
    be_quiet()
    ground = replace(scene, elements=tuple(item for item in scene.elements if item.is_ground))
    spec = mujoco.MjSpec()
    ground.add_to(spec)
    for geom in spec.geoms:
        geom.material = ""
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    down, hit = np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    distances = [
        mujoco.mj_ray(model, data, np.array([x, y, _ABOVE_M]), down, None, 1, -1, hit) for x, y in np.asarray(places)
    ]
    return np.array([_ABOVE_M - distance if distance >= 0.0 else 0.0 for distance in distances])
