"""The plot of what presses on the ground: where, and how it changes (as Figure 6 of samcon-2010 compares floors)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from understudy.errors import UnderstudyError
from understudy.rotations import Array
from understudy.simulation import Pressure, Rollout, ground_pressure
from understudy.stage import look
from understudy.stage.chart import LINES, Chart, check_ending, draw_lines

_SHOWN_KPA = 400.0  # the darkest
_BORDER_M = 0.15  # around what is pressed


def plot_pressure(rollouts: Mapping[str, Rollout], path: str | Path, cell_m: float = 0.05) -> None:
    """Draw the highest pressure each spot of the ground felt, a map for each named rollout, and below the highest
    pressure and the area pressed on over time, of all of them."""
    check_ending(Path(path))
    if not rollouts:
        raise UnderstudyError("there is nothing whose pressure could be drawn")
    felt = {name: ground_pressure(rollout.contacts, cell_m) for name, rollout in rollouts.items()}
    times = {name: rollout.times_s for name, rollout in rollouts.items()}
    title = f"pressure on the ground · sensors of {round(1000.0 * cell_m)} mm"
    chart = Chart(title, len(felt) + 1, 2, row_height=1.9, longest_label=12)
    low, high = _bounds(felt)
    for row, (name, pressure) in enumerate(felt.items()):
        axes = chart.panel(chart.grid[row, :], f"{name}: the highest pressure felt, from above", "y [m]")
        _draw_map(axes, pressure, low, high)
    panels = (
        ("Highest pressure", "kPa", {name: pressure.highest for name, pressure in felt.items()}),
        ("Area pressed on", "dm²", {name: 100.0 * pressure.areas_m2 for name, pressure in felt.items()}),
    )
    for column, (title, unit, values) in enumerate(panels):
        axes = chart.panel(chart.grid[len(felt), column], title, unit)
        _draw_over_time(axes, times, values)
    chart.save(path)


def _bounds(felt: Mapping[str, Pressure]) -> tuple[Array, Array]:
    """The corners (2,) [m] of all that is pressed on, with a border; around the origin where nothing is."""
    cells = np.concatenate([pressure.cells for pressure in felt.values()])
    if len(cells) == 0:
        return np.full(2, -_BORDER_M), np.full(2, _BORDER_M)
    cell_m = next(iter(felt.values())).cell_m
    return cell_m * cells.min(axis=0) - _BORDER_M, cell_m * (cells.max(axis=0) + 1) + _BORDER_M


def _draw_map(axes: Any, pressure: Pressure, low: Array, high: Array) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    where, felt = pressure.map()
    squares = [Rectangle(tuple(pressure.cell_m * cell), pressure.cell_m, pressure.cell_m) for cell in where]
    drawn = PatchCollection(squares, cmap="viridis_r", linewidth=0.0)
    drawn.set_array(felt)
    drawn.set_clim(0.0, _SHOWN_KPA)
    axes.add_collection(drawn)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]", size=8.5, color=look.INK)
    bar = axes.figure.colorbar(drawn, ax=axes, shrink=0.8, pad=0.02, extend="max")
    bar.set_label("kPa", size=8.5, color=look.INK)
    bar.ax.tick_params(labelsize=8, colors=look.INK, length=2.5, width=0.6)


def _draw_over_time(axes: Any, times: Mapping[str, Array], values: Mapping[str, Array]) -> None:
    """Lines of different lengths: each has its own times, and the axis spans them all."""
    longest = max(times.values(), key=len)
    lines = [
        (name, np.append(line, np.full(len(longest) - len(line), np.nan)), LINES[i % len(LINES)])
        for i, (name, line) in enumerate(values.items())
    ]
    draw_lines(axes, longest, lines)
