"""Which joint of a clip drives which body of a character."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy.anthropometry import PARENTS
from understudy.character.character import Character
from understudy.character.fitting.map_file import read_map
from understudy.errors import CharacterError
from understudy.motion import Clip, Skeleton, body_parts
from understudy.rotations import Array

NEEDED = ("pelvis", *(f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shin")))
"""Body parts without which nothing can be fitted."""

_ALIKE = 0.02
_MANY = 100


@dataclass(frozen=True)
class Matching:
    """Joints and bodies by body part.

    Attributes:
        joints: body part to joint of the skeleton; also parts the character lacks.
        bodies: body part to body of the character (the world not counted); also parts the skeleton lacks.
        same_skeleton: whether the character has the clip's own skeleton, frame by frame; parts are then bodies' names.
        told_by: ``names``, ``shape`` of the tree, ``same skeleton``, or the user's map.
    """

    joints: Mapping[str, int]
    bodies: Mapping[str, int]
    same_skeleton: bool
    told_by: str

    @property
    def shared(self) -> tuple[str, ...]:
        """Body parts of both."""
        return tuple(part for part in self.bodies if part in self.joints)


def match(clip: Clip, character: Character, map_file: Path | None = None) -> Matching:
    """Find what belongs together; raises CharacterError saying which parts are missing and how to name them."""
    skeleton = clip.skeleton
    wanted = {} if map_file is None else read_map(map_file, skeleton, character)
    if not wanted and _same_skeleton(skeleton, character):
        names = {name: i for i, name in enumerate(character.body_names) if name in skeleton.names}
        return Matching({name: skeleton.index(name) for name in names}, names, True, "same skeleton")
    heights = np.ptp(clip.joint_positions_w[..., 2], axis=1)
    found = body_parts(skeleton, clip.joint_positions_w[int(np.argmax(heights))])  # where it is most upright
    joints = dict(found.joints)
    for role in character.roles:
        if role not in PARENTS and (joint := _like_named(skeleton, role)) is not None:
            joints[role] = joint
    joints = {part: joint for part, joint in joints.items() if part not in wanted} | {
        part: joint for part, joint in wanted.items() if joint is not None
    }
    bodies = {part: character.body_index(body) for part, body in character.roles.items()}
    told_by = f"{found.found_by} and {map_file}" if wanted else found.found_by
    matching = Matching(joints, bodies, False, told_by)
    _check(matching, skeleton, character)
    return matching


def _check(matching: Matching, skeleton: Skeleton, character: Character) -> None:
    human = all(part in character.roles for part in NEEDED)
    needed = NEEDED if human else tuple(character.roles)
    missing = [part for part in needed if part not in matching.joints]
    if missing:
        lines = "\n".join(f'{part} = "..."' for part in missing)
        raise CharacterError(
            f"can't tell which joints of the clip are the {', '.join(missing)} of '{character.name}'; "
            "say so in a map file "
            f"(FitSettings.map, --fitting.map) with these lines:\n[joints]\n{lines}\n"
            f"the clip's joints are: {', '.join(skeleton.names[:_MANY])}"
            + (f" and {len(skeleton) - _MANY} more" if len(skeleton) > _MANY else "")
        )


def _same_skeleton(skeleton: Skeleton, character: Character) -> bool:
    """Whether all bodies are called as joints, and hang on each other as these do, as seen in their own frames."""
    if not set(character.body_names) <= set(skeleton.names):
        return False
    ours, theirs = bones(skeleton, character)
    lengths = np.linalg.norm(ours, axis=1)
    if len(ours) < 2 or lengths.sum() < 1e-6:
        return False
    scale = np.linalg.norm(theirs, axis=1).sum() / lengths.sum()
    return bool(np.linalg.norm(theirs - scale * ours, axis=1).sum() < _ALIKE * scale * lengths.sum())


def bones(skeleton: Skeleton, character: Character) -> tuple[Array, Array]:
    """(N, 3) offsets [m] of the joints that hang on the same joint as their bodies do, and (N, 3) of those bodies."""
    names, ours, theirs = character.body_names, [], []
    for body, name in enumerate(names):
        parent = int(character.model.body_parentid[body + 1]) - 1
        if parent >= 0 and name in skeleton.names and names[parent] in skeleton.names:
            joint = skeleton.index(name)
            if skeleton.parents[joint] == skeleton.index(names[parent]):
                ours.append(skeleton.offsets[joint])
                theirs.append(character.model.body_pos[body + 1])
    return np.array(ours).reshape(-1, 3), np.array(theirs).reshape(-1, 3)


def _like_named(skeleton: Skeleton, role: str) -> int | None:
    """The joint whose name has the same letters and digits as a part of the character's own."""
    plain = [re.sub("[^a-z0-9]", "", name.lower()) for name in skeleton.names]
    wanted = re.sub("[^a-z0-9]", "", role.lower())
    return plain.index(wanted) if wanted in plain else None
