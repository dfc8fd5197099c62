"""DeepMimic's motion files: JSON text with a list of frames, each the step to the next, the root, and the joints."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from understudy import rotations
from understudy.errors import FileError
from understudy.files import replacing
from understudy.motion.clip import Clip
from understudy.motion.formats.contents import read_text
from understudy.motion.formats.deepmimic_bodies import AXES, BODIES, DeepMimicBody
from understudy.motion.recording import Guess, Reading, ReadSettings, Recording
from understudy.motion.settling import settled
from understudy.rotations import Array

_MOST_BYTES = 256 << 20
_BIGGEST = 1e4
_ODD_SIZE = 0.02  # quaternions that far from unit length are told
_EVEN = 0.01  # steps that differ by less, as a share, are the same
_LONGEST_STEP = 20.0  # a frame that stands longer than that many others is a mistake
_WHOLE = 5e-4  # rates that near, as a share, to a whole number are one
_TURNED_RAD = 1e-3  # what a knee may turn about other axes than its own when written
_LENGTH_M = 1e-3


def recognises_deepmimic(head: bytes) -> bool:
    """Whether a file that begins so is JSON."""
    return re.match(rb"(?:\xef\xbb\xbf)?\s*\{", head) is not None


def read_deepmimic(path: Path, settings: ReadSettings) -> Reading:
    """Read a motion of DeepMimic's humanoid or dog."""
    frames = _frames(path)
    body = next((body for body in BODIES if body.frame_size == frames.shape[1]), None)
    if body is None:
        known = " and ".join(f"{body.frame_size} of a {body.name}" for body in BODIES)
        raise FileError(path, f"frames of {frames.shape[1]} numbers are of no body known here", hint=f"known: {known}")
    positions, turned, warnings = frames[:, 1:4], _rotations(body, frames[:, 4:]), _odd_sizes(body, frames[:, 4:])
    steps_s = _steps(path, frames[:, 0])
    rate_hz, guess = _rate(steps_s, settings)
    if guess is not None:
        positions, turned = _evenly(steps_s, rate_hz or 1.0, positions, turned)
    recording = Recording(
        name=path.stem,
        skeleton=body.skeleton,
        root_positions=positions,
        rotations=turned,
        rate_hz=rate_hz,
        rest_axes=AXES,
        world_axes=AXES,
        unit_m=1.0,
        warnings=warnings,
    ).told(guess)
    return settled(path, recording, settings)


def write_deepmimic(clip: Clip, path: Path) -> None:
    """Write a clip of DeepMimic's humanoid or dog.

    Raises:
        FileError: when the clip is on another skeleton, or a knee or elbow turns about more than its axis.
    """
    body = _body_of(clip, path)
    matrix = AXES.matrix
    turned = clip.rotations.copy()
    turned[..., 1:] = turned[..., 1:] @ matrix
    columns = [np.full((clip.frame_count, 1), 1.0 / clip.rate_hz), clip.root_positions @ matrix]
    columns[0][-1] = 0.0
    for index, name in enumerate(body.skeleton.names):
        columns.append(_angle(path, name, turned[:, index]) if name in body.hinges else turned[:, index])
    rows = ",\n".join("[" + ", ".join(f"{value:.10f}" for value in row) + "]" for row in np.hstack(columns).tolist())
    with replacing(path) as temporary:
        temporary.write_text(f'{{\n"Loop": "none",\n"Frames":\n[\n{rows}\n]\n}}\n', encoding="utf-8")


def _frames(path: Path) -> Array:
    """All numbers (T, N) of the frames."""
    try:
        data: Any = json.loads(read_text(path, _MOST_BYTES), parse_int=float)
    except json.JSONDecodeError as problem:
        raise FileError(path, f"not sound JSON ({problem.msg})", line=problem.lineno) from problem
    except (RecursionError, ValueError) as problem:
        raise FileError(path, "not sound JSON (it is nested too deeply, or a number is too long)") from problem
    if not isinstance(data, dict) or "Frames" not in data:
        kind = "a DeepMimic character, not a motion" if isinstance(data, dict) and "Skeleton" in data else "JSON"
        raise FileError(path, f"is {kind}", hint="a DeepMimic motion has a list 'Frames'")
    frames = data["Frames"]
    if not isinstance(frames, list) or not frames:
        raise FileError(path, "'Frames' is not a list with frames")
    for number, frame in enumerate(frames):
        if not isinstance(frame, list) or len(frame) != len(frames[0]):
            raise FileError(path, f"frame {number} is not a list of as many numbers as the first has")
        if not all(type(value) is float and abs(value) <= _BIGGEST for value in frame):
            raise FileError(path, f"frame {number} holds what is no sensible number")
    return np.array(frames, float)


