"""How our plots look: thin spines, direct labels, the colours of the pictures."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from understudy.errors import FileError
from understudy.files import replacing
from understudy.rotations import Array
from understudy.spans import runs
from understudy.stage import look

PLOT_ENDINGS = (".png", ".svg", ".pdf")
_WIDTH = 10.0  # of a page [inches]
_LONGEST_LABEL = 18  # letters
_MOST_POINTS = 4000  # of a line; a page has no more pixels to show
_HEADER, _BARE_HEADER = 0.72, 0.32  # room above the panels, with and without a title [inches]
LINES: tuple[look.Colour, ...] = (look.LEFT, look.RIGHT, look.GHOST, look.CONTACT, look.CENTRE)
"""Colours of lines that belong to neither side."""


class Chart:
    """A page of panels, to be filled and saved."""

    def __init__(
        self, title: str, rows: int, columns: int, *, row_height: float = 2.4, longest_label: int = 10
    ) -> None:
        """Panels in rows and columns, with room at the right for labels of so many letters; lengths in inches.

        Without a title no room is left for one.
        """
        from matplotlib.figure import Figure
        from matplotlib.gridspec import GridSpec

        header = _HEADER if title else _BARE_HEADER
        height = 0.18 + header + rows * row_height
        self.figure = Figure(figsize=(_WIDTH, height), dpi=120, facecolor=look.PAPER)
        self.grid = GridSpec(
            rows,
            columns,
            figure=self.figure,
            left=0.075,
            right=1.0 - (0.12 + 0.065 * min(longest_label, _LONGEST_LABEL)) / _WIDTH,
            top=1.0 - header / height,
            bottom=0.52 / height,
            hspace=0.55,
            wspace=0.42,
        )
        # Underscores and dollars in a file's name are letters, not formulas.
        self.figure.text(0.02, 1.0 - 0.14 / height, title, size=13, color=look.INK, va="top", parse_math=False)

    def panel(self, place: Any, title: str, unit: str) -> Any:
        """Axes at a place of the grid, over time."""
        axes = self.figure.add_subplot(place, facecolor="white")
        axes.set_title(title, loc="left", size=9.5, color=look.INK)
        axes.set_ylabel(unit, size=8.5, color=look.INK)
        axes.set_xlabel("time [s]", size=8.5, color=look.INK)
        axes.tick_params(labelsize=8, colors=look.INK, length=2.5, width=0.6)
        axes.grid(True, color="0.92", linewidth=0.7)
        axes.set_axisbelow(True)
        for side, spine in axes.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set(color=look.FAINT, linewidth=0.7)
        return axes

    def save(self, path: str | Path) -> None:
        """Write the page; its ending says the format."""
        path = Path(path)
        check_ending(path)
        with replacing(path) as temporary:
            self.figure.savefig(temporary, format=path.suffix.lower()[1:])

    def svg(self) -> bytes:
        """The page as an SVG file, the same bytes for the same chart."""
        import matplotlib

        buffer = io.BytesIO()
        with matplotlib.rc_context({"svg.hashsalt": "understudy"}):
            self.figure.savefig(buffer, format="svg", metadata={"Date": None})
        return buffer.getvalue()


def check_ending(path: Path) -> None:
    """Refuse an ending no plot is written with."""
    if path.suffix.lower() not in PLOT_ENDINGS:
        raise FileError(path, "not an ending of a plot", hint=f"use one of {', '.join(PLOT_ENDINGS)}")


def draw_lines(
    axes: Any, times_s: Array, lines: Sequence[tuple[str, ArrayLike, look.Colour]], *, least_range: float = 0.0
) -> None:
    """Lines (name, values (T,), colour), each with its name at its right end, pushed apart where they would collide.

    The axis spans at least least_range, so that what hardly moves looks so.
    """
    step = max(1, -(-len(times_s) // _MOST_POINTS))
    for _, values, colour in lines:
        shown = np.asarray(values, float)[::step]
        axes.plot(times_s[::step], shown, color=colour, linewidth=1.5, marker="o" if len(shown) == 1 else None, ms=4)
    if len(times_s) > 1:
        axes.set_xlim(times_s[0], times_s[-1])
    low, high = axes.get_ylim()
    missing = max(least_range - (high - low), 0.0)
    axes.set_ylim(low - 0.5 * missing, high + 0.5 * missing)
    ends = [(name, np.asarray(values, float), colour) for name, values, colour in lines]
    _label_ends(axes, [(name, v[np.isfinite(v)][-1], colour) for name, v, colour in ends if np.isfinite(v).any()])


def draw_dashes(axes: Any, times_s: Array, lines: Sequence[tuple[ArrayLike, look.Colour]]) -> None:
    """Dashed lines (values (T,), colour) without names, to be drawn before ``draw_lines``: what should have been."""
    step = max(1, -(-len(times_s) // _MOST_POINTS))
    for values, colour in lines:
        axes.plot(times_s[::step], np.asarray(values, float)[::step], color=colour, linewidth=1.1, dashes=(3, 2.5))


def draw_stack(axes: Any, times_s: Array, terms: Mapping[str, Array]) -> None:
    """Named terms (T,) one on top of the other, so that the top line is their sum."""
    sums = np.cumsum(list(terms.values()), axis=0)
    colours = [LINES[i % len(LINES)] for i in range(len(terms))]
    below = np.zeros(len(times_s))
    for top, colour in zip(sums, colours, strict=True):
        axes.fill_between(times_s, below, top, color=colour, alpha=0.25, linewidth=0)
        below = top
    axes.set_ylim(bottom=min(0.0, float(sums.min())))
    draw_lines(axes, times_s, list(zip(terms, sums, colours, strict=True)))


def draw_bars(axes: Any, times_s: Array, rows: Sequence[tuple[str, ArrayLike, look.Colour]]) -> None:
    """A row of bars for each (name, labels (T,), colour), filled while its labels are true."""
    frame_s = times_s[1] - times_s[0] if len(times_s) > 1 else 1.0
    for row, (_, labels, colour) in enumerate(rows):
        spans = [(times_s[a], (b - a) * frame_s) for a, b in runs(np.asarray(labels, bool))]
        axes.broken_barh(spans, (row - 0.32, 0.64), color=colour, linewidth=0)
    axes.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(times_s[0], times_s[-1] + frame_s)
    axes.grid(False, axis="y")


def _label_ends(axes: Any, ends: Sequence[tuple[str, float, look.Colour]]) -> None:
    low, high = axes.get_ylim()
    gap = 0.105 * (high - low)
    places = spread([value for _, value, _ in ends], gap, low, high)
    for (name, _, colour), place in zip(ends, places, strict=True):
        axes.annotate(
            name if len(name) <= _LONGEST_LABEL else f"{name[: _LONGEST_LABEL - 1]}\u2026",
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            color=colour,
            size=8,
            va="center",
            annotation_clip=False,
        )


def spread(values: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Values moved as little as needed (squared) to lie gap apart in their order, and from low to high if they fit.

    Less the gaps before it each value must not be lower than the one before: pooled until that is so.
    """
    order = np.argsort(values, kind="stable")
    pools: list[tuple[float, int]] = []  # mean and count
    for rank, index in enumerate(order):
        mean, count = float(values[index]) - rank * gap, 1
        while pools and pools[-1][0] > mean:
            before, members = pools.pop()
            mean, count = (before * members + mean * count) / (members + count), members + count
        pools.append((mean, count))
    placed = np.repeat([mean for mean, _ in pools], [count for _, count in pools]) + gap * np.arange(len(order))
    if len(placed):
        placed -= max(placed[-1] - high, 0.0)
        placed += max(low - placed[0], 0.0)
    result = np.empty(len(order))
    result[order] = placed
    return [float(place) for place in result]
