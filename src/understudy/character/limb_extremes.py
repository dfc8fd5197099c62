"""Where the limbs of a fitted character turn back."""

from __future__ import annotations

from collections import Counter

import numpy as np

from understudy import rotations
from understudy.character.character import Character
from understudy.character.reference import Reference
from understudy.motion import SegmentSettings, swing_extremes


def limb_extremes(reference: Reference, settings: SegmentSettings | None = None) -> dict[str, tuple[int, ...]]:
    """For the end effector of each limb the ticks at which the limb turns back, as ``segment`` finds them on clips.

    A limb is what leads to one end effector alone: an arm and its clavicle, but not the trunk that both arms hang on.
    """
    bodies, model = reference.bodies, reference.character.model
    found = {}
    for limb in _limbs(reference.character):
        base, end = int(model.body_parentid[limb[0] + 1]) - 1, limb[-1]
        tips = bodies.positions_w[:, end] + rotations.rotate(bodies.rotations_w[:, end], model.body_ipos[end + 1])
        places = np.concatenate([bodies.positions_w[:, limb], tips[:, None]], axis=1)
        found[reference.character.body_names[end]] = tuple(
            swing_extremes(places, bodies.rotations_w[:, base], settings)
        )
    return found


def _limbs(character: Character) -> list[list[int]]:
    """The bodies of each limb, from the one that hangs on the rest of the character to the end effector."""
    parents = np.asarray(character.model.body_parentid[1:], int) - 1
    chains = []
    for name in character.end_effectors:
        chain = [character.body_index(name)]
        while parents[chain[-1]] >= 0:
            chain.append(int(parents[chain[-1]]))
        chains.append(chain[:-1])  # without the root
    outermost = [chain for chain in chains if chain and not any(chain[0] in other[1:] for other in chains)]
    owners = Counter(body for chain in outermost for body in chain)
    return [[body for body in reversed(chain) if owners[body] == 1] for chain in outermost]
