"""Characters and the fitting of clips to them."""

from understudy.character.adopt import adopt
from understudy.character.character import ROLES, Character, CharacterJoint, Physics, Role
from understudy.character.controls import ControlMap
from understudy.character.fitting import Fit, FitReport, FitSettings, FloorUse, LimitUse, Match, fit, write_map
from understudy.character.floor_contacts import FloorSettings, floor_contacts
from understudy.character.from_clip import character_from_clip
from understudy.character.library import CHARACTERS, load_character
from understudy.character.limb_extremes import limb_extremes
from understudy.character.reference import VERSION as REFERENCE_VERSION
from understudy.character.reference import BodyPoses, Reference, body_poses, velocities
from understudy.character.returning import returned_clip
from understudy.character.saving import read_character, write_character

__all__ = [
    "CHARACTERS",
    "REFERENCE_VERSION",
    "ROLES",
    "BodyPoses",
    "Character",
    "CharacterJoint",
    "ControlMap",
    "Fit",
    "FitReport",
    "FitSettings",
    "FloorSettings",
    "FloorUse",
    "LimitUse",
    "Match",
    "Physics",
    "Reference",
    "Role",
    "adopt",
    "body_poses",
    "character_from_clip",
    "fit",
    "floor_contacts",
    "limb_extremes",
    "load_character",
    "read_character",
    "returned_clip",
    "velocities",
    "write_character",
    "write_map",
]
