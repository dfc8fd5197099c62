"""Whether a Reconstruction is of a Plan, so that it need not be searched for again."""

from __future__ import annotations

import numpy as np

from understudy.reconstruction.planning import Plan
from understudy.reconstruction.reconstruction import Reconstruction
from understudy.simulation import assemble


def is_of(reconstruction: Reconstruction, plan: Plan) -> bool:
    """Whether it follows the same reference in the same scene, cut into the same fragments."""
    ours, theirs = reconstruction.reference, plan.reference
    pairs = (
        (ours.qpos, theirs.qpos),
        (ours.qvel, theirs.qvel),
        (reconstruction.bounds, plan.bounds),
        (reconstruction.gain_scale, plan.gain_scale),
    )
    if not all(np.array_equal(a, b) for a, b in pairs):
        return False
    return reconstruction.rollout.model_hash == assemble(plan.scene, [theirs.character]).model_hash
