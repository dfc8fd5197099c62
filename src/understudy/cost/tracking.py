"""The squared tracking cost: what our own sampler minimises.

It is a quadratic form of how far a character is from where it should be, so that, with dynamics that are linear nearby,
the best way on is found by linear algebra (``reconstruction.local_model``). Distances are global: a performance stays
where its clip is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.cost.anatomy import Anatomy
from understudy.cost.moments import Moments
from understudy.errors import CostError
from understudy.records import frozen
from understudy.rotations import Array


@dataclass(frozen=True)
class Deviation:
    """How far n simulations are from where they should be.

    Attributes:
        state: (n, 2 nv) the way from the wanted positions, laid out as qvel [m, rad], then the velocities' errors.
        places_w: (n, 3 B) of the bodies [m].
    """

    state: Array
    places_w: Array

    def __post_init__(self) -> None:
        frozen(self, state=self.state, places_w=self.places_w)

    def __getitem__(self, index: Any) -> Deviation:
        """The simulations at index: a number, a slice, indices or a mask."""
        index = slice(index, index + 1) if isinstance(index, (int, np.integer)) else index
        return Deviation(self.state[index], self.places_w[index])

    @property
    def distance_m(self) -> Array:
        """(n,) mean distance of the bodies from where they should be: what success is measured by."""
        return np.linalg.norm(self.places_w.reshape(len(self.places_w), -1, 3), axis=-1).mean(axis=1)


def deviation(anatomy: Anatomy, now: Moments, wanted: Moments) -> Deviation:
    """Of n simulations from one moment that all of them should be at."""
    state = np.concatenate([anatomy.difference(now.qpos, wanted.qpos), now.qvel - wanted.qvel], axis=1)
    return Deviation(state, (now.places_w - wanted.places_w).reshape(len(now), -1))


@dataclass(frozen=True)
class Exertion:
    """What a fragment's offsets cost: a quadratic form.

    Attributes:
        effort: (D,) weights of the squared offsets [1/rad^2].
        roughness: (D,) weights of the squares of what they are away from halfway [1/rad^2].
        halfway: (D,) between the offsets before and after [rad].
    """

    effort: Array
    roughness: Array
    halfway: Array

    def __post_init__(self) -> None:
        frozen(self, **vars(self))

    @property
    def weights(self) -> Array:
        """(D,) of squares of changes of the offsets."""
        return self.effort + self.roughness

    def slope(self, offsets: Array) -> Array:
        """(D,) half the gradient at offsets (D,)."""
        return self.effort * offsets + self.roughness * (offsets - self.halfway)

    def terms(self, offsets: Array) -> dict[str, Array]:
        """Term to value (n,) of offsets (n, D)."""
        away = np.square(offsets - self.halfway)
        return {"effort": np.square(offsets) @ self.effort, "roughness": away @ self.roughness}


@dataclass(frozen=True)
class TrackingCost:
    """Weights of the squared terms; each is a mean over bodies or joints, so that they fit any character.

    Attributes:
        bodies: of squared distances of the bodies [1/m^2].
        root: of the squared turn of the root [1/rad^2].
        pose: of the squared angles of the joints [1/rad^2].
        root_speed: of the root's squared velocity [s^2/m^2] and, at three fifths, spin [s^2/rad^2].
        joint_speed: of the squared angular velocities of the joints [s^2/rad^2].
        effort: of the squared offsets, each counted in sampling windows.
        roughness: of the squared ways of offsets from halfway between those before and after, counted likewise.
    """

    bodies: float = 100.0
    root: float = 2.0
    pose: float = 10.0
    root_speed: float = 0.1
    joint_speed: float = 0.2
    effort: float = 0.3
    roughness: float = 0.3

    def __post_init__(self) -> None:
        for name, weight in vars(self).items():
            if not (np.isfinite(weight) and weight >= 0.0):
                raise CostError(f"the weight of tracking term '{name}' must be 0 or more, not {weight}")

    def state_weights(self, nv: int) -> Array:
        """(2 nv,) of the squares of ``Deviation.state``."""
        joints = max(nv - 6, 1)
        return np.repeat(
            [0.0, self.root, self.pose / joints, self.root_speed, 0.6 * self.root_speed, self.joint_speed / joints],
            [3, 3, nv - 6, 3, 3, nv - 6],
        )

    def place_weights(self, count: int) -> Array:
        """(count,) of the squares of ``Deviation.places_w``; count is three times the number of bodies."""
        return np.full(count, self.bodies / (count // 3))

    def exertion(self, windows_rad: Array, halfway: Array | None = None) -> Exertion:
        """What offsets (D,) with sampling windows windows_rad (D,), all above 0, cost.

        Args:
            windows_rad: half-widths.
            halfway: (D,) between the offsets before and after; None where there are none.
        """
        by_window = 1.0 / (windows_rad**2 * len(windows_rad))
        roughness = 0.0 if halfway is None else self.roughness
        return Exertion(
            self.effort * by_window, roughness * by_window, np.zeros_like(windows_rad) if halfway is None else halfway
        )

    def evaluate(self, off: Deviation, exertions: Mapping[str, Array]) -> dict[str, Array]:
        """Term to value (n,), those of the offsets being exertions; their sum is the cost."""
        nv = off.state.shape[1] // 2
        weighted = np.square(off.state) * self.state_weights(nv)
        parts = np.add.reduceat(weighted, [3, 6, nv, nv + 6], axis=1).T
        bodies = np.square(off.places_w) @ self.place_weights(off.places_w.shape[1])
        names = ("root", "pose", "root_speed", "joint_speed")
        return {"bodies": bodies, **dict(zip(names, parts, strict=True)), **exertions}
