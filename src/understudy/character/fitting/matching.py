"""Which joint of a skeleton drives which body of a character, and the file in which a user overrules it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from understudy import rotations
from understudy.anthropometry import PARENTS
from understudy.character.character import Character
from understudy.character.reference import body_poses
from understudy.errors import CharacterError, FileError, UnknownNameError
from understudy.files import replacing
from understudy.motion import Clip, Skeleton, body_parts

NEEDED = ("pelvis", *(f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shin")))
"""Body parts without which nothing can be fitted."""

_MOSTLY = 0.7
_SAME_DIRECTION = np.radians(5.0)
_LARGEST_BYTES = 1 << 20


@dataclass(frozen=True)
class Matching:
    """Joints and bodies by body part.

    Attributes:
        joints: body part to joint of the skeleton; also parts the character lacks.
        bodies: body part to body of the character (the world not counted); also parts the skeleton lacks.
        same_skeleton: whether the character has the clip's own skeleton; parts are then the bodies' names.
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


def match(clip: Clip, character: Character, joint_map: Path | None = None) -> Matching:
    """Find what belongs together; raises CharacterError saying which parts are missing and how to name them."""
    skeleton = clip.skeleton
    wanted = {} if joint_map is None else read_map(joint_map, skeleton, character)
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
    told_by = f"{found.found_by} and {joint_map}" if wanted else found.found_by
    matching = Matching(joints, bodies, False, told_by)
    _check(matching, skeleton, character)
    return matching


def _check(matching: Matching, skeleton: Skeleton, character: Character) -> None:
    human = all(part in character.roles for part in NEEDED)
    needed = NEEDED if human else tuple(character.roles)
    missing = [part for part in needed if part not in matching.joints]
    if missing:
        raise CharacterError(
            f"can't tell which joints are the {', '.join(missing)} of '{character.name}'; "
            "name them in a map file, [joints] with lines such as "
            f'{missing[0]} = "{skeleton.names[0]}", and give it as joint_map (write_map writes one to start from); '
            f"the clip's joints are: {', '.join(skeleton.names)}"
        )


def _same_skeleton(skeleton: Skeleton, character: Character) -> bool:
    """Whether most bodies are called as joints, and lie as they do in the skeleton's rest pose."""
    names = character.body_names
    common = [name for name in names if name in skeleton.names]
    if len(common) < 3 or len(common) < _MOSTLY * len(names):
        return False
    still = np.tile(rotations.IDENTITY, (1, len(skeleton), 1))
    ours = skeleton.forward(np.zeros((1, 3)), still)[0][0][[skeleton.index(name) for name in common]]
    model = character.model
    theirs = body_poses(model, model.qpos0[None]).positions_w[0][[names.index(name) for name in common]]
    ours, theirs = ours - ours[0], theirs - theirs[0]
    far = np.linalg.norm(ours, axis=1) > 1e-3
    cosines = np.sum(rotations.normalize(ours) * rotations.normalize(theirs), axis=1)[far]
    return bool(far.any() and np.all(np.arccos(np.clip(cosines, -1.0, 1.0)) < _SAME_DIRECTION))


def _like_named(skeleton: Skeleton, role: str) -> int | None:
    """The joint whose name has the same letters and digits as a part of the character's own."""
    plain = [re.sub("[^a-z0-9]", "", name.lower()) for name in skeleton.names]
    wanted = re.sub("[^a-z0-9]", "", role.lower())
    return plain.index(wanted) if wanted in plain else None


def read_map(path: Path, skeleton: Skeleton, character: Character) -> dict[str, int | None]:
    """Body part to joint, or to None where the user leaves it out with ``""``; raises FileError and UnknownNameError."""
    joints = _joints_table(path)
    parts = tuple(dict.fromkeys((*character.roles, *PARENTS)))
    result: dict[str, int | None] = {}
    for part, name in joints.items():
        if part not in parts:
            raise UnknownNameError(f"body part ({path})", part, parts)
        if not isinstance(name, str):
            raise FileError(path, f"{part} must be a joint's name in quotes, not {name!r}")
        if name and name not in skeleton.names:
            raise UnknownNameError(f"joint ({path}, {part})", name, skeleton.names)
        result[part] = skeleton.index(name) if name else None
    repeated = {j for j in result.values() if j is not None and list(result.values()).count(j) > 1}
    if repeated:
        raise FileError(path, f"joint '{skeleton.names[min(repeated)]}' is named for more than one body part")
    return result


def _joints_table(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise FileError(path, "is too large for a joint map", hint="a map is a page of text")
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise FileError(path, f"can't be read ({problem.strerror or problem})") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FileError(
            path, f"is no TOML file ({problem})", hint='lines such as left_thigh = "LeftUpLeg"'
        ) from problem
    joints = table.get("joints")
    if not isinstance(joints, dict) or len(table) != 1:
        others = ", ".join(key for key in table if key != "joints")
        hint = "body parts and joint names follow the line [joints]"
        raise FileError(path, f"unknown table {others}" if others else "has no table [joints]", hint=hint)
    return joints


def write_map(path: str | Path, skeleton: Skeleton, character: Character) -> None:
    """Write what the fitting would guess as a map file to edit; parts without a joint stand there as comments."""
    found = body_parts(skeleton).joints
    lines = [
        f"# Which joint of the clip moves which body part of '{character.name}'. Left out or \"\": nothing does.",
        f"# The clip's joints: {', '.join(skeleton.names)}",
        "[joints]",
    ]
    for part in character.roles:
        joint = found.get(part, _like_named(skeleton, part))
        lines.append(f'# {_key(part)} = ""' if joint is None else f"{_key(part)} = {_quoted(skeleton.names[joint])}")
    with replacing(Path(path)) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _key(part: str) -> str:
    return part if re.fullmatch("[A-Za-z0-9_-]+", part) else _quoted(part)


def _quoted(text: str) -> str:
    escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text)
    return f'"{escaped}"'
