"""The body that clips are authored on: the neutral human skeleton as a chain of hinges named in plain anatomy.

Angles are measured from standing straight with the arms hanging, palms to the thighs. A part's angles are applied in
the order listed in ``ANGLES``, the first one outermost. The signs on the right side mirror those on the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from understudy import rotations
from understudy.anthropometry import MASS_FRACTIONS, PARENTS, end_places, joint_places, mass_centres
from understudy.motion.skeleton import Skeleton
from understudy.records import frozen
from understudy.rotations import Array, BoolArray, IntArray

_X, _Y, _Z = np.eye(3)
_TRUNK = {"bend": _Y, "lean": -_X, "twist": _Z}
_ONE_SIDED = {
    "pelvis": {"heading": _Z, "pitch": _Y, "lean": -_X, "spin": _Z},
    "spine": _TRUNK,
    "chest": _TRUNK,
    "neck": _TRUNK,
    "head": _TRUNK,
}
_LEFT = {
    "clavicle": {"raise": _X, "forward": -_Z},
    "upper_arm": {"flex": -_Y, "abduct": _X, "rotate": -_Z},
    "lower_arm": {"flex": -_Y, "pronate": -_Z},
    "hand": {"flex": -_X, "deviate": -_Y},
    "thigh": {"flex": -_Y, "abduct": _X, "rotate": -_Z},
    "shin": {"flex": _Y},
    "foot": {"flex": -_Y, "invert": -_X},
    "toes": {"flex": -_Y},
}
_MIRRORED = np.array([-1.0, 1.0, -1.0])  # what a turn's axis becomes when left and right change places

ANGLES: dict[str, dict[str, Array]] = {
    part: _ONE_SIDED.get(part)
    or {
        angle: axis * (_MIRRORED if part.startswith("right") else 1.0)
        for angle, axis in _LEFT[part.split("_", 1)[1]].items()
    }
    for part in PARENTS
}
"""Body part to its angles, each with the axis (3,) about which it counts as positive."""

LIMITS_DEG: dict[str, tuple[float, float]] = {
    "lower_arm.flex": (0.0, 150.0),
    "shin.flex": (0.0, 150.0),
    "foot.flex": (-55.0, 40.0),
    "toes.flex": (-20.0, 75.0),
    "hand.flex": (-100.0, 80.0),
    "thigh.flex": (-35.0, 150.0),
    "spine.bend": (-35.0, 50.0),
    "chest.bend": (-35.0, 50.0),
}
"""Anatomical limits the solver keeps to where a pose could break them; side prefixes left out."""

HEIGHT_M = 1.7

# Balls that touch the floor: name to part, offset from the part's joint in fractions of stature, radius [m]. Arms hang.
# The radii of limbs and trunk are those of the house's capsules; the soles of feet lie on the floor at rest.
_BALLS: dict[str, tuple[str, tuple[float, float, float], float]] = {
    "seat": ("pelvis", (-0.012, 0.0, 0.005), 0.11),
    "left_hip": ("pelvis", (0.0, 0.050, 0.0), 0.10),
    "loin": ("spine", (0.0, 0.0, 0.03), 0.105),
    "ribs": ("chest", (0.0, 0.0, 0.06), 0.115),
    "left_ribs": ("chest", (0.0, 0.035, 0.085), 0.11),
    "nape": ("chest", (-0.008, 0.0, 0.135), 0.095),
    "left_shoulder": ("left_upper_arm", (0.0, 0.0, 0.0), 0.065),
    "head": ("head", (0.008, 0.0, 0.055), 0.10),
    "left_elbow": ("left_lower_arm", (0.0, 0.0, 0.0), 0.045),
    "left_wrist": ("left_hand", (0.0, 0.0, 0.0), 0.03),
    "left_palm": ("left_hand", (0.0, 0.0, -0.025), 0.03),
    "left_fingers": ("left_hand", (0.0, 0.0, -0.075), 0.03),
    "left_knee": ("left_shin", (0.0, 0.0, 0.0), 0.06),
    "left_thigh": ("left_thigh", (0.0, 0.0, -0.12), 0.08),
    "left_calf": ("left_shin", (0.0, 0.0, -0.12), 0.05),
    "left_heel": ("left_foot", (-0.027, 0.0, -0.027), 0.0204),
    "left_ball": ("left_toes", (0.0, 0.0, 0.0), 0.0204),
    "left_toe": ("left_toes", (0.032, 0.0, 0.0), 0.0204),
}

CONTACT_BALLS: dict[str, tuple[str, ...]] = {
    "foot": ("heel", "ball", "toe"),
    "heel": ("heel",),
    "ball": ("ball",),
    "toe": ("toe",),
    "forefoot": ("ball", "toe"),
    "hand": ("palm", "fingers"),
    "palm": ("palm",),
    "fingers": ("fingers",),
    "fist": ("wrist", "palm"),
    "elbow": ("elbow",),
    "knee": ("knee",),
    "shoulder": ("shoulder",),
    "hip": ("hip",),
}
"""What a contact may name after ``left_`` or ``right_``, and the balls it plants; UNSIDED_CONTACTS stand alone."""

UNSIDED_CONTACTS = ("seat", "nape", "ribs", "loin", "head")

_UPPER = ("ribs", "left_ribs", "right_ribs", "nape", "left_shoulder", "right_shoulder")
_LOWER = ("seat", "left_hip", "right_hip", "left_thigh", "right_thigh")
_LEGS = ("knee", "calf", "heel", "ball", "toe")
REGIONS: dict[str, tuple[str, ...]] = {
    "trunk": (*_UPPER, "loin", *_LOWER),
    "chest": _UPPER,
    "pelvis": _LOWER,
    "left_leg": tuple(f"left_{ball}" for ball in _LEGS),
    "right_leg": tuple(f"right_{ball}" for ball in _LEGS),
}
"""Regions of the body that may roll or lie on the floor, wherever they are lowest, and their balls."""

_ALONG = {"upper_arm": "lower_arm", "lower_arm": "hand", "thigh": "shin", "shin": "foot"}
_GYRATION = 0.28  # of a limb's length: de Leva (1996), Table 4, transverse radii of gyration, rounded


@dataclass(frozen=True)
class Places:
    """K points fixed to parts of the body: their part's index (K,), offset (K, 3) [m], radius or mass share (K,)."""

    parts: IntArray
    offsets: Array
    sizes: Array

    def __post_init__(self) -> None:
        frozen(self, parts=np.array(self.parts), offsets=np.array(self.offsets), sizes=np.array(self.sizes))


