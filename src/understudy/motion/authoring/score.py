"""The Score: what an authored clip's file says, checked and in radians, seconds and metres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.records import frozen
from understudy.rotations import Array, BoolArray

RATE_HZ = 60.0
"""Frames per second of authored clips."""


@dataclass(frozen=True)
class Key:
    """A key pose: when it is reached [s], how long it is held [s], and its angles (D,) [rad].

    ``place`` (3,) [m] is where the root should be, NaN where the key doesn't say, and ``weight`` how firmly
    the pose is kept.
    """

    at_s: float
    hold_s: float
    angles_rad: Array
    place: Array
    weight: float = 1.0

    def __post_init__(self) -> None:
        frozen(self, angles_rad=np.array(self.angles_rad), place=np.array(self.place))


@dataclass(frozen=True)
class Contact:
    """Balls of the body that stay planted on the floor from one time [s] to another."""

    name: str
    balls: tuple[str, ...]
    from_s: float
    to_s: float


@dataclass(frozen=True)
class Roll:
    """A region of the body that rolls or lies on the floor from one time [s] to another."""

    region: str
    from_s: float
    to_s: float


@dataclass(frozen=True)
class Cycle:
    """What repeats: its length [s], how far forward it carries [m], how often it is written out."""

    duration_s: float
    advance_m: float
    repeats: int


@dataclass(frozen=True)
class Score:
    """An authored clip before it is solved.

    Attributes:
        keys: in order of time.
        curves_rad: hinge name to values at even steps over the cycle, the first at its start.
        contacts: what is planted when; at other times, and outside ``rolls``, the body is in free flight.
        rolls: regions of the body that touch the floor wherever they are lowest, rolling or lying, and when.
        cycle: for clips that repeat.
    """

    name: str
    about: str
    source: str
    duration_s: float
    keys: tuple[Key, ...]
    curves_rad: dict[str, Array]
    contacts: tuple[Contact, ...]
    rolls: tuple[Roll, ...]
    cycle: Cycle | None


def within(times_s: Array, from_s: float, to_s: float, period_s: float | None) -> BoolArray:
    """(T,) which times lie from one to another, both included; round the cycle where there is one."""
    slack = 1e-6
    if period_s is None:
        return np.asarray((times_s >= from_s - slack) & (times_s <= to_s + slack))
    return np.asarray((times_s - from_s + slack) % period_s <= to_s - from_s + 2.0 * slack)
