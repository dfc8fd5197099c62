"""What every element of a scene shares: the contract, and the builder it adds its solids with."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import mujoco
import numpy as np

from understudy import rotations
from understudy.rotations import Array

Look = Literal["ground", "stone", "wood", "mat", "steel", "prop"]
Shape = Literal["plane", "box", "sphere", "capsule", "cylinder", "hfield"]

MATERIAL_PREFIX = "scene_"
EVERYTHING = (1 << 30) - 1
"""Contact bits of a scene's solids: they meet whatever has a bit of its own."""

_SHAPES = {
    "plane": mujoco.mjtGeom.mjGEOM_PLANE,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "hfield": mujoco.mjtGeom.mjGEOM_HFIELD,
}
_HARD_SOLREF, _HARD_SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)  # MuJoCo's own defaults


@dataclass(frozen=True)
class Solid:
    """One shape of an element, in the frame of the world or of the body that carries it.

    Attributes:
        shape: what it is.
        size: half-sizes as MuJoCo takes them [m]: box (x, y, z), sphere (r,), capsule and cylinder (r, half-length),
            plane (x, y, grid), hfield (x, y).
        place: (3,) its centre [m].
        rotation: (4,) its quaternion.
        look: which of the scene's materials it wears.
        friction: sliding friction; None is the scene's.
        solref, solimp: MuJoCo's contact softness.
        mass_kg: of a solid that a free body carries.
        heights: of an hfield, (rows along y, columns along x) [m], none below 0.
    """

    shape: Shape
    size: Sequence[float] | Array
    place: Sequence[float] | Array = (0.0, 0.0, 0.0)
    rotation: Sequence[float] | Array = (1.0, 0.0, 0.0, 0.0)
    look: Look = "stone"
    friction: float | None = None
    solref: tuple[float, float] = _HARD_SOLREF
    solimp: tuple[float, float, float, float, float] = _HARD_SOLIMP
    mass_kg: float = 0.0
    heights: Array | None = None


@dataclass
class Builder:
    """Adds solids to an MjSpec under names that stay unique, with the scene's friction.

    Every property of a geom is set, so that the defaults of a character the scene is built around don't leak into it.
    """

    spec: mujoco.MjSpec
    friction: float
    _taken: set[str] = field(init=False)

    def __post_init__(self) -> None:
        kinds = (self.spec.bodies, self.spec.geoms, self.spec.joints, self.spec.hfields)
        self._taken = {item.name for kind in kinds for item in kind}

    def unique(self, name: str) -> str:
        """``box``, then ``box_2``, ``box_3``."""
        numbered = (f"{name}_{i}" for i in itertools.count(2))
        result = next(candidate for candidate in itertools.chain([name], numbered) if candidate not in self._taken)
        self._taken.add(result)
        return result

    def fixed(self, name: str, *solids: Solid) -> None:
        """Solids that never move; where they meet anything, their friction and softness decide."""
        for solid in solids:
            self._add(self.spec.worldbody, self.unique(name), solid, priority=1)

    def free(self, name: str, place: Sequence[float], rotation: Sequence[float] | Array, *solids: Solid) -> None:
        """One free body of solids given in its own frame."""
        name = self.unique(name)
        body = self.spec.worldbody.add_body(name=name, pos=list(place), quat=list(rotation))
        body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_FREE, damping=0, armature=0, frictionloss=0)
        for solid in solids:
            self._add(body, self.unique(f"{name}_part"), solid, priority=0)

    def _add(self, body: mujoco.MjsBody, name: str, solid: Solid, priority: int) -> None:
        friction = self.friction if solid.friction is None else solid.friction
        size = np.zeros(3)
        if solid.heights is None:  # a height field brings its own
            size[: len(solid.size)] = solid.size
        geom = body.add_geom(name=name, type=_SHAPES[solid.shape], size=size, pos=list(solid.place))
        geom.quat = rotations.normalize(solid.rotation)
        geom.material = MATERIAL_PREFIX + solid.look
        geom.rgba = [0.5, 0.5, 0.5, 1.0]
        geom.group, geom.condim, geom.priority = 0, 3, priority
        geom.contype, geom.conaffinity = EVERYTHING, EVERYTHING
        geom.friction = [friction, 0.005, 0.0001]
        geom.solref, geom.solimp = list(solid.solref), list(solid.solimp)
        geom.solmix, geom.margin, geom.gap = 1.0, 0.0, 0.0
        if solid.heights is not None:
            geom.hfieldname = self._height_field(name, solid.size, solid.heights)
        if solid.mass_kg > 0:
            geom.mass = solid.mass_kg

    def _height_field(self, name: str, half_size: Sequence[float] | Array, heights: Array) -> str:
        top = float(max(heights.max(), 1e-3))
        rows, columns = heights.shape
        self.spec.add_hfield(
            name=name, nrow=rows, ncol=columns, size=[*half_size, top, 0.1], userdata=(heights / top).ravel().tolist()
        )
        return name


class Element(ABC):
    """A thing in a scene: a frozen dataclass with its measures, and this one method.

    Attributes:
        is_ground: whether one moves over it as over ground of that height, so that clips are laid over it.
    """

    is_ground: ClassVar[bool] = True

    @abstractmethod
    def add_to(self, builder: Builder) -> None:
        """Add the element's solids."""
