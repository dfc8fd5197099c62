"""From places in the character's world back to places in the clip's.

Letters: T frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.character.fitting.matching import Matching
from understudy.character.fitting.targets import Targets
from understudy.character.returning.contacts import Contact
from understudy.character.returning.editing import moved
from understudy.character.returning.frames import SideBySide
from understudy.motion import Clip
from understudy.rotations import Array

_HIPS = ("left_thigh", "right_thigh")


@dataclass(frozen=True)
class Scaling:
    """The similarity by which the fitting brought a clip into the character's world.

    Attributes:
        scale: metres of the character per metre of the clip.
        start: (3,) the place on the ground it is scaled about [m].
        floor_m: height in the clip of the character's floor [m].
    """

    scale: float
    start: Array
    floor_m: float

    def back(self, places: Array) -> Array:
        """Places (..., 3) of the character where they are in the clip [m]."""
        return self.start + (places - self.start) / self.scale + np.array([0.0, 0.0, self.floor_m])


def found_scaling(side: SideBySide, contacts: Sequence[Contact], targets: Targets) -> Scaling:
    """The scaling that ``targets`` were made with, and the floor at the height at which flat feet stand on it.

    The floor is told by the ankles, so that an ankle that is nearer to the sole than the character's stands as it did;
    where no foot ever stands flat, by the hips.
    """
    matching = side.matching
    start = targets.hips.places_w[0] * np.array([1.0, 1.0, 0.0])
    level = Scaling(targets.scale, start, 0.0)
    above = [np.zeros(0)]
    for contact in contacts:
        if contact.limb.is_leg:
            ankle = side.clip.joint_positions_w[:, contact.limb.end]
            body = side.reference.positions_w[:, matching.bodies[contact.limb.part]]
            above.append((ankle - level.back(body))[contact.flat_before, 2])
    if not any(len(heights) for heights in above):
        own, body = side.clip.joint_positions_w, side.reference.positions_w
        above = [(_hips(own, matching, matching.joints) - level.back(_hips(body, matching, matching.bodies)))[:, 2]]
    return replace(level, floor_m=float(np.median(np.concatenate(above))))


def placed(shown: Clip, side: SideBySide, scaling: Scaling) -> Clip:
    """The clip with its hips where the performing character's are."""
    matching = side.matching
    goal = scaling.back(_hips(side.performed.positions_w, matching, matching.bodies))
    return moved(shown, goal - _hips(shown.joint_positions_w, matching, matching.joints))


def _hips(places: Array, matching: Matching, index: Mapping[str, int]) -> Array:
    """(T, 3) the middle between the hip joints among places (T, N, 3), or the first body part where there are none."""
    parts = _HIPS if all(part in matching.shared for part in _HIPS) else matching.shared[:1]
    return places[:, [index[part] for part in parts]].mean(axis=1)
