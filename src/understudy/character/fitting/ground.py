"""The places of a character nearest the floor: the lowest points of its geoms.

Letters: T poses, G geoms that can collide.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from understudy import rotations
from understudy.character.fitting.kinematics import Postures
from understudy.rotations import Array

_FEW_VERTICES = 64
_GEOM = mujoco.mjtGeom


@dataclass(frozen=True)
class Shape:
    """One collision geom.

    Attributes:
        body: the body it is fixed to, the world not counted.
        place, turn: its frame in the body's.
        kind: MuJoCo's geom type.
        size: MuJoCo's sizes.
        vertices: (N, 3) corners, for a mesh.
    """

    body: int
    place: Array
    turn: Array
    kind: int
    size: Array
    vertices: Array

    def farthest(self, directions: Array) -> Array:
        """The points (T, 3) of the shape, in its frame, that lie farthest along directions (T, 3)."""
        size = self.size
        if self.kind == _GEOM.mjGEOM_MESH:
            return self.vertices[np.argmax(directions @ self.vertices.T, axis=1)]
        if self.kind == _GEOM.mjGEOM_BOX:
            return np.sign(directions) * size
        if self.kind == _GEOM.mjGEOM_ELLIPSOID:
            return size * rotations.normalize(size * directions)
        if self.kind == _GEOM.mjGEOM_SPHERE:
            return size[0] * directions
        along = np.sign(directions[:, 2:]) * np.array([0.0, 0.0, size[1]])
        if self.kind == _GEOM.mjGEOM_CAPSULE:
            return along + size[0] * directions
        return along + size[0] * rotations.normalize(directions * np.array([1.0, 1.0, 0.0]))  # a cylinder


def shapes(model: mujoco.MjModel) -> tuple[Shape, ...]:
    """The model's geoms that can collide (all of them if none can), planes and height fields left out."""
    flat = (_GEOM.mjGEOM_PLANE, _GEOM.mjGEOM_HFIELD)
    solid = [g for g in range(model.ngeom) if model.geom_bodyid[g] > 0 and model.geom_type[g] not in flat]
    colliding = [g for g in solid if model.geom_contype[g] or model.geom_conaffinity[g]]
    return tuple(_shape(model, geom) for geom in colliding or solid)


def _shape(model: mujoco.MjModel, geom: int) -> Shape:
    vertices = np.zeros((0, 3))
    if model.geom_type[geom] == _GEOM.mjGEOM_MESH:
        mesh = model.geom_dataid[geom]
        begin, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        vertices = _outermost(np.asarray(model.mesh_vert[begin : begin + count], float))
    return Shape(
        int(model.geom_bodyid[geom]) - 1,
        np.array(model.geom_pos[geom]),
        np.array(model.geom_quat[geom]),
        int(model.geom_type[geom]),
        np.array(model.geom_size[geom]),
        vertices,
    )


def _outermost(vertices: Array) -> Array:
    """A few vertices (N, 3) that span the hull: those farthest in evenly spread directions (a Fibonacci sphere)."""
    count = 4 * _FEW_VERTICES
    z = 1.0 - 2.0 * (np.arange(count) + 0.5) / count
    turn = np.pi * (1.0 + np.sqrt(5.0)) * np.arange(count)
    ring = np.sqrt(1.0 - z**2)
    directions = np.stack([ring * np.cos(turn), ring * np.sin(turn), z], axis=1)
    return vertices[np.unique(np.argmax(directions @ vertices.T, axis=1))]


def lowest_points(parts: tuple[Shape, ...], postures: Postures) -> Array:
    """(T, G, 3) the lowest point of every shape [m]."""
    result = np.empty((len(postures.positions_w), len(parts), 3))
    for g, part in enumerate(parts):
        result[:, g] = lowest_point(part, postures.positions_w[:, part.body], postures.rotations_w[:, part.body])
    return result


def lowest_point(part: Shape, places_w: Array, turns_w: Array) -> Array:
    """(T, 3) the lowest point [m] of a shape whose body is at places_w (T, 3), turned by turns_w (T, 4)."""
    turned = rotations.multiply(turns_w, part.turn)
    down = rotations.rotate(rotations.conjugate(turned), np.array([0.0, 0.0, -1.0]))
    return places_w + rotations.rotate(turns_w, part.place) + rotations.rotate(turned, part.farthest(down))


def farthest_point(part: Shape, place_w: Array, turn_w: Array, direction: Array) -> Array:
    """(3,) the point [m] farthest along a direction of a shape whose body is at place_w (3,), turned by turn_w (4,)."""
    turned = rotations.multiply(turn_w, part.turn)
    local = part.farthest(rotations.rotate(rotations.conjugate(turned), direction)[None])[0]
    return place_w + rotations.rotate(turn_w, part.place) + rotations.rotate(turned, local)