def _rotations(body: DeepMimicBody, numbers: Array) -> Array:
    """(T, J, 4) of the joints' numbers (T, N)."""
    result = np.zeros((len(numbers), len(body.widths), 4))
    starts = np.cumsum((0, *body.widths))
    for index, (start, width) in enumerate(zip(starts, body.widths, strict=False)):
        if width == 4:
            result[:, index] = numbers[:, start : start + 4]
        else:
            result[:, index] = rotations.from_euler("Z", numbers[:, start : start + 1])
    return result


def _odd_sizes(body: DeepMimicBody, numbers: Array) -> tuple[str, ...]:
    """Quaternions that are not of unit length; they are made so."""
    sizes = np.linalg.norm(_rotations(body, numbers), axis=-1)
    joints = [
        name for name, size in zip(body.skeleton.names, sizes.T, strict=True) if np.abs(size - 1.0).max() > _ODD_SIZE
    ]
    return (f"quaternions were not of unit length and were made so: {', '.join(joints)}",) if joints else ()


def _steps(path: Path, steps_s: Array) -> Array:
    """(T - 1,) times from each frame to the next; the last frame's step leads nowhere."""
    steps_s = steps_s[:-1]
    usual = float(np.median(steps_s[steps_s > 0.0])) if np.any(steps_s > 0.0) else 1.0
    bad = ~((steps_s > 1e-5) & (steps_s < _LONGEST_STEP * usual))
    if bad.any():
        number = int(np.argmax(bad))
        raise FileError(path, f"frame {number} lasts {steps_s[number]:g} s, which can't be")
    return steps_s


def _rate(steps_s: Array, settings: ReadSettings) -> tuple[float | None, Guess | None]:
    """Frames per second, and a guess when the steps are uneven; None when there is but one frame."""
    if len(steps_s) == 0:
        return None, None
    usual = float(np.median(steps_s))
    uneven = bool(np.any(np.abs(steps_s - usual) > _EVEN * usual))
    rate_hz = 1.0 / (usual if uneven else float(steps_s.mean()))
    if abs(rate_hz - round(rate_hz)) < _WHOLE * rate_hz:
        rate_hz = float(round(rate_hz))
    if not uneven:
        return rate_hz, None
    rate_hz = settings.rate_hz or rate_hz
    why = f"the frames are {steps_s.min():.4f} to {steps_s.max():.4f} s apart, and were spaced evenly"
    return rate_hz, Guess("frame rate", f"{rate_hz:g} Hz", why, "--rate-hz")


def _evenly(steps_s: Array, rate_hz: float, positions: Array, turned: Array) -> tuple[Array, Array]:
    """Positions (T', 3) and rotations (T', J, 4) at even times between the frames."""
    times = np.concatenate([[0.0], np.cumsum(steps_s)])
    wanted = np.arange(int(times[-1] * rate_hz + 1e-6) + 1) / rate_hz
    before = np.clip(np.searchsorted(times, wanted, side="right") - 1, 0, len(steps_s) - 1)
    share = np.clip((wanted - times[before]) / steps_s[before], 0.0, 1.0)
    turned = rotations.normalize(turned)
    placed = positions[before] + share[:, None] * (positions[before + 1] - positions[before])
    return placed, rotations.slerp(turned[before], turned[before + 1], share[:, None])


def _body_of(clip: Clip, path: Path) -> DeepMimicBody:
    body = next((body for body in BODIES if body.skeleton.names == clip.skeleton.names), None)
    hint = "fit it to DeepMimic's body first, or write BVH"
    if body is None:
        names = " or ".join(f"its {body.name}'s" for body in BODIES)
        raise FileError(path, f"the clip's joints are not DeepMimic's: {names} are needed", hint=hint)
    off_m = float(np.abs(clip.skeleton.offsets[1:] - body.skeleton.offsets[1:] @ AXES.matrix.T).max())
    if off_m > _LENGTH_M:
        raise FileError(
            path, f"the clip's bones differ from those of DeepMimic's {body.name} by {off_m:.3f} m", hint=hint
        )
    return body


def _angle(path: Path, name: str, turned: Array) -> Array:
    """Angles (T, 1) [rad] about z of rotations (T, 4) about z."""
    angles = 2.0 * np.arctan2(turned[:, 3], turned[:, 0])
    angles = (angles + np.pi) % (2.0 * np.pi) - np.pi
    off = rotations.angle_between(turned, rotations.from_euler("Z", angles[:, None]))
    if off.max() > _TURNED_RAD:
        frame = int(np.argmax(off))
        raise FileError(path, f"{name} turns {off[frame]:.3f} rad off its one axis in frame {frame}")
    return angles[:, None]
