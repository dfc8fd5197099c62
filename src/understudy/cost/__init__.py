"""How far a motion is from the one it should be: the terms that learning minimises, and the evaluation metrics."""

from understudy.cost.anatomy import Anatomy
from understudy.cost.comparing import Comparison, Match, compare, match, table
from understudy.cost.metrics import (
    FAR_M,
    STRICT_HEIGHT_M,
    Failure,
    acceleration_error_mm,
    distances,
    first_failure,
    first_strict_failure,
    global_error_mm,
    local_error_mm,
    own_acceleration_mm,
    tilt_errors,
)
from understudy.cost.moments import MEASURES, Moments, moments_of, moments_of_reference, moments_of_world
from understudy.cost.sources import track_of, track_of_clip, track_of_qpos, track_of_reference, track_of_rollout
from understudy.cost.terms import CONTROL_GRAPHS_2016, SAMCON_2010, TERMS, Comparands, TermCost
from understudy.cost.track import Track
from understudy.cost.tracking import Deviation, Exertion, TrackingCost, deviation

__all__ = [
    "CONTROL_GRAPHS_2016",
    "FAR_M",
    "MEASURES",
    "SAMCON_2010",
    "STRICT_HEIGHT_M",
    "TERMS",
    "Anatomy",
    "Comparands",
    "Comparison",
    "Deviation",
    "Exertion",
    "Failure",
    "Match",
    "Moments",
    "TermCost",
    "Track",
    "TrackingCost",
    "acceleration_error_mm",
    "compare",
    "deviation",
    "distances",
    "first_failure",
    "first_strict_failure",
    "global_error_mm",
    "local_error_mm",
    "match",
    "moments_of",
    "moments_of_reference",
    "moments_of_world",
    "own_acceleration_mm",
    "table",
    "tilt_errors",
    "track_of",
    "track_of_clip",
    "track_of_qpos",
    "track_of_reference",
    "track_of_rollout",
]
