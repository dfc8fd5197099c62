"""How far a motion is from the one it should be: the evaluation metrics."""

from understudy.cost.comparing import Comparison, Match, compare, match, table
from understudy.cost.metrics import (
    Failure,
    acceleration_error_mm,
    distances,
    first_failure,
    first_strict_failure,
    global_error_mm,
    local_error_mm,
    tilt_errors,
)
from understudy.cost.sources import track_of, track_of_clip, track_of_qpos, track_of_reference, track_of_rollout
from understudy.cost.track import Track

__all__ = [
    "Comparison",
    "Failure",
    "Match",
    "Track",
    "acceleration_error_mm",
    "compare",
    "distances",
    "first_failure",
    "first_strict_failure",
    "global_error_mm",
    "local_error_mm",
    "match",
    "table",
    "tilt_errors",
    "track_of",
    "track_of_clip",
    "track_of_qpos",
    "track_of_reference",
    "track_of_rollout",
]
