"""Editing, as plain functions from clips to clips; what was given is never changed."""

from understudy.motion.editing.blending import blend, concatenate, loop, repeat
from understudy.motion.editing.mirroring import counterparts, mirror
from understudy.motion.editing.placing import facing, move, raise_ground, scale, to_origin, turn
from understudy.motion.editing.smoothing import low_pass
from understudy.motion.editing.timing import at_times, crop, crop_frames, resample, retime, warp

__all__ = [
    "at_times",
    "blend",
    "concatenate",
    "counterparts",
    "crop",
    "crop_frames",
    "facing",
    "loop",
    "low_pass",
    "mirror",
    "move",
    "raise_ground",
    "repeat",
    "resample",
    "retime",
    "scale",
    "to_origin",
    "turn",
    "warp",
]
