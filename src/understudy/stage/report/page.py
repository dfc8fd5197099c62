"""The page of a report: words, figures, pictures and charts, all in one file."""

from __future__ import annotations

import base64
import math
from html import escape
from pathlib import Path

from understudy import __version__
from understudy.files import replacing
from understudy.reconstruction import Account, Reconstruction, account_of
from understudy.stage.report.charts import Panel, panels

_STYLE = Path(__file__).with_name("style.css")


def write_report(reconstruction: Reconstruction, path: str | Path, sheet: str | Path | None = None) -> None:
    """Write an HTML file that tells how a performance went; it loads nothing from elsewhere.

    Args:
        reconstruction: what to tell of.
        path: the file, ``.html``.
        sheet: a contact sheet (PNG) to be put in.
    """
    account = account_of(reconstruction)
    picture = None if sheet is None else Path(sheet).read_bytes()
    page = _page(reconstruction, account, panels(reconstruction, account), picture)
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _page(reconstruction: Reconstruction, account: Account, charts: list[Panel], sheet: bytes | None) -> str:
    title = f"{account.name} on {account.character}"
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>",
        _head(account, title),
        _figures(account),
        _sheet(sheet),
        *map(_chart, charts),
        _making(reconstruction, account),
        f"<footer>Understudy {escape(__version__)}. Ghosts and dashed lines are the clip.</footer>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _head(account: Account, title: str) -> str:
    mood = "good" if account.followed else "bad"
    lines = [f"<h1>{escape(title)}</h1>", f'<p class="verdict {mood}">{escape(account.verdict)}</p>']
    if account.reasons:
        items = "".join(f"<li>{escape(reason)}</li>" for reason in account.reasons)
        lines.append(f'<ul class="reasons">{items}</ul>')
    return "\n".join(lines)


def _figures(account: Account) -> str:
    c = account.comparison
    words = {True: "yes", False: "no", None: "–"}
    shown = [
        ("Success", words[c.success], f"strict: {words[c.strict]}"),
        ("E_g", f"{_number(c.global_mm)} mm", "mean distance of the bodies"),
        ("E_l", f"{_number(c.local_mm)} mm", "the same, seen from the pelvis"),
        (
            "E_acc",
            f"{_number(c.acceleration_mm)} mm/frame²",
            f"{account.acceleration_share:.2f} times the clip's own acceleration",
        ),
        ("Torque jitter", f"{account.fast_torque_share:.0%}", "of the torques' variance is above 5 Hz"),
        (
            "Search",
            f"{account.seconds:.0f} s",
            f"{account.seconds_per_second:.1f} s per second of motion, {account.simulated:,} samples",
        ),
    ]
    tiles = (
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(about)}</small></dd></div>"
        for name, value, about in shown
    )
    return f'<dl class="figures">{"".join(tiles)}</dl>'


def _sheet(sheet: bytes | None) -> str:
    if sheet is None:
        return ""
    return f'<figure><img alt="Moments of the performance, the clip as a ghost" src="{_data("png", sheet)}"></figure>'


def _chart(panel: Panel) -> str:
    return (
        f'<section>\n<h2>{escape(panel.title)}</h2>\n<p class="caption">{escape(panel.caption)}</p>\n'
        f'<figure><img alt="{escape(panel.title)} over time" src="{_data("svg+xml", panel.svg)}"></figure>\n</section>'
    )


def _making(reconstruction: Reconstruction, account: Account) -> str:
    settings, reference = reconstruction.settings, reconstruction.reference
    rows = [
        ("Clip", f"{account.name}, {account.duration_s:.2f} s"),
        (
            "Character",
            f"{account.character}, {reference.character.mass_kg:.1f} kg, {len(reference.character.joints)} joints",
        ),
        ("Scene", account.scene),
        ("Method", f"{settings.method}, {settings.samples} samples a fragment and round, {settings.kept} kept"),
        ("Fragments", f"{len(reconstruction.rounds)}, of about {settings.fragment_s:g} s, cut {settings.cut}"),
        ("Seed", str(settings.seed)),
        ("Compared", f"{len(account.comparison.bodies)} bodies at {account.comparison.rate_hz:g} Hz"),
        ("Physics", f"MuJoCo {reconstruction.rollout.mujoco_version}"),
        *(("Fitting", note) for note in reference.notes),
    ]
    cells = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<section>\n<h2>How it was made</h2>\n<table>{cells}</table>\n</section>"


def _data(kind: str, contents: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(contents).decode()}"


def _number(value: float) -> str:
    return f"{value:.1f}" if math.isfinite(value) else "–"
