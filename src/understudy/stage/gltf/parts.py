"""The Parts: everything of a staged model that is to be seen, as surfaces with paint."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from understudy import rotations
from understudy.rotations import Array
from understudy.stage import look
from understudy.stage.gltf.geoms import geom_kind, geom_surface, has_surface
from understudy.stage.gltf.paint import Paint, geom_paint
from understudy.stage.gltf.surface import Surface
from understudy.stage.staging import GHOST_GROUP, Staging

_GHOST_ALPHA = 0.35
_MARGIN_M = 1.0  # of an endless ground around all there is, at a person's scale


@dataclass(frozen=True)
class Part:
    """One geom, its surface in the frame of its body."""

    body: int
    name: str
    surface: Surface
    paint: Paint


def visible_parts(staging: Staging, places_w: Array) -> list[Part]:
    """What MuJoCo would draw of a staging's model.

    An endless ground becomes a rectangle under the scenery and places_w (N, 3) [m].
    """
    model = staging.model
    shown = _shown(staging)
    planes = model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE
    scenery = staging.corners((model.body_weldid[model.geom_bodyid] == 0) & ~planes)
    places_w = np.concatenate([places_w, scenery])
    return [_part(staging, geom, shown[geom], places_w) for geom in sorted(shown) if has_surface(model, geom)]


def _shown(staging: Staging) -> dict[int, Array]:
    """The colours (4,) of the geoms MuJoCo would draw: what is hidden or wholly transparent is not among them."""
    model, option = staging.model, mujoco.MjvOption()
    option.geomgroup[GHOST_GROUP] = True
    model.geom_rgba[staging.ghost_geoms] = (*look.GHOST, _GHOST_ALPHA)
    model.geom_matid[staging.ghost_geoms] = -1
    mujoco.mj_kinematics(model, staging.data)
    mujoco.mj_camlight(model, staging.data)
    scene, camera = mujoco.MjvScene(model, 2 * model.ngeom + 100), mujoco.MjvCamera()
    mujoco.mjv_updateScene(model, staging.data, option, None, camera, int(mujoco.mjtCatBit.mjCAT_ALL), scene)
    drawn = [geom for geom in scene.geoms[: scene.ngeom] if geom.objtype == mujoco.mjtObj.mjOBJ_GEOM]
    return {geom.objid: np.array(geom.rgba, float) for geom in drawn}


def _part(staging: Staging, geom: int, rgba: Array, places_w: Array) -> Part:
    model = staging.model
    surface = geom_surface(model, geom, _reach(staging, geom, places_w))
    paint = geom_paint(model, geom, rgba, has_texels=surface.texels is not None)
    if surface.texels is not None:
        texels = surface.texels * paint.repeat if paint.texture is not None else None
        surface = Surface(surface.vertices, surface.normals, surface.triangles, texels)
    placed = surface.placed(model.geom_pos[geom], model.geom_quat[geom])
    return Part(int(model.geom_bodyid[geom]), _name(model, geom), placed, paint)


def _reach(staging: Staging, geom: int, places_w: Array) -> Array:
    """(2, 2) corners, in the geom's frame, of a rectangle under all places, whole tiles from its middle [m]."""
    turned = rotations.from_matrix(staging.data.geom_xmat[geom].reshape(3, 3))
    places = rotations.rotate(rotations.conjugate(turned), places_w - staging.data.geom_xpos[geom])[:, :2]
    margin, tile = _MARGIN_M * staging.scale, 2.0 * look.TILE_M * staging.scale
    low, high = places.min(axis=0) - margin, places.max(axis=0) + margin
    return tile * np.array([np.floor(low / tile), np.ceil(high / tile)])


def _name(model: mujoco.MjModel, geom: int) -> str:
    """The geom's own, or what kind of shape it is."""
    kind = geom_kind(model, geom).name
    return model.geom(geom).name.removeprefix("understudy/") or kind.removeprefix("mjGEOM_").lower()
