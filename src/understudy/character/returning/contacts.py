"""How the limbs of a performing character meet the floor.

Letters: T frames, N points of one limb that touch the floor: heel and tip of a foot, or the middle of a hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.character.character import Character
from understudy.character.fitting.kinematics import Postures
from understudy.character.fitting.steady import RestSettings, resting
from understudy.character.fitting.touching import Touching, touching_points
from understudy.character.returning.frames import SideBySide
from understudy.character.returning.limbs import Limb, limbs_of
from understudy.rotations import Array, BoolArray
from understudy.spans import bridged, runs, smooth_step, time_to


@dataclass(frozen=True)
class Contact:
    """A limb, and when and where the performing character's rests on the floor.

    Attributes:
        limb: the limb.
        places_b: (N, 3) the points in the frame of the character's body [m].
        up_b: (3,) the direction in that frame that is upwards in the rest pose.
        points_w: (T, N, 3) where the points are in the performance [m].
        rests: (T, N) whether they rest in it.
        flat_before: (T,) whether all of them rest in the Reference.
    """

    limb: Limb
    places_b: Array
    up_b: Array
    points_w: Array
    rests: BoolArray
    flat_before: BoolArray

    @property
    def any_rests(self) -> BoolArray:
        """(T,) whether any of the points rests in the performance."""
        return np.any(self.rests, axis=1)

    @property
    def all_rest(self) -> BoolArray:
        """(T,) whether all of them do."""
        return np.all(self.rests, axis=1)

    def steadied(self, values: Array, labels: BoolArray) -> Array:
        """Values (T, K), in every row of labels (T,) their mean over its frames in which the whole limb rests."""
        result, flat = np.array(values), self.all_rest
        for start, stop in runs(labels):
            counting = flat[start:stop] if flat[start:stop].any() else np.ones(stop - start, bool)
            result[start:stop] = values[start:stop][counting].mean(axis=0)
        return result


def contacts_of(side: SideBySide, character: Character) -> tuple[Contact, ...]:
    """The contacts of all limbs; none for a character of the clip's own skeleton, which has nothing to be adapted."""
    if side.matching.same_skeleton:
        return ()
    touching, rate_hz = touching_points(character), side.clip.rate_hz
    points_w, rests = touching.points(side.performed), _rests(touching, side.performed, rate_hz)
    before = _rests(touching, side.reference, rate_hz)
    result = []
    for limb in limbs_of(character, side.matching):
        own = np.flatnonzero(touching.limbs == limb.effector)
        if len(own):
            flat_before = np.all(before[:, own], axis=1)
            places_b, up_b = touching.places[own], touching.ups[own[0]]
            result.append(Contact(limb, places_b, up_b, points_w[:, own], rests[:, own], flat_before))
    return tuple(result)


def _rests(touching: Touching, postures: Postures, rate_hz: float) -> BoolArray:
    return resting(touching.points(postures), touching.heights(postures), rate_hz, RestSettings())


def faded(labels: BoolArray, rate_hz: float, fade_s: float) -> Array:
    """(T, 1) 1 while labels (T,) hold, going down to 0 smoothly in fade_s before and after."""
    return smooth_step(np.clip(1.0 - time_to(labels, rate_hz) / fade_s, 0.0, 1.0))[:, None]


def led(values: Array, labels: BoolArray, rate_hz: float, fade_s: float) -> Array:
    """Values (T, K) while labels (T,) hold, led over in between, and fading to 0 in fade_s before and after."""
    return bridged(values, labels) * faded(labels, rate_hz, fade_s)
