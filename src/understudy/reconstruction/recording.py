"""The record of what a search found: performed again tick by tick, and judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.cost import Anatomy, TrackingCost, deviation, moments_of, moments_of_reference
from understudy.errors import ReconstructionError
from understudy.reconstruction.fragments import ReconstructionController, fragments_of
from understudy.reconstruction.planning import Plan
from understudy.reconstruction.sampling import Path, halfway
from understudy.rotations import Array
from understudy.simulation import Rollout, World, simulate


def recorded(plan: Plan, path: Path, seed: int) -> Rollout:
    """Perform a path once more, deterministically, from its first state on."""
    world = World(plan.scene, plan.reference.character, 1, 1)
    world.set_states(replace(world.get_states(), rows=path.rows[:1]))
    fragments = fragments_of(plan.bounds, path.offsets, plan.gain_scale)
    controller = ReconstructionController(plan.reference, plan.space, fragments)
    rollout = simulate(world, controller, controller.tick_count, seed=seed)
    ends = plan.bounds[plan.bounds < rollout.tick_count]
    if not np.array_equal(rollout.qpos[ends], path.rows[: len(ends), rollout.layout.qpos]):
        raise ReconstructionError("the performance is not what was sampled; its workers simulate something else")
    return rollout


def costs_of(plan: Plan, offsets: Array, rollout: Rollout, cost: TrackingCost) -> dict[str, Array]:
    """Term to (K,) its value at the end of each fragment, infinite where the run did not get."""
    character = plan.reference.character
    wide = rollout.tick_count > plan.bounds[1:]
    ends = plan.bounds[1:][wide]
    if not len(ends):
        return {}
    nq, nv = character.model.nq, character.model.nv
    now = moments_of(character, rollout.qpos[ends, :nq], rollout.qvel[ends, :nv])
    off = deviation(Anatomy(character), now, moments_of_reference(plan.reference)[ends])
    exertions = [
        cost.exertion(plan.space.windows_rad, halfway(offsets, k)).terms(offsets[k][None])
        for k in np.flatnonzero(wide).tolist()
    ]
    joined = {name: np.concatenate([each[name] for each in exertions]) for name in exertions[0]}
    result = {}
    for name, values in cost.evaluate(off, joined).items():
        result[name] = np.full(plan.fragment_count, np.inf)
        result[name][wide] = values
    return result
