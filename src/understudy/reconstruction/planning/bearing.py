"""Limbs that bear weight have stiffer servos."""

from __future__ import annotations

import numpy as np

from understudy.character import Character, Reference, floor_contacts
from understudy.rotations import Array, IntArray


def bearing_gains(reference: Reference, bounds: IntArray) -> Array:
    """(K, J) the contact scale of the joints of a limb in fragments in which its foot or hand is on the floor, else 1.

    samcon-2010 section 3.1: contact scale stiffens weight-bearing joints, ankles for thrust, arms to get up on.
    """
    character = reference.character
    contacts = floor_contacts(reference)
    scale = np.ones((len(bounds) - 1, len(character.joints)))
    for name in contacts.names:
        during = np.logical_or.reduceat(contacts.of(name)[:-1], bounds[:-1])
        limb = _limb(character, name)
        for j, joint in enumerate(character.joints):
            if joint.body in limb:
                scale[during, j] = joint.contact_scale
    return scale


def _limb(character: Character, body: str) -> set[str]:
    """The bodies from an end effector up to the root, the root left out."""
    model, bodies = character.model, set()
    index = int(model.body(body).id)
    while int(model.body_parentid[index]) > 0:
        bodies.add(model.body(index).name)
        index = int(model.body_parentid[index])
    return bodies
