"""The Skeleton: joints as flat arrays, ordered from the root onwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from understudy import rotations
from understudy.errors import ClipError, UnknownNameError
from understudy.records import frozen
from understudy.rotations import Array, IntArray


@dataclass(frozen=True)
class Skeleton:
    """A tree of J joints with its rest pose (all rotations zero), z up and metres.

    Attributes:
        names: J different joint names; joint 0 is the root.
        parents: (J,) index of each joint's parent, -1 for the root; a parent comes before its children.
        offsets: (J, 3) each joint's place in its parent's frame [m]; the root's is not used by poses.
        end_parents: (E,) the joints that limb ends (fingertips, toe tips, top of the head) hang on.
        end_offsets: (E, 3) the limb ends in their joint's frame [m].
    """

    names: tuple[str, ...]
    parents: IntArray
    offsets: Array
    end_parents: IntArray = field(default_factory=lambda: np.zeros(0, int))
    end_offsets: Array = field(default_factory=lambda: np.zeros((0, 3)))

    def __post_init__(self) -> None:
        frozen(self, names=tuple(str(name) for name in self.names))
        frozen(self, parents=np.array(self.parents, int), end_parents=np.array(self.end_parents, int))
        frozen(
            self, offsets=np.array(self.offsets, float), end_offsets=np.array(self.end_offsets, float).reshape(-1, 3)
        )
        count = len(self.names)
        if count == 0 or self.parents.shape != (count,) or self.offsets.shape != (count, 3):
            raise ClipError(
                f"a skeleton of {count} joints needs parents ({count},) and offsets ({count}, 3), "
                f"not {self.parents.shape} and {self.offsets.shape}"
            )
        repeated = [name for name, times in Counter(self.names).items() if times > 1]
        if repeated:
            raise ClipError(f"joint names must differ; repeated: {', '.join(repeated)}")
        if self.parents[0] != -1 or np.any(self.parents[1:] < 0) or np.any(self.parents >= np.arange(count)):
            raise ClipError("a joint's parent must come before it, and only the first joint has none (-1)")
        if self.end_parents.shape != (len(self.end_offsets),) or np.any(
            (self.end_parents < 0) | (self.end_parents >= count)
        ):
            raise ClipError("every limb end needs an offset and a joint it hangs on")
        if not (np.isfinite(self.offsets).all() and np.isfinite(self.end_offsets).all()):
            raise ClipError("a skeleton's offsets must be finite")

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """The index of the joint of that name."""
        if name not in self.names:
            raise UnknownNameError("joint", name, self.names)
        return self.names.index(name)

    def children(self, joint: int) -> list[int]:
        """The indices of the joints that hang on ``joint``."""
        return [int(j) for j in np.flatnonzero(self.parents == joint)]

    def forward(self, root_positions: Array, local_rotations: Array) -> tuple[Array, Array]:
        """World positions (T, J, 3) [m] and rotations (T, J, 4) of poses given as a Clip holds them."""
        frames = len(root_positions)
        positions, turned = np.empty((frames, len(self), 3)), np.empty((frames, len(self), 4))
        positions[:, 0], turned[:, 0] = root_positions, local_rotations[:, 0]
        for j in range(1, len(self)):
            p = self.parents[j]
            positions[:, j] = positions[:, p] + rotations.rotate(turned[:, p], self.offsets[j])
            turned[:, j] = rotations.multiply(turned[:, p], local_rotations[:, j])
        return positions, turned
