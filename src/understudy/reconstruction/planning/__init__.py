"""What is to be followed: at what speed, over what ground, from where on, in which fragments, by which offsets."""

from understudy.reconstruction.planning.making import plan_of
from understudy.reconstruction.planning.natural_speed import natural_speed
from understudy.reconstruction.planning.offsets import OffsetSpace
from understudy.reconstruction.planning.plan import Plan
from understudy.reconstruction.planning.starting import Start, start_of

__all__ = ["OffsetSpace", "Plan", "Start", "natural_speed", "plan_of", "start_of"]
