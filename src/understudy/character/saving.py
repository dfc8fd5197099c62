"""Characters as files: the model's XML and assets as bytes, the rest as a JSON header."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.character.character import Character, CharacterJoint, Physics
from understudy.character.muted import kept_warnings
from understudy.errors import CharacterError, FileError
from understudy.files import ArrayFile, read_arrays, write_arrays

KIND, VERSION = "character", 1
_ASSET = "asset_"


def write_character(character: Character, path: str | Path) -> None:
    """Write a character to a file."""
    write_arrays(path, character_contents(character))


def read_character(path: str | Path) -> Character:
    """Read a character file; raises FileError when it is not one, or MuJoCo refuses its model."""
    return character_in(read_arrays(path, KIND, VERSION), path)


def character_contents(character: Character) -> ArrayFile:
    """What a character's file holds; other files that carry a character hold the same."""
    names = sorted(character.assets)
    header = {
        "name": character.name,
        "source": character.source,
        "joints": [_joint_settings(joint) for joint in character.joints],
        "roles": dict(character.roles),
        "end_effectors": list(character.end_effectors),
        "physics": dataclasses.asdict(character.physics),
        "assets": names,
        "guesses": list(character.guesses),
    }
    arrays: dict[str, NDArray[Any]] = {"xml": _bytes(character.xml.encode()), "standing": character.standing}
    arrays |= {f"{_ASSET}{i}": _bytes(character.assets[name]) for i, name in enumerate(names)}
    return ArrayFile(KIND, VERSION, header, arrays)


def character_in(contents: ArrayFile, path: str | Path) -> Character:
    """The character that contents read from path hold; raises FileError when they do not."""
    header = contents.header
    try:
        character = Character(
            name=str(header["name"]),
            source=str(header["source"]),
            xml=contents.arrays["xml"].tobytes().decode(),
            joints=tuple(_joint(settings) for settings in header["joints"]),
            roles={str(role): str(body) for role, body in header["roles"].items()},
            end_effectors=tuple(str(body) for body in header["end_effectors"]),
            physics=Physics(**header["physics"]),
            assets={name: contents.arrays[f"{_ASSET}{i}"].tobytes() for i, name in enumerate(header["assets"])},
            guesses=tuple(str(guess) for guess in header["guesses"]),
            standing=contents.arrays["standing"],
        )
        with kept_warnings():
            _check(character)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FileError(path, f"a damaged character file ({problem!r})") from problem
    except CharacterError as problem:
        raise FileError(path, str(problem)) from problem
    return character


def _check(character: Character) -> None:
    """Refuse what the model does not hold."""
    model = character.model
    known = [model.joint(i).name for i in range(model.njnt)]
    missing = [name for joint in character.joints for name in joint.mujoco_joints if name not in known]
    bodies = [
        body for body in (*character.roles.values(), *character.end_effectors) if body not in character.body_names
    ]
    if missing or bodies:
        raise CharacterError(f"character '{character.name}' names '{(missing + bodies)[0]}', which its model lacks")
    if character.standing.shape not in ((0,), (model.nq,)):
        raise CharacterError(
            f"character '{character.name}': standing must be ({model.nq},), not {character.standing.shape}"
        )


def _joint_settings(joint: CharacterJoint) -> dict[str, Any]:
    settings = {field.name: getattr(joint, field.name) for field in dataclasses.fields(joint)}
    settings["torque_nm"] = [
        torque if np.isfinite(torque) else None for torque in joint.torque_nm
    ]  # JSON has no infinity
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in settings.items()}


def _joint(settings: Mapping[str, Any]) -> CharacterJoint:
    torques = [np.inf if torque is None else torque for torque in settings["torque_nm"]]
    return CharacterJoint(**{**settings, "mujoco_joints": tuple(settings["mujoco_joints"]), "torque_nm": torques})


def _bytes(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(data, np.uint8)
