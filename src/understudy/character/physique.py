"""Physiques: the shapes of body parts in the rest pose, from TOML files, scaled to a stature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from understudy import anthropometry
from understudy.character.shape import SHAPE_KINDS, Shape, ShapeRow
from understudy.character.table import read_toml, sided, sides_of
from understudy.character.typed import filled
from understudy.errors import FileError
from understudy.rotations import Array

PHYSIQUES = Path(__file__).parent / "physiques"
_MIRROR = np.array([1.0, -1.0, 1.0])


@dataclass(frozen=True)
class Physique:
    """Body parts with their shapes, places, parents and shares of the mass, all scaled.

    Attributes:
        shapes: part, or parts joined by ``+`` where they look different together, to shapes.
        places: part to (3,) its near joint [m].
        centres: part to (3,) its centre of mass [m].
        parents: part to the part it hangs on.
        mass_fractions: part to share of the body's mass.
        colours: name to (3,).
        scale: metres per unit of the file.
    """

    shapes: Mapping[str, tuple[Shape, ...]]
    places: Mapping[str, Array]
    centres: Mapping[str, Array]
    parents: Mapping[str, str | None]
    mass_fractions: Mapping[str, float]
    colours: Mapping[str, Array]
    scale: float

    def shapes_of(self, parts: Sequence[str]) -> tuple[Shape, ...]:
        """The shapes of a body made of these parts."""
        joined = self.shapes.get("+".join(parts))
        return joined if joined is not None else tuple(s for part in parts for s in self.shapes.get(part, ()))


@dataclass(frozen=True)
class _Contents:
    """A physique's file; places, parents and masses are those of ``anthropometry`` when left out."""

    height: float
    colours: Mapping[str, tuple[float, ...]]
    shapes: Mapping[str, Any]
    places: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)
    masses: Mapping[str, float] = field(default_factory=dict)


def read_physique(name: str, beside: Path, height_m: float, colours: Mapping[str, Sequence[float]]) -> Physique:
    """Read the named physique, from the folder of the table ``beside`` or else the bundled ones, scaled to height_m.

    Its colours give way to those of the same name in ``colours``.
    """
    path = beside.with_name(f"{Path(name).name}.physique.toml")
    path = path if path.is_file() else PHYSIQUES / f"{Path(name).name}.toml"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in PHYSIQUES.glob("*.toml")))
        raise FileError(beside, f"there is no physique '{name}'", hint=f"there are: {known}")
    contents = filled(path, _Contents, read_toml(path), "")
    if contents.height <= 0.0:
        raise FileError(path, f"height must be above 0, not {contents.height:g}")
    tints = _colours(path, contents.colours) | _colours(beside, colours)
    scale = height_m / contents.height
    parts = _own_parts(path, contents, scale) if contents.places else _adult_parts(scale)
    return replace(parts, shapes=_shapes(path, contents, tints, scale), colours=tints)


def _colours(path: Path, colours: Mapping[str, Sequence[float]]) -> dict[str, Array]:
    result = {name: np.array(colour) for name, colour in colours.items()}
    wrong = [name for name, tint in result.items() if tint.shape != (3,) or tint.min() < 0.0 or tint.max() > 1.0]
    if wrong:
        raise FileError(path, f"colour '{wrong[0]}' is not three numbers from 0 to 1")
    return result


def _adult_parts(scale: float) -> Physique:
    return Physique(
        shapes={},
        places=anthropometry.joint_places(scale),
        centres=anthropometry.mass_centres(scale),
        parents=anthropometry.PARENTS,
        mass_fractions=anthropometry.MASS_FRACTIONS,
        colours={},
        scale=scale,
    )


def _own_parts(path: Path, contents: _Contents, scale: float) -> Physique:
    """Parts as the file places them, the right ones mirrored."""
    places = {}
    for name, place in contents.places.items():
        if len(place) != 3:
            raise FileError(path, f"places: '{name}' is not three numbers")
        for side in sides_of(name):
            places[sided(name, side)] = scale * np.array(place) * (_MIRROR if side == "right_" else 1.0)
    parents = {sided(n, side): sided(p, side) or None for n, p in contents.parents.items() for side in sides_of(n)}
    masses = {sided(n, side): mass for n, mass in contents.masses.items() for side in sides_of(n)}
    return Physique({}, places, {}, parents, masses, {}, scale)


def _shapes(
    path: Path, contents: _Contents, colours: Mapping[str, Array], scale: float
) -> dict[str, tuple[Shape, ...]]:
    result = {}
    for name, rows in contents.shapes.items():
        if not isinstance(rows, list):
            raise FileError(path, f"shapes: '{name}' is not a list")
        solids = [filled(path, ShapeRow, row, f"shapes.{name}: ") for row in rows]
        for side in sides_of(name):
            result[sided(name, side)] = shapes_from_rows(path, solids, side, colours, scale)
    return result


def shapes_from_rows(
    path: Path, rows: Sequence[ShapeRow], side: str, colours: Mapping[str, Array], scale: float
) -> tuple[Shape, ...]:
    """Shapes of a file, in its units; ``side`` is ``left_``, ``right_`` (mirrored) or empty."""
    return tuple(_shape(path, row, side, colours, scale) for row in rows)


def _shape(path: Path, row: ShapeRow, side: str, colours: Mapping[str, Array], scale: float) -> Shape:
    kinds = [kind for kind in SHAPE_KINDS if getattr(row, kind)]
    if len(kinds) != 1:
        raise FileError(path, f"a shape is of {len(kinds)} kinds", hint=f"it is one of {', '.join(SHAPE_KINDS)}")
    kind, points = kinds[0], getattr(row, kinds[0])
    if [len(point) for point in points] != [3] * (1 if kind == "sphere" else 2):
        wanted = "one point" if kind == "sphere" else "two points"
        raise FileError(path, f"a {kind} is {wanted} of three numbers, not {[list(point) for point in points]}")
    places = scale * np.array(points)
    if side == "right_":
        places = places * (np.array([_MIRROR, np.ones(3)]) if kind == "ellipsoid" else _MIRROR)
    colour = row.colour or side.strip("_") or "centre"
    if colour not in colours:
        raise FileError(path, f"there is no colour '{colour}'", hint=f"there are: {', '.join(colours)}")
    return Shape(kind, places, scale * row.radius, colours[colour], row.show)
