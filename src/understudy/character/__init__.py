"""Characters and the fitting of clips to them."""

from understudy.character.character import ROLES, Character, CharacterJoint, Physics, Role
from understudy.character.controls import ControlMap
from understudy.character.reference import BodyPoses, Reference, body_poses, velocities

__all__ = [
    "ROLES",
    "BodyPoses",
    "Character",
    "CharacterJoint",
    "ControlMap",
    "Physics",
    "Reference",
    "Role",
    "body_poses",
    "velocities",
]
