"""The Plan: what is to be followed, cut into fragments; all that whoever simulates samples must know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from understudy.character import Physics, Reference
from understudy.errors import ReconstructionError
from understudy.reconstruction.planning.offsets import OffsetSpace
from understudy.records import frozen
from understudy.rotations import Array, IntArray
from understudy.simulation import Scene, Target


@dataclass(frozen=True)
class Plan:
    """A Reference cut into K fragments, in a Scene.

    Attributes:
        reference: what to follow; its ticks are the control ticks.
        scene: where.
        bounds: (K + 1,) the ticks at which fragments begin and end, rising from 0 to the last.
        gain_scale: (K, J) factors of the gains of the character's joints.
        lift_m: (T,) how far the reference was lifted to be laid over the scene's ground.
        window_scale, least_window_rad: of the OffsetSpace.
    """

    reference: Reference
    scene: Scene
    bounds: IntArray
    gain_scale: Array
    lift_m: Array
    window_scale: float = 1.0
    least_window_rad: float = 0.0

    def __post_init__(self) -> None:
        frozen(self, bounds=np.array(self.bounds, int), gain_scale=np.array(self.gain_scale, float))
        frozen(self, lift_m=np.array(self.lift_m, float))
        if not (np.isfinite(self.reference.qpos).all() and np.isfinite(self.reference.qvel).all()):
            raise ReconstructionError(f"reference '{self.reference.name}' holds values that are not numbers")
        joints = len(self.reference.character.joints)
        rising = len(self.bounds) >= 2 and (np.diff(self.bounds) > 0).all()
        if not rising or self.bounds[0] != 0 or self.bounds[-1] != self.reference.tick_count - 1:
            raise ReconstructionError("fragments must cover the reference from its first tick to its last")
        if self.lift_m.shape != (self.reference.tick_count,):
            raise ReconstructionError(f"lift_m must be ({self.reference.tick_count},), not {self.lift_m.shape}")
        if self.gain_scale.shape != (self.fragment_count, joints):
            raise ReconstructionError(
                f"gain_scale must be ({self.fragment_count}, {joints}), not {self.gain_scale.shape}"
            )

    @property
    def fragment_count(self) -> int:
        return len(self.bounds) - 1

    @property
    def physics(self) -> Physics:
        return self.reference.character.physics

    @cached_property
    def space(self) -> OffsetSpace:
        """What is sampled."""
        return OffsetSpace(self.reference.character, self.window_scale, self.least_window_rad)

    def ticks(self, fragment: int) -> int:
        """How many control ticks a fragment lasts."""
        return int(self.bounds[fragment + 1] - self.bounds[fragment])

    def target(self, fragment: int, offsets: Array) -> Target:
        """What n characters with offsets (n, D) are asked for during a fragment: each tick, the pose at its end."""
        wanted = self.reference.qpos[self.bounds[fragment] + 1 : self.bounds[fragment + 1] + 1, 7:]
        return Target(self.space.apply(wanted, offsets), self.gain_scale[fragment : fragment + 1])
