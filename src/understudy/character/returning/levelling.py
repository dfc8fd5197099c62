"""Toes that lie on the floor while the performing character stands on the tip of its foot.

Letters: T frames, E ends of the toes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy import rotations
from understudy.character.returning.contacts import Contact, faded
from understudy.motion import Clip, turned_by
from understudy.rotations import Array

_FADE_S = 0.1


def with_level_toes(shown: Clip, clip: Clip, contacts: Sequence[Contact]) -> Clip:
    """The clip ``shown`` with resting toes as level as they are in ``clip`` while the whole foot rests."""
    for contact in contacts:
        toes, skeleton = contact.limb.toes, shown.skeleton
        ends = skeleton.end_offsets[skeleton.end_parents == toes]
        if toes is not None and len(ends):
            tip = ends.mean(axis=0)
            now = rotations.rotate(shown.joint_rotations_w[:, toes], tip)
            level = _sloping(now, _usual_height(clip, toes, tip, contact))
            share = faded(contact.rests[:, -1], shown.rate_hz, _FADE_S)
            shown = turned_by(shown, {toes: rotations.exp(share * rotations.log(rotations.between(now, level)))})
    return shown


def _usual_height(clip: Clip, toes: int, tip: Array, contact: Contact) -> float:
    """How high the tip (3,) of the toes is above their joint in a clip [m], while the foot is flat if it ever is."""
    heights = rotations.rotate(clip.joint_rotations_w[:, toes], tip)[:, 2]
    return float(np.median(heights[contact.flat_before] if contact.flat_before.any() else heights))


def _sloping(vectors: Array, height: float) -> Array:
    """Vectors (T, 3) that point the same way and are as long, but rise by a height."""
    level = np.array([1.0, 1.0, 0.0])
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    result = rotations.normalize(vectors * level) * np.sqrt(np.maximum(length**2 - height**2, 0.0))
    result[:, 2] = height
    return result
