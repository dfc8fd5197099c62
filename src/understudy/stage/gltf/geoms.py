"""The surfaces of a model's geoms, each in its own frame."""

from __future__ import annotations

import mujoco
import numpy as np

from understudy import rotations
from understudy.rotations import Array
from understudy.stage.gltf import shapes
from understudy.stage.gltf.surface import Surface

_Kind = mujoco.mjtGeom
_DRAWN = (
    _Kind.mjGEOM_PLANE,
    _Kind.mjGEOM_HFIELD,
    _Kind.mjGEOM_SPHERE,
    _Kind.mjGEOM_CAPSULE,
    _Kind.mjGEOM_ELLIPSOID,
    _Kind.mjGEOM_CYLINDER,
    _Kind.mjGEOM_BOX,
    _Kind.mjGEOM_MESH,
    _Kind.mjGEOM_SDF,
)


def geom_kind(model: mujoco.MjModel, geom: int) -> mujoco.mjtGeom:
    """What shape a geom is of; MuJoCo's arrays hold numbers, which are not found among kinds."""
    return _Kind(int(model.geom_type[geom]))


def has_surface(model: mujoco.MjModel, geom: int) -> bool:
    """Whether a geom is of a kind that has a surface here."""
    return geom_kind(model, geom) in _DRAWN


def geom_surface(model: mujoco.MjModel, geom: int, reach: Array) -> Surface:
    """The surface of a geom that has one; reach (2, 2) [m] has the corners, in its frame, of a plane without end."""
    kind, size, data = geom_kind(model, geom), model.geom_size[geom], int(model.geom_dataid[geom])
    if kind == _Kind.mjGEOM_PLANE:
        endless = size[:2] <= 0.0
        return _tiled(shapes.plane(*np.where(endless, reach, [-size[:2], size[:2]])))
    if kind == _Kind.mjGEOM_HFIELD:
        return _terrain(model, data)
    if kind in (_Kind.mjGEOM_MESH, _Kind.mjGEOM_SDF):
        return _mesh(model, data)
    if kind == _Kind.mjGEOM_SPHERE:
        return shapes.sphere(size[0])
    if kind == _Kind.mjGEOM_CAPSULE:
        return shapes.capsule(*size[:2])
    if kind == _Kind.mjGEOM_CYLINDER:
        return shapes.cylinder(*size[:2])
    return shapes.box(size) if kind == _Kind.mjGEOM_BOX else shapes.ellipsoid(size)


def _tiled(plane: Surface) -> Surface:
    """A plane with a texture that covers a metre; materials say how often it is repeated."""
    return Surface(plane.vertices, plane.normals, plane.triangles, plane.vertices[:, :2])


def _terrain(model: mujoco.MjModel, field: int) -> Surface:
    rows, columns, first = model.hfield_nrow[field], model.hfield_ncol[field], model.hfield_adr[field]
    half_x, half_y, top, _ = model.hfield_size[field]
    heights = model.hfield_data[first : first + rows * columns].reshape(rows, columns).astype(float)
    return shapes.terrain(np.array([half_x, half_y]), top * heights)


def _mesh(model: mujoco.MjModel, mesh: int) -> Surface:
    """A corner of a triangle has its place, its normal and its texel; equal corners become one vertex."""
    faces = slice(model.mesh_faceadr[mesh], model.mesh_faceadr[mesh] + model.mesh_facenum[mesh])
    columns = [model.mesh_face[faces].ravel(), model.mesh_facenormal[faces].ravel()]
    if model.mesh_texcoordadr[mesh] >= 0:
        columns.append(model.mesh_facetexcoord[faces].ravel())
    corners, found = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    normals = model.mesh_normal[model.mesh_normaladr[mesh] + corners[:, 1]].astype(float)
    normals[np.linalg.norm(normals, axis=1) < 0.5] = [0.0, 0.0, 1.0]  # of triangles that are none
    return Surface(
        model.mesh_vert[model.mesh_vertadr[mesh] + corners[:, 0]].astype(float),
        rotations.normalize(normals),
        found.reshape(-1, 3).astype(np.int64),
        model.mesh_texcoord[model.mesh_texcoordadr[mesh] + corners[:, 2]].astype(float) if len(columns) > 2 else None,
    )
