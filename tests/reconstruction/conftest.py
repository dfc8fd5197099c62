"""A short walk, and small searches for it that several tests look at."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from understudy.character import Character, Reference, fit, load_character
from understudy.motion import Clip, authored_clip, crop
from understudy.reconstruction import (
    LocalWorkers,
    Plan,
    Reconstruction,
    ReconstructionSettings,
    Workers,
    plan_of,
    reconstruct,
)
from understudy.simulation import Scene

SMALL = {"samples": 60, "saved": 10, "rounds": 2, "fragment_s": 0.05}


def small(method: str = "guided", **more) -> ReconstructionSettings:
    """Settings of a search that takes a second."""
    return ReconstructionSettings(method=method, **{**SMALL, **more})


@pytest.fixture(scope="session")
def human() -> Character:
    return load_character("human")


@pytest.fixture(scope="session")
def clip() -> Clip:
    """0.3 s of a walk."""
    return crop(authored_clip("walk"), 0.0, 0.3)


@pytest.fixture(scope="session")
def walking(clip: Clip, human: Character) -> Reference:
    """16 ticks of a walk."""
    return fit(clip, human).reference


@pytest.fixture(scope="session")
def plan(walking: Reference) -> Plan:
    """The walk in three fragments of 0.1 s."""
    return plan_of(walking, Scene(), ReconstructionSettings())


@dataclass
class Crew:
    """Workers of so many threads, whose calls are counted; they are interrupted at one of them."""

    plan: Plan
    threads: int = 1
    interrupted_at: int | None = None
    calls: int = 0

    def __post_init__(self) -> None:
        self._local = LocalWorkers(self.plan, self.threads)

    def run(self, fragment: int, starts: np.ndarray, offsets: np.ndarray):
        self.calls += 1
        if self.calls == self.interrupted_at:
            raise KeyboardInterrupt
        return self._local.run(fragment, starts, offsets)

    def close(self) -> None:
        self._local.close()


@dataclass(frozen=True)
class Runs:
    """Small searches for the walk."""

    walking: Reference
    clip: Clip

    def crew(self, settings: ReconstructionSettings, threads: int = 1, interrupted_at: int | None = None) -> Crew:
        return Crew(plan_of(self.walking, Scene(), settings), threads, interrupted_at)

    def run(self, settings: ReconstructionSettings, workers: Workers | None = None, **more) -> Reconstruction:
        return reconstruct(
            self.walking, settings=settings, clip=self.clip, workers=workers or self.crew(settings), **more
        )


@pytest.fixture(scope="session")
def runs(walking: Reference, clip: Clip) -> Runs:
    return Runs(walking, clip)


@pytest.fixture(scope="session")
def found(runs: Runs) -> Callable[[str], Reconstruction]:
    """What a small search of each method finds with one thread; searched for once."""
    known: dict[str, Reconstruction] = {}

    def of(method: str) -> Reconstruction:
        if method not in known:
            known[method] = runs.run(small(method))
        return known[method]

    return of
