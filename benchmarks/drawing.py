"""How long pictures take: a 5 s clip as a 480p video, whole jobs, and one frame with each thing drawn into it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from harness import Headline, Result, Table, run

from understudy.character import Reference, load_character
from understudy.motion import Clip, authored_clip, crop, low_pass, repeat
from understudy.simulation import PoseController, Rollout, World, scene, simulate
from understudy.stage import Subject, render_sheet, render_video
from understudy.stage.canvas import Canvas
from understudy.stage.subject import performance_of

SECONDS, SIZE, FPS = 5.0, (854, 480), 30.0
LIMIT_S = 30.0


@dataclass(frozen=True)
class Setting:
    """What is drawn into a frame, and how."""

    name: str
    subject: Subject
    ghost: Subject | None = None
    shadows: bool = True
    smoothing: int = 2


def measure(quick: bool) -> Result:
    """Whole jobs once, single frames many times."""
    clip = _clip()
    jobs, video_s = _jobs(clip, quick)
    return Result(
        tables=(jobs, _frames(clip, 6 if quick else 40)),
        headlines=(
            Headline("seconds_5_s_clip_480p", video_s, f"s with a ghost, at {FPS:g} pictures/s (limit {LIMIT_S:g})"),
        ),
        notes=(
            f"pictures are {SIZE[0]} x {SIZE[1]} unless a size is given; OpenGL in software, Mesa's llvmpipe",
            "frames are drawn one by one, words and encoding left out; the median of each setting's frames is given",
        ),
    )


def _clip() -> Clip:
    return crop(repeat(authored_clip("walk"), 2), 0.0, SECONDS)


def _jobs(clip: Clip, quick: bool) -> tuple[Table, float]:
    """Videos and sheets as a user asks for them; the seconds of the headline's video."""
    ghost, rollout, pictures = low_pass(clip, 1.0), _standing("flat"), round(SECONDS * FPS) + 1
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        video_s = _seconds(lambda: render_video(clip, out / "a.mp4", ghost, fps=FPS, size=SIZE))
        rows = [("video of a clip with a ghost, mp4", pictures, video_s, 1000.0 * video_s / pictures)]
        jobs: list[tuple[str, int, Callable[[], None]]] = [
            ("video of a clip, mp4", pictures, lambda: render_video(clip, out / "b.mp4", fps=FPS, size=SIZE)),
            ("video of a rollout, mp4", pictures, lambda: render_video(rollout, out / "c.mp4", fps=FPS, size=SIZE)),
            ("480 x 270, gif", 126, lambda: render_video(clip, out / "d.gif", fps=25.0, size=(480, 270))),
            ("contact sheet of a clip with a ghost", 12, lambda: render_sheet(clip, out / "e.png", ghost)),
            ("contact sheet of a rollout", 12, lambda: render_sheet(rollout, out / "f.png")),
        ]
        for name, count, job in jobs[3:] if quick else jobs:
            seconds = _seconds(job)
            rows.append((name, count, seconds, 1000.0 * seconds / count))
    return Table(f"Whole jobs, {SECONDS:g} s of motion", ("job", "pictures", "s", "ms a picture"), rows), video_s


def _frames(clip: Clip, count: int) -> Table:
    ghost, flat, stairs = low_pass(clip, 1.0), _standing("flat"), _standing("stairs")
    human = load_character("human")
    still = Reference(human, 1.0, human.standing_qpos[None] + 0.0, np.zeros((1, human.model.nv)))
    settings = (
        Setting("clip, no shadow, not smoothed", clip, shadows=False, smoothing=1),
        Setting("clip, no shadow", clip, shadows=False),
        Setting("clip", clip),
        Setting("clip and ghost", clip, ghost),
        Setting("rollout with forces", flat),
        Setting("rollout with forces and ghost", flat, still),
        Setting("rollout on stairs (MuJoCo's shadow map)", stairs),
    )
    rows = [(setting.name, *_frame_ms(setting, count)) for setting in settings]
    base = rows[0][1]
    return Table(
        f"One frame, {count} times",
        ("drawn", "median ms", "fastest ms", "ratio to the first"),
        [(name, middle, fastest, middle / base) for name, middle, fastest in rows],
    )


def _frame_ms(setting: Setting, count: int) -> tuple[float, float]:
    ghost = None if setting.ghost is None else performance_of(setting.ghost)
    performance = performance_of(setting.subject)
    with Canvas(performance, ghost, size=SIZE, shadows=setting.shadows, smoothing=setting.smoothing) as canvas:
        canvas.draw(0.0)  # the first one compiles shaders
        times = np.linspace(0.0, performance.duration_s, count)
        took = [1000.0 * _seconds(lambda time_s=time_s: canvas.draw(time_s)) for time_s in times]  # type: ignore[misc]
    return median(took), min(took)


def _standing(scene_name: str) -> Rollout:
    """The human held in its standing pose for as long as the clip lasts."""
    human = load_character("human")
    world = World(scene(scene_name), human)
    world.reset()
    return simulate(world, PoseController(human.standing_qpos[7:]), round(SECONDS * world.rate_hz))


def _seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


if __name__ == "__main__":
    run("drawing", measure)
