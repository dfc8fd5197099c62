"""Which axes of a file point up and forward."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from understudy.errors import ClipError
from understudy.motion.guessing.body import Body
from understudy.motion.recording import Axes, AxisName, Guess, ReadSettings, Recording, axis_vector
from understudy.rotations import Array, normalize

_AXES: tuple[AxisName, ...] = ("x", "y", "z", "-x", "-y", "-z")
_USUAL_FORWARD: dict[str, AxisName] = {"x": "y", "y": "z", "z": "x"}
_CLEAR = 0.8  # cosine from which a direction is along an axis
_UPRIGHT = 0.9  # share of "head above feet" from which the motion outweighs the rest pose
_AT_FLOOR = 0.15  # and the feet must be that near to 0, in shares of stature


@dataclass(frozen=True)
class FoundAxes:
    """The axes of the joints' frames and those of the world, mostly the same."""

    rest: Axes
    world: Axes
    guesses: tuple[Guess, ...]


def find_axes(recording: Recording, body: Body, settings: ReadSettings) -> FoundAxes:
    """The axes as set, else as the recording knows them, else as rest pose and motion tell."""
    if settings.up_axis and settings.forward_axis and recording.rest_axes is None:
        known = Axes(settings.up_axis, settings.forward_axis)
        return FoundAxes(known, known, ())
    rest_up = recording.rest_axes.up if recording.rest_axes else _rest_up(body)
    up, guess = _world_up(recording, body, rest_up, settings)
    guesses = [guess] if guess else []
    forward: AxisName = _USUAL_FORWARD[up[-1]]
    if recording.world_axes is not None and recording.world_axes.up == up:
        forward = recording.world_axes.forward
    world = Axes(up, forward)
    if recording.rest_axes is not None:
        return FoundAxes(recording.rest_axes, _facing(world, settings), tuple(guesses))
    if rest_up is None:
        return FoundAxes(_facing(world, settings), _facing(world, settings), tuple(guesses))
    rest_forward, guess = _rest_forward(body, rest_up, settings)
    rest = Axes(rest_up, rest_forward)
    guesses += [guess] if guess else []
    if rest_up == up:
        return FoundAxes(rest, rest, tuple(guesses))
    why = f"the rest pose stands along {rest_up}, the motion along {up}"
    guesses.append(Guess("rest pose", f"up is {rest_up}, forward {rest_forward}", why, "--up-axis"))
    return FoundAxes(rest, world, tuple(guesses))


def _facing(axes: Axes, settings: ReadSettings) -> Axes:
    if settings.forward_axis is None:
        return axes
    if settings.forward_axis[-1] == axes.up[-1]:
        raise ClipError(f"forward_axis can't be {settings.forward_axis}, for up is {axes.up}")
    return replace(axes, forward=settings.forward_axis)


def _rest_up(body: Body) -> AxisName | None:
    """The axis the rest pose stands along, or None when it does not stand (LAFAN1 has all bones along x)."""
    if not body.is_known or body.top is None:
        return None
    legs = normalize(body.middle(body.rest, "thigh") - body.middle(body.rest, "foot"))
    trunk = normalize(body.rest[body.top] - body.middle(body.rest, "thigh"))
    name, share = _nearest(normalize(legs + trunk))
    return name if legs @ trunk > _CLEAR and share > _CLEAR else None


def _world_up(
    recording: Recording, body: Body, rest_up: AxisName | None, settings: ReadSettings
) -> tuple[AxisName, Guess | None]:
    if settings.up_axis is not None:
        return settings.up_axis, None
    if recording.world_axes is not None:
        return recording.world_axes.up, None
    usual = rest_up if rest_up is not None and recording.rest_axes is None else recording.usual_up
    if not body.is_known or body.top is None:
        return usual, Guess("up axis", usual, "no head and feet to judge by; most files have it so", "--up-axis")
    upwards = body.positions[:, body.top] - body.middle(body.positions, "foot")  # (T, 3)
    moved, share = _nearest(normalize(upwards).mean(axis=0))
    if moved == usual:
        return usual, Guess("up axis", usual, "the head stays above the feet", "--up-axis")
    if share > (_UPRIGHT if rest_up is not None else 0.5) and (_stands(body, moved) or rest_up is None):
        return moved, Guess("up axis", moved, "the head stays above the feet", "--up-axis")
    why = "the rest pose stands along it" if usual == rest_up else "the motion does not tell; most files have it so"
    return usual, Guess("up axis", usual, why, "--up-axis")


def _stands(body: Body, up: AxisName) -> bool:
    """Whether the feet are at height 0 when ``up`` points up: somebody lying along an axis seldom has them there."""
    heights = body.positions @ axis_vector(up)
    return abs(float(np.median(heights.min(axis=1)))) < _AT_FLOOR * body.stature()


def _rest_forward(body: Body, up: AxisName, settings: ReadSettings) -> tuple[AxisName, Guess | None]:
    usual = _USUAL_FORWARD[up[-1]]
    if settings.forward_axis is not None:
        return _facing(Axes(up, usual), settings).forward, None
    if not body.tells_left_from_right:
        return usual, Guess(
            "forward axis", usual, "left and right are not known; most files have it so", "--forward-axis"
        )
    facing = np.cross(body.left(), axis_vector(up))
    name, share = _nearest(facing)
    if share < _CLEAR or name[-1] == up[-1]:
        return usual, Guess(
            "forward axis", usual, "the rest pose does not tell; most files have it so", "--forward-axis"
        )
    if name == usual:
        return usual, None
    return name, Guess("forward axis", name, "the rest pose faces that way", "--forward-axis")


def _nearest(vector: Array) -> tuple[AxisName, float]:
    """The axis nearest to a vector (3,), and the vector's share along it."""
    shares = [float(vector @ axis_vector(name)) for name in _AXES]
    best = int(np.argmax(shares))
    return _AXES[best], shares[best]
