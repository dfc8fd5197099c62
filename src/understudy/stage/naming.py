"""What is written beside a performance: its title and who is who."""

from __future__ import annotations

from understudy.stage import look
from understudy.stage.performance import Performance
from understudy.stage.subject import Subject, name_of

Legend = tuple[tuple[str, look.Colour], ...]
"""Names with the colours they are drawn in."""


def title_of(performance: Performance) -> str:
    """The name, and how long it is when it moves."""
    if performance.frame_count == 1:
        return performance.name
    return f"{performance.name}  \u00b7  {performance.duration_s:.2f} s"


def legend_of(subject: Subject, ghost: Subject | None) -> Legend:
    """Who is the ghost, when there is one."""
    if ghost is None:
        return ()
    kind, name = type(ghost).__name__.lower(), name_of(ghost)
    return ((f"ghost: {kind}" if name == name_of(subject) else f"ghost: {kind} {name}", look.GHOST),)
