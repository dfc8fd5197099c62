"""The same motion on skeletons whose joint frames lie otherwise, for tests."""

import numpy as np

from understudy import rotations
from understudy.motion import Clip, Skeleton


def _with_frames(clip: Clip, turns: np.ndarray) -> Clip:
    """The clip with joint frames turned by constant turns (J, 4): world rotation G becomes G turn, places stay."""
    skeleton, back = clip.skeleton, rotations.conjugate(turns)
    offsets = np.array(skeleton.offsets)
    offsets[1:] = rotations.rotate(back[skeleton.parents[1:]], offsets[1:])
    ends = rotations.rotate(back[skeleton.end_parents], skeleton.end_offsets)
    local = rotations.multiply(clip.rotations, turns)
    local[:, 1:] = rotations.multiply(back[skeleton.parents[1:]], local[:, 1:])
    return Clip(
        Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.end_parents, ends),
        clip.rate_hz,
        clip.root_positions,
        local,
        clip.name,
    )


def along_x(clip: Clip) -> Clip:
    """On a rig such as LAFAN1's: every bone lies along its frame's x axis, and the body's left along +-z."""
    skeleton = clip.skeleton
    turns = np.empty((len(skeleton), 4))
    for joint, name in enumerate(skeleton.names):
        part = name.split("_", 1)[-1]
        if part in ("clavicle", "upper_arm", "lower_arm", "hand"):
            side = 1.0 if name.startswith("left") else -1.0
            axes = np.stack([side * np.eye(3)[1], np.eye(3)[2], side * np.eye(3)[0]], axis=1)
        elif part in ("thigh", "shin"):
            axes = np.stack([-np.eye(3)[2], np.eye(3)[0], -np.eye(3)[1]], axis=1)
        elif part in ("foot", "toes"):
            axes = np.stack([np.eye(3)[0], np.eye(3)[2], -np.eye(3)[1]], axis=1)
        else:
            axes = np.stack([np.eye(3)[2], np.eye(3)[0], np.eye(3)[1]], axis=1)
        turns[joint] = rotations.from_matrix(axes)
    return _with_frames(clip, turns)


def with_random_frames(clip: Clip, rng: np.random.Generator) -> Clip:
    """On a rig whose joint frames lie anyhow."""
    return _with_frames(clip, rotations.normalize(rng.normal(size=(len(clip.skeleton), 4))))


def without(clip: Clip, gone: set[int]) -> Clip:
    """The same motion with some joints, never the root, left out of the skeleton; all else stays where it was."""
    skeleton = clip.skeleton
    kept = [joint for joint in range(len(skeleton)) if joint == 0 or joint not in gone]
    places = skeleton.forward(np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, len(skeleton), 1)))[0][0]
    parents, offsets, local = [], [], []
    for joint in kept:
        above = int(skeleton.parents[joint])
        while above >= 0 and above not in kept:
            above = int(skeleton.parents[above])
        parents.append(kept.index(above) if above >= 0 else -1)
        offsets.append(places[joint] - places[above] if above >= 0 else np.zeros(3))
        turned = clip.joint_rotations_w[:, joint]
        outer = clip.joint_rotations_w[:, above] if above >= 0 else np.broadcast_to(rotations.IDENTITY, turned.shape)
        local.append(rotations.multiply(rotations.conjugate(outer), turned))
    ends = [end for end, owner in enumerate(skeleton.end_parents) if owner in kept]
    return Clip(
        Skeleton(
            tuple(skeleton.names[joint] for joint in kept),
            np.array(parents),
            np.array(offsets),
            np.array([kept.index(int(skeleton.end_parents[end])) for end in ends], int),
            skeleton.end_offsets[ends],
        ),
        clip.rate_hz,
        clip.root_positions,
        np.stack(local, axis=1),
        clip.name,
    )
