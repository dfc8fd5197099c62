"""The named terms of the papers' costs (samcon-2010 Eq. 1-5, control-graphs-2016 Eq. 20), all lower is better.

Each compares n simulations with what is wanted of them and returns (n,) numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from understudy import rotations
from understudy.cost.anatomy import Anatomy
from understudy.cost.moments import Moments
from understudy.errors import CostError, UnknownNameError
from understudy.rotations import Array

_SPEED_SHARE = 0.1  # what a rad/s or m/s of error counts against a rad or m, in Eq. 2, 3 and 5
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Comparands:
    """What a term looks at.

    Attributes:
        anatomy: of the character.
        now: n simulations.
        wanted: what they should be, one for all.
        way: (n, nv) from the wanted positions to those now.
        offsets: (n, D) the actions that led there [rad].
    """

    anatomy: Anatomy
    now: Moments
    wanted: Moments
    way: Array
    offsets: Array

    @property
    def speeds(self) -> Array:
        """(n, nv) how far the velocities are off."""
        return self.now.qvel - self.wanted.qvel


Term = Callable[[Comparands], Array]


def pose(c: Comparands) -> Array:
    """Eq. 2: joint angles and angular velocities, the mean over the joints."""
    return (c.anatomy.per_joint(c.way) + _SPEED_SHARE * c.anatomy.per_joint(c.speeds)).mean(axis=1)


def root(c: Comparands) -> Array:
    """Eq. 3: the root's rotation and angular velocity."""
    return _size(c.way[:, 3:6]) + _SPEED_SHARE * _size(c.speeds[:, 3:6])


def end_effectors(c: Comparands) -> Array:
    """Eq. 4: the heights of the end effectors [m]."""
    own = c.anatomy.end_effectors
    return np.abs(c.now.places_w[:, own, 2] - c.wanted.places_w[:, own, 2]).mean(axis=1)


def balance(c: Comparands) -> Array:
    """Eq. 5: the centre of mass over each end effector, and its velocity, by the character's height."""
    ours, theirs = (
        m.mass_centre_w[:, None, :2] - m.places_w[:, c.anatomy.end_effectors, :2] for m in (c.now, c.wanted)
    )
    return (_size(ours - theirs).mean(axis=1) + _SPEED_SHARE * velocity(c)) / c.anatomy.height_m


def centroid(c: Comparands) -> Array:
    """Eq. 20's E_c: where the centre of mass is [m]; this holds the global position too."""
    return _size(c.now.mass_centre_w - c.wanted.mass_centre_w)


def velocity(c: Comparands) -> Array:
    """Eq. 20's E_v: the velocity of the centre of mass [m/s]."""
    return _size(c.now.mass_velocity_w - c.wanted.mass_velocity_w)


def angular_momentum(c: Comparands) -> Array:
    """Eq. 20's E_L [kg m^2/s]."""
    return _size(c.now.angular_momentum_w - c.wanted.angular_momentum_w)


def action(c: Comparands) -> Array:
    """Eq. 20's E_a: how large the offsets are [rad]."""
    return _size(c.offsets)


def place(c: Comparands) -> Array:
    """The root's horizontal place [m] and its turn about the vertical [rad]: a performance stays where its clip is.

    The turn is the twist of the way from the wanted rotation: headings would jump where a root lies down.
    """
    turn = rotations.multiply(c.now.qpos[:, 3:7], rotations.conjugate(c.wanted.qpos[:, 3:7]))
    return _size(c.way[:, :2]) + _size(rotations.log(rotations.twist(turn, _UP)))


TERMS: Mapping[str, Term] = MappingProxyType(
    {
        term.__name__: term
        for term in (
            pose, root, end_effectors, balance, centroid, velocity, angular_momentum, action, place,
        )
    }
)  # fmt: skip
"""The terms by name."""

SAMCON_2010: Mapping[str, float] = MappingProxyType({"pose": 8.0, "root": 5.0, "end_effectors": 20.0, "balance": 20.0})
"""The weights of samcon-2010, section 3.2.4."""

CONTROL_GRAPHS_2016: Mapping[str, float] = MappingProxyType(
    {
        "pose": 4.0, "root": 4.0, "end_effectors": 10.0, "balance": 1.0,
        "centroid": 3.0, "velocity": 0.1, "angular_momentum": 0.03, "action": 0.05,
    }
)  # fmt: skip
"""The weights of control-graphs-2016, section 5.3."""


@dataclass(frozen=True)
class TermCost:
    """A weighted sum of the papers' terms.

    Attributes:
        weights: term to weight; ``SAMCON_2010`` with the global place held unless told otherwise.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: {**SAMCON_2010, "place": 10.0})

    def __post_init__(self) -> None:
        for name, weight in self.weights.items():
            if name not in TERMS:
                raise UnknownNameError("cost term", name, TERMS)
            if not (np.isfinite(weight) and weight >= 0.0):
                raise CostError(f"the weight of cost term '{name}' must be 0 or more, not {weight}")
        object.__setattr__(self, "weights", MappingProxyType(dict(self.weights)))

    def evaluate(self, anatomy: Anatomy, now: Moments, wanted: Moments, offsets: Array) -> dict[str, Array]:
        """Term to its weighted value (n,), for offsets (n, D) that led to now; their sum is the cost."""
        comparands = Comparands(anatomy, now, wanted, anatomy.difference(now.qpos, wanted.qpos), offsets)
        return {name: weight * TERMS[name](comparands) for name, weight in self.weights.items() if weight}


def _size(values: Array) -> Array:
    return np.linalg.norm(values, axis=-1)
