"""The plot of a rollout: heights, speeds, what touches, and how hard."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from understudy.rotations import Array, BoolArray, IntArray
from understudy.simulation import Rollout
from understudy.stage import look
from understudy.stage.chart import Chart, check_ending, draw_bars, draw_lines
from understudy.stage.subject import name_of

_MOST_BODIES = 8  # with bars of their own: those that touch longest
_COLOURS = (look.CENTRE, look.RIGHT, look.LEFT, look.GHOST)


@dataclass(frozen=True)
class Figure:
    """A character in a rollout: its name, root body, bodies (B,) in the model, columns of its root, weight [N]."""

    name: str
    bodies: IntArray
    qpos: int
    qvel: int
    weight_n: float


def plot_rollout(rollout: Rollout, path: str | Path) -> None:
    """Draw heights, speeds, the force that bears each character, and its contacts, over time."""
    check_ending(Path(path))
    figures, times = figures_of(rollout), np.arange(rollout.tick_count) / rollout.rate_hz
    has_torques = rollout.inputs.torques is not None and len(times) > 1
    title = f"{name_of(rollout)} · {rollout.duration_s:.2f} s at {rollout.rate_hz:.4g} Hz"
    chart = Chart(title, 3 if has_torques else 2, 2)
    colours = [_COLOURS[i % len(_COLOURS)] for i in range(len(figures))]
    who = list(zip(figures, colours, strict=True))
    draw_lines(
        chart.panel(chart.grid[0, 0], "Height of the root", "m"),
        times,
        [(figure.name, rollout.qpos[:, figure.qpos + 2], colour) for figure, colour in who],
        least_range=0.2,
    )
    speeds = [np.linalg.norm(rollout.qvel[:, figure.qvel : figure.qvel + 2], axis=1) for figure in figures]
    draw_lines(
        chart.panel(chart.grid[0, 1], "Level speed of the root", "m/s"),
        times,
        [(figure.name, speed, colour) for (figure, colour), speed in zip(who, speeds, strict=True)],
        least_range=0.2,
    )
    draw_lines(
        chart.panel(chart.grid[1, 0], "Upward contact force", "of the weight"),
        times,
        [(figure.name, support(rollout, figure) / figure.weight_n, colour) for figure, colour in who],
        least_range=0.5,
    )
    axes = chart.panel(chart.grid[1, 1], "Bodies in contact", "")
    draw_bars(axes, times, _touching(rollout, who))
    if has_torques:
        torques = np.abs(np.asarray(rollout.inputs.torques))
        lines = [("largest", torques.max(axis=1), look.RIGHT), ("mean", torques.mean(axis=1), look.CENTRE)]
        draw_lines(chart.panel(chart.grid[2, :], "Torques asked for", "N m"), times[:-1], lines)
    chart.save(path)


def figures_of(rollout: Rollout) -> list[Figure]:
    """The first free bodies of the model are the characters."""
    model = rollout.model
    free = np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE)[: len(rollout.character_names)]
    result = []
    for name, joint in zip(rollout.character_names, free, strict=False):
        bodies = np.flatnonzero(model.body_rootid == model.jnt_bodyid[joint])
        weight = float(model.body_mass[bodies].sum() * np.linalg.norm(model.opt.gravity))
        result.append(Figure(name, bodies, model.jnt_qposadr[joint], model.jnt_dofadr[joint], max(weight, 1e-9)))
    return result


def support(rollout: Rollout, figure: Figure) -> Array:
    """(T,) upward force [N] of all contacts on the figure; those between its own bodies cancel."""
    contacts = rollout.contacts
    first, second = (np.isin(contacts.pairs[:, k], figure.bodies) for k in (0, 1))
    upward = contacts.forces_w[:, 2] * (first.astype(float) - second.astype(float))
    return np.bincount(contacts.ticks, upward, minlength=rollout.tick_count).astype(float)


def _touching(rollout: Rollout, who: list[tuple[Figure, look.Colour]]) -> list[tuple[str, BoolArray, look.Colour]]:
    """Names, labels (T,) and colours of the bodies that touch longest, in the order of the model."""
    contacts = rollout.contacts
    touching = np.zeros((rollout.tick_count, len(contacts.body_names)), bool)
    for side in (0, 1):
        touching[contacts.ticks, contacts.pairs[:, side]] = True
    colours = {int(body): colour for figure, colour in who for body in figure.bodies}
    own = np.array(sorted(colours), int)
    longest = own[np.argsort(-touching[:, own].sum(axis=0), kind="stable")[:_MOST_BODIES]]
    rows = [
        (contacts.body_names[b].replace("_", " "), touching[:, b], colours[int(b)])
        for b in sorted(longest)
        if touching[:, b].any()
    ]
    return rows or [("none", np.zeros(rollout.tick_count, bool), look.CENTRE)]
