"""Skeletons and clips: reading, writing, editing and authoring them."""

from understudy.motion.body_parts import BodyParts, body_parts
from understudy.motion.clip import Clip
from understudy.motion.skeleton import Skeleton

__all__ = ["BodyParts", "Clip", "Skeleton", "body_parts"]
