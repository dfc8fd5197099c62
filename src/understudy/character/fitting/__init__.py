"""Fitting a Clip to a Character."""

from understudy.character.fitting.map_file import write_map
from understudy.character.fitting.report import Fit, FitReport, FloorUse, LimitUse, Match
from understudy.character.fitting.settings import FitSettings
from understudy.character.fitting.stages import fit

__all__ = ["Fit", "FitReport", "FitSettings", "FloorUse", "LimitUse", "Match", "fit", "write_map"]
