"""Skeletons and clips: reading, writing, editing and authoring them."""

from understudy.motion.body_parts import BodyParts, body_parts
from understudy.motion.clip import Clip
from understudy.motion.contacts import Contacts, ContactSettings, contact_labels
from understudy.motion.editing import (
    at_times,
    blend,
    concatenate,
    crop,
    crop_frames,
    facing,
    loop,
    low_pass,
    mirror,
    move,
    raise_ground,
    repeat,
    resample,
    retime,
    scale,
    to_origin,
    turn,
    warp,
)
from understudy.motion.segmentation import SegmentPoint, SegmentSettings, fragment_times, segment
from understudy.motion.skeleton import Skeleton

__all__ = [
    "BodyParts",
    "Clip",
    "ContactSettings",
    "Contacts",
    "SegmentPoint",
    "SegmentSettings",
    "Skeleton",
    "at_times",
    "blend",
    "body_parts",
    "concatenate",
    "contact_labels",
    "crop",
    "crop_frames",
    "facing",
    "fragment_times",
    "loop",
    "low_pass",
    "mirror",
    "move",
    "raise_ground",
    "repeat",
    "resample",
    "retime",
    "scale",
    "segment",
    "to_origin",
    "turn",
    "warp",
]
