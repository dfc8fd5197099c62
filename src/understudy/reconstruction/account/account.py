"""The account of a performance: did it follow, where not, and why; as data and as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy.cost import Comparison
from understudy.reconstruction.account.causes import Fall
from understudy.reconstruction.account.stretches import Stretch
from understudy.records import frozen
from understudy.rotations import Array

_OFTEN = 0.2  # of the ticks at a torque limit
_LATER_S = 0.3  # a failure shows a while after its cause
_ABSENT = "something that is not in the scene: a chair, a partner?"


@dataclass(frozen=True)
class Astray:
    """A stretch in which the bodies are far off: how far on average at most [m], and the farthest ones."""

    stretch: Stretch
    distance_m: float
    bodies: tuple[str, ...]

    def __str__(self) -> str:
        farthest = ", ".join(body.replace("_", " ") for body in self.bodies)
        return f"{self.stretch} the bodies are up to {self.distance_m:.2f} m off on average, farthest {farthest}"


@dataclass(frozen=True)
class Account:
    """How a performance went.

    Attributes:
        name, character, scene: what was performed, by whom, and where.
        comparison: the evaluation metrics, all bodies, at 30 Hz.
        failed_s: when it failed first, by the strict measure too; None for a strict success.
        acceleration_share: E_acc over the mean acceleration of the reference itself, both at 30 Hz.
        fast_torque_share: of the variance of the joint torques, the share that is faster than 5 Hz: jitter.
        times_s: (T,) of the frames compared [s].
        distances_m: (T, B) of the bodies from where they should be [m].
        astray: where the bodies are more than 0.25 m off on average.
        fall: when the character fell, if it did.
        held_up: when the clip hangs in the air, on nothing that is in the scene.
        off_balance: when the clip leans on nothing that is in the scene.
        limit_use: actuator with a torque limit to the share of ticks it was at it, in the second before the
            performance failed; in the whole run when it did not.
        outcome: why the run diverged; empty when it did not.
        notes: what was corrected before.
        duration_s: of what was to be performed.
        seconds, simulated: what the search took, and the samples simulated in it.
    """

    name: str
    character: str
    scene: str
    comparison: Comparison
    failed_s: float | None
    acceleration_share: float
    fast_torque_share: float
    times_s: Array
    distances_m: Array
    astray: tuple[Astray, ...]
    fall: Fall | None
    held_up: tuple[Stretch, ...]
    off_balance: tuple[Stretch, ...]
    limit_use: Mapping[str, float]
    outcome: str
    notes: tuple[str, ...]
    duration_s: float
    seconds: float
    simulated: int

    def __post_init__(self) -> None:
        frozen(self, times_s=self.times_s, distances_m=self.distances_m)

    @property
    def followed(self) -> bool:
        """Whether it is a success, the strict one where that can be told."""
        return self.comparison.success and self.comparison.strict is not False

    @property
    def seconds_per_second(self) -> float:
        """How long the search took for each second of motion."""
        return self.seconds / max(self.duration_s, 1e-9)

    @property
    def overtaxed(self) -> Mapping[str, float]:
        """Of ``limit_use``, the actuators often at their limit, the most used first."""
        often = sorted((item for item in self.limit_use.items() if item[1] > _OFTEN), key=lambda item: -item[1])
        return dict(often)

    @property
    def verdict(self) -> str:
        """One sentence: did it follow?"""
        who = f"{self.character} follows {self.name}"
        if self.followed:
            return f"{who} to the end: its bodies are {self.comparison.global_mm:.0f} mm off on average."
        if self.comparison.success:
            return f"{who}, but not strictly: {self.comparison.failure}."
        return f"{self.character} does not follow {self.name}: {self.comparison.failure}."

    @property
    def reasons(self) -> tuple[str, ...]:
        """Where it does not follow, and why, as far as that can be told; a sentence each."""
        where = tuple(_sentence(f"{each}.") for each in self.astray)
        why = () if self.followed else (*self._about_clip(), *self._about_run())
        return (*why, *where, *(_sentence(f"{note}.") for note in self.notes))

    def _about_clip(self) -> tuple[str, ...]:
        until_s = np.inf if self.failed_s is None else self.failed_s + _LATER_S
        told = [f"{s} the clip is held up by {_ABSENT}" for s in self.held_up if s.begin_s <= until_s]
        leaning = [s for s in self.off_balance if s.begin_s <= until_s]
        told += [f"{s} the clip is out of balance on what it touches; it may lean on {_ABSENT}" for s in leaning]
        return tuple(map(_sentence, told))

    def _about_run(self) -> tuple[str, ...]:
        told = []
        if self.fall is not None:
            onto = ", ".join(body.replace("_", " ") for body in self.fall.onto)
            told.append(f"The character fell at {self.fall.time_s:.1f} s, onto its {onto}.")
        if self.outcome:
            told.append(f"The simulation diverged: {self.outcome}.")
        often = list(self.overtaxed.items())[:4]
        if often:
            joints = ", ".join(f"{name.replace('_', ' ')} ({share:.0%} of the time)" for name, share in often)
            told.append(f"The clip asks for more torque than these joints have: {joints}.")
        return tuple(told)

    def __str__(self) -> str:
        c = self.comparison
        figures = (
            f"E_g {c.global_mm:.1f} mm, E_l {c.local_mm:.1f} mm, E_acc {c.acceleration_mm:.1f} mm/frame^2 "
            f"({self.acceleration_share:.2f} times the clip's own), "
            f"{self.fast_torque_share:.0%} of the torques' variance above 5 Hz; "
            f"{self.seconds:.0f} s for {self.duration_s:.1f} s of motion, {self.simulated} samples"
        )
        return "\n".join([self.verdict, *(f"  {reason}" for reason in self.reasons), figures])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
