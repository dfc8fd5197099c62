"""What reading a clip is made of: the settings, the raw Recording, the guesses, and the Reading that results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from understudy.errors import ClipError
from understudy.motion.clip import Clip
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

AxisName = Literal["x", "y", "z", "-x", "-y", "-z"]


@dataclass(frozen=True)
class ReadSettings:
    """How to read a clip; what is left out is told by the file, or guessed from it and the guess told.

    Attributes:
        up_axis: the axis of the file that points up.
        forward_axis: the axis of the file that its rest pose faces.
        unit_m: length of one unit of the file in metres, such as 0.01 for centimetres.
        rate_hz: frames per second.
        drop_frames: how many frames to leave out at the start, such as 1 for an added T-pose.
        floor_m: height of the floor in the file, in metres; the clip is shifted so that it lies at 0.
        positions: what the position channels of joints other than the root mean in a BVH file: the joint's place in its
            parent's frame, a shift added to its OFFSET, or nothing.
        stature_m: height of the body of an AMASS file, in metres.
        asf: the skeleton file of an AMC file.
    """

    up_axis: AxisName | None = None
    forward_axis: AxisName | None = None
    unit_m: float | None = None
    rate_hz: float | None = None
    drop_frames: int | None = None
    floor_m: float | None = None
    positions: Literal["absolute", "added", "ignored"] | None = None
    stature_m: float | None = None
    asf: Path | None = None

    def __post_init__(self) -> None:
        for name in ("unit_m", "rate_hz", "stature_m"):
            value = getattr(self, name)
            if value is not None and not 0.0 < value < float("inf"):
                raise ClipError(f"{name} must be above 0, not {value}")
        if self.drop_frames is not None and self.drop_frames < 0:
            raise ClipError(f"drop_frames must be 0 or more, not {self.drop_frames}")
        if self.floor_m is not None and not abs(self.floor_m) < float("inf"):
            raise ClipError(f"floor_m must be a height in metres, not {self.floor_m}")
        if self.up_axis and self.forward_axis and self.up_axis[-1] == self.forward_axis[-1]:
            raise ClipError(f"up_axis {self.up_axis} and forward_axis {self.forward_axis} must be different axes")


@dataclass(frozen=True)
class Guess:
    """Something a file does not say.

    Attributes:
        what: the thing guessed, ``up axis``.
        value: what was taken, ``y``.
        why: what speaks for it.
        flag: the setting that overrules it, ``--up-axis``.
    """

    what: str
    value: str
    why: str
    flag: str

    def __str__(self) -> str:
        return f"{self.what}: {self.value} ({self.why}; else give {self.flag})"


@dataclass(frozen=True)
class Reading:
    """A clip read from a file, with what had to be guessed and what was odd about it."""

    clip: Clip
    guesses: tuple[Guess, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Axes:
    """Which axes of a file point up and forward; the third then points left."""

    up: AxisName
    forward: AxisName

    @property
    def matrix(self) -> Array:
        """(3, 3) the rotation that turns vectors of the file into ours: x forward, y left, z up."""
        up, forward = axis_vector(self.up), axis_vector(self.forward)
        return np.array([forward, np.cross(up, forward), up])


OURS = Axes(up="z", forward="x")


def axis_vector(name: AxisName) -> Array:
    """The unit vector (3,) along an axis."""
    return (-1.0 if name.startswith("-") else 1.0) * np.eye(3)["xyz".index(name[-1])]


@dataclass(frozen=True)
class Recording:
    """What a motion file says, in its own axes and its own unit of length; reading takes its arrays over.

    Attributes:
        name: what to call the clip.
        skeleton: the joints, with offsets in the file's axes and unit.
        root_positions: (T, 3) places of the root.
        rotations: (T, J, 4) rotations from each joint's frame to its parent's, the root's to the world.
        rate_hz: frames per second, or None when the file does not say.
        usual_rate_hz: what files of that kind have when they do not say.
        rest_axes: the axes of the joints' frames and offsets, or None when they have to be guessed.
        usual_up: the axis that points up in the world of most files of that kind.
        world_axes: the axes of the world, or None when they have to be guessed.
        unit_m: metres in one unit of length, or None when it has to be guessed.
        unit_hint: metres in one unit as the file claims, to be believed when a body of sensible size results.
        is_ours: whether it is a clip of our own, of whose frames and floor nothing is to be guessed.
        guesses, warnings: what came up so far.
    """

    name: str
    skeleton: Skeleton
    root_positions: Array
    rotations: Array
    rate_hz: float | None = None
    usual_rate_hz: float = 30.0
    rest_axes: Axes | None = None
    world_axes: Axes | None = None
    usual_up: AxisName = "y"
    unit_m: float | None = None
    unit_hint: float | None = None
    is_ours: bool = False
    guesses: tuple[Guess, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def frame_count(self) -> int:
        return len(self.root_positions)

    def told(self, *guesses: Guess | None, warning: str = "") -> Recording:
        """The same with further guesses, None being none, and a further warning."""
        found = tuple(guess for guess in guesses if guess is not None)
        return replace(self, guesses=self.guesses + found, warnings=self.warnings + ((warning,) if warning else ()))

    def some_frames(self, most: int = 100) -> Recording:
        """At most that many frames, evenly spread over the recording, to judge it by."""
        chosen = np.unique(np.linspace(0, self.frame_count - 1, min(most, self.frame_count)).astype(int))
        return replace(self, root_positions=self.root_positions[chosen], rotations=self.rotations[chosen])
