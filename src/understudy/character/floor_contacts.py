"""Contact labels of a fitted character: what of it touches the floor when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.character.character import Character
from understudy.character.fitting.ground import Shape, lowest_points, shapes
from understudy.character.fitting.kinematics import Kinematics
from understudy.character.reference import Reference
from understudy.errors import CharacterError, UnknownNameError
from understudy.motion import Contacts, steady_contacts
from understudy.rotations import Array


@dataclass(frozen=True)
class FloorSettings:
    """When a shape touches the floor at z = 0: from below one height of its lowest point until above the other."""

    begin_m: float = 0.004  # swinging feet pass a centimetre over the floor; fitted ones stand on it to a millimetre
    end_m: float = 0.007
    shortest_s: float = 0.05  # contacts and gaps shorter than this are noise

    def __post_init__(self) -> None:
        if not (self.begin_m <= self.end_m and self.shortest_s >= 0.0):
            raise CharacterError("a contact must end at a height no lower than it begins at, after 0 s or more")


def floor_contacts(
    reference: Reference, bodies: tuple[str, ...] = (), settings: FloorSettings | None = None
) -> Contacts:
    """When each of the bodies, by default the end effectors, has a shape of its own or of a limb below it on the floor.

    Bodies named themselves do not count for the bodies above them: a foot and its toes are labelled apart when both are
    asked for. Sliding over the floor is touching it.
    """
    settings = settings or FloorSettings()
    character, names = reference.character, bodies or reference.character.end_effectors
    unknown = [name for name in names if name not in character.body_names]
    if unknown:
        raise UnknownNameError("body", unknown[0], character.body_names)
    if not names:
        raise CharacterError(f"character '{character.name}' has no end effectors; name the bodies that may touch")
    heights = _lowest_heights(reference, names)
    return steady_contacts(
        names, heights < settings.begin_m, heights < settings.end_m, reference.rate_hz, settings.shortest_s
    )


def _lowest_heights(reference: Reference, names: tuple[str, ...]) -> Array:
    """(T, K) height [m] of the lowest point of each named body; infinite for one without a shape."""
    solid = shapes(reference.character.model)
    owners = _owners(reference.character, names, solid)
    lowest = lowest_points(solid, Kinematics(reference.character.model).postures(reference.qpos))[..., 2]
    heights = np.full((reference.tick_count, len(names)), np.inf)
    for k, name in enumerate(names):
        own = [g for g, owner in enumerate(owners) if owner == name]
        if own:
            heights[:, k] = lowest[:, own].min(axis=1)
    return heights


def _owners(character: Character, names: tuple[str, ...], solid: tuple[Shape, ...]) -> list[str]:
    """The named body each shape counts for: the nearest at or above its own; "" for none."""
    owner = {0: ""}
    for body in range(1, character.model.nbody):
        name = character.body_names[body - 1]
        owner[body] = name if name in names else owner[int(character.model.body_parentid[body])]
    return [owner[shape.body + 1] for shape in solid]
