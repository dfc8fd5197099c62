"""Contacts, marked: a disc where the figure bears on the world, an arrow for the force on it."""

from __future__ import annotations

import mujoco
import numpy as np

from understudy.rotations import Array
from understudy.stage import look
from understudy.stage.performance import Touches

MOST_MARKS = 400
_DISC_M, _DISC_HEIGHT_M, _SHAFT_M = 0.055, 0.006, 0.013  # at a person's scale
_ARROW_M_PER_WEIGHT = 0.5  # length of the arrow of a force that carries the whole figure
_SMALLEST_SHARE = 0.02  # of the weight; arrows of smaller forces are left out


def add_marks(scene: mujoco.MjvScene, touches: Touches, weight_n: float, scale: float) -> None:
    """Add the marks to a scene that has been filled; lengths follow the figure's scale."""
    flat = np.array([_DISC_M, _DISC_M, _DISC_HEIGHT_M]) * scale
    for place in touches.positions_w:
        _add(scene, mujoco.mjtGeom.mjGEOM_ELLIPSOID, flat, place)
    if touches.forces_w is None:
        return
    for place, force in zip(touches.positions_w, touches.forces_w, strict=True):
        share = force / weight_n
        if np.linalg.norm(share) < _SMALLEST_SHARE:
            continue
        arrow = _add(scene, mujoco.mjtGeom.mjGEOM_ARROW, flat, place)
        if arrow is not None:
            tip = place + share * _ARROW_M_PER_WEIGHT * scale
            mujoco.mjv_connector(arrow, mujoco.mjtGeom.mjGEOM_ARROW, _SHAFT_M * scale, place, tip)


def _add(scene: mujoco.MjvScene, kind: mujoco.mjtGeom, size: Array, place: Array) -> mujoco.MjvGeom | None:
    if scene.ngeom >= scene.maxgeom:
        return None
    geom = scene.geoms[scene.ngeom]
    scene.ngeom += 1
    colour = np.array([*look.CONTACT, 1.0], np.float32)
    mujoco.mjv_initGeom(geom, kind, size, np.array(place, float), np.eye(3).ravel(), colour)
    geom.category, geom.castshadow, geom.emission = mujoco.mjtCatBit.mjCAT_DECOR, False, 0.3
    return geom
