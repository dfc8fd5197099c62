"""Which bodies of a character touch each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mujoco

WORLD_BIT = 1  # MuJoCo's default contact type and affinity, which floors have
MOST_ROWS = 14  # with the world's bit, what Scene leaves to a character's own model

CollisionRow = tuple[tuple[str, ...], tuple[str, ...]]


def set_contact_bits(bodies: Mapping[str, mujoco.MjsBody], rows: Sequence[CollisionRow]) -> None:
    """Let the bodies touch the world, and those of a row's first group those of its second; no others each other.

    All have affinity to the world's type but not that type; every row has a type of its own.
    """
    kinds, affinities = dict.fromkeys(bodies, 0), dict.fromkeys(bodies, WORLD_BIT)
    for i, (first, second) in enumerate(rows):
        for name in first:
            kinds[name] |= WORLD_BIT << (i + 1)
        for name in second:
            affinities[name] |= WORLD_BIT << (i + 1)
    for name, body in bodies.items():
        for geom in body.geoms:
            if geom.conaffinity:
                geom.contype, geom.conaffinity = kinds[name], affinities[name]
