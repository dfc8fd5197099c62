"""Words on pictures."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from understudy.stage import look
from understudy.stage.layers import Picture
from understudy.stage.naming import Legend


@cache
def font(size: int) -> Any:
    """The font that comes with Pillow, at a size in pixels."""
    return ImageFont.load_default(size)


def rgb(colour: look.Colour) -> tuple[int, int, int]:
    """A colour in bytes."""
    red, green, blue = (round(255 * part) for part in colour)
    return red, green, blue


def caption(picture: Picture, title: str, clock: str, legend: Legend = ()) -> Picture:
    """A copy with the title (and who is who) at the upper left and the clock at the lower right."""
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    size = max(11, round(image.height / 26))
    edge = round(0.8 * size)
    text_width = image.width - 2 * edge
    draw.text((edge, edge), shortened(title, font(size), text_width), rgb(look.INK), font(size))
    small = font(max(10, round(0.8 * size)))
    write_legend(draw, (edge, edge + round(1.5 * size)), legend, small)
    draw.text((image.width - edge, image.height - edge), clock, rgb(look.INK), font(size), anchor="rs")
    return np.asarray(image)


def write_legend(draw: Any, place: tuple[int, int], legend: Legend, small: Any) -> None:
    """A row of dots with names, from the place (x, y) of its left upper corner [pixels]."""
    x, y = float(place[0]), place[1]
    dot = round(0.7 * small.size)
    for name, colour in legend:
        draw.ellipse((x, y + 0.25 * small.size, x + dot, y + 0.25 * small.size + dot), fill=rgb(colour))
        draw.text((x + 1.6 * dot, y), name, rgb(look.INK), small)
        x += 3.4 * dot + small.getlength(name)


def legend_width(legend: Legend, small: Any) -> float:
    """How much room a row takes [pixels]."""
    dot = round(0.7 * small.size)
    return sum(3.4 * dot + small.getlength(name) for name, _ in legend) - (1.8 * dot if legend else 0.0)


def shortened(text: str, in_font: Any, width: float) -> str:
    """The text, its middle left out when it is wider than width [pixels]."""
    text = " ".join(text.split())
    if in_font.getlength(text) <= width:
        return text
    keep = len(text)
    while keep > 2 and in_font.getlength(_cut(text, keep)) > width:
        keep -= 1
    return _cut(text, keep)


def _cut(text: str, keep: int) -> str:
    return f"{text[: keep - keep // 2]}\u2026{text[len(text) - keep // 2 :]}"
