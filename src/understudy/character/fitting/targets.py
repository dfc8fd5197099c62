"""What the bodies of a character should do over time: how they are turned, and where some of their points are.

Letters: T frames or ticks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.rotations import Array


@dataclass(frozen=True)
class BodyTarget:
    """How one body should be turned.

    Attributes:
        body: index of the body, the world not counted.
        rotations_w: (T, 4) its world rotations.
        axes_b: (3, 3) the axes, as rows and in the body's frame, along which ``weights`` count: those
            that are forward, left and up in the T-pose, or in the rest pose of a character that has none.
        weights: (3,) how much an error of a radian about each of those axes counts.
    """

    body: int
    rotations_w: Array
    axes_b: Array
    weights: Array


@dataclass(frozen=True)
class PointTarget:
    """Where a point of a body should be.

    Attributes:
        body: index of the body, the world not counted.
        place_b: (3,) the point in the body's frame [m].
        places_w: (T, 3) where it should be [m].
        weight: how much an error of a metre counts, beside 1 for a body turned wrong by a radian.
    """

    body: int
    place_b: Array
    places_w: Array
    weight: float


@dataclass(frozen=True)
class Targets:
    """What the character should do.

    Attributes:
        bodies: one target for every body that has one.
        hips: where the middle between the hip joints, or the root, should be.
        ankles: where the ends of the legs should be, scaled as the hips' places are, so that feet that stand still in
            the clip stand still on the character whatever its proportions; none when the clip has no such joints.
        scale: metres of the character per metre of the clip.
        posed_by: whether the clip's "rest pose" or its "motion" told how its joints lie in the body; "" when the
            character has the clip's own skeleton.
        turned_over: parts that the recording shows turned over, and that were turned back, to the share of frames.
    """

    bodies: tuple[BodyTarget, ...]
    hips: PointTarget
    ankles: tuple[PointTarget, ...]
    scale: float
    posed_by: str
    turned_over: Mapping[str, float]
