"""Reconstruction: a clip becomes a physical performance, by sampling (samcon-2010)."""

from understudy.reconstruction.perform import perform
from understudy.reconstruction.plan import Plan
from understudy.reconstruction.reconstruct import plan_of, reconstruct
from understudy.reconstruction.reconstruction import Fragment, Reconstruction, ReconstructionController
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.reconstruction.workers import LocalWorkers, Workers

__all__ = [
    "Fragment",
    "LocalWorkers",
    "Plan",
    "Reconstruction",
    "ReconstructionController",
    "ReconstructionSettings",
    "Workers",
    "perform",
    "plan_of",
    "reconstruct",
]
