"""Workers on Ray: the same samples on several processes or machines, to the same bits."""

from understudy.reconstruction.cluster.joining import ray_joined
from understudy.reconstruction.cluster.ray_workers import RayWorkers

__all__ = ["RayWorkers", "ray_joined"]
