"""A post: the place of one worker, who may be lost and replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from understudy.reconstruction.cluster.chunks import Chunk

Hire = Callable[[], tuple[Any, Any]]
"""Finds a worker: it, and the reference to its Passport."""


@dataclass(eq=False)
class Post:
    """Who holds it and what they are at.

    Attributes:
        hire: finds a successor.
        worker: None when nobody comes any more.
        passport: reference to what the worker will say of itself; None once it has been seen.
        tasks: reference to the result, and what it is the result of.
        losses: workers lost in a row without anything done.
    """

    hire: Hire
    worker: Any = None
    passport: Any = None
    tasks: dict[Any, Chunk] = field(default_factory=dict)
    losses: int = 0

    def __post_init__(self) -> None:
        self.worker, self.passport = self.hire()

    @property
    def ready(self) -> bool:
        """Whether it can be given work."""
        return self.worker is not None and self.passport is None

    @property
    def awaited(self) -> list[Any]:
        """References that are being waited for."""
        return [*self.tasks, *([] if self.passport is None else [self.passport])]

    def lose(self, tries: int) -> list[Chunk]:
        """The worker is gone; another takes its place unless too many have. The chunks it had not done."""
        undone = list(self.tasks.values())
        self.tasks.clear()
        self.losses += 1
        self.worker, self.passport = self.hire() if self.losses < tries else (None, None)
        return undone
