"""Reconstruction: a clip becomes a physical performance, by sampling (samcon-2010)."""

from understudy.reconstruction.account import ASTRAY_M, Account, Astray, Fall, Stretch, account_of
from understudy.reconstruction.cluster import RayWorkers, ray_joined
from understudy.reconstruction.fragments import Fragment, ReconstructionController
from understudy.reconstruction.perform import Job, carried_out, files_of, perform
from understudy.reconstruction.planning import Plan, plan_of
from understudy.reconstruction.reconstruct import reconstruct
from understudy.reconstruction.reconstruction import Reconstruction
from understudy.reconstruction.returning import performed_clip
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.reconstruction.workers import Ends, LocalWorkers, Recruit, Workers

__all__ = [
    "ASTRAY_M",
    "Account",
    "Astray",
    "Ends",
    "Fall",
    "Fragment",
    "Job",
    "LocalWorkers",
    "Plan",
    "RayWorkers",
    "Reconstruction",
    "ReconstructionController",
    "ReconstructionSettings",
    "Recruit",
    "Stretch",
    "Workers",
    "account_of",
    "carried_out",
    "files_of",
    "perform",
    "performed_clip",
    "plan_of",
    "ray_joined",
    "reconstruct",
]
