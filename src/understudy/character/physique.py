"""Physiques: the shapes of body parts in the rest pose, from TOML files, scaled to a stature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from understudy import anthropometry
from understudy.character.shape import SHAPE_KINDS, Shape
from understudy.character.table import SIDES, read_toml, sided
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


def read_physique(name: str, beside: Path, height_m: float, colours: Mapping[str, Sequence[float]]) -> Physique:
    """Read the named physique, from the folder of the table ``beside`` or else the bundled ones, scaled to height_m.

    Its colours give way to those of the same name in ``colours``.
    """
    path = beside.with_name(f"{name}.physique.toml")
    path = path if path.is_file() else PHYSIQUES / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in PHYSIQUES.glob("*.toml")))
        raise FileError(beside, f"there is no physique '{name}'", hint=f"there are: {known}")
    contents = read_toml(path)
    try:
        contents["colours"] |= colours
        return _physique(path, contents, height_m / float(contents["height"]))
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FileError(path, f"not a sound physique ({problem!r})") from problem


def _physique(path: Path, contents: Mapping[str, Any], scale: float) -> Physique:
    colours = {key: np.array(value, float) for key, value in contents["colours"].items()}
    own = contents.get("places")
    if own is None:
        places, centres = anthropometry.joint_places(scale), anthropometry.mass_centres(scale)
        parents, fractions = anthropometry.PARENTS, anthropometry.MASS_FRACTIONS
    else:
        places = {key: scale * np.array(value, float) for key, value in _mirrored(own).items()}
        centres = {}
        parents = {key: str(value) or None for key, value in _spelt(contents["parents"]).items()}
        fractions = {key: float(value) for key, value in _spelt(contents["masses"]).items()}
    shapes = {}
    for name, rows in contents["shapes"].items():
        for side in SIDES if "*" in name else ("",):
            shapes[sided(name, side)] = shapes_from_rows(path, rows, side, colours, scale)
    return Physique(shapes, places, centres, parents, fractions, colours, scale)


def shapes_from_rows(
    path: Path, rows: Sequence[Mapping[str, Any]], side: str, colours: Mapping[str, Array], scale: float
) -> tuple[Shape, ...]:
    """Shapes of a TOML list, in the file's units; ``side`` is ``left_``, ``right_`` (mirrored) or empty."""
    flip = _MIRROR if side == "right_" else np.ones(3)
    result = []
    for row in rows:
        kinds = [kind for kind in SHAPE_KINDS if kind in row]
        unknown = set(row) - {*SHAPE_KINDS, "radius", "colour", "show"}
        if len(kinds) != 1 or unknown:
            wrong = f"an unknown key '{min(unknown)}'" if unknown else f"{len(kinds)} kinds"
            raise FileError(
                path, f"a shape has {wrong}", hint=f"it is one of {', '.join(SHAPE_KINDS)}, with radius, colour, show"
            )
        points = np.array(row[kinds[0]], float).reshape(-1, 3) * scale
        points = points * ([flip, np.ones(3)] if kinds[0] == "ellipsoid" else flip)
        name = row.get("colour", side.strip("_") or "centre")
        if name not in colours:
            raise FileError(path, f"there is no colour '{name}'", hint=f"there are: {', '.join(colours)}")
        radius = scale * float(row.get("radius", 0.0))
        result.append(Shape(kinds[0], points, radius, colours[name], bool(row.get("show", False))))
    return tuple(result)


def _spelt(values: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping with stars in keys and text values spelt out for both sides."""
    return {
        sided(key, side): sided(value, side) if isinstance(value, str) else value
        for key, value in values.items()
        for side in (SIDES if "*" in key else ("",))
    }


def _mirrored(places: Mapping[str, Any]) -> dict[str, Array]:
    spelt = _spelt(places)
    return {
        key: np.array(place, float) * (_MIRROR if key.startswith("right_") else 1.0) for key, place in spelt.items()
    }
