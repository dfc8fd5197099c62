"""Marks of what acts on a figure: a disc where it touches the world, arrows for contact forces and pushes."""

from __future__ import annotations

import mujoco
import numpy as np

from understudy.rotations import Array
from understudy.stage import look
from understudy.stage.performance import Forces, Touches

MOST_MARKS = 400
_DISC_M, _DISC_HEIGHT_M, _SHAFT_M = 0.05, 0.005, 0.018  # at a person's scale
_ARROW_M_PER_WEIGHT, _LONGEST_ARROW_M = 0.6, 1.2
_SMALLEST_SHARE = 0.03  # of the weight; arrows of smaller forces are left out


def add_discs(scene: mujoco.MjvScene, touches: Touches, scale: float) -> None:
    """Add a disc at each place that touches; lengths follow the figure's scale."""
    size = np.array([_DISC_M, _DISC_M, _DISC_HEIGHT_M]) * scale
    for place in touches.places_w:
        _add(scene, mujoco.mjtGeom.mjGEOM_ELLIPSOID, size, place, look.CONTACT)


def add_arrows(scene: mujoco.MjvScene, touches: Touches, weight_n: float, scale: float) -> None:
    """Add an arrow from where each body is borne, and one to where it is pushed; one of weight_n [N] is 0.6 m."""
    if touches.loads is not None:
        _add_arrows(scene, touches.loads, weight_n, scale, look.FORCE, ends_there=False)
    if touches.pushes is not None:
        _add_arrows(scene, touches.pushes, weight_n, scale, look.INK, ends_there=True)


def _add_arrows(
    scene: mujoco.MjvScene, forces: Forces, weight_n: float, scale: float, colour: look.Colour, *, ends_there: bool
) -> None:
    for place, force in zip(forces.places_w, forces.forces_w, strict=True):
        share = force / weight_n
        size = float(np.linalg.norm(share))
        if not np.isfinite(size) or size < _SMALLEST_SHARE:
            continue
        way = share / size * min(size * _ARROW_M_PER_WEIGHT, _LONGEST_ARROW_M) * scale
        arrow = _add(scene, mujoco.mjtGeom.mjGEOM_ARROW, np.ones(3), place, colour)
        if arrow is not None:
            arrow.emission = 0.3
            begin = place - way if ends_there else place
            far = begin + 2.0 * way  # MuJoCo draws an arrow half as long as the way it is given
            mujoco.mjv_connector(arrow, mujoco.mjtGeom.mjGEOM_ARROW, _SHAFT_M * scale, begin, far)


def _add(
    scene: mujoco.MjvScene, kind: mujoco.mjtGeom, size: Array, place: Array, colour: look.Colour
) -> mujoco.MjvGeom | None:
    if scene.ngeom >= scene.maxgeom:
        return None
    geom = scene.geoms[scene.ngeom]
    scene.ngeom += 1
    rgba = np.array([*colour, 1.0], np.float32)
    mujoco.mjv_initGeom(geom, kind, size, np.array(place, float), np.eye(3).ravel(), rgba)
    geom.category, geom.castshadow, geom.specular = mujoco.mjtCatBit.mjCAT_DECOR, False, 0.0
    return geom
