"""Skeletons and clips: reading, writing, editing and authoring them."""

from understudy.motion.authoring import (
    AUTHORED,
    Authored,
    authored,
    authored_clip,
    load_authored,
    neutral_skeleton,
    read_authored,
)
from understudy.motion.body_parts import BodyParts, body_parts
from understudy.motion.clip import Clip
from understudy.motion.contacts import Contacts, ContactSettings, contact_labels, steady_contacts
from understudy.motion.description import Description, describe
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
from understudy.motion.formats.native import VERSION as CLIP_VERSION
from understudy.motion.formats.native import clip_contents, clip_in
from understudy.motion.reading import load_clip, read_clip
from understudy.motion.recording import Guess, Reading, ReadSettings
from understudy.motion.segmentation import SegmentPoint, SegmentSettings, fragment_times, segment, spaced
from understudy.motion.skeleton import Skeleton
from understudy.motion.writing import WriteSettings, write_clip

__all__ = [
    "AUTHORED",
    "CLIP_VERSION",
    "Authored",
    "BodyParts",
    "Clip",
    "ContactSettings",
    "Contacts",
    "Description",
    "Guess",
    "ReadSettings",
    "Reading",
    "SegmentPoint",
    "SegmentSettings",
    "Skeleton",
    "WriteSettings",
    "at_times",
    "authored",
    "authored_clip",
    "blend",
    "body_parts",
    "clip_contents",
    "clip_in",
    "concatenate",
    "contact_labels",
    "crop",
    "crop_frames",
    "describe",
    "facing",
    "fragment_times",
    "load_authored",
    "load_clip",
    "loop",
    "low_pass",
    "mirror",
    "move",
    "neutral_skeleton",
    "raise_ground",
    "read_authored",
    "read_clip",
    "repeat",
    "resample",
    "retime",
    "scale",
    "segment",
    "spaced",
    "steady_contacts",
    "to_origin",
    "turn",
    "warp",
    "write_clip",
]
