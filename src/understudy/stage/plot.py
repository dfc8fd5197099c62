"""The plot of whatever moves."""

from __future__ import annotations

from pathlib import Path

from understudy.character import Reference
from understudy.errors import UnderstudyError
from understudy.motion import Clip
from understudy.simulation import Rollout
from understudy.stage.plot_rollout import plot_rollout
from understudy.stage.plots import plot_clip, plot_reference
from understudy.stage.subject import Subject


def plot(subject: Subject, path: str | Path) -> None:
    """Draw angles, heights and contacts of a clip or reference, heights and forces of a rollout, over time."""
    if isinstance(subject, Clip):
        plot_clip(subject, path)
    elif isinstance(subject, Reference):
        plot_reference(subject, path)
    elif isinstance(subject, Rollout):
        plot_rollout(subject, path)
    else:
        raise UnderstudyError(f"character '{subject.name}' does not move; a clip, reference or rollout can be plotted")
