"""Authored clips: key poses and gait curves in small TOML files, solved into clips a body could perform."""

from understudy.motion.authoring.body import neutral_skeleton
from understudy.motion.authoring.library import (
    AUTHORED,
    Authored,
    authored,
    authored_clip,
    load_authored,
    read_authored,
)

__all__ = ["AUTHORED", "Authored", "authored", "authored_clip", "load_authored", "neutral_skeleton", "read_authored"]
