"""Characters in random poses, for the laws of the cost terms."""

from dataclasses import dataclass

import mujoco
import numpy as np
import pytest

from understudy.character import Character, load_character
from understudy.cost import Anatomy, Moments, moments_of


@dataclass(frozen=True)
class Sample:
    """A character, its anatomy, and ways to make up where it may be."""

    character: Character
    anatomy: Anatomy

    def positions(self, count: int, rng: np.random.Generator, size: float = 0.6) -> np.ndarray:
        """(count, nq) positions that lie a random way from the standing pose."""
        model = self.character.model
        qpos = np.tile(self.character.standing_qpos, (count, 1))
        for row, way in zip(qpos, size * rng.normal(size=(count, model.nv)), strict=True):
            mujoco.mj_integratePos(model, row, way, 1.0)
        return qpos

    def moments(self, count: int, rng: np.random.Generator, size: float = 0.6) -> Moments:
        """Random positions and velocities."""
        qvel = size * rng.normal(size=(count, self.character.model.nv))
        return moments_of(self.character, self.positions(count, rng, size), qvel)

    def at(self, qpos: np.ndarray, qvel: np.ndarray | None = None) -> Moments:
        """At positions (n, nq); at rest unless told otherwise."""
        return moments_of(
            self.character, qpos, np.zeros((len(qpos), self.character.model.nv)) if qvel is None else qvel
        )

    def moved(self, moments: Moments, shift_w: tuple[float, float, float]) -> Moments:
        """The same somewhere else."""
        qpos = moments.qpos.copy()
        qpos[:, :3] += shift_w
        return self.at(qpos, moments.qvel)

    def standing(self) -> Moments:
        """At rest in the standing pose."""
        return self.at(self.character.standing_qpos[None])


def sample_of(name: str) -> Sample:
    character = load_character(name)
    return Sample(character, Anatomy(character))


@pytest.fixture(scope="session", params=["human", "humanoid29", "cheetah"])
def anybody(request: pytest.FixtureRequest) -> Sample:
    """Of balls and hinges, of hinges alone, and on four legs."""
    return sample_of(request.param)


@pytest.fixture(scope="session")
def human() -> Sample:
    return sample_of("human")
