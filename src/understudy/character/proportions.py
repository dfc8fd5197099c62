"""Longer and shorter, thicker and thinner body parts: a physique stretched along its bones and around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from understudy import rotations
from understudy.character.physique import Physique
from understudy.character.shape import Shape
from understudy.rotations import Array


def reshaped(physique: Physique, stretch: Mapping[str, float], girth: Mapping[str, float]) -> Physique:
    """The physique with some parts so many times as long, and some so many times as thick.

    Places on a part are stretched along its bone, which leads from its near joint to those of the parts that hang on
    it, or to the middle of its shapes where there is none; what hangs on it moves along, and the soles stay down. Girth
    is that of its shapes: round ones get thicker, all move away from the bone, and boxes keep their size.
    """
    stretches = _stretches(physique, stretch, girth)
    nears = [stretch.near for stretch in stretches.values()]
    lowest, down = (min(place[2] for place in each) for each in (physique.places.values(), nears))
    rise = np.array([0.0, 0.0, lowest - down])
    moved = {part: replace(stretch, near=stretch.near + rise) for part, stretch in stretches.items()}
    return replace(
        physique,
        places={part: moved[part].near for part in physique.places},
        centres={part: moved[part].place(centre) for part, centre in physique.centres.items()},
        shapes={
            name: tuple(moved[name.split("+")[0]].shape(shape) for shape in shapes)
            for name, shapes in physique.shapes.items()
        },
    )


@dataclass(frozen=True)
class _Stretch:
    """What happens to the places of one part.

    Attributes:
        before, near: (3,) its near joint before and after [m].
        along: (3,) the direction of its bone.
        factor: how many times as long it gets.
        girth: how many times as thick.
    """

    before: Array
    near: Array
    along: Array
    factor: float
    girth: float

    def place(self, place: Array) -> Array:
        """Places (..., 3) on the part, after."""
        own = place - self.before
        return self.near + own + (self.factor - 1.0) * (own @ self.along)[..., None] * self.along

    def shape(self, shape: Shape) -> Shape:
        if shape.kind == "ellipsoid":
            halves = shape.points[1] * (self.girth + (self.factor - self.girth) * self.along**2)
            return replace(shape, points=np.stack([self._outwards(shape.points[0]), halves]))
        if shape.kind == "box":
            outwards = self._outwards(shape.centre) - self.place(shape.centre)
            return replace(shape, points=self.place(shape.points) + outwards)
        return replace(shape, points=self._outwards(shape.points), radius=self.girth * shape.radius)

    def _outwards(self, place: Array) -> Array:
        """Places (..., 3) in the flesh of the part, after: farther from the bone."""
        own = place - self.before
        return self.place(place) + (self.girth - 1.0) * (own - (own @ self.along)[..., None] * self.along)


def _stretches(physique: Physique, stretch: Mapping[str, float], girth: Mapping[str, float]) -> dict[str, _Stretch]:
    """Part by part, each after the one it hangs on."""
    result: dict[str, _Stretch] = {}
    for part in sorted(physique.places, key=lambda part: len(_above(physique, part))):
        before, parent = physique.places[part], physique.parents.get(part)
        near = result[parent].place(before) if parent in result else before
        factors = stretch.get(part, 1.0), girth.get(part, 1.0)
        result[part] = _Stretch(before, near, _along(physique, part), *factors)
    return result


def _above(physique: Physique, part: str) -> list[str]:
    """The parts between one and the root."""
    result = []
    parent = physique.parents.get(part)
    while parent is not None:
        result.append(parent)
        parent = physique.parents.get(parent)
    return result


def _along(physique: Physique, part: str) -> Array:
    """(3,) direction of a part's bone; up where it has no length."""
    near = physique.places[part]
    ends = [physique.places[child] for child, parent in physique.parents.items() if parent == part]
    ends = ends or [shape.centre for shape in physique.shapes.get(part, ())]
    way = np.mean(ends, axis=0) - near if ends else np.zeros(3)
    return rotations.normalize(way) if np.linalg.norm(way) > 1e-9 else np.array([0.0, 0.0, 1.0])