@dataclass(frozen=True)
class Puppet:
    """The body as D hinges after three slides of the root.

    Attributes:
        names: D names, ``left_thigh.flex``.
        parts: (D,) index of the part each hinge moves.
        axes: (D, 3) its axis in the frame the hinges before it leave.
        moves: (D, P) whether a hinge moves a part.
        parents, offsets: (P,), (P, 3) [m] the tree of parts with the arms hanging.
        bind: (P, 4) rotation of each part from the T-pose to the hanging pose.
        balls: what can touch the floor; ball_names: K names.
        masses: two points a part, which have its mass, its centre and about its inertia.
        limits_rad: (D, 2).
    """

    names: tuple[str, ...]
    parts: IntArray
    axes: Array
    moves: BoolArray
    parents: IntArray
    offsets: Array
    bind: Array
    balls: Places
    ball_names: tuple[str, ...]
    masses: Places
    limits_rad: Array

    @property
    def size(self) -> int:
        """Numbers that give a pose: three of the root's place and an angle a hinge."""
        return 3 + len(self.names)

    def ball(self, name: str) -> int:
        """The index of the ball of that name."""
        return self.ball_names.index(name)


@cache
def neutral_skeleton(height_m: float = HEIGHT_M) -> Skeleton:
    """The house's neutral human skeleton: joints named by body parts, in a T-pose facing +x, frames as the world's."""
    places, ends = joint_places(height_m), end_places(height_m)
    names = tuple(PARENTS)
    parents = [names.index(parent) if parent else -1 for parent in PARENTS.values()]
    offsets = [places[part] - (places[parent] if parent else 0.0) for part, parent in PARENTS.items()]
    end_parents = [names.index(part) for part in ends]
    end_offsets = [ends[part] - places[part] for part in ends]
    return Skeleton(names, np.array(parents), np.array(offsets), np.array(end_parents), np.array(end_offsets))


