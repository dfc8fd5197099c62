"""Clips made up for drawing."""

import numpy as np
from motion_samples import human_skeleton

from understudy import rotations
from understudy.motion import Clip


def stroll(seconds=2.0, rate_hz=30.0, speed_m_s=1.3, turn_rad_s=0.0, height_m=None, name="stroll"):
    """The neutral body swinging its limbs on a straight or curved way, arms at its sides, over flat ground."""
    skeleton = human_skeleton()
    times = np.arange(round(seconds * rate_hz) + 1) / rate_hz
    turned = np.tile(rotations.IDENTITY, (len(times), len(skeleton), 1))
    heading = turn_rad_s * times
    turned[:, 0] = rotations.about_z(heading)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        swing = sign * np.sin(6.0 * times)
        sideways, forward = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
        hang = rotations.from_axis_angle(forward, np.full(len(times), -sign * 1.4))
        turned[:, skeleton.index(f"{side}_thigh")] = rotations.from_axis_angle(sideways, -0.4 * swing)
        turned[:, skeleton.index(f"{side}_shin")] = rotations.from_axis_angle(sideways, 0.4 - 0.3 * swing)
        arm = rotations.multiply(rotations.from_axis_angle(sideways, 0.4 * swing), hang)
        turned[:, skeleton.index(f"{side}_upper_arm")] = arm
    steps = speed_m_s / rate_hz * np.stack([np.cos(heading), np.sin(heading)], axis=1)
    level = np.cumsum(steps, axis=0) - steps[0]
    height = np.full((len(times), 1), 0.88 if height_m is None else height_m)
    return Clip(skeleton, rate_hz, np.concatenate([level, height], axis=1), turned, name)


def moved(clip, by):
    """The clip moved by (3,) [m]."""
    return clip.with_(root_positions=clip.root_positions + np.asarray(by, float))


def enlarged(clip, factor):
    """The clip and its skeleton so many times as large."""
    skeleton = clip.skeleton
    larger = type(skeleton)(
        skeleton.names,
        skeleton.parents,
        factor * skeleton.offsets,
        skeleton.end_parents,
        factor * skeleton.end_offsets,
    )
    return clip.with_(skeleton=larger, root_positions=factor * clip.root_positions)
