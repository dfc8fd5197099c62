"""Small made-up skeletons and clips for tests."""

import numpy as np

from understudy import anthropometry, rotations
from understudy.motion import Clip, Skeleton

PARTS = tuple(anthropometry.PARENTS)


def human_skeleton(names=PARTS):
    """The neutral body in its T-pose facing +x, with fingertips, toe tips, heels and the crown as limb ends."""
    places, ends = anthropometry.joint_places(), anthropometry.end_places()
    parents = [-1 if parent is None else PARTS.index(parent) for parent in anthropometry.PARENTS.values()]
    offsets = [places[part] - (places[PARTS[p]] if p >= 0 else 0.0) for part, p in zip(PARTS, parents, strict=True)]
    return Skeleton(
        names,
        parents,
        offsets,
        [PARTS.index(part) for part in ends],
        [ends[part] - places[part] for part in ends],
    )


def wander(seconds=2.0, rate_hz=60.0, seed=0, skeleton=None):
    """A clip that walks off along a curve with smoothly swinging joints; no two joints or frames alike."""
    skeleton = skeleton or human_skeleton()
    draw = np.random.default_rng(seed)
    times = np.arange(round(seconds * rate_hz) + 1) / rate_hz
    joints = len(skeleton)
    swing = draw.normal(0.0, 0.25, (joints, 3))
    phase, speed = draw.uniform(0.0, 2.0 * np.pi, (joints, 3)), draw.uniform(0.3, 1.2, (joints, 3))
    vectors = swing * np.sin(2.0 * np.pi * speed * times[:, None, None] + phase)
    turned = rotations.exp(vectors)
    turned[:, 0] = rotations.multiply(rotations.about_z(0.4 + 0.5 * times), turned[:, 0])
    way = np.stack([1.0 + 0.8 * times, -2.0 + 0.3 * times**2, 0.95 + 0.03 * np.sin(5.0 * times)], axis=1)
    return Clip(skeleton, rate_hz, way, turned, f"wander{seed}")


def same(a, b, tolerance=1e-9):
    """Whether two clips show the same motion: their frames, and every joint's place and rotation."""
    return (
        a.frame_count == b.frame_count
        and np.allclose(a.joint_positions_w, b.joint_positions_w, atol=tolerance)
        and float(rotations.angle_between(a.rotations, b.rotations).max()) < 10.0 * tolerance + 1e-7
    )
