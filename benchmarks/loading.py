"""How long clips take to load, and how much memory: a usual one, half an hour of motion, and every format."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from harness import Headline, Result, Table, run

from understudy import rotations
from understudy.motion import Clip, Skeleton, WriteSettings, load_clip, write_clip

LONG_READINGS = 4
MOCAP = Path(__file__).resolve().parents[2] / "shared" / "mocap"
USUAL = MOCAP / "cmu_bvh" / "90_34.bvh"  # 841 frames with the added pose, 31 joints, 96 channels
JOINTS, RATE_HZ = 31, 120.0

_ALONE = """
import json, resource, sys, time
from understudy.motion import load_clip
start = time.perf_counter()
clip = load_clip(sys.argv[1])
seconds = time.perf_counter() - start
peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([seconds, peak_mb, clip.frame_count]))
"""


def measure(quick: bool) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        usual, about = _usual(Path(folder))
        milliseconds = _best(lambda: load_clip(usual), 5 if quick else 30)
        plain = _best(lambda: _plain(usual), 3)
        tables = [
            Table(
                "A clip of 841 frames and 31 joints, as BVH",
                ("what", "ms", "ratio"),
                [
                    ("read, guessed, and turned into a Clip", milliseconds, 1.0),
                    ("its numbers alone, by str.split and float", plain, plain / milliseconds),
                ],
            ),
            _formats(Path(folder), usual, quick),
            _growth(Path(folder), quick),
        ]
        minutes = 5 if quick else 30
        table, (seconds, peak_mb) = _long(Path(folder), minutes)
    return Result(
        (*tables, table),
        (
            Headline("milliseconds_841_frames", milliseconds, "ms"),
            Headline(f"seconds_{minutes}_minutes", seconds, "s"),
            Headline(f"megabytes_{minutes}_minutes", peak_mb, "MB"),
        ),
        notes=(
            about,
            "Times are the best of several, in one process; each reading of a long clip is in a process of its own.",
        ),
        seeds=5 if quick else 30,
    )


def _usual(folder: Path) -> tuple[Path, str]:
    if USUAL.is_file():
        return USUAL, f"The usual clip is CMU's {USUAL.name}."
    path = folder / "usual.bvh"
    write_clip(made_up_clip(841), path)
    return path, "The usual clip is made up, since there is no ../shared/mocap."


def made_up_clip(frames: int) -> Clip:
    """A smoothly moving clip of 31 joints."""
    rng = np.random.default_rng(1)
    parents = np.array([-1, *(max(0, j - 1 - (j % 5 == 0) * 4) for j in range(1, JOINTS))])
    skeleton = Skeleton(tuple(f"joint{j}" for j in range(JOINTS)), parents, rng.normal(0.0, 0.1, (JOINTS, 3)))
    phases, speeds = rng.uniform(0.0, 6.0, (JOINTS, 3)), rng.uniform(1.0, 6.0, (JOINTS, 3))
    times = np.arange(frames)[:, None, None] / RATE_HZ
    vectors = 0.8 * np.sin(speeds * times + phases)
    positions = np.stack([0.5 * times[:, 0, 0], np.sin(times[:, 0, 0]), np.full(frames, 0.9)], axis=1)
    return Clip(skeleton, RATE_HZ, positions, rotations.exp(vectors))


def _plain(path: Path) -> int:
    lines = path.read_text().split("Frame Time:")[1].split("\n")[1:]
    return len([[float(word) for word in line.split()] for line in lines])


def _formats(folder: Path, usual: Path, quick: bool) -> Table:
    clip = load_clip(usual)
    rows = [("BVH", usual)]
    for name, path in (("BVH, written by us", folder / "usual_ours.bvh"), ("our own", folder / "usual.npz")):
        write_clip(clip, path)
        rows.append((name, path))
    walk, amass = MOCAP / "amass" / "cmu_07_01_walk_poses.npz", folder / "amass.npz"
    if walk.is_file():
        write_clip(load_clip(walk), amass, WriteSettings(layout="amass"))
        rows.append(("AMASS's layout", amass))
        rows.append(("Acclaim", MOCAP / "cmu_asfamc" / "11" / "11_01.amc"))
        rows.append(("DeepMimic", MOCAP / "deepmimic" / "humanoid3d_getup_faceup.txt"))
    cells = []
    for name, path in rows:
        frames = load_clip(path).frame_count
        milliseconds = _best(lambda path=path: load_clip(path), 3 if quick else 10)  # type: ignore[misc]
        cells.append((name, frames, path.stat().st_size / 1e6, milliseconds, 1e3 * milliseconds / frames))
    return Table("Formats", ("format", "frames", "MB", "ms", "us a frame"), cells)


def _growth(folder: Path, quick: bool) -> Table:
    rows = []
    for frames in (500, 2000, 8000) if quick else (500, 2000, 8000, 32000):
        path = folder / f"{frames}.bvh"
        write_clip(made_up_clip(frames), path)
        milliseconds = _best(lambda path=path: load_clip(path), 3)  # type: ignore[misc]
        rows.append((frames, milliseconds, 1e3 * milliseconds / frames))
        path.unlink()
    return Table("Time grows with the frames, no faster", ("frames", "ms", "us a frame"), rows)


def _long(folder: Path, minutes: int) -> tuple[Table, tuple[float, float]]:
    """A long BVH, and the same as our own file, each read in a fresh process."""
    path, own = folder / "long.bvh", folder / "long.npz"
    _write_long(path, minutes)
    rows = [("BVH", path.stat().st_size / 1e6, *_alone(path))]
    write_clip(load_clip(path), own)
    rows.append(("our own", own.stat().st_size / 1e6, *_alone(own)))
    columns = ("format", "MB on disk", "s", "peak MB of the process", "frames")
    return Table(f"A clip of {minutes} minutes at 120 Hz, 31 joints", columns, rows), (rows[0][2], rows[0][3])


def _write_long(path: Path, minutes: int) -> None:
    """One minute of made-up motion, again and again."""
    minute = path.with_name("minute.bvh")
    write_clip(made_up_clip(int(60 * RATE_HZ)), minute)
    head, _, rows = minute.read_text().partition("Frame Time:")
    frame_time, _, rows = rows.partition("\n")
    with path.open("w") as file:
        file.write(head.replace("Frames: 7200", f"Frames: {7200 * minutes}") + "Frame Time:" + frame_time + "\n")
        for _ in range(minutes):
            file.write(rows)


def _alone(path: Path) -> tuple[float, float, int]:
    """Seconds, peak megabytes and frames of the fastest of a few readings, each in a process of its own."""
    readings = []
    for _ in range(LONG_READINGS):
        done = subprocess.run([sys.executable, "-c", _ALONE, str(path)], capture_output=True, text=True, check=True)
        readings.append(tuple(json.loads(done.stdout)))
    return min(readings)


def _best(work: Callable[[], object], times: int) -> float:
    """Milliseconds of the fastest run; the first, which imports and fills caches, is not counted."""
    work()
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return 1e3 * min(found)


if __name__ == "__main__":
    run("loading", measure)
