"""The Surface: triangles with normals, of one shape or of several together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.records import frozen
from understudy.rotations import Array, IntArray


@dataclass(frozen=True)
class Surface:
    """F triangles on V vertices.

    Attributes:
        vertices: (V, 3) [m].
        normals: (V, 3) outwards, of unit length.
        triangles: (F, 3) vertices, counter-clockwise seen from outside.
        texels: (V, 2) where each vertex is in a texture, from its upper left, 1 being its width and height; or None.
    """

    vertices: Array
    normals: Array
    triangles: IntArray
    texels: Array | None = None

    def __post_init__(self) -> None:
        frozen(self, vertices=self.vertices, normals=self.normals, triangles=self.triangles, texels=self.texels)

    def placed(self, position: Array, rotation: Array) -> Surface:
        """The same turned by a quaternion (4,) and then moved by (3,) [m]."""
        vertices = rotations.rotate(rotation, self.vertices) + position
        return Surface(vertices, rotations.rotate(rotation, self.normals), self.triangles, self.texels)


def joined(surfaces: Sequence[Surface]) -> Surface:
    """All of them in one, in their order; texels only where all have some."""
    firsts = np.cumsum([0, *[len(surface.vertices) for surface in surfaces[:-1]]])
    texels = [surface.texels for surface in surfaces if surface.texels is not None]
    return Surface(
        np.concatenate([surface.vertices for surface in surfaces]),
        np.concatenate([surface.normals for surface in surfaces]),
        np.concatenate([surface.triangles + first for surface, first in zip(surfaces, firsts, strict=True)]),
        np.concatenate(texels) if len(texels) == len(surfaces) else None,
    )
