"""What a joint's name says: which side of the body it is on, and which body parts it may turn.

The words cover CMU (BVH and Acclaim), LAFAN1, SMPL, DeepMimic, Mixamo, MakeHuman, Poser and DAZ, Xsens, Rokoko,
Biovision, Bandai Namco, 3ds Max Biped, OptiTrack, Kinect, Unreal, Unity, Rigify and endorphin.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Side = Literal["left", "right", ""]

# What words may mean, the likelier with the larger weight; conventions disagree on some: LeftShoulder is the clavicle
# in LAFAN1 and the upper arm in Biovision, left_foot the toes in SMPL. Words that mean nothing keep fingers from
# being hands.
_LIMBS: tuple[tuple[str, dict[str, float]], ...] = (
    ("thigh upleg upperleg femur legupper", {"thigh": 1.0}),
    ("hip hips", {"thigh": 0.9}),
    ("leg", {"shin": 0.8, "thigh": 0.6}),
    ("shin knee calf tibia loleg lowleg lowerleg leglower", {"shin": 1.0}),
    ("ankle", {"foot": 1.0}),
    ("foot", {"foot": 1.0, "toes": 0.5}),
    ("toe toes toebase ball", {"toes": 1.0}),
    ("clavicle clav collar collarbone scapula", {"clavicle": 1.0}),
    ("shoulder shldr", {"upper_arm": 0.8, "clavicle": 0.7}),
    ("upperarm uparm uarm humerus armupper", {"upper_arm": 1.0}),
    ("arm", {"upper_arm": 0.8, "lower_arm": 0.5}),
    ("forearm farm elbow lowerarm lowarm loarm radius armlower", {"lower_arm": 1.0}),
    ("hand wrist palm", {"hand": 1.0}),
    ("finger fingers fingerbase thumb index middle mid ring pinky little metacarpal", {}),
    ("eye metatarsal buttock breast", {}),
)
_CENTRE: tuple[tuple[str, dict[str, float]], ...] = (
    ("pelvis hip hips", {"pelvis": 1.0}),
    ("neck", {"neck": 1.0, "head": 0.3}),
    ("head skull", {"head": 1.0}),
)
_LIMB_WORDS = {word: meaning for words, meaning in _LIMBS for word in words.split()}
_CENTRE_WORDS = {word: meaning for words, meaning in _CENTRE for word in words.split()}
_SIDES: dict[str, Side] = {"left": "left", "l": "left", "right": "right", "r": "right"}
_HELPERS = frozenset({"dum", "dummy", "twist", "roll", "ik", "pole", "ctrl", "control", "target", "helper"})
_END_WORDS = frozenset({"end", "nub", "site", "endsite", "effector"})
_FILLERS = frozenset({"joint", "jnt", "bone"})
_END_WEIGHT = 0.3  # an End named like a part is taken for it only when nothing better is there
_TOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


@dataclass(frozen=True)
class NameMeaning:
    """What one name says.

    Attributes:
        side: the side it names, or "" for none.
        parts: body part without its side (``upper_arm``, ``head``) to how likely it is meant, 0 to 1.
    """

    side: Side
    parts: Mapping[str, float]


def name_meaning(name: str) -> NameMeaning:
    """Read one joint name: ``mixamorig:LeftUpLeg``, ``Bip01 L Thigh``, ``lfemur``, ``upperleg01.R``."""
    bare = re.split(r"[:|]", name)[-1]
    tokens = [token.lower() for token in _TOKEN.findall(bare)]
    helper = bare.startswith("__") or any(token in _HELPERS for token in tokens)
    end = next((t in _END_WORDS for t in reversed(tokens) if not t.isdigit() and t not in _FILLERS), False)
    words = [t for t in tokens if not t.isdigit() and t not in _FILLERS and t not in _END_WORDS]
    side, stem = _split_side(words)
    if helper:
        return NameMeaning(side, {})
    parts = _parts(stem, _LIMB_WORDS if side else {**_LIMB_WORDS, **_CENTRE_WORDS})
    return NameMeaning(side, {part: weight * (_END_WEIGHT if end else 1.0) for part, weight in parts.items()})


def sideless(name: str) -> str:
    """The same for LeftHandThumb1 and RightHandThumb1; a name without a side loses the number at its end."""
    tokens = [token.lower() for token in _TOKEN.findall(re.split(r"[:|]", name)[-1])]
    side, stem = _split_side([token for token in tokens if not token.isdigit()])
    digits = [token for token in tokens if token.isdigit()]
    return ".".join([stem, *digits]) if side else re.sub(r"([\W_]*\d+)+$", "", name)


def sides(names: Sequence[str], parents: Sequence[int]) -> list[Side]:
    """The side of each joint: what its name says, else its ancestors' names, else all names below it together."""
    own: list[Side] = [name_meaning(name).side for name in names]
    below: list[set[Side]] = [{side} - {""} for side in own]
    for joint in reversed(range(1, len(names))):
        below[parents[joint]] |= below[joint]
    result: list[Side] = []
    for joint, side in enumerate(own):
        inherited: Side = result[parents[joint]] if joint > 0 and not side else side
        result.append(inherited or (next(iter(below[joint])) if len(below[joint]) == 1 else ""))
    return result


def _split_side(words: list[str]) -> tuple[Side, str]:
    """The side and the remaining letters: a word of its own (L, Left), or glued to a word that is known (lhip)."""
    for i, word in enumerate(words):
        if word in _SIDES:
            return _SIDES[word], "".join(words[:i] + words[i + 1 :])
    stem = "".join(words)
    for mark, side in _SIDES.items():
        for rest in (stem.removeprefix(mark), stem.removesuffix(mark)):
            word = rest.removesuffix("joint")
            if rest != stem and word in _LIMB_WORDS:
                return side, word
    return "", stem


def _parts(stem: str, words: Mapping[str, Mapping[str, float]]) -> Mapping[str, float]:
    """The meaning of the longest known word the stem ends with, so that prefixes (Bip, Skeleton, Torso) do no harm."""
    known = [word for word in words if stem.endswith(word)]
    return words[max(known, key=len)] if known else {}
