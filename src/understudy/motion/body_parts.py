"""Which joint of a skeleton turns which body part: by the joints' names, else by the shape of the tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from understudy.errors import UnknownNameError
from understudy.motion.body_shape import ancestors, parts_by_shape, rest_places, spine_between
from understudy.motion.joint_names import name_meaning, sides
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

_LEG = ("thigh", "shin", "foot", "toes")
_ARM = ("clavicle", "upper_arm", "lower_arm", "hand")
_TOP = ("neck", "head")


@dataclass(frozen=True)
class BodyParts:
    """Body part (``left_upper_arm``, as ``anthropometry.PARENTS`` lists them) to the joint at its near end.

    ``left_thigh`` is the hip joint, ``left_lower_arm`` the elbow, ``left_hand`` the wrist, ``left_foot`` the ankle.
    Parts a skeleton has no joint for are missing.

    Attributes:
        joints: body part to joint index.
        found_by: whether the names told, or only the shape of the tree.
    """

    joints: Mapping[str, int]
    found_by: Literal["names", "shape"] = "names"

    def __post_init__(self) -> None:
        object.__setattr__(self, "joints", MappingProxyType(dict(self.joints)))

    def __getitem__(self, part: str) -> int:
        if part not in self.joints:
            raise UnknownNameError("body part", part, self.joints)
        return self.joints[part]

    def __contains__(self, part: str) -> bool:
        return part in self.joints

    def __iter__(self) -> Iterator[str]:
        return iter(self.joints)

    def __len__(self) -> int:
        return len(self.joints)

    @property
    def is_human(self) -> bool:
        """Whether two legs and two arms were found, each with its middle joint."""
        limbs = ("thigh", "shin", "upper_arm", "lower_arm")
        return all(f"{side}_{limb}" in self.joints for side in ("left", "right") for limb in limbs)


def body_parts(skeleton: Skeleton, pose: Array | None = None) -> BodyParts:
    """Find the joints of the body parts.

    Args:
        skeleton: any skeleton.
        pose: (J, 3) joint places [m] of a more or less upright pose, to tell left from right where names do not;
            the rest pose when left out.
    """
    named = BodyParts(_parts_by_name(skeleton))
    if named.is_human:
        return named
    shaped = BodyParts(parts_by_shape(skeleton, rest_places(skeleton) if pose is None else pose), "shape")
    return shaped if shaped.is_human else named


def _parts_by_name(skeleton: Skeleton) -> dict[str, int]:
    names = _Names(skeleton)
    found: dict[str, int] = {}
    for side in ("left", "right"):
        for limb, required in ((_LEG, "thigh"), (_ARM, "upper_arm")):
            chain = names.best_chain(limb, side, required)
            found |= {f"{side}_{part}": joint for part, joint in chain.items()}
    top = names.best_chain(_TOP, "", None)
    return _trunk(skeleton, names, found, top) | top | found


class _Names:
    """The meaning of every joint's name, and the best way to read a limb out of them."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.meanings = [name_meaning(name) for name in skeleton.names]
        self.sides = sides(skeleton.names, skeleton.parents.tolist())
        reach = np.zeros(len(skeleton))
        for joint in range(1, len(skeleton)):
            reach[joint] = reach[skeleton.parents[joint]] + np.linalg.norm(skeleton.offsets[joint])
        self.at_root = reach <= 1e-6 * max(1.0, float(reach.max()))

    def best_chain(self, parts: Sequence[str], side: str, required: str | None) -> dict[str, int]:
        """The assignment of joints on one path from the root to parts in their order that the names support most."""
        weights = {joint: [self._weight(joint, part, side) for part in parts] for joint in range(len(self.skeleton))}
        weights = {joint: row for joint, row in weights.items() if any(row)}
        paths = {tuple(j for j in ancestors(self.skeleton, joint) if j in weights) for joint in weights}
        options = [_best_on_path(path, weights, parts, required) for path in sorted(paths)]
        best = max((score for score, _ in options), default=0.0)
        equal = [chain for score, chain in options if chain and score > best - 1e-9]
        return _middle(self.skeleton, equal) if equal else {}

    def _weight(self, joint: int, part: str, side: str) -> float:
        if side and self.sides[joint] != side:
            return 0.0
        if not side and self.meanings[joint].side:
            return 0.0
        if part == "thigh" and self.at_root[joint]:
            return 0.0  # CMU's LHipJoint: a joint of that name that lies in the pelvis itself
        return self.meanings[joint].parts.get(part, 0.0)


def _best_on_path(
    path: Sequence[int], weights: Mapping[int, list[float]], parts: Sequence[str], required: str | None
) -> tuple[float, dict[str, int]]:
    """Dynamic programming over the path; ``best[r]`` ends with part r, and the joint nearer the root wins ties."""
    gate = parts.index(required) if required else len(parts) - 1
    best: list[tuple[float, dict[str, int]]] = [(0.0, {}) for _ in parts]
    for joint in path:
        for r in reversed(range(len(parts))):
            weight = weights[joint][r]
            before = [best[b] for b in range(r) if best[b][1] and (r <= gate or required in best[b][1])]
            starts = [(0.0, dict[str, int]())] if r <= gate else []
            for score, chain in before + starts if weight > 0.0 else []:
                if score + weight > best[r][0] + 1e-9:
                    best[r] = (score + weight, {**chain, parts[r]: joint})
    whole = [option for option in best if required is None or required in option[1]]
    return max(whole, key=lambda option: option[0], default=(0.0, {}))


def _middle(skeleton: Skeleton, chains: list[dict[str, int]]) -> dict[str, int]:
    """Of equally good chains (five toes), the one whose last joint is nearest to the middle of them all."""
    places = rest_places(skeleton)[[list(chain.values())[-1] for chain in chains]]
    return chains[int(np.argmin(np.linalg.norm(places - places.mean(axis=0), axis=1)))]


def _trunk(skeleton: Skeleton, names: _Names, limbs: Mapping[str, int], top: Mapping[str, int]) -> dict[str, int]:
    """Pelvis, spine and chest: by what hangs on them, since the names of the spine differ most."""
    thighs = [limbs[part] for part in ("left_thigh", "right_thigh") if part in limbs]
    arms = [limbs[f"{side}_{part}"] for side in ("left", "right") for part in _ARM[:2] if f"{side}_{part}" in limbs]
    pelvis = _pelvis(skeleton, names, thighs)
    if pelvis is None:
        return {}
    found, hanging = {"pelvis": pelvis}, arms or list(top.values())[:1]
    chest = _common_ancestor(skeleton, hanging) if hanging else pelvis
    while "neck" in names.meanings[chest].parts and chest != 0:
        chest = int(skeleton.parents[chest])  # old Bipeds hang the arms on the neck
    if chest in ancestors(skeleton, pelvis):
        return found
    return found | spine_between(skeleton, pelvis, chest) | {"chest": chest}


def _pelvis(skeleton: Skeleton, names: _Names, thighs: Sequence[int]) -> int | None:
    """The joint called so on the way from the root to the legs, else the one both legs hang on."""
    fork = _common_ancestor(skeleton, thighs) if thighs else 0
    called = [j for j in ancestors(skeleton, fork) if "pelvis" in names.meanings[j].parts]
    if called:
        return called[-1]
    return fork if thighs else None


def _common_ancestor(skeleton: Skeleton, joints: Sequence[int]) -> int:
    """The last joint on the ways from the root to each of ``joints``, these themselves left out."""
    shared = set.intersection(*(set(ancestors(skeleton, joint)[:-1] or [0]) for joint in joints))
    return max(shared)
