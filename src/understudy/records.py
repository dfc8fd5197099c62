"""Frozen dataclasses that hold arrays."""

from __future__ import annotations

import numpy as np


def frozen(instance: object, **values: object) -> None:
    """Set fields of a frozen dataclass in its __post_init__, arrays made read-only."""
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(instance, name, value)
