"""A short walk, and small searches for it that several tests look at."""

from collections.abc import Callable

import pytest
from reconstruction_samples import Runs, small

from understudy.character import Character, Reference, fit, load_character
from understudy.motion import Clip, authored_clip, crop
from understudy.reconstruction import Plan, Reconstruction, ReconstructionSettings, plan_of
from understudy.simulation import Scene


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
