"""Which bodies of a model are which: body parts, feet and hands, and where it faces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from understudy.character.fitting.ground import lowest_points, shapes
from understudy.character.fitting.kinematics import Kinematics, Postures
from understudy.motion import Skeleton, body_parts
from understudy.rotations import Array, IntArray

_ENGINEERING = frozenset({"link", "body", "segment", "pitch", "yaw", "roll", "assembly", "x", "y", "z"})
_NEAR_FLOOR = 0.06  # of the height: what reaches down to here bears weight


@dataclass(frozen=True)
class Anatomy:
    """What is known of a model's bodies.

    Attributes:
        roles: body part to body.
        told_by: ``names`` or ``shape``; empty when nothing was recognised.
        feet, others: bodies at the limbs' ends, those that reach the floor and those that do not.
        heading_rad: where it faces, about the vertical, when its hips tell; else 0.
    """

    roles: Mapping[str, str]
    told_by: str
    feet: tuple[str, ...]
    others: tuple[str, ...]
    heading_rad: float


def study(model: mujoco.MjModel, qpos: Array) -> Anatomy:
    """Look at a model standing in qpos (nq,)."""
    postures = Kinematics(model).postures(qpos[None])
    places = postures.positions_w[0]
    names = tuple(model.body(b).name for b in range(1, model.nbody))
    parents = np.asarray(model.body_parentid[1:], int) - 1
    offsets = places - np.where((parents < 0)[:, None], 0.0, places[parents])
    found = body_parts(Skeleton(_without_engineering(names), parents, offsets), places)
    legs = all(f"{side}_{part}" in found for side in ("left", "right") for part in ("thigh", "shin"))
    roles = {part: names[body] for part, body in found.joints.items()} if legs else {}
    roles |= _chest(names, parents, roles)
    feet, others = _ends(model, postures, names, parents, roles)
    return Anatomy(roles, found.found_by if roles else "", feet, others, _heading(places, names, roles))


def _without_engineering(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names with words such as link and yaw left out, where that leaves them different.

    Of several links that turn about one joint's axes in a row (hip yaw, hip roll, hip pitch) the last is the limb.
    """
    plain = ["_".join(word for word in re.split(r"[_\W]+", name) if word.lower() not in _ENGINEERING) for name in names]
    last = {name: i for i, name in enumerate(plain)}
    return tuple(
        name if name and last[name] == i and (name == own or name not in names) else own
        for i, (name, own) in enumerate(zip(plain, names, strict=True))
    )


def _chest(names: tuple[str, ...], parents: IntArray, roles: Mapping[str, str]) -> dict[str, str]:
    """The body both arms hang on, for trees whose root is the trunk."""
    shoulders = [roles.get(f"{side}_clavicle", roles.get(f"{side}_upper_arm")) for side in ("left", "right")]
    if "chest" in roles or None in shoulders:
        return {}
    above = {int(parents[names.index(shoulder)]) for shoulder in shoulders if shoulder is not None}
    chest = names[above.pop()] if len(above) == 1 and -1 not in above else ""
    return {} if not chest or chest in roles.values() else {"chest": chest}


def _ends(
    model: mujoco.MjModel, postures: Postures, names: tuple[str, ...], parents: IntArray, roles: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    solids = shapes(model)
    points = lowest_points(solids, postures)[0]
    floor, top = points[:, 2].min(), max(points[:, 2].max(), points[:, 2].min() + 1e-6)
    lowest = {solid.body: np.inf for solid in solids}
    for solid, point in zip(solids, points, strict=True):
        lowest[solid.body] = min(lowest[solid.body], point[2])
    leaves = [body for body in range(len(names)) if body not in parents and body in lowest]
    down = [body for body in leaves if lowest[body] - floor < _NEAR_FLOOR * (top - floor)]
    known = [roles.get(f"{side}_foot", roles.get(f"{side}_shin", "")) for side in ("left", "right")]
    down = down or [min(lowest, key=lambda body: lowest[body])]
    feet = [name for name in known if name] or [names[body] for body in sorted(down, key=lambda b: lowest[b])]
    hands = [roles[f"{side}_hand"] for side in ("left", "right") if f"{side}_hand" in roles]
    others = hands or [names[body] for body in leaves if names[body] not in feet and body not in down]
    return tuple(feet), tuple(name for name in others if name != roles.get("head"))


def _heading(places: Array, names: tuple[str, ...], roles: Mapping[str, str]) -> float:
    if not {"left_thigh", "right_thigh"} <= set(roles):
        return 0.0
    left = places[names.index(roles["left_thigh"])] - places[names.index(roles["right_thigh"])]
    if np.linalg.norm(left[:2]) < 1e-4:
        return 0.0
    return float(np.arctan2(-left[0], left[1]))
