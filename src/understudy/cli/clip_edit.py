"""``understudy clip edit``: the editing functions, applied in the order of the flags below."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import tyro

from understudy import motion
from understudy.cli.reading import clip_named
from understudy.motion import Clip, ReadSettings, write_clip


@dataclass(frozen=True)
class ClipEdit:
    """Edit a clip; the edits are done in the order in which their flags are listed."""

    clip: tyro.conf.Positional[str]
    """a clip file, or the name of a bundled clip"""
    out: tyro.conf.Positional[Path]
    """the file to write; its ending tells the format"""
    start_s: float = 0.0
    """begin here"""
    end_s: float | None = None
    """end here"""
    speed: float | None = None
    """play this many times as fast"""
    resample_hz: float | None = None
    """resample to this many frames per second"""
    low_pass_hz: float | None = None
    """smooth away what is faster than this"""
    mirror: bool = False
    """swap left and right"""
    scale: float | None = None
    """make the body and its travel this many times as large"""
    turn_deg: float | None = None
    """turn about the vertical, counter-clockwise from above"""
    to_origin: bool = False
    """put the start at the origin, facing +x"""
    ground_m: float | None = None
    """the height of the ground in the clip, to be put at 0"""
    along_x: bool = False
    """put the start at the origin, and the way along +x"""
    on_line: bool = False
    """put the feet on the x axis, one before the other, as on a beam; the way is along +x as well"""
    fall_m: float | None = None
    """make the flight of a dive as long as it takes to land this much lower, and say where it takes off"""
    loop: bool = False
    """blend the end into the start, so that it can be repeated"""
    cycles: int | None = None
    """repeat a looped clip this many times, going on from where each cycle ends"""
    then: tuple[str, ...] = ()
    """further clips to append, aligned in place and heading"""
    blend_s: float = 0.3
    """how long to blend at a loop's seam and between appended clips"""
    read: tyro.conf.OmitArgPrefixes[ReadSettings] = ReadSettings()
    """how to read the file; what is left out is guessed"""

    def run(self) -> None:
        clip = self._edited(clip_named(self.clip, self.read))
        write_clip(clip, self.out)
        print(f"{clip.frame_count} frames, {clip.duration_s:.2f} s, written to {self.out}")

    def _edited(self, clip: Clip) -> Clip:
        if self.start_s != 0.0 or self.end_s is not None:
            clip = motion.crop(clip, self.start_s, self.end_s)
        if self.speed is not None:
            clip = motion.retime(clip, speed=self.speed)
        if self.resample_hz is not None:
            clip = motion.resample(clip, self.resample_hz)
        if self.low_pass_hz is not None:
            clip = motion.low_pass(clip, self.low_pass_hz)
        if self.mirror:
            clip = motion.mirror(clip)
        if self.scale is not None:
            clip = motion.scale(clip, self.scale)
        return self._put_together(self._placed(clip))

    def _placed(self, clip: Clip) -> Clip:
        if self.turn_deg is not None:
            clip = motion.turn(clip, math.radians(self.turn_deg))
        if self.to_origin:
            clip = motion.to_origin(clip)
        if self.ground_m is not None:
            clip = motion.raise_ground(clip, self.ground_m)
        if self.along_x:
            clip = motion.along_x(clip)
        if self.on_line:
            clip = motion.on_line(clip)
        return clip if self.fall_m is None else self._falling(clip, self.fall_m)

    def _falling(self, clip: Clip, drop_m: float) -> Clip:
        flight, longer = motion.flight_of(clip), motion.fall_further(clip, drop_m)
        seconds = flight.duration_s + longer.duration_s - clip.duration_s
        print(
            f"the flight lasts {seconds:.2f} s instead of {flight.duration_s:.2f} s and begins over "
            f"x = {flight.take_off[0]:.2f} m, y = {flight.take_off[1]:.2f} m"
        )
        return longer

    def _put_together(self, clip: Clip) -> Clip:
        if self.loop:
            clip = motion.loop(clip, self.blend_s)
        if self.cycles is not None:
            clip = motion.repeat(clip, self.cycles)
        if self.then:
            clip = motion.concatenate([clip, *(clip_named(name, self.read) for name in self.then)], self.blend_s)
        return clip
