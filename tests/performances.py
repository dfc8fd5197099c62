"""Performances made up without a search, for what looks at them."""

import numpy as np

from understudy.character import Character, Reference
from understudy.reconstruction import Reconstruction, ReconstructionSettings
from understudy.reconstruction.planning import OffsetSpace
from understudy.simulation import PoseController, Push, Rollout, Scene, World, simulate

QUICK = ReconstructionSettings(samples=60, saved=10, rounds=1)


def stood(character: Character, ticks: int, push_n: float = 0.0, scene: Scene | None = None) -> Rollout:
    """A character on its servos, pushed sideways after 0.2 s so hard."""
    world = World(scene or Scene(), character, 1, 1)
    pushes = [Push(10, character.roles["chest"], (0.0, push_n, 0.0), 0.2)] if push_n else []
    return simulate(world, PoseController(character.standing_qpos[7:]), ticks, pushes=pushes)


def own_reference(character: Character, rollout: Rollout, name: str = "stand") -> Reference:
    """The reference that a rollout follows exactly."""
    nq, nv = character.model.nq, character.model.nv
    return Reference(character, rollout.rate_hz, rollout.qpos[:, :nq], rollout.qvel[:, :nv], name)


def still(character: Character, ticks: int, rate_hz: float = 50.0, height_m: float = 0.0) -> Reference:
    """The standing pose held, so high above the ground."""
    qpos = np.tile(character.standing_qpos, (ticks, 1))
    qpos[:, 2] += height_m
    return Reference(character, rate_hz, qpos, np.zeros((ticks, character.model.nv)), "still")


def performance(reference: Reference, rollout: Rollout, **changes) -> Reconstruction:
    """A reconstruction whose search found no offsets."""
    last = reference.tick_count - 1
    bounds = np.unique([*range(0, last, 5), last])
    count, character = len(bounds) - 1, reference.character
    given = {
        "reference": reference,
        "rollout": rollout,
        "bounds": bounds,
        "offsets": np.zeros((count, len(OffsetSpace(character, least_rad=QUICK.narrowest_rad)))),
        "gain_scale": np.ones((count, len(character.joints))),
        "lift_m": np.zeros(reference.tick_count),
        "costs": {"bodies": np.linspace(0.1, 0.3, count), "effort": np.full(count, 0.05)},
        "rounds": np.full(count, 3),
        "settings": QUICK,
        "simulated": 180 * count,
        "seconds": 2.5,
    }
    return Reconstruction(**{**given, **changes})
