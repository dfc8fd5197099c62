"""Draws the pictures of docs/performing.md that show transformed, retargeted and varied performances.

They are of the benchmark's runs (transform.py) where those are kept, else of runs with 300 samples, kept likewise under
out/transform/pictures. ``walks rolls`` as arguments draws these alone.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from performing import ROOT, folder_of
from PIL import Image
from transformations import CHANGES, MODELS, Change

from understudy.reconstruction import Reconstruction, ReconstructionSettings
from understudy.stage import plot_pressure, render_sheet

PICTURES = ROOT / "docs" / "pictures"
SEEDS = 5
_SETTINGS = partial(ReconstructionSettings, samples=300)
_COLOURS, _LARGEST_BYTES = (200, 128, 80, 48), 300_000  # as many colours as a file of that size may have
_STEP, _MAT = "roll over a step of 10 cm", "roll onto a mat of 10 cm"

WALKS = ("walk on pebbles", "walk on ice", "walk on a beam of 10 cm", "walk on a beam of 5 cm")
ROLLS = (
    "roll up a ramp of 10 degrees", _STEP, "roll off 50 cm, retimed", "roll off 100 cm, retimed", "roll off 100 cm",
)  # fmt: skip
STRIPS: Mapping[str, tuple[Change, ...]] = {
    "walks": tuple(change for name in WALKS for change in CHANGES if change.name == name),
    "rolls": tuple(change for name in ROLLS for change in CHANGES if change.name == name),
    "robot": tuple(change for change in CHANGES if change.group == "robot"),
    "characters": tuple(c for c in CHANGES if c.group == "characters" and c.name in ("walk", "trot of a dog")),
}
TIMES_S = {"rolls": (0.0, 0.55, 0.85, 1.1, 1.35, 1.9)}
"""The moments to show, where evenly spread ones would miss what matters."""
SEEDED = next(change for change in CHANGES if change.name == "roll")


def main(asked: Sequence[str]) -> None:
    for name, changes in STRIPS.items():
        if name in asked or not asked:
            _stacked((_strip(c, times_s=TIMES_S.get(name)) for c in changes), PICTURES / f"transformed_{name}.png")
    if "seeds" in asked or not asked:
        strips = (_strip(SEEDED, seed, TIMES_S["rolls"]) for seed in range(SEEDS))
        _stacked(strips, PICTURES / "transformed_seeds.png")
    if "pressure" in asked or not asked:
        found = {
            name: next(c for c in CHANGES if c.name == change) for name, change in (("floor", _STEP), ("mat", _MAT))
        }
        rollouts = {name: _performed(change).rollout for name, change in found.items()}
        plot_pressure(rollouts, PICTURES / "transformed_pressure.png")


def _performed(change: Change, seed: int = 0) -> Reconstruction:
    """The benchmark's run, or one made for the picture."""
    name = f"{change.stem}-{seed}.npz"
    kept = folder_of("transform", False, *sorted(MODELS.iterdir())) / name
    own = ROOT / "out" / "transform" / "pictures" / name
    for path in (kept, own):
        if path.exists():
            return Reconstruction.load(path)
    found = change.performed(_SETTINGS(seed=seed))
    own.parent.mkdir(parents=True, exist_ok=True)
    found.save(own)
    c = found.comparison
    told = f"E_g {c.global_mm:.0f} mm, {found.seconds:.0f} s for {found.reference.duration_s:.2f} s; {c.failure}"
    print(f"{change.name} on {change.character}, seed {seed}: {told}", flush=True)
    return found


def _strip(change: Change, seed: int = 0, times_s: Sequence[float] | None = None) -> Image.Image:
    """Six moments in a row."""
    found, path = _performed(change, seed), ROOT / "out" / "transform" / "strip.png"
    ghost = replace(found.reference, name=Path(change.clip).stem)
    who = "" if change.character == "human" else f" on {Path(change.character).stem.replace('_', ' ')}"
    title = f"{change.name}{who}, seed {seed}"
    render_sheet(found.rollout, path, ghost, frames=6, times_s=times_s, columns=6, cell=(190, 200), title=title)
    return Image.open(io.BytesIO(path.read_bytes())).convert("RGB")


def _stacked(strips: Iterable[Image.Image], path: Path) -> None:
    """One below the other, in few colours."""
    pictures = list(strips)
    page = Image.new("RGB", (pictures[0].width, sum(picture.height for picture in pictures)))
    top = 0
    for picture in pictures:
        page.paste(picture, (0, top))
        top += picture.height
    for colours in _COLOURS:
        page.quantize(colours).save(path, optimize=True)
        if path.stat().st_size < _LARGEST_BYTES:
            break
    print(f"{path.name}: {path.stat().st_size // 1000} kB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
