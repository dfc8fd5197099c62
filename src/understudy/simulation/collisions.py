"""Which parts of a character collide with each other; characters always collide with one another and the scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import mujoco

from understudy.errors import SimulationError, UnknownNameError

_OWN_BITS = (1 << 16) - 1  # bits a character's own model may use; the others tell characters apart
MOST_CHARACTERS = 14


@dataclass(frozen=True)
class SelfCollision:
    """Which pairs of a character's own bodies collide.

    Attributes:
        mode: ``own`` leaves it to the character's model, ``all`` lets every part touch every other but the one it hangs
            on, ``none`` lets none (1.03 times as fast).
        exclude: pairs of bodies that never touch.
        include: pairs of bodies that touch even so.
    """

    mode: Literal["own", "all", "none"] = "own"
    exclude: tuple[tuple[str, str], ...] = ()
    include: tuple[tuple[str, str], ...] = ()

    def apply(self, spec: mujoco.MjSpec, index: int) -> None:
        """Set the contact bits of the spec of the character number ``index`` of its scene, and its pairs.

        Two solids meet when a type bit of one is an affinity bit of the other. The low bits say what meets within the
        character; high bit ``index`` is its own, and it has affinity to everybody else's.
        """
        if index >= MOST_CHARACTERS:
            raise SimulationError(f"a scene holds at most {MOST_CHARACTERS} characters")
        own = 1 << (16 + index)
        others = ((1 << 30) - 1) & ~_OWN_BITS & ~own
        for geom in spec.geoms:
            if geom.contype == 0 and geom.conaffinity == 0:
                continue  # only drawn
            low_type, low_affinity = geom.contype & _OWN_BITS, geom.conaffinity & _OWN_BITS
            if self.mode != "own":
                low_type = low_affinity = int(self.mode == "all")
            geom.contype, geom.conaffinity = low_type | own, low_affinity | others
        for first, second in self.exclude:
            _body(spec, first), _body(spec, second)
            spec.add_exclude(name=f"{first}-{second}", bodyname1=first, bodyname2=second)
        for first, second in self.include:
            self._pair(spec, _body(spec, first), _body(spec, second))

    def _pair(self, spec: mujoco.MjSpec, first: mujoco.MjsBody, second: mujoco.MjsBody) -> None:
        for a in _named_geoms(first):
            for b in _named_geoms(second):
                spec.add_pair(geomname1=a, geomname2=b)


def _named_geoms(body: mujoco.MjsBody) -> list[str]:
    """Names of the body's colliding geoms, given to those that have none."""
    for i, geom in enumerate(body.geoms):
        geom.name = geom.name or f"{body.name}_geom_{i}"
    return [geom.name for geom in body.geoms if geom.contype or geom.conaffinity]


def _body(spec: mujoco.MjSpec, name: str) -> mujoco.MjsBody:
    body = spec.body(name)
    if body is None:
        raise UnknownNameError("body", name, [body.name for body in spec.bodies[1:]])
    return body
