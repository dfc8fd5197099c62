"""How a biped with a clip's skeleton stands at ease: legs under the hips, arms hanging."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import rotations
from understudy.character.clip_body.segments import Segment
from understudy.rotations import Array

_ARM_FROM_BODY_RAD = np.radians(15.0)
_FORWARD = np.array([1.0, 0.0, 0.0])


def at_ease(segments: Sequence[Segment]) -> dict[str, Array]:
    """Joint to rotation vector (3,) [rad] from the rest pose, in the joint's frame, for ``standing_pose``."""
    by_part = {segment.part: segment for segment in segments if segment.part}
    result = {}
    for side, outwards in (("left_", 1.0), ("right_", -1.0)):
        hip, ankle = by_part[f"{side}thigh"], by_part.get(f"{side}foot")
        if ankle is not None:
            roll = _roll(ankle.place - hip.place, np.array([0.0, 0.0, -1.0]))
            result[hip.name] = _local(hip, roll)
            result[ankle.name] = _local(ankle, -roll)
        shoulder, elbow = by_part[f"{side}upper_arm"], by_part[f"{side}lower_arm"]
        hanging = np.array([0.0, outwards * np.sin(_ARM_FROM_BODY_RAD), -np.cos(_ARM_FROM_BODY_RAD)])
        roll = _roll(elbow.place - shoulder.place, hanging)
        if outwards * roll < 0.0:  # arms are only lowered
            result[shoulder.name] = _local(shoulder, roll)
    return result


def _roll(direction: Array, wanted: Array) -> float:
    """The angle about the forward axis [rad] that brings a direction (3,), seen from ahead, into the wanted one."""
    now, then = np.arctan2(direction[2], direction[1]), np.arctan2(wanted[2], wanted[1])
    return float((then - now + np.pi) % (2.0 * np.pi) - np.pi)


def _local(segment: Segment, roll: float) -> Array:
    return roll * rotations.rotate(rotations.conjugate(segment.turn), _FORWARD)
