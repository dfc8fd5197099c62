"""Damaged clips by the million: every reader must answer each with a clip or with our own error, and at once.

Small files of every format are changed at random: bytes, words, lines, pieces of other files, and inside archives the
arrays and their headers. Anything else than a clip or an UnderstudyError, a warning, or more than a second of processor
time, is a find: the input is kept and named, and the benchmark fails.
"""

from __future__ import annotations

import io
import multiprocessing
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import numpy as np
from harness import Headline, Result, Table, run

from understudy.errors import UnderstudyError
from understudy.motion import Clip, Skeleton, WriteSettings, read_clip, write_clip
from understudy.motion.formats.amass import smpl_skeleton
from understudy.motion.formats.deepmimic_bodies import AXES, BODIES

INPUTS, QUICK_INPUTS, QUICK_SECONDS = 1_000_000, 20_000, 25.0
WORKERS = 2
SLOWEST_S = 1.0
MEMORY_BYTES = 4 << 30
FOUND = Path(__file__).parent / "results" / "fuzz_found"

_BVH = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftUpLeg
  {
    OFFSET 9 -4 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0 -42 0
      CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 -4.2e1 1
      }
    }
  }
  JOINT Head
  {
    OFFSET 0 60 0
    CHANNELS 1 Xrotation
  }
}
MOTION
Frames: 4
Frame Time: .0333333
"""
_ROWS = (
    "0 90 0 0 0 0 0 0 0 0 -42 0 0 0 0 0\n"
    "1 91.5 0 3 -4 5 10 20 -30 0 -42 0 1 2 3 4\n"
    "2 91.5 0 3.5 -4 5.5 11 21 -31 0 -42 0 1 2 3 5\n"
    "3 91 0.5 4 -4 6 12 22 -32 0 -42 0 1 2 3 6\n"
)
_ASF = """:version 1.10
:units
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
:bonedata
  begin
    id 1
    name lfemur
    direction 0.3 -0.9 0
    length 7
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160 20)
           (-70 70)
           (-inf inf)
  end
  begin
    name head
    direction 0 1 0
    length 3
  end
:hierarchy
  begin
    root lfemur head
  end
"""
_AMC = """# comment
:FULLY-SPECIFIED
:DEGREES
1
root 0 16 0 1 2 3
lfemur 10 -5.5 2e-1
2
root 0 16 1 1 2 3
lfemur 11 -5.5 2
3
root 0 16 2 1 2 4
lfemur 12 -5.5 2
"""
_WORDS = (
    *b"nan inf -1.#IND 1e999 -1e-999 99999999999999999999 -1 0 { } [ ] 1,5 1.2.3 -- JOINT OFFSET MOTION".split(),
    *b"begin end :hierarchy :bonedata root # null true 'Frames' Frame_Time: \" \xff\xfe \xf0\x9f\x92\x83".split(),
    *(b"End Site", b"ROOT x", b"CHANNELS 3", b"dof rx rx", b"Frame Time:", b"\0" * 9, b"\r", b"\r\n", b"\t"),
    *(b"[" * 3000, b"{" * 3000, b"9" * 5000, b" " * 3000),
)

Mutation = Callable[[np.random.Generator, bytes, list[bytes]], bytes]


@dataclass
class Tally:
    """What became of the inputs: per format how many were read and refused, the finds, and the slowest."""

    read: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    finds: list[str] = field(default_factory=list)
    slowest_s: float = 0.0

    def add(self, other: Tally) -> None:
        self.read += other.read
        self.refused += other.refused
        self.finds += other.finds
        self.slowest_s = max(self.slowest_s, other.slowest_s)

    @property
    def count(self) -> int:
        return self.read.total() + self.refused.total() + len(self.finds)


def measure(quick: bool) -> Result:
    wanted = QUICK_INPUTS if quick else INPUTS
    seconds = QUICK_SECONDS if quick else float("inf")
    jobs = [(seed, wanted // WORKERS, seconds) for seed in range(WORKERS)]
    start = time.perf_counter()
    tally = Tally()
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        for part in pool.imap_unordered(_work, jobs):
            tally.add(part)
    seconds = time.perf_counter() - start
    if tally.finds:
        print("\n\n".join(tally.finds[:20]), file=sys.stderr)
        sys.exit(f"{len(tally.finds)} finds in {tally.count} inputs; the inputs are in {FOUND}")
    rows = [(kind, tally.read[kind] + tally.refused[kind], tally.read[kind], tally.refused[kind]) for kind in seeds()]
    return Result(
        (Table("Damaged files", ("format", "inputs", "read as a clip", "refused with our error"), rows),),
        (
            Headline("fuzzed_inputs", tally.count, "inputs"),
            Headline("fuzz_finds", len(tally.finds), "crashes or hangs"),
            Headline("slowest_input", 1e3 * tally.slowest_s, "ms"),
        ),
        notes=(
            f"{tally.count / seconds:.0f} inputs a second with {WORKERS} processes; warnings count as crashes.",
            f"More than {SLOWEST_S:g} s of processor time, or {MEMORY_BYTES >> 30} GiB of addresses, would be a find.",
        ),
        seeds=WORKERS,
    )


def seeds() -> dict[str, list[bytes]]:
    """Per format, small sound files."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        smpl, (humanoid, dog) = smpl_skeleton(1.7), (_in_our_axes(body.skeleton) for body in BODIES)
        return {
            "BVH": [(_BVH + _ROWS).encode(), (_BVH + _ROWS).replace("\n", "\r\n").replace(" ", "\t").encode()],
            "ASF": [_ASF.encode()],
            "AMC": [_AMC.encode()],
            "DeepMimic": [_written(folder, _still(s, rng), "a.txt") for s in (humanoid, dog)],
            "AMASS": [_written(folder, _still(smpl, rng), "a.npz", WriteSettings(layout="amass"))],
            "own": [_written(folder, _still(smpl, rng), "b.npz")],
        }


