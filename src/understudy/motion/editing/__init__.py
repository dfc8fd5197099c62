"""Editing, as plain functions from clips to clips; what was given is never changed."""

from understudy.motion.editing.blending import blend, concatenate, loop, repeat
from understudy.motion.editing.falling import fall_further, flight_of
from understudy.motion.editing.limbs import hinge_axis, turned_by, two_bone_turns
from understudy.motion.editing.lining import on_line
from understudy.motion.editing.mirroring import counterparts, mirror
from understudy.motion.editing.placing import along_x, facing, move, raise_ground, scale, to_origin, turn
from understudy.motion.editing.smoothing import low_pass
from understudy.motion.editing.timing import at_times, crop, crop_frames, resample, retime, warp

__all__ = [
    "along_x",
    "at_times",
    "blend",
    "concatenate",
    "counterparts",
    "crop",
    "crop_frames",
    "facing",
    "fall_further",
    "flight_of",
    "hinge_axis",
    "loop",
    "low_pass",
    "mirror",
    "move",
    "on_line",
    "raise_ground",
    "repeat",
    "resample",
    "retime",
    "scale",
    "to_origin",
    "turn",
    "turned_by",
    "two_bone_turns",
    "warp",
]
