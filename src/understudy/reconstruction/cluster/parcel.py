"""The Plan as it travels to workers: its Reference as a file holds it. Models are compiled where it arrives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from understudy.character import Reference
from understudy.files import ArrayFile
from understudy.reconstruction.planning import Plan


@dataclass(frozen=True)
class Parcel:
    """A Plan without anything that can be computed from the rest: its Reference, and its other fields by name."""

    reference: ArrayFile
    others: Mapping[str, Any]

    @classmethod
    def of(cls, plan: Plan) -> Parcel:
        """To be sent."""
        names = [field.name for field in fields(plan) if field.name != "reference"]
        return cls(plan.reference.contents(), {name: getattr(plan, name) for name in names})

    def plan(self) -> Plan:
        """The same plan, with a model of its own."""
        return Plan(Reference.of_contents(self.reference, "the plan that was sent"), **self.others)
