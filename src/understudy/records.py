"""Frozen dataclasses that hold arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def frozen(instance: object, **values: object) -> None:
    """Set fields of a frozen dataclass in its __post_init__, arrays made read-only."""
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(instance, name, value)


def sealed(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """The array, which nobody may change any more, nor what it is a part of."""
    if isinstance(array.base, np.ndarray):
        array.base.flags.writeable = False
    array.flags.writeable = False
    return array


def kept(values: ArrayLike) -> NDArray[np.float64]:
    """Values as a float64 array nobody can change: a copy, or the same array when it is one already.

    A clip of half an hour holds 200 MB; copying it for every edit would be most of the work.
    """
    array = np.asarray(values, float)
    owner = array if array.base is None else array.base
    sealed = isinstance(owner, np.ndarray) and owner.base is None and not owner.flags.writeable
    if not (sealed and not array.flags.writeable):
        array = np.array(array)
        array.flags.writeable = False
    return array
