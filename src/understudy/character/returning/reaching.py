"""Limbs that bend until their ends are where they should be.

Letters: T frames, N joints and ends at the end of a limb.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import rotations
from understudy.character.fitting.floor import lift
from understudy.character.returning.contacts import Contact
from understudy.character.returning.holding import Hold
from understudy.character.returning.limbs import Limb, heights_below
from understudy.motion import Clip, hinge_axis, turned_by, two_bone_turns
from understudy.rotations import Array


def reaching(shown: Clip, clip: Clip, held: Sequence[Hold], floor_m: float) -> Clip:
    """The clip ``shown`` with its limbs on what they hold, or swinging above the floor; they bend as in ``clip``."""
    ways: dict[int, Array] = {}
    for hold in held:
        goals = _above_floor(hold.goals(shown), shown, clip, hold.contact, floor_m)
        ways |= _bent(hold.contact.limb, goals, shown, clip)
    return turned_by(shown, ways)


def _above_floor(goals: Array, shown: Clip, clip: Clip, contact: Contact, floor_m: float) -> Array:
    """Goals (T, 3) for the end of a limb, so high that nothing of it is below the floor."""
    limb = contact.limb
    heights = heights_below(shown, limb.end) + (goals - shown.joint_positions_w[:, limb.end])[:, 2:]
    spare = (heights - _least_heights(clip, contact, floor_m)).min(axis=1)
    return goals + lift(spare, shown.rate_hz)[:, None] * np.array([0.0, 0.0, 1.0])


def _least_heights(clip: Clip, contact: Contact, floor_m: float) -> Array:
    """(N,) how low joints and ends of a limb may be [m].

    A foot's may be as far below the floor as they are when it stands flat: a recording's toes often are.
    """
    own = heights_below(clip, contact.limb.end)
    if not contact.limb.is_leg:
        return np.full(own.shape[1], floor_m)
    flat = contact.flat_before
    return np.minimum(np.median(own[flat], axis=0) if flat.any() else own.min(axis=0), floor_m)


def _bent(limb: Limb, goals: Array, shown: Clip, clip: Clip) -> dict[int, Array]:
    """The turns (T, 4) of a limb's joints by which its end comes to goals (T, 3), turned in the world as it was."""
    places = shown.joint_positions_w
    upper, middle, lower, end = (places[:, joint] for joint in (limb.upper, limb.middle, limb.lower, limb.end))
    axis = rotations.rotate(
        shown.joint_rotations_w[:, limb.middle], hinge_axis(clip, limb.upper, limb.middle, limb.lower)
    )
    above, under = two_bone_turns(upper, middle, lower, goals - (end - lower), axis)
    return {limb.upper: above, limb.middle: under, limb.lower: rotations.IDENTITY}