@cache
def puppet(height_m: float = HEIGHT_M) -> Puppet:
    """The puppet of that stature [m]."""
    skeleton = neutral_skeleton(height_m)
    parts = list(PARENTS)
    names = tuple(f"{part}.{angle}" for part in parts for angle in ANGLES[part])
    hinge_parts = np.array([parts.index(name.split(".")[0]) for name in names])
    bind = np.array([_bind(part) for part in parts])
    turned = np.concatenate([bind[:1], bind[skeleton.parents[1:]]])
    ball_names, balls = _balls(parts, height_m)
    return Puppet(
        names=names,
        parts=hinge_parts,
        axes=np.array([ANGLES[part][angle] for part, angle in (name.split(".") for name in names)]),
        moves=_descendants(skeleton.parents)[hinge_parts],
        parents=skeleton.parents,
        offsets=rotations.rotate(turned, skeleton.offsets),
        bind=bind,
        balls=balls,
        ball_names=ball_names,
        masses=_masses(parts, bind, height_m),
        limits_rad=np.radians([LIMITS_DEG.get(_without_side(name), (-1e4, 1e4)) for name in names]),
    )


def _without_side(name: str) -> str:
    return name.removeprefix("left_").removeprefix("right_")


def _bind(part: str) -> Array:
    """Arms hang from a T-pose by a quarter turn about x; everything else stays."""
    if not part.endswith(("arm", "hand")):
        return rotations.IDENTITY
    return rotations.exp([-0.5 * np.pi if part.startswith("left") else 0.5 * np.pi, 0.0, 0.0])


def _descendants(parents: IntArray) -> BoolArray:
    """(P, P) whether the second part is the first one or hangs on it."""
    result = np.eye(len(parents), dtype=bool)
    for part in range(1, len(parents)):
        result[:, part] |= result[:, parents[part]]
    return result


def _balls(parts: list[str], height_m: float) -> tuple[tuple[str, ...], Places]:
    both = dict(_BALLS)
    for name, (part, (x, y, z), radius) in _BALLS.items():
        if name.startswith("left_"):
            both[name.replace("left_", "right_")] = (part.replace("left_", "right_"), (x, -y, z), radius)
    indices = np.array([parts.index(part) for part, _, _ in both.values()])
    offsets = height_m * np.array([place for _, place, _ in both.values()])
    radii = height_m / HEIGHT_M * np.array([radius for _, _, radius in both.values()])
    return tuple(both), Places(indices, offsets, radii)


def _masses(parts: list[str], bind: Array, height_m: float) -> Places:
    """Each part's mass as two points either side of its centre, along a limb and across the trunk."""
    joints, centres = joint_places(height_m), mass_centres(height_m)
    indices, offsets, shares = [], [], []
    for i, part in enumerate(parts):
        side, _, kind = part.partition("_")
        if kind in _ALONG:
            spread = _GYRATION * (joints[f"{side}_{_ALONG[kind]}"] - joints[part])
        else:
            spread = {"pelvis": 0.09, "spine": 0.08, "chest": 0.10}.get(part, 0.03) * _Y
        for sign in (-1.0, 1.0):
            indices.append(i)
            offsets.append(rotations.rotate(bind[i], centres[part] - joints[part] + sign * spread))
            shares.append(0.5 * MASS_FRACTIONS[part])
    return Places(np.array(indices), np.array(offsets), np.array(shares) / sum(shares))
