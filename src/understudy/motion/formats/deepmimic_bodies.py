"""The skeletons of DeepMimic's motion files: X. B. Peng et al., "DeepMimic", SIGGRAPH 2018.

Joints, attachments [m] and the order of the numbers in a frame follow data/characters/humanoid3d.txt and dog3d.txt of
github.com/xbpeng/DeepMimic (MIT licence, copyright 2018 Xue Bin Peng); limb ends lie at the far side of the last
body's shape. In their axes x is forward, y up and z to the right; a joint with one angle turns about z.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.motion.recording import Axes
from understudy.motion.skeleton import Skeleton

AXES = Axes(up="y", forward="x")

_Row = tuple[str, str, tuple[float, float, float]]


@dataclass(frozen=True)
class DeepMimicBody:
    """One of the two bodies.

    Attributes:
        name: what to call it.
        skeleton: in DeepMimic's axes.
        hinges: the joints with one angle; the others have a quaternion, w first.
    """

    name: str
    skeleton: Skeleton
    hinges: frozenset[str]

    @property
    def widths(self) -> tuple[int, ...]:
        """How many numbers of a frame each joint has; the root's quaternion is counted, its place is not."""
        return tuple(1 if name in self.hinges else 4 for name in self.skeleton.names)

    @property
    def frame_size(self) -> int:
        """Numbers in a frame: the step to the next, the root's place, and the joints'."""
        return 4 + sum(self.widths)


def _body(name: str, rows: tuple[_Row, ...], ends: tuple[tuple[str, tuple[float, float, float]], ...]) -> DeepMimicBody:
    names = ("root", *(joint for joint, _, _ in rows))
    skeleton = Skeleton(
        names=names,
        parents=np.array([-1, *(names.index(parent) for _, parent, _ in rows)]),
        offsets=np.array([(0.0, 0.0, 0.0), *(attachment for _, _, attachment in rows)]),
        end_parents=np.array([names.index(joint) for joint, _ in ends]),
        end_offsets=np.array([place for _, place in ends]),
    )
    hinges = {joint for joint in names if joint.endswith(("_knee", "_elbow", "_forearm", "_leg"))}
    return DeepMimicBody(name, skeleton, frozenset(hinges - {"left_upper_leg", "right_upper_leg"}))


HUMANOID = _body(
    "humanoid",
    (
        ("chest", "root", (0.0, 0.236151, 0.0)),
        ("neck", "chest", (0.0, 0.223894, 0.0)),
        ("right_hip", "root", (0.0, 0.0, 0.084887)),
        ("right_knee", "right_hip", (0.0, -0.421546, 0.0)),
        ("right_ankle", "right_knee", (0.0, -0.409870, 0.0)),
        ("right_shoulder", "chest", (-0.02405, 0.24350, 0.18311)),
        ("right_elbow", "right_shoulder", (0.0, -0.274788, 0.0)),
        ("left_hip", "root", (0.0, 0.0, -0.084887)),
        ("left_knee", "left_hip", (0.0, -0.421546, 0.0)),
        ("left_ankle", "left_knee", (0.0, -0.409870, 0.0)),
        ("left_shoulder", "chest", (-0.02405, 0.24350, -0.18311)),
        ("left_elbow", "left_shoulder", (0.0, -0.274788, 0.0)),
    ),
    (
        ("neck", (0.0, 0.2775, 0.0)),
        ("right_ankle", (0.1335, -0.05, 0.0)),
        ("right_ankle", (-0.0435, -0.05, 0.0)),
        ("right_elbow", (0.0, -0.258947, 0.0)),
        ("left_ankle", (0.1335, -0.05, 0.0)),
        ("left_ankle", (-0.0435, -0.05, 0.0)),
        ("left_elbow", (0.0, -0.258947, 0.0)),
    ),
)

DOG = _body(
    "dog",
    (
        ("spine0", "root", (0.0, 0.0, 0.0)),
        ("spine1", "spine0", (0.2375, 0.0, 0.0)),
        ("neck", "spine1", (0.28135, 0.0, 0.0)),
        ("head", "neck", (0.175, 0.0, 0.0)),
        ("left_shoulder", "spine1", (0.304074, -0.109983, -0.106071)),
        ("left_forearm", "left_shoulder", (0.0, -0.19, 0.0)),
        ("left_hand", "left_forearm", (0.0, -0.2225, 0.0)),
        ("left_finger", "left_hand", (0.0, -0.09, 0.0)),
        ("right_shoulder", "spine1", (0.304074, -0.109983, 0.106071)),
        ("right_forearm", "right_shoulder", (0.0, -0.19, 0.0)),
        ("right_hand", "right_forearm", (0.0, -0.2225, 0.0)),
        ("right_finger", "right_hand", (0.0, -0.09, 0.0)),
        ("left_upper_leg", "root", (-0.074803, -0.095825, -0.059860)),
        ("left_leg", "left_upper_leg", (0.0, -0.2, 0.0)),
        ("left_foot", "left_leg", (0.0, -0.225, 0.0)),
        ("left_toe", "left_foot", (0.0, -0.135, 0.0)),
        ("right_upper_leg", "root", (-0.074803, -0.095825, 0.059860)),
        ("right_leg", "right_upper_leg", (0.0, -0.2, 0.0)),
        ("right_foot", "right_leg", (0.0, -0.225, 0.0)),
        ("right_toe", "right_foot", (0.0, -0.135, 0.0)),
        ("tail0", "root", (-0.086, 0.0, 0.0)),
        ("tail1", "tail0", (-0.2, 0.0, 0.0)),
    ),
    (
        ("head", (0.14, -0.1, 0.0)),
        ("left_finger", (0.052, -0.04, 0.0)),
        ("right_finger", (0.052, -0.04, 0.0)),
        ("left_toe", (0.06, -0.04, 0.0)),
        ("right_toe", (0.06, -0.04, 0.0)),
        ("tail1", (-0.2, 0.0, 0.0)),
    ),
)

BODIES = (HUMANOID, DOG)
