"""From a clip's motion to what a character's bodies should do."""

from __future__ import annotations

import numpy as np

from understudy import rotations
from understudy.character.character import Character
from understudy.character.fitting.anatomy import SIDES, standing_frame
from understudy.character.fitting.figure import Figure, character_figure, rest_figure
from understudy.character.fitting.human_targets import human_targets
from understudy.character.fitting.matching import Matching
from understudy.character.fitting.rest_targets import own_targets, rest_targets
from understudy.character.fitting.targets import Targets
from understudy.errors import CharacterError
from understudy.motion import Clip

_LEGS = [f"{side}_{part}" for side in SIDES for part in ("thigh", "shin")]
_ARMS = [f"{side}_{part}" for side in SIDES for part in ("upper_arm", "lower_arm")]


def carried_over(clip: Clip, character: Character, matching: Matching, scale: float | None) -> Targets:
    """Targets at the clip's frames; scale as FitSettings has it."""
    if matching.same_skeleton:
        return own_targets(clip, character, matching, scale)
    on_legs = all(part in matching.joints and part in matching.bodies for part in ("pelvis", *_LEGS))
    if not on_legs:
        return rest_targets(clip, character, matching, scale)
    theirs, still = character_figure(character), rest_figure(clip.skeleton, matching.joints)
    four_legged = _stands_on_four(theirs)
    if four_legged != _stands_on_four(still):
        stands = ("two", "four") if four_legged else ("four", "two")
        raise CharacterError(
            f"the skeleton of clip '{clip.name}' stands on {stands[0]} legs, '{character.name}' on {stands[1]}"
        )
    if four_legged:
        return rest_targets(clip, character, matching, scale)
    return human_targets(clip, theirs, standing_frame(theirs), matching, scale)


def _stands_on_four(figure: Figure) -> bool:
    """Whether, in its first pose, arms and legs point the same way, across the trunk."""
    if figure.trunk_top is None or not all(part in figure.places for part in (*_LEGS, *_ARMS)):
        return False
    trunk = figure.trunk_top[0] - figure.hips[0]
    ends = {"upper_arm": ("hand", "lower_arm"), "thigh": ("foot", "shin")}
    bones = []
    for near, far in ends.items():
        for side in SIDES:
            end = next(f"{side}_{part}" for part in far if f"{side}_{part}" in figure.places)
            bones.append(figure.places[end][0] - figure.places[f"{side}_{near}"][0])
    limbs = rotations.normalize(np.array(bones))
    along = np.abs(limbs @ rotations.normalize(trunk))
    return bool((limbs @ limbs.T).min() > 0.7 and along.max() < 0.7)
