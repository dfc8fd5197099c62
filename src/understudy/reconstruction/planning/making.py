"""From a Reference to the Plan."""

from __future__ import annotations

import numpy as np

from understudy.character import Reference
from understudy.errors import ReconstructionError
from understudy.reconstruction.planning.bearing import bearing_gains
from understudy.reconstruction.planning.cutting import contact_bounds, extreme_bounds, uniform_bounds
from understudy.reconstruction.planning.laying import lift_over, lifted
from understudy.reconstruction.planning.plan import Plan
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.simulation import Scene

_CUTS = {"even": uniform_bounds, "contacts": contact_bounds, "extremes": extreme_bounds}


def plan_of(reference: Reference, scene: Scene, settings: ReconstructionSettings) -> Plan:
    """What is to be followed: laid over the scene's ground, and cut as the settings say."""
    reference = _at_control_rate(reference)
    bounds = _CUTS[settings.cut](reference, settings.fragment_s)
    joints = len(reference.character.joints)
    gains = bearing_gains(reference, bounds) if settings.contact_gains else np.ones((len(bounds) - 1, joints))
    lift_m = lift_over(reference, scene)
    return Plan(lifted(reference, lift_m), scene, bounds, gains, lift_m, settings.window_scale, settings.narrowest_rad)


def _at_control_rate(reference: Reference) -> Reference:
    rate_hz = 1.0 / reference.character.physics.tick_s
    if abs(reference.rate_hz - rate_hz) < 1e-6 * rate_hz:
        return reference
    raise ReconstructionError(
        f"reference '{reference.name}' has {reference.rate_hz:g} ticks a second, but its character is controlled at "
        f"{rate_hz:g} Hz; fit the clip without a rate of your own"
    )
