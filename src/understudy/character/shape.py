"""Solids a character's bodies are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import mujoco
import numpy as np

from understudy import rotations
from understudy.rotations import Array

ShapeKind = Literal["capsule", "box", "sphere", "ellipsoid"]
SHAPE_KINDS: tuple[ShapeKind, ...] = get_args(ShapeKind)


@dataclass(frozen=True)
class ShapeRow:
    """A solid as a file lists it, in the file's units: one of the four kinds, with points as ``Shape`` has them.

    Attributes:
        radius: of capsules and spheres.
        colour: a name the physique knows; its side's when empty.
        show: whether it is only seen.
    """

    capsule: tuple[tuple[float, ...], ...] = ()
    box: tuple[tuple[float, ...], ...] = ()
    sphere: tuple[tuple[float, ...], ...] = ()
    ellipsoid: tuple[tuple[float, ...], ...] = ()
    radius: float = 0.0
    colour: str = ""
    show: bool = False


@dataclass(frozen=True)
class Shape:
    """One solid in the rest pose, in world places [m].

    Attributes:
        kind: a capsule between two points, a box between two opposite corners, a sphere at a point, or an ellipsoid of
            a middle and three half-widths.
        points: (2, 3), or (1, 3) for a sphere.
        radius: of capsules and spheres [m], 0 for others.
        colour: (3,) red, green, blue from 0 to 1.
        show: whether it is only seen: no mass, no contact.
        turn: (4,) how a box or ellipsoid is turned about its middle.
    """

    kind: ShapeKind
    points: Array
    radius: float
    colour: Array
    show: bool = False
    turn: Array = field(default_factory=lambda: rotations.IDENTITY)

    @property
    def centre(self) -> Array:
        """(3,) [m]."""
        return self.points[0] if self.kind == "ellipsoid" else self.points.mean(axis=0)

    @property
    def volume(self) -> float:
        """[m3]; zero for what is only seen."""
        if self.show:
            return 0.0
        if self.kind == "box":
            return float(np.prod(np.abs(self.points[1] - self.points[0])))
        if self.kind == "ellipsoid":
            return float(4.0 / 3.0 * np.pi * np.prod(self.points[1]))
        length = float(np.linalg.norm(self.points[-1] - self.points[0]))
        return float(np.pi * self.radius**2 * (length + 4.0 / 3.0 * self.radius))


def add_shape(body: mujoco.MjsBody, name: str, shape: Shape, place: Array, turn: Array, mass_kg: float) -> None:
    """Add a geom to a body whose frame lies at ``place`` (3,), turned by ``turn`` (4,), in the rest pose."""
    geom = body.add_geom(name=name, mass=mass_kg, rgba=[*shape.colour, 1.0])
    back = rotations.conjugate(turn)
    if shape.kind == "capsule":
        geom.type = mujoco.mjtGeom.mjGEOM_CAPSULE
        geom.fromto, geom.size = rotations.rotate(back, shape.points - place).ravel(), [shape.radius, 0.0, 0.0]
    else:
        geom.pos, geom.quat = rotations.rotate(back, shape.centre - place), rotations.multiply(back, shape.turn)
    if shape.kind == "box":
        geom.type, geom.size = mujoco.mjtGeom.mjGEOM_BOX, 0.5 * np.abs(shape.points[1] - shape.points[0])
    elif shape.kind == "ellipsoid":
        geom.type, geom.size = mujoco.mjtGeom.mjGEOM_ELLIPSOID, shape.points[1]
    elif shape.kind == "sphere":
        geom.type, geom.size = mujoco.mjtGeom.mjGEOM_SPHERE, [shape.radius, 0.0, 0.0]
    if shape.show:
        geom.contype = geom.conaffinity = 0
        geom.group = 1
