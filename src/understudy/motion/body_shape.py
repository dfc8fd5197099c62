"""The body parts of a skeleton whose names say nothing: two pairs of like chains, the legs nearer the root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

_ALIKE = 0.2  # two chains whose lengths differ by less than this share are a pair
_WORTH = 0.3  # and count as limbs when as long as this share of the longest pair
_LONG = 0.6  # a limb's two long bones are at least this share of the longest

_WAIST = 0.42  # of the way from pelvis to chest, as in anthropometry.joint_places


@dataclass(frozen=True)
class _Pair:
    """Two like chains hanging on one joint; a chain lists its joints from the fork outwards."""

    fork: int
    chains: tuple[list[int], list[int]]
    length: float


def parts_by_shape(skeleton: Skeleton, places: Array) -> dict[str, int]:
    """Body parts to joints for joint places (J, 3) [m] of one pose; empty when no two pairs of limbs are there."""
    tree = _Tree(skeleton)
    pairs = tree.pairs()
    pairs = [pair for pair in pairs if pair.length >= _WORTH * max(p.length for p in pairs)]
    if len(pairs) < 2:
        return {}
    legs = min(pairs, key=lambda pair: (tree.depth[pair.fork], -pair.length))
    in_legs = {joint for chain in legs.chains for joint in tree.below(chain[0])}
    others = [pair for pair in pairs if pair.fork not in in_legs and pair.fork != legs.fork]
    if not others:
        return {}
    arms = max(others, key=lambda pair: pair.length)
    leg_parts = [_leg(tree, chain) for chain in legs.chains]
    arm_parts = [_arm(tree, chain) for chain in arms.chains]
    if not all(leg_parts) or not all(arm_parts):
        return {}
    found = {"pelvis": legs.fork, "chest": arms.fork} | _top(tree, arms)
    found |= spine_between(skeleton, legs.fork, arms.fork)
    left = _left_direction(places, found, leg_parts)
    for limbs in (leg_parts, arm_parts):
        first, second = (places[next(iter(limb.values()))] for limb in limbs)
        order = ("left", "right") if (first - second) @ left >= 0.0 else ("right", "left")
        for side, limb in zip(order, limbs, strict=True):
            found |= {f"{side}_{part}": joint for part, joint in limb.items()}
        left = (
            places[found["left_thigh"]] - places[found["right_thigh"]]
        )  # for the arms: bodies twist less than 90 degrees
    return found


class _Tree:
    """Lengths and depths of a skeleton's tree; limb ends count as bones without a joint."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        count = len(skeleton)
        self.bone = np.linalg.norm(skeleton.offsets, axis=1)
        self.children = [skeleton.children(joint) for joint in range(count)]
        self.depth, self.end, self.reach = np.zeros(count, int), np.zeros(count), np.zeros(count)
        for joint in range(1, count):
            self.depth[joint] = self.depth[skeleton.parents[joint]] + 1
        for joint, offset in zip(skeleton.end_parents, skeleton.end_offsets, strict=True):
            self.end[joint] = max(self.end[joint], np.linalg.norm(offset))
        for joint in reversed(range(count)):
            self.reach[joint] = max([self.end[joint], *(self.bone[c] + self.reach[c] for c in self.children[joint])])

    def below(self, joint: int) -> list[int]:
        """The joint and everything that hangs on it."""
        found = [joint]
        for other in found:
            found.extend(self.children[other])
        return found

    def chain(self, joint: int) -> list[int]:
        """The joints from ``joint`` along the longest way outwards."""
        found = [joint]
        while self.children[found[-1]]:
            found.append(max(self.children[found[-1]], key=lambda c: self.bone[c] + self.reach[c]))
        return found

    def pairs(self) -> list[_Pair]:
        found = []
        for fork, children in enumerate(self.children):
            for a, b in combinations(children, 2):
                one, other = (self.bone[c] + self.reach[c] for c in (a, b))
                if abs(one - other) <= _ALIKE * max(one, other) and len(self.chain(a)) == len(self.chain(b)):
                    found.append(_Pair(fork, (self.chain(a), self.chain(b)), 0.5 * (one + other)))
        return found

    def long_bones(self, chain: Sequence[int]) -> int | None:
        """Where in the chain the limb's two long bones begin: the last two before the short ones."""
        lengths = self.bone[chain[1:]]
        if len(lengths) < 2:
            return None
        long = np.flatnonzero(lengths >= _LONG * lengths.max())
        return max(int(long[-1]) - 1, 0)


def _leg(tree: _Tree, chain: list[int]) -> dict[str, int]:
    start = tree.long_bones(chain)
    return {} if start is None else dict(zip(("thigh", "shin", "foot", "toes"), chain[start:], strict=False))


def _arm(tree: _Tree, chain: list[int]) -> dict[str, int]:
    start = tree.long_bones(chain)
    if start is None:
        return {}
    found = dict(zip(("upper_arm", "lower_arm", "hand"), chain[start:], strict=False))
    return {**({"clavicle": chain[start - 1]} if start > 0 else {}), **found}


def _top(tree: _Tree, arms: _Pair) -> dict[str, int]:
    """Neck and head: what is left where the arms hang."""
    taken = {chain[0] for chain in arms.chains}
    tops = [child for child in tree.children[arms.fork] if child not in taken]
    if not tops:
        return {}
    chain = tree.chain(max(tops, key=lambda c: tree.bone[c] + tree.reach[c]))
    return {"head": chain[0]} if len(chain) == 1 else {"neck": chain[0], "head": chain[1]}


def _left_direction(places: Array, found: dict[str, int], legs: Sequence[dict[str, int]]) -> Array:
    """The body's left, from its upward direction and where the toes point; +y when there are none."""
    up = places[found["chest"]] - places[found["pelvis"]]
    toes = [places[leg["toes"]] - places[leg["foot"]] for leg in legs if "toes" in leg]
    left = np.cross(up, np.sum(toes, axis=0)) if toes else np.zeros(3)
    return left if np.linalg.norm(left) > 1e-9 else np.array([0.0, 1.0, 0.0])


def rest_places(skeleton: Skeleton) -> Array:
    """(J, 3) joint places [m] of the rest pose, the root at the origin."""
    places = np.zeros((len(skeleton), 3))
    for joint in range(1, len(skeleton)):
        places[joint] = places[skeleton.parents[joint]] + skeleton.offsets[joint]
    return places


def ancestors(skeleton: Skeleton, joint: int) -> list[int]:
    """The joints from the root to ``joint``, both included."""
    path = [joint]
    while path[-1] != 0:
        path.append(int(skeleton.parents[path[-1]]))
    return path[::-1]


def spine_between(skeleton: Skeleton, pelvis: int, chest: int) -> dict[str, int]:
    """The joint between pelvis and chest where a body's waist is; empty when there is none between."""
    above = set(ancestors(skeleton, pelvis))
    between = [joint for joint in ancestors(skeleton, chest)[:-1] if joint not in above]
    if not between:
        return {}
    places = rest_places(skeleton) - rest_places(skeleton)[pelvis]
    heights = np.linalg.norm(places, axis=1) / max(float(np.linalg.norm(places[chest])), 1e-9)
    return {"spine": min(between, key=lambda joint: abs(heights[joint] - _WAIST))}
