"""The Plan as it travels to workers: as its file would hold it. Models are compiled where it arrives."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.character import Reference
from understudy.files import ArrayFile
from understudy.reconstruction.plan import Plan
from understudy.rotations import Array, IntArray
from understudy.simulation import Scene


@dataclass(frozen=True)
class Parcel:
    """A Plan without anything that can be computed from the rest."""

    reference: ArrayFile
    scene: Scene
    bounds: IntArray
    gain_scale: Array
    window_scale: float
    least_window_rad: float

    @classmethod
    def of(cls, plan: Plan) -> Parcel:
        """To be sent."""
        contents = plan.reference.contents()
        return cls(contents, plan.scene, plan.bounds, plan.gain_scale, plan.window_scale, plan.least_window_rad)

    def plan(self) -> Plan:
        """The same plan, with a model of its own."""
        reference = Reference.of_contents(self.reference, "the plan that was sent")
        return Plan(reference, self.scene, self.bounds, self.gain_scale, self.window_scale, self.least_window_rad)
