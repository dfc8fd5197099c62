"""The Reconstruction: the fragments and the rollout that physically reproduce a clip, in one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import numpy as np

from understudy.character import REFERENCE_VERSION, Reference
from understudy.cost import Comparison, compare, track_of
from understudy.errors import FileError, UnderstudyError
from understudy.files import ArrayFile, part_of, read_arrays, with_parts, write_arrays
from understudy.motion import CLIP_VERSION, Clip, clip_contents, clip_in
from understudy.reconstruction.fragments import Fragment, ReconstructionController, fragments_of
from understudy.reconstruction.planning import OffsetSpace
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.records import frozen
from understudy.rotations import Array, IntArray
from understudy.simulation import ROLLOUT_VERSION, Rollout

KIND, VERSION = "reconstruction", 1
_TERM = "cost_"
_ARRAYS = ("bounds", "offsets", "gain_scale", "lift_m", "rounds")


@dataclass(frozen=True)
class Reconstruction:
    """How a character performs a clip.

    Attributes:
        reference: what it should do.
        rollout: what it did; replaying it gives the same numbers to the last bit.
        bounds: (K + 1,) ticks at which its K fragments begin and end.
        offsets: (K, D) target offsets [rad].
        gain_scale: (K, J) factors of the joints' gains.
        lift_m: (T,) how far the reference was lifted to be laid over the scene's ground; 0 on a flat floor.
        costs: term to (K,) what it added to the cost at the end of each fragment.
        rounds: (K,) rounds of samples that each fragment took.
        settings: that made it.
        simulated: samples simulated in all.
        seconds: that it took.
        notes: what was corrected or could not be done, a line each.
        clip: what the reference was fitted to, where it is known.
        speed: factor by which the clip was retimed before.
    """

    reference: Reference
    rollout: Rollout
    bounds: IntArray
    offsets: Array
    gain_scale: Array
    lift_m: Array
    costs: Mapping[str, Array]
    rounds: IntArray
    settings: ReconstructionSettings
    simulated: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    clip: Clip | None = None
    speed: float = 1.0

    def __post_init__(self) -> None:
        frozen(self, bounds=np.array(self.bounds, int), offsets=np.array(self.offsets, float))
        frozen(self, lift_m=np.array(self.lift_m, float))
        frozen(self, gain_scale=np.array(self.gain_scale, float), rounds=np.array(self.rounds, int))
        frozen(self, costs=MappingProxyType({name: np.array(term, float) for name, term in self.costs.items()}))
        count, joints = len(self.bounds) - 1, len(self.reference.character.joints)
        sizes = {
            "offsets": (self.offsets.shape, (count, len(self.space))),
            "gain_scale": (self.gain_scale.shape, (count, joints)),
            "rounds": (self.rounds.shape, (count,)),
            "lift_m": (self.lift_m.shape, (self.reference.tick_count,)),
            **{f"cost '{name}'": (term.shape, (count,)) for name, term in self.costs.items()},
        }
        if not (count > 0 and (np.diff(self.bounds) > 0).all() and np.isfinite(self.offsets).all()):
            raise UnderstudyError("a reconstruction needs bounds that rise and offsets that are numbers")
        wrong = [f"{name} must be {right}, not {shape}" for name, (shape, right) in sizes.items() if shape != right]
        if wrong:
            raise UnderstudyError(f"a reconstruction of {count} fragments: {wrong[0]}")

    @cached_property
    def space(self) -> OffsetSpace:
        """What the offsets are of."""
        return OffsetSpace(self.reference.character, self.settings.window_scale, self.settings.narrowest_rad)

    @property
    def offset_names(self) -> tuple[str, ...]:
        """(D) ``left_hip x``."""
        return self.space.names

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        """The K fragments in order."""
        return fragments_of(self.bounds, self.offsets, self.gain_scale)

    @cached_property
    def comparison(self) -> Comparison:
        """The evaluation metrics of the performance against the reference, all bodies, at 30 Hz."""
        performed, wanted = track_of(self.rollout), track_of(self.reference)
        return compare(performed.at_rate(30.0), wanted.at_rate(30.0))

    def controller(self) -> ReconstructionController:
        """A Controller that performs it again, open loop."""
        return ReconstructionController(self.reference, self.space, self.fragments)

    def save(self, path: str | Path) -> None:
        """Write an array file of kind ``reconstruction``; docs/performing.md lists its members."""
        header = {
            "settings": self.settings.as_header(),
            "simulated": self.simulated,
            "seconds": self.seconds,
            "notes": list(self.notes),
            "speed": self.speed,
            "offset_names": list(self.offset_names),
            "costs": list(self.costs),
        }
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        terms = {f"{_TERM}{name}": term for name, term in self.costs.items()}
        parts = {"reference": self.reference.contents(), "rollout": self.rollout.contents()}
        if self.clip is not None:
            parts["clip"] = clip_contents(self.clip)
        write_arrays(path, with_parts(ArrayFile(KIND, VERSION, header, {**arrays, **terms}), parts))

    @classmethod
    def load(cls, path: str | Path) -> Reconstruction:
        """Read what ``save`` wrote; raises FileError for anything else."""
        contents = read_arrays(path, KIND, VERSION)
        header, arrays = contents.header, contents.arrays
        rollout = Rollout.of_contents(part_of(contents, "rollout", "rollout", ROLLOUT_VERSION, path), path)
        reference = Reference.of_contents(part_of(contents, "reference", "reference", REFERENCE_VERSION, path), path)
        clip = clip_in(part_of(contents, "clip", "clip", CLIP_VERSION, path), path) if "clip" in header else None
        try:
            return cls(
                reference=reference,
                rollout=rollout,
                **{name: arrays[name] for name in _ARRAYS},
                costs={str(name): arrays[f"{_TERM}{name}"] for name in header["costs"]},
                settings=ReconstructionSettings.of_header(header["settings"]),
                simulated=int(header["simulated"]),
                seconds=float(header["seconds"]),
                notes=tuple(map(str, header["notes"])),
                clip=clip,
                speed=float(header["speed"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, UnderstudyError) as problem:
            raise FileError(path, f"a damaged reconstruction ({problem})") from problem
