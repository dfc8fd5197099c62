"""Whether a Reconstruction is what a search would find, so that it need not be searched for again."""

from __future__ import annotations

import numpy as np

from understudy.reconstruction.planning import Plan
from understudy.reconstruction.reconstruction import Reconstruction
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.simulation import assemble


def is_result_of(reconstruction: Reconstruction, plan: Plan, settings: ReconstructionSettings) -> bool:
    """Whether it was found for the same reference, scene, fragments and settings, seed and all."""
    ours, theirs = reconstruction.reference, plan.reference
    pairs = (
        (ours.qpos, theirs.qpos),
        (ours.qvel, theirs.qvel),
        (reconstruction.bounds, plan.bounds),
        (reconstruction.gain_scale, plan.gain_scale),
    )
    if reconstruction.settings != settings or not all(np.array_equal(a, b) for a, b in pairs):
        return False
    return reconstruction.rollout.model_hash == assemble(plan.scene, [theirs.character]).model_hash
