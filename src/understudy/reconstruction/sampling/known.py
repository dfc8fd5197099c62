"""What a guided search knows: of each fragment, and of each moment between two; to be written down and read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from understudy.cost import Deviation
from understudy.reconstruction.sampling.local_model import Law, Samples, Value
from understudy.rotations import Array, BoolArray

Arrays = Mapping[str, NDArray[Any]]
_Record = TypeVar("_Record", Law, Value, Samples)


@dataclass
class Stage:
    """What is known of one fragment.

    Attributes:
        history: how far its bodies were off at its end on average, in every round it was in [m].
        offsets: (D,) of the best path.
        law: that steers its next samples.
        samples: of its last rounds.
    """

    history: list[float] = field(default_factory=list)
    offsets: Array | None = None
    law: Law | None = None
    samples: list[Samples] = field(default_factory=list)

    def learn(self, before: Array, offsets: Array, off: Deviation, alive: BoolArray, keep: int) -> None:
        """Remember what a round's samples did, but those that diverged, and forget all but the last ``keep`` rounds.

        In single precision: half the memory, and more exact than the noise.
        """
        parts: list[Any] = [part[alive].astype(np.float32) for part in (before, offsets, off.state, off.places_w)]
        self.samples = [*self.samples, Samples(*parts)][-keep:]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it."""
        result: dict[str, NDArray[Any]] = {"history": np.array(self.history, float)}
        if self.offsets is not None:
            result["offsets"] = self.offsets
        if self.law is not None:
            result |= _written(self.law, "law")
        for i, samples in enumerate(self.samples):
            result |= _written(samples, f"samples{i}")
        return result

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Stage:
        """What ``arrays`` gave."""
        samples: list[Samples] = []
        while f"samples{len(samples)}.before" in arrays:
            samples.append(_read(Samples, arrays, f"samples{len(samples)}"))
        law = _read(Law, arrays, "law") if "law.centre" in arrays else None
        return cls(list(map(float, arrays["history"])), arrays.get("offsets"), law, samples)


@dataclass
class Waypoint:
    """What is known of the moment between two fragments.

    Attributes:
        row: (S,) state of the best path.
        state: (X,) its deviation.
        value: what is still to come from near it.
    """

    row: Array
    state: Array
    value: Value | None = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All of it."""
        return {"row": self.row, "state": self.state} | (
            _written(self.value, "value") if self.value is not None else {}
        )

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Waypoint:
        """What ``arrays`` gave."""
        value = _read(Value, arrays, "value") if "value.centre" in arrays else None
        return cls(arrays["row"], arrays["state"], value)


def below(arrays: Arrays, name: str) -> dict[str, NDArray[Any]]:
    """Those whose names begin with ``name.``, without it."""
    return {key.removeprefix(f"{name}."): array for key, array in arrays.items() if key.startswith(f"{name}.")}


def named(arrays: Arrays, name: str) -> dict[str, NDArray[Any]]:
    """The arrays with ``name.`` before their names."""
    return {f"{name}.{key}": array for key, array in arrays.items()}


def _written(record: Law | Value | Samples, name: str) -> dict[str, NDArray[Any]]:
    return named({f.name: getattr(record, f.name) for f in fields(record)}, name)


def _read(kind: type[_Record], arrays: Arrays, name: str) -> _Record:
    return kind(**below(arrays, name))
