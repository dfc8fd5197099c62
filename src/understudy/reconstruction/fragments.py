"""Fragments of control, and the Controller that performs a chain of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from understudy.character import Reference
from understudy.reconstruction.planning import OffsetSpace
from understudy.rotations import Array, IntArray
from understudy.simulation import State, Target


@dataclass(frozen=True)
class Fragment:
    """The smallest piece of control.

    Attributes:
        begin, end: its ticks, the end not among them.
        offsets: (D,) added to the reference's joints while it lasts [rad]; ``Reconstruction.offset_names`` are theirs.
        gain_scale: (J,) factors of the gains of the character's joints.
    """

    begin: int
    end: int
    offsets: Array
    gain_scale: Array


def fragments_of(bounds: IntArray, offsets: Array, gain_scale: Array) -> tuple[Fragment, ...]:
    """The K fragments whose ends are bounds (K + 1,), with their offsets (K, D) and gain factors (K, J)."""
    pieces = zip(bounds[:-1], bounds[1:], offsets, gain_scale, strict=True)
    return tuple(Fragment(int(begin), int(end), own, gains) for begin, end, own, gains in pieces)


class ReconstructionController:
    """Performs fragments on a reference, whatever the state: open loop. It holds the last pose when it is through."""

    def __init__(self, reference: Reference, space: OffsetSpace, fragments: Sequence[Fragment]) -> None:
        self._targets: list[Target] = []
        for fragment in fragments:
            asked = reference.qpos[fragment.begin + 1 : fragment.end + 1, 7:]
            positions = space.apply(asked, fragment.offsets[None])[0]
            self._targets += [Target(pose[None], fragment.gain_scale[None]) for pose in positions]

    @property
    def tick_count(self) -> int:
        """How many ticks it lasts."""
        return len(self._targets)

    def reset(self) -> None:
        pass

    def act(self, state: State, tick: int) -> Target:  # noqa: ARG002
        return self._targets[min(tick, len(self._targets) - 1)]
