"""Shapes and masses of segments: an adult's proportions where the body parts are known, else bones as capsules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.anthropometry import MASS_FRACTIONS, PARENTS, joint_places
from understudy.character.clip_body.rest import RestPose
from understudy.character.clip_body.segments import Segment
from understudy.character.shape import Shape
from understudy.errors import CharacterError
from understudy.rotations import Array

DENSITY_KG_M3 = 1000.0
BODY_MASS_INDEX = 22.0  # kg/m2, the middle of the healthy range

_COLOURS = {"left_": (0.33, 0.57, 0.66), "right_": (0.83, 0.52, 0.38), "": (0.80, 0.78, 0.74)}
_FORWARD, _LEFT, _UP = np.eye(3)
_SLENDER = {"thigh": 0.17, "upper_arm": 0.17, "shin": 0.11, "lower_arm": 0.11, "foot": 0.13, "hand": 0.13, "toes": 0.2}
_SLENDER |= {"pelvis": 0.30, "spine": 0.30, "chest": 0.30, "neck": 0.26, "head": 0.30, "clavicle": 0.15, "": 0.10}
_TRUNK = ("pelvis", "spine", "chest")


@dataclass(frozen=True)
class Fleshed:
    """Segments with what makes bodies of them.

    Attributes:
        shapes: per segment.
        masses_kg: per segment.
        height_m: the stature taken for the body.
    """

    shapes: tuple[tuple[Shape, ...], ...]
    masses_kg: tuple[float, ...]
    height_m: float


def flesh_out(segments: Sequence[Segment], rest: RestPose, mass_kg: float | None) -> Fleshed:
    """Give segments shapes and masses: when no mass is given, a human's by BODY_MASS_INDEX, others' by their shapes."""
    if rest.build != "biped":
        shapes = tuple(_bony(segments, segment, rest) for segment in segments)
        volumes = [sum(shape.volume for shape in part) for part in shapes]
        total = DENSITY_KG_M3 * sum(volumes) if mass_kg is None else mass_kg
        return Fleshed(shapes, tuple(total * volume / sum(volumes) for volume in volumes), rest.height)
    body = _Adult(segments)
    shapes = tuple(body.shapes(segment) for segment in segments)
    total = BODY_MASS_INDEX * body.height_m**2 if mass_kg is None else mass_kg
    return Fleshed(shapes, _human_masses(segments, shapes, total), body.height_m)


def _human_masses(segments: Sequence[Segment], shapes: Sequence[Sequence[Shape]], total_kg: float) -> tuple[float, ...]:
    """De Leva's shares, a missing part's going to the part it hangs on; unnamed segments weigh what they displace."""
    shares = dict.fromkeys((segment.part for segment in segments if segment.part), 0.0)
    for part, share in MASS_FRACTIONS.items():
        holder: str | None = part
        while holder is not None and holder not in shares:
            holder = PARENTS[holder]
        shares[holder or next(iter(shares))] += share
    unnamed = [
        0.0 if segment.part else DENSITY_KG_M3 * sum(shape.volume for shape in part)
        for segment, part in zip(segments, shapes, strict=True)
    ]
    unnamed = [min(mass, 0.1 * total_kg / max(len(segments), 1)) for mass in unnamed]
    rest = (total_kg - sum(unnamed)) / sum(shares.values())
    return tuple(
        rest * shares[segment.part] if segment.part else mass for segment, mass in zip(segments, unnamed, strict=True)
    )


class _Adult:
    """A biped's segments seen as an adult: stature from the legs, places of the parts, the floor."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = segments
        self.at = {segment.part: segment.place for segment in segments if segment.part}
        adult = joint_places(1.0)
        leg = float(
            np.linalg.norm(adult["left_thigh"] - adult["left_shin"])
            + np.linalg.norm(adult["left_shin"] - adult["left_foot"])
        )
        self.height_m = float(np.mean([self._leg(side) for side in ("left_", "right_")])) / leg
        if not self.height_m > 1e-3:
            raise CharacterError("the clip's legs have no length")
        soles = [place[2] - 0.039 * self.height_m for part, place in self.at.items() if part.endswith("foot")]
        soles += [place[2] - 0.012 * self.height_m for part, place in self.at.items() if part.endswith("toes")]
        self.floor = min(soles) if soles else min(segment.tip[2] for segment in segments)

    def _leg(self, side: str) -> float:
        knee = self.at[f"{side}shin"]
        shin = next(segment for segment in self.segments if segment.part == f"{side}shin")
        ankle = self.at.get(f"{side}foot", shin.tip)
        return float(np.linalg.norm(self.at[f"{side}thigh"] - knee) + np.linalg.norm(knee - ankle))

    def shapes(self, segment: Segment) -> tuple[Shape, ...]:
        side = next((side for side in ("left_", "right_") if segment.part.startswith(side)), "")
        part = segment.part.removeprefix(side)
        colour = np.array(_COLOURS[side or _side_of(segment, self.height_m)])
        make = {
            "pelvis": self._pelvis,
            "chest": self._chest,
            "neck": self._neck,
            "head": self._head,
            "hand": self._hand,
            "foot": self._foot,
            "toes": self._toes,
        }.get(part, self._limb)
        if part == "spine" or (not part and self._in_the_trunk(segment)):
            make = self._belly
        return make(segment, colour)

    def _capsule(self, a: Array, b: Array, radius: float, colour: Array, *, show: bool = False) -> Shape:
        return Shape("capsule", np.stack([a, b]), radius, colour, show)

    def _pelvis(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        h, hips = self.height_m, 0.5 * (self.at["left_thigh"] + self.at["right_thigh"])
        upper, lower = hips + 0.036 * h * _UP, hips + h * (0.008 * _UP - 0.004 * _FORWARD)
        result = [
            self._capsule(upper + 0.036 * h * _LEFT, upper - 0.036 * h * _LEFT, 0.050 * h, colour),
            self._capsule(lower + 0.042 * h * _LEFT, lower - 0.042 * h * _LEFT, 0.050 * h, colour),
        ]
        return tuple(result) + self._filling(segment, upper, colour)

    def _filling(self, segment: Segment, start: Array, colour: Array) -> tuple[Shape, ...]:
        """The belly as far as the next segment of the trunk, where it lies well above."""
        above = [s.place for s in self.segments if self._in_the_trunk(s) or s.part in ("spine", "chest")]
        higher = [place for place in above if place[2] > start[2] + 0.02 * self.height_m]
        if not higher or segment.part == "chest":
            return ()
        return self._columns(start, min(higher, key=lambda place: place[2]), colour)

    def _columns(self, low: Array, high: Array, colour: Array) -> tuple[Shape, ...]:
        h = self.height_m
        return tuple(
            self._capsule(low + y * h * _LEFT, high + y * h * _LEFT, 0.045 * h, colour) for y in (0.031, -0.031)
        )

    def _belly(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        top = segment.tip if len(segment.bones) else segment.place + 0.03 * self.height_m * _UP
        return self._columns(segment.place + 0.01 * self.height_m * _UP, top, colour)

    def _chest(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        h = self.height_m
        shoulders = 0.5 * (self.at["left_upper_arm"] + self.at["right_upper_arm"])
        width = max(0.5 * abs(float((self.at["left_upper_arm"] - self.at["right_upper_arm"]) @ _LEFT)), 0.08 * h)
        top = shoulders - 0.046 * h * _UP
        low = np.array([segment.place[0], shoulders[1], min(segment.place[2] + 0.030 * h, top[2] - 0.03 * h)])
        bar, thick = 0.36 * width * _LEFT, min(0.051 * h, 0.46 * width)
        sides = tuple(
            self._capsule(low + 0.28 * y * width * _LEFT, top + 0.47 * y * width * _LEFT, thick, colour)
            for y in (1.0, -1.0)
        )
        return (*sides, self._capsule(top + bar, top - bar, 1.06 * thick, colour))

    def _neck(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        base = self.at.get("head", segment.place + 0.045 * self.height_m * _UP)
        neck = self._capsule(segment.place - 0.01 * self.height_m * _UP, base, 0.029 * self.height_m, colour)
        return (neck,) if "head" in self.at else (neck, *self._skull(base, colour))

    def _head(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        skull = self._skull(segment.place, colour)
        if "neck" in self.at:
            return skull
        base = 0.5 * (self.at["left_upper_arm"] + self.at["right_upper_arm"])
        return (*skull, self._capsule(base, segment.place, 0.029 * self.height_m, colour))

    def _skull(self, base: Array, colour: Array) -> tuple[Shape, ...]:
        h, dark = self.height_m, np.array([0.22, 0.24, 0.27])
        middle = base + h * (0.055 * _UP + 0.006 * _FORWARD)
        visor = middle + h * (0.008 * _UP + 0.031 * _FORWARD)
        return (
            self._capsule(middle - 0.017 * h * _UP, middle + 0.017 * h * _UP, 0.046 * h, colour),
            self._capsule(visor + 0.018 * h * _LEFT, visor - 0.018 * h * _LEFT, 0.018 * h, dark, show=True),
        )

    def _limb(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        """A capsule of the part's usual mass, or a thin one where no part is known."""
        axis = segment.tip - segment.place
        length = float(np.linalg.norm(axis))
        if length < 0.01 * self.height_m:
            return (Shape("sphere", segment.place[None], 0.02 * self.height_m, colour),)
        usual = MASS_FRACTIONS.get(segment.part, 0.0) * BODY_MASS_INDEX * self.height_m**2 / DENSITY_KG_M3
        radius = np.sqrt(usual / (np.pi * length)) if usual else 0.12 * length
        radius = float(np.clip(radius, 0.012 * self.height_m, min(0.05 * self.height_m, 0.5 * length)))
        if segment.part.endswith("thigh"):
            radius = min(radius, 0.44 * abs(float((self.at["left_thigh"] - self.at["right_thigh"]) @ _LEFT)))
        inset = min(0.6 * radius / length, 0.4) * axis
        return (self._capsule(segment.place + inset, segment.tip - inset, radius, colour),)

    def _hand(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        h = self.height_m
        wrist = segment.place
        elbow = self.at[segment.part.replace("hand", "lower_arm")]
        along = rotations.normalize(wrist - elbow)
        across = rotations.normalize(np.cross(np.cross(along, _FORWARD), along))
        frame = rotations.from_matrix(np.stack([across, np.cross(along, across), along], axis=1))
        middle, half = wrist + 0.044 * h * along, h * np.array([0.021, 0.009, 0.040])
        return (Shape("box", np.stack([middle - half, middle + half]), 0.0, colour, False, frame),)

    def _foot(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        ankle, h = segment.place, self.height_m
        toes = self.at.get(segment.part.replace("foot", "toes"))
        front = 0.112 * h if toes is None else float(np.linalg.norm((toes - ankle)[:2]))
        top = max(ankle[2] - self.floor - 0.012 * h, 0.015 * h)
        return (self._sole(segment, toes, -0.040 * h, front, min(top, 0.030 * h), colour),)

    def _toes(self, segment: Segment, colour: Array) -> tuple[Shape, ...]:
        h = self.height_m
        length = float(np.clip(np.linalg.norm((segment.tip - segment.place)[:2]), 0.030 * h, 0.05 * h))
        return (self._sole(segment, segment.place + _FORWARD, 0.0, length, 0.020 * h, colour),)

    def _sole(self, segment: Segment, aim: Array | None, back: float, front: float, top: float, colour: Array) -> Shape:
        """A box on the floor from ``back`` to ``front`` of the joint, pointing at ``aim``."""
        pointing = segment.tip - segment.place if aim is None else aim - segment.place
        heading = np.arctan2(pointing[1], pointing[0]) if np.linalg.norm(pointing[:2]) > 1e-6 else 0.0
        turn = rotations.about_z(heading if abs(heading) < 0.8 else 0.0)
        ground = np.array([segment.place[0], segment.place[1], self.floor])
        middle = ground + rotations.rotate(turn, np.array([0.5 * (back + front), 0.0, 0.5 * top]))
        half = np.array([0.5 * (front - back), 0.026 * self.height_m, 0.5 * top])
        return Shape("box", np.stack([middle - half, middle + half]), 0.0, colour, False, turn)

    def _in_the_trunk(self, segment: Segment) -> bool:
        """Whether an unnamed segment lies between pelvis and chest."""
        names = [s.part for s in self.segments]
        index, below = self.segments.index(segment), names.index("chest") if "chest" in names else -1
        while below >= 0:
            if below == index:
                return not segment.part
            below = self.segments[below].parent
        return False


def _side_of(segment: Segment, height_m: float) -> str:
    if abs(segment.place[1]) < 0.02 * height_m:
        return ""
    return "left_" if segment.place[1] > 0.0 else "right_"


def _bony(segments: Sequence[Segment], segment: Segment, rest: RestPose) -> tuple[Shape, ...]:
    """Every bone a capsule, thickness by its length and its part; a small ball where there is none."""
    height = max(rest.height, 1e-9)
    colour = np.array(_COLOURS[_side_of(segment, height)])
    part = segment.part.removeprefix("left_").removeprefix("right_")
    if part in _TRUNK and rest.build == "quadruped":
        return _barrel(segments, segment, colour)
    result = []
    for near, far in segment.bones:
        length = float(np.linalg.norm(far - near))
        result.append(_bone(near, far, float(np.clip(_SLENDER[part] * length, 0.012 * height, 0.16 * height)), colour))
    return tuple(result) or (Shape("sphere", segment.place[None], 0.03 * height, colour),)


def _bone(near: Array, far: Array, radius: float, colour: Array) -> Shape:
    """A capsule from joint to joint, its round ends half within them."""
    inset = min(0.5 * radius / float(np.linalg.norm(far - near)), 0.3) * (far - near)
    return Shape("capsule", np.stack([near + inset, far - inset]), radius, colour)


def _barrel(segments: Sequence[Segment], segment: Segment, colour: Array) -> tuple[Shape, ...]:
    """A part of a quadruped's trunk: thick to the next part of the trunk, or between the limbs; thin to each limb."""
    places = {s.part: s.place for s in segments if s.part}
    limbs = [places[f"{side}_{'thigh' if segment.part == 'pelvis' else 'upper_arm'}"] for side in ("left", "right")]
    between = np.mean(limbs, axis=0)
    fore = np.mean([places["left_upper_arm"], places["right_upper_arm"]], axis=0)
    long = float(np.linalg.norm(fore - places["pelvis"]))
    index = list(segments).index(segment)
    onwards = [s.place for s in segments if s.parent == index and s.part in _TRUNK]
    far = onwards[0] if onwards else 0.5 * (between + places.get("neck", between))
    radius = (0.15 if segment.part == "chest" else 0.12) * long
    thin = [_bone(near, end, 0.05 * long, colour) for near, end in segment.bones if not np.allclose(end, far)]
    if np.linalg.norm(far - segment.place) < 0.05 * long:
        return (Shape("sphere", segment.place[None], radius, colour), *thin)
    return (_bone(segment.place, far, radius, colour), *thin)
