"""The points of a character that meet the floor: heels, tips of the feet, and hands.

Letters: T poses, P points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.character.character import Character
from understudy.character.fitting.ground import Shape, farthest_point, lowest_points, shapes
from understudy.character.fitting.kinematics import Postures
from understudy.character.reference import body_poses
from understudy.rotations import Array, BoolArray, IntArray

_UP = np.array([0.0, 0.0, 1.0])
_LEVEL = np.cos(np.radians(15.0))
_SOLE_DOWN = 0.4
_SOLE_SLOPE = 0.35  # how far forwards a sole's end is looked for, per unit downwards


@dataclass(frozen=True)
class Touching:
    """P points of a character that meet the floor.

    Attributes:
        bodies: (P,) the bodies they are fixed to.
        places: (P, 3) where, in the body's frame [m].
        limbs: (P,) which end effector each belongs to, counted from 0.
        feet: (P,) whether it belongs to a foot.
        ups: (P, 3) the direction in the body's frame that is upwards in the rest pose.
        parts: all shapes of the character.
    """

    bodies: IntArray
    places: Array
    limbs: IntArray
    feet: BoolArray
    ups: Array
    parts: tuple[Shape, ...]

    def points(self, postures: Postures) -> Array:
        """(T, P, 3) where they are [m]."""
        turned = postures.rotations_w[:, self.bodies]
        return postures.positions_w[:, self.bodies] + rotations.rotate(turned, self.places)

    def level(self, postures: Postures) -> BoolArray:
        """(T, P) whether they lie as in the rest pose, as the soles of flat feet do."""
        return rotations.rotate(postures.rotations_w[:, self.bodies], self.ups)[..., 2] > _LEVEL

    def heights(self, postures: Postures) -> Array:
        """(T, P) heights [m] above z = 0: of a sole's point itself, else of the lowest place of the body.

        A foot that lies on its back counts by its body, as a hand does; one on its side by something in between.
        """
        result = np.array(self.points(postures)[..., 2])
        upright = rotations.rotate(postures.rotations_w[:, self.bodies], self.ups)[..., 2]
        by_body = np.where(self.feet, np.clip((_SOLE_DOWN - upright) / _SOLE_DOWN, 0.0, 1.0), 1.0)
        for p in range(len(self.bodies)):
            if by_body[:, p].any():
                own = tuple(part for part in self.parts if part.body == self.bodies[p])
                lowest = lowest_points(own, postures)[..., 2].min(axis=1)
                result[:, p] += by_body[:, p] * (lowest - result[:, p])
        return result


def touching_points(character: Character) -> Touching:
    """Heel and tip of every foot and the middle of every hand (or forearm) among the character's end effectors.

    A foot's points lie where its sole is lowest, in the rest pose, at the back and at the front.
    """
    model, parts = character.model, shapes(character.model)
    rest = body_poses(model, np.asarray(model.qpos0, float)[None])
    parts_of = {body: part for part, body in character.roles.items()}
    points: list[tuple[int, Array, int, bool]] = []
    for limb, name in enumerate(character.end_effectors):
        body = character.body_index(name)
        own = tuple(part for part in parts if part.body == body)
        if not own:
            continue
        place, turn = rest.positions_w[0, body], rest.rotations_w[0, body]
        if parts_of.get(name, name).endswith(("foot", "toes")):
            ends = [_sole(own, place, turn, x) for x in (-_SOLE_SLOPE, _SOLE_SLOPE)]
            points += [(body, rotations.rotate(rotations.conjugate(turn), end - place), limb, True) for end in ends]
        else:
            points.append((body, np.mean([part.place for part in own], axis=0), limb, False))
    bodies = np.array([body for body, *_ in points], int)
    return Touching(
        bodies,
        np.array([place for _, place, *_ in points]).reshape(-1, 3),
        np.array([limb for *_, limb, _ in points], int),
        np.array([foot for *_, foot in points], bool),
        rotations.rotate(rotations.conjugate(rest.rotations_w[0, bodies]), _UP),
        parts,
    )


def _sole(parts: tuple[Shape, ...], place: Array, turn: Array, slope: float) -> Array:
    """(3,) the end of a foot's sole [m], its back for a negative slope, its front for a positive one."""
    corners = []
    for y in (-0.1, 0.1):
        direction = rotations.normalize(np.array([slope, y * _SOLE_SLOPE, -1.0]))
        farthest = [farthest_point(part, place, turn, direction) for part in parts]
        corners.append(farthest[int(np.argmax([point @ direction for point in farthest]))])
    return np.mean(corners, axis=0)