def _still(skeleton: Skeleton, rng: np.random.Generator) -> Clip:
    turned = np.tile([1.0, 0.0, 0.0, 0.0], (3, len(skeleton), 1))
    return Clip(skeleton, 30.0, np.array([0.0, 0.0, 0.9]) + rng.normal(0.0, 0.01, (3, 3)), turned)


def _in_our_axes(skeleton: Skeleton) -> Skeleton:
    turn = AXES.matrix.T
    return Skeleton(
        skeleton.names, skeleton.parents, skeleton.offsets @ turn, skeleton.end_parents, skeleton.end_offsets @ turn
    )


def _written(folder: str, clip: Clip, name: str, settings: WriteSettings | None = None) -> bytes:
    path = Path(folder) / name
    write_clip(clip, path, settings)
    return path.read_bytes()


def _work(job: tuple[int, int, float]) -> Tally:
    """One process's share."""
    seed, count, seconds = job
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGVTALRM, _too_slow)
    tally, ends = Tally(), time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "skeleton.asf").write_text(_ASF)
        for number, (kind, data) in enumerate(inputs(np.random.default_rng(seed))):
            if number == count or time.monotonic() > ends:
                return tally
            _try(Path(folder), kind, data, f"{seed}_{number}", tally)
    return tally


def inputs(rng: np.random.Generator) -> Iterator[tuple[str, bytes]]:
    """Damaged files without end, of one format after the other."""
    sound = seeds()
    pool = [data for files in sound.values() for data in files]
    while True:
        for kind, files in sound.items():
            data = files[rng.integers(len(files))]
            archive = data.startswith(b"PK")
            if archive and rng.random() < 0.8:
                data = _repacked(rng, data, pool)
            else:
                for _ in range(1 + int(rng.random() < 0.3)):
                    data = MUTATIONS[rng.integers(len(MUTATIONS))](rng, data, pool) if data else data
            yield kind, data


def _try(folder: Path, kind: str, data: bytes, name: str, tally: Tally) -> None:
    path = folder / "input.bin"
    if kind == "ASF":
        (folder / "asf").mkdir(exist_ok=True)
        (folder / "asf" / "input.asf").write_bytes(data)
        path, data = folder / "asf" / "input.amc", _AMC.encode()
    path.write_bytes(data)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, SLOWEST_S)
    try:
        read_clip(path)
        tally.read[kind] += 1
    except UnderstudyError:
        tally.refused[kind] += 1
    except BaseException:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        kept = FOUND / f"{kind}_{name}"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes((folder / "asf" / "input.asf").read_bytes() if kind == "ASF" else data)
        tally.finds.append(f"{kept.name}:\n{traceback.format_exc(limit=-6)}")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
    tally.slowest_s = max(tally.slowest_s, time.process_time() - start)


def _too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"more than {SLOWEST_S} s")


def _change_bytes(rng: np.random.Generator, data: bytes, _pool: list[bytes]) -> bytes:
    changed = np.frombuffer(data, np.uint8).copy()
    where = rng.integers(len(changed), size=1 + rng.integers(3))
    changed[where] = rng.integers(256, size=len(where))
    return changed.tobytes()


