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


def arrow_ends(touches: Touches, weight_n: float, scale: float) -> Array:
    """(N, 3) both ends of all arrows [m]."""
    ends = [np.zeros((0, 3))]
    for forces, ends_there in ((touches.loads, False), (touches.pushes, True)):
        if forces is not None:
            arrows = _arrows(forces, weight_n, scale, ends_there=ends_there)
            ends += [np.array([begin, begin + way]) for begin, way in arrows]
    return np.concatenate(ends)


def _arrows(forces: Forces, weight_n: float, scale: float, *, ends_there: bool) -> list[tuple[Array, Array]]:
    """Where each arrow begins (3,), and its way from there (3,) [m]; those too small to see are left out."""
    result = []
    for place, force in zip(forces.places_w, forces.forces_w, strict=True):
        share = force / weight_n
        size = float(np.linalg.norm(share))
        if np.isfinite(size) and size >= _SMALLEST_SHARE:
            way = share / size * min(size * _ARROW_M_PER_WEIGHT, _LONGEST_ARROW_M) * scale
            result.append((place - way if ends_there else place, way))
    return result


def _add_arrows(
    scene: mujoco.MjvScene, forces: Forces, weight_n: float, scale: float, colour: look.Colour, *, ends_there: bool
) -> None:
    for begin, way in _arrows(forces, weight_n, scale, ends_there=ends_there):
        arrow = _add(scene, mujoco.mjtGeom.mjGEOM_ARROW, np.ones(3), begin, colour)
        if arrow is not None:
            arrow.emission = 0.3
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
