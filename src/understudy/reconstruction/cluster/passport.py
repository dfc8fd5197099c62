"""Whether another machine would simulate the same to the last bit: its packages, its model, and samples tried."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata

import numpy as np

from understudy import __version__
from understudy.errors import ReconstructionError
from understudy.reconstruction.planning import Plan, start_of
from understudy.reconstruction.workers import Ends, Workers
from understudy.simulation import assemble

_TRIED = 4


def packages() -> dict[str, str]:
    """The packages that decide over bits, and their versions here."""
    return {"understudy": __version__, **{name: metadata.version(name) for name in ("mujoco", "numpy")}}


@dataclass(frozen=True)
class Passport:
    """What a machine says of itself.

    Attributes:
        machine: its name.
        packages: name to version.
        model_hash: of the scene with the character, as built there; empty when it was not.
        sample_hash: of how a few samples of the first fragment end there; empty likewise.
    """

    machine: str = field(default_factory=platform.node)
    packages: Mapping[str, str] = field(default_factory=packages)
    model_hash: str = ""
    sample_hash: str = ""

    @classmethod
    def issued(cls, plan: Plan, workers: Workers) -> Passport:
        """That of this machine, for a plan that workers of it simulate."""
        model = assemble(plan.scene, [plan.reference.character]).model_hash
        return cls(model_hash=model, sample_hash=_sample_hash(plan, workers))

    def check(self, theirs: Passport) -> None:
        """Raise ReconstructionError when theirs is of a machine that does not do as ours does."""
        for name, version in self.packages.items():
            if theirs.packages.get(name) != version:
                raise ReconstructionError(
                    f"machine '{theirs.machine}' of the Ray cluster has {name} {theirs.packages.get(name, 'missing')}, "
                    f"this one has {version}; install the same on all of them"
                )
        if theirs.model_hash != self.model_hash:
            raise ReconstructionError(
                f"machine '{theirs.machine}' of the Ray cluster builds another model of the same character and scene "
                f"({theirs.model_hash[:12]} there, {self.model_hash[:12]} here)"
            )
        if theirs.sample_hash != self.sample_hash:
            raise ReconstructionError(
                f"machine '{theirs.machine}' of the Ray cluster simulates the same samples to other bits: its "
                "processor is of another kind; use machines of one kind, or set NPY_DISABLE_CPU_FEATURES alike on all"
            )


def _sample_hash(plan: Plan, workers: Workers) -> str:
    windows = plan.space.windows_rad
    offsets = np.random.default_rng(0).uniform(-1.0, 1.0, (_TRIED, len(windows))) * windows
    return digest(workers.run(0, np.repeat(start_of(plan).row[None], _TRIED, axis=0), offsets))


def digest(ends: Ends) -> str:
    """A name for ends that changes with every bit of them."""
    arrays = [ends.rows, ends.alive, *vars(ends.moments).values()]
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()