def _cut(rng: np.random.Generator, data: bytes, _pool: list[bytes]) -> bytes:
    first = int(rng.integers(len(data)))
    return data[:first] + data[first + int(rng.integers(1, 60)) :] if rng.random() < 0.8 else data[:first]


def _double(rng: np.random.Generator, data: bytes, _pool: list[bytes]) -> bytes:
    first = int(rng.integers(len(data)))
    piece = data[first : first + int(rng.integers(1, 200))]
    return data[:first] + piece * int(rng.integers(2, 12)) + data[first + len(piece) :]


def _splice(rng: np.random.Generator, data: bytes, pool: list[bytes]) -> bytes:
    other = pool[rng.integers(len(pool))]
    here, there = int(rng.integers(len(data) + 1)), int(rng.integers(len(other)))
    return data[:here] + other[there : there + int(rng.integers(1, 400))] + data[here:]


def _put_word(rng: np.random.Generator, data: bytes, _pool: list[bytes]) -> bytes:
    words = data.split(b" ")
    where = int(rng.integers(len(words)))
    words[where] = _WORDS[rng.integers(len(_WORDS))]
    return b" ".join(words)


def _move_lines(rng: np.random.Generator, data: bytes, _pool: list[bytes]) -> bytes:
    lines = data.split(b"\n")
    one, other = rng.integers(len(lines), size=2)
    lines[one], lines[other] = lines[other], lines[one]
    if rng.random() < 0.4:
        del lines[int(rng.integers(len(lines)))]
    return b"\n".join(lines)


def _change_number(rng: np.random.Generator, data: bytes, _pool: list[bytes]) -> bytes:
    digits = [i for i, code in enumerate(data) if 48 <= code < 58]
    if not digits:
        return data
    where = digits[rng.integers(len(digits))]
    number = [b"-", b"e5", b"e300", b"99999999", b".", b"7 7", b""][rng.integers(7)]
    return data[:where] + number + data[where + 1 :]


MUTATIONS: tuple[Mutation, ...] = (
    _change_bytes, _cut, _double, _splice, _put_word, _put_word, _move_lines, _change_number, _change_number
)  # fmt: skip


def _repacked(rng: np.random.Generator, data: bytes, pool: list[bytes]) -> bytes:
    """The archive with one of its arrays changed, dropped, doubled or replaced, and sound again as an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(member.filename, archive.read(member)) for member in archive.infolist()]
    where = int(rng.integers(len(members)))
    name, contents = members[where]
    action = rng.random()
    if action < 0.35:
        contents = _array(rng)
    elif action < 0.9:
        reach = 128 if rng.random() < 0.6 else len(contents)  # its header, or anything in it
        mutate = MUTATIONS[rng.integers(len(MUTATIONS))]
        contents = mutate(rng, contents[:reach], pool) + contents[reach:]
    elif action < 0.95:
        name = "x" + _WORDS[rng.integers(len(_WORDS))].decode("latin-1")[:20] + ".npy"
    members[where : where + 1] = [] if action > 0.97 else [(name, contents)]
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, contents in members:
            archive.writestr(name, contents)
    return packed.getvalue()


def _array(rng: np.random.Generator) -> bytes:
    """Some array, of a kind nobody asked for."""
    shapes = ((), (0,), (3,), (3, 3), (3, 66), (3, 156), (3, 22, 4), (22, 3), (0, 3), (1, 1, 1, 1))
    shape = shapes[rng.integers(len(shapes))]
    kinds = (float, int, bool, complex, "<f2", ">f8", "<u8", "S9", "<U9", "M8[s]", [("a", "<f8"), ("b", "<i4")], "V8")
    dtype = np.dtype(kinds[rng.integers(len(kinds))])
    values = rng.integers(0, 255, size=max(1, int(np.prod(shape))) * dtype.itemsize, dtype=np.uint8)
    array = np.frombuffer(values.tobytes(), dtype)[: int(np.prod(shape))].reshape(shape)
    if rng.random() < 0.3 and dtype.kind == "f":
        array = np.full(shape, [np.nan, np.inf, 1e308, 0.0, -1.0][rng.integers(5)])
    packed = io.BytesIO()
    np.lib.format.write_array(packed, array, allow_pickle=False)
    return packed.getvalue()


if __name__ == "__main__":
    run("fuzz", measure)
