"""Skeletons and clips: reading, writing, editing and authoring them."""

from understudy.motion.clip import Clip
from understudy.motion.skeleton import Skeleton

__all__ = ["Clip", "Skeleton"]
