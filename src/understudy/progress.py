"""How long work tells how far it is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager

Progress = Callable[[int, int], None]
"""Told how much is done, of how much."""

Watch = Callable[[str], AbstractContextManager[Progress | None]]
"""From what is being done to who is told how far it is, while it is."""


def unwatched(_: str) -> AbstractContextManager[None]:
    """The Watch that tells nobody."""
    return contextlib.nullcontext()
