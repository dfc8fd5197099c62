"""Small searches for a short walk, for tests."""

from dataclasses import dataclass

import numpy as np

from understudy.character import Reference
from understudy.motion import Clip
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

SMALL = {"samples": 60, "saved": 10, "rounds": 3, "fragment_s": 0.05}


def small(method: str = "guided", **more) -> ReconstructionSettings:
    """Settings of a search that takes a second."""
    return ReconstructionSettings(method=method, **{**SMALL, **more})


@dataclass
class Crew:
    """Workers of so many threads, whose calls are counted; they are interrupted at one of them."""

    plan: Plan
    threads: int = 1
    interrupted_at: int | None = None
    calls: int = 0
    closed: bool = False

    def __post_init__(self) -> None:
        self._local = LocalWorkers(self.plan, self.threads)

    def run(self, fragment: int, starts: np.ndarray, offsets: np.ndarray):
        self.calls += 1
        if self.calls == self.interrupted_at:
            raise KeyboardInterrupt
        return self._local.run(fragment, starts, offsets)

    def close(self) -> None:
        self.closed = True
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
            self.walking, settings=settings, clip=self.clip, workers=lambda _: workers or self.crew(settings), **more
        )
