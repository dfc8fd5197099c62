"""What every benchmark shares: ``--quick``, the printed tables, and the files under ``benchmarks/results``."""

from __future__ import annotations

import datetime
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Table:
    """Rows under named columns; a cell is text or a number."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]


@dataclass(frozen=True)
class Headline:
    """The figure a benchmark is remembered by."""

    name: str
    figure: float
    unit: str


@dataclass(frozen=True)
class Result:
    """What a benchmark measured; ``seeds`` is how many repetitions each figure rests on."""

    tables: tuple[Table, ...]
    headlines: tuple[Headline, ...]
    notes: tuple[str, ...] = ()
    seeds: int = 1


def run(name: str, measure: Callable[[bool], Result]) -> None:
    """Measure, print, and unless ``--quick`` was given, write ``results/NAME.json`` and ``NAME.md``."""
    unknown = [argument for argument in sys.argv[1:] if argument != "--quick"]
    if unknown:
        sys.exit(f"unknown argument {unknown[0]}; usage: python benchmarks/{name}.py [--quick]")
    quick = "--quick" in sys.argv[1:]
    start = time.perf_counter()
    result = measure(quick)
    seconds = time.perf_counter() - start
    text = _markdown(result)
    print(text)
    if not quick:
        _write(name, result, text, seconds)
    for headline in result.headlines:
        print(f"{headline.name}: {_cell(headline.figure)} {headline.unit}")


def _write(name: str, result: Result, text: str, seconds: float) -> None:
    RESULTS.mkdir(exist_ok=True)
    about = {
        "command": f"python benchmarks/{name}.py",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "seconds": round(seconds, 1),
        "cores": os.cpu_count(),
        "machine": f"{platform.system()} {platform.machine()}, {_processor()}",
        "python": platform.python_version(),
        "versions": {package: metadata.version(package) for package in ("understudy", "mujoco", "numpy", "scipy")},
        "seeds": result.seeds,
    }
    data = {"about": about, **asdict(result)}
    (RESULTS / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    lines = [f"- {key}: {value}" for key, value in about.items()]
    (RESULTS / f"{name}.md").write_text(f"# {name}\n\n{text}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.is_file():
        return platform.processor()
    models = [
        line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")
    ]
    return models[0] if models else platform.processor()


def _markdown(result: Result) -> str:
    parts = [_table(table) for table in result.tables]
    parts += ["\n".join(f"- {note}" for note in result.notes)] if result.notes else []
    parts.append("\n".join(f"**{h.name}**: {_cell(h.figure)} {h.unit}" for h in result.headlines))
    return "\n\n".join(parts)


def _table(table: Table) -> str:
    cells = [table.columns, *[tuple(_cell(value) for value in row) for row in table.rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(table.columns))]
    lines = [
        "| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return f"## {table.title}\n\n" + "\n".join(lines)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return str(value)
