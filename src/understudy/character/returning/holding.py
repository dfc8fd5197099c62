"""Where the ends of the limbs should be so that they rest on the floor where the performing character's do.

Letters: T frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.character.returning.bearing import Bearing
from understudy.character.returning.contacts import Contact, faded, led
from understudy.character.returning.frames import SideBySide
from understudy.character.returning.placing import Scaling
from understudy.motion import Clip
from understudy.rotations import Array
from understudy.spans import bridged

_LEVEL, _UP = np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
_LET_GO_S = 0.4
_TIP_FADE_S = 0.05  # from standing on the heel to standing on the tip


@dataclass(frozen=True)
class Hold:
    """A limb and where its end should be while it rests.

    Attributes:
        contact: the limb and when it rests.
        places_w: (T, 3) where the joint at its end should be in the clip [m]; counts while it rests.
    """

    contact: Contact
    places_w: Array

    def ways(self, shown: Clip) -> Array:
        """(T, 3) from where the joint is to where it should be [m], fading away before and after a rest."""
        off = self.places_w - shown.joint_positions_w[:, self.contact.limb.end]
        return led(off, self.contact.any_rests, shown.rate_hz, _LET_GO_S)

    def goals(self, shown: Clip) -> Array:
        """(T, 3) where the joint should be at all times [m]."""
        return shown.joint_positions_w[:, self.contact.limb.end] + self.ways(shown)


def holds(
    shown: Clip, side: SideBySide, contacts: Sequence[Contact], known: Mapping[str, Bearing], scaling: Scaling
) -> tuple[Hold, ...]:
    """What every limb should hold on to, standing where it is shown but as still and as high as the character does."""
    result = []
    for contact in contacts:
        limb, body = contact.limb, side.matching.bodies[contact.limb.part]
        performed = scaling.back(side.performed.positions_w[:, body])
        off = contact.steadied(shown.joint_positions_w[:, limb.end] - performed, contact.any_rests) * _LEVEL
        if limb.is_leg:
            turns = side.performed.rotations_w[:, body]
            performed = _Foot(shown, side.clip, contact, known[limb.part].usual, scaling).places(turns)
        result.append(Hold(contact, performed + off))
    return tuple(result)


@dataclass(frozen=True)
class _Foot:
    """A foot of the clip that stands on heel and tip of the character's.

    Attributes:
        shown: what is shown of the clip so far.
        clip: the clip.
        contact: how the character's foot meets the floor.
        usual: (4,) from the frame of the clip's foot to that of the character's.
        scaling: between the two.
    """

    shown: Clip
    clip: Clip
    contact: Contact
    usual: Array
    scaling: Scaling

    def places(self, body: Array) -> Array:
        """(T, 3) where its joint should be [m] while the character's foot is turned by body (T, 4)."""
        heel_b, tip_b = self.contact.places_b / self.scaling.scale
        heel_w, tip_w = np.moveaxis(self.scaling.back(self.contact.points_w), 1, 0)
        ball = self._ball(tip_b)
        on_heel = heel_w - self._turned(rotations.rotate(rotations.conjugate(self.usual), heel_b))
        from_tip = self._from_tip(rotations.rotate(self.usual, ball) - tip_b, body)
        on_tip = tip_w + from_tip - self._turned(ball)
        return on_heel + faded(self.contact.rests[:, 1], self.shown.rate_hz, _TIP_FADE_S) * (on_tip - on_heel)

    def _turned(self, place: Array) -> Array:
        """(T, 3) from the foot's joint to a place (3,) in its frame."""
        return rotations.rotate(self.shown.joint_rotations_w[:, self.contact.limb.end], place)

    def _ball(self, tip_b: Array) -> Array:
        """(3,) where the foot rolls, in its joint's frame [m]: at the joint of its toes, else where the character's."""
        limb, inward = self.contact.limb, rotations.conjugate(self.clip.joint_rotations_w[0, self.contact.limb.end])
        if limb.toes is None:
            return rotations.rotate(rotations.conjugate(self.usual), tip_b)
        first = self.clip.joint_positions_w[0]
        return rotations.rotate(inward, first[limb.toes] - first[limb.end])

    def _from_tip(self, ball_from_tip_b: Array, body: Array) -> Array:
        """(T, 3) from the tip to the ball [m], lying as when the foot is flat, and still while it stands on the tip."""
        up, rests = self.contact.up_b, self.contact.rests[:, 1]
        height = float(ball_from_tip_b @ up)
        along = ball_from_tip_b - height * up
        leftwards = rotations.rotate(body, np.cross(up, along))
        level = rotations.normalize(rotations.cross(leftwards, _UP) * _LEVEL) * np.linalg.norm(along)
        return bridged(self.contact.steadied(level, rests), rests) * _LEVEL + height * _UP
