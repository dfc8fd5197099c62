"""The contact sheet: a performance as a grid of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from understudy.errors import FileError, UnderstudyError
from understudy.files import replacing
from understudy.progress import Progress
from understudy.stage import look
from understudy.stage.canvas import Canvas
from understudy.stage.layers import Picture
from understudy.stage.lettering import font, legend_width, rgb, shortened, write_legend
from understudy.stage.naming import Legend, legend_of, title_of
from understudy.stage.performance import Performance
from understudy.stage.shots import Shot, sheet_shots
from understudy.stage.subject import Subject, performance_of, without_marks

SHEET_ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
_GAP, _HEADER, _LEAST_TITLE = 10, 54, 160  # pixels


def render_sheet(
    subject: Subject,
    path: str | Path,
    ghost: Subject | None = None,
    *,
    frames: int = 12,
    columns: int | None = None,
    times_s: Sequence[float] | None = None,
    cell: tuple[int, int] = (240, 270),
    title: str | None = None,
    marks: bool = True,
    progress: Progress | None = None,
) -> None:
    """Write a picture of evenly spaced moments side by side; of what does not move, a few views around it.

    Args:
        subject: what to look at.
        path: the picture; its ending says the format.
        ghost: another motion, drawn translucent at the same times.
        frames: how many moments; fewer when the subject has fewer frames.
        columns: pictures in a row; about as many as make a wide page when left out.
        times_s: the moments themselves [s], instead of ``frames``.
        cell: width and height of each picture in pixels.
        title: what is written above; the subject's name and duration when left out.
        marks: whether contacts and forces are marked.
        progress: told how far it is.
    """
    path = Path(path)
    if path.suffix.lower() not in SHEET_ENDINGS:
        raise FileError(path, "not an ending of a picture", hint=f"use one of {', '.join(SHEET_ENDINGS)}")
    performance = performance_of(subject) if marks else without_marks(performance_of(subject))
    shots = sheet_shots(performance, frames, times_s)
    columns = min(columns or _columns(len(shots)), len(shots))
    if columns < 1:
        raise UnderstudyError(f"a sheet needs at least one column, not {columns}")
    with replacing(path) as temporary:
        pictures = _draw(performance, None if ghost is None else performance_of(ghost), shots, cell, progress)
        page = _lay_out(pictures, shots, columns)
        _write_header(page, title_of(performance) if title is None else title, legend_of(subject, ghost))
        page.save(temporary, optimize=True, quality=90)


def sheet_size(count: int, columns: int, cell: tuple[int, int]) -> tuple[int, int]:
    """Width and height in pixels of a sheet of that many pictures."""
    rows = -(-count // columns)
    return columns * (cell[0] + _GAP) + _GAP, _HEADER + rows * (cell[1] + _GAP)


def _columns(count: int) -> int:
    """Rows that come out full if they can, on a page wider than it is high."""
    choices = range(min(count, 4), min(count, 8) + 1)
    return min(choices, key=lambda columns: (-count % columns, abs(columns - 6)))


def _draw(
    performance: Performance,
    ghost: Performance | None,
    shots: Sequence[Shot],
    cell: tuple[int, int],
    progress: Progress | None,
) -> list[Picture]:
    pictures = []
    with Canvas(performance, ghost, size=cell, moments=[shot.time_s for shot in shots]) as canvas:
        for done, shot in enumerate(shots):
            if progress:
                progress(done, len(shots))
            pictures.append(canvas.draw(shot.time_s, canvas.camera.view(shot.time_s, shot.turn_rad)))
    if progress:
        progress(len(shots), len(shots))
    return pictures


def _lay_out(pictures: Sequence[Picture], shots: Sequence[Shot], columns: int) -> Image.Image:
    height, width = pictures[0].shape[:2]
    page = Image.new("RGB", sheet_size(len(pictures), columns, (width, height)), rgb(look.PAPER))
    draw = ImageDraw.Draw(page)
    corners = Image.new("L", (4 * width, 4 * height), 0)
    ImageDraw.Draw(corners).rounded_rectangle((0, 0, 4 * width - 1, 4 * height - 1), 32, fill=255)
    mask = corners.reduce(4)
    for index, (picture, shot) in enumerate(zip(pictures, shots, strict=True)):
        x = _GAP + (index % columns) * (width + _GAP)
        y = _HEADER + (index // columns) * (height + _GAP)
        page.paste(Image.fromarray(picture), (x, y), mask)
        draw.text((x + 9, y + height - 9), shot.label, rgb(look.INK), font(14), anchor="ls")
    return page


def _write_header(page: Image.Image, title: str, legend: Legend) -> None:
    draw = ImageDraw.Draw(page)
    small, large = font(15), font(20)
    width = legend_width(legend, small)
    fits = page.width - 4 * _GAP - width > _LEAST_TITLE
    room = page.width - 2 * _GAP - (width + 2 * _GAP if fits else 0)
    draw.text((_GAP + 2, _HEADER / 2), shortened(title, large, room), rgb(look.INK), large, anchor="lm")
    if fits:
        write_legend(draw, (round(page.width - _GAP - width), round(_HEADER / 2 - 9)), legend, small)
