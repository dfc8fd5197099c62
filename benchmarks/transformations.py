"""What samcon-2010 §4 transforms, retargets and varies, each as a user would type it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from follow import CLASSES
from performing import clip_named

from understudy.character import load_character
from understudy.motion import Clip, along_x, fall_further, loop, on_line, repeat
from understudy.reconstruction import LocalWorkers, Reconstruction, ReconstructionSettings, Recruit, perform
from understudy.simulation import scene

MODELS = Path(__file__).parent / "models"
WALK, ROLL, CARTWHEEL = CLASSES["walk"], CLASSES["forward roll"], "cmu_bvh/49_06.bvh"
_SEAM_S = 0.1


@dataclass(frozen=True)
class Edit:
    """One ``clip edit``: its flags, and the functions behind them in that order."""

    flags: str
    steps: tuple[Callable[[Clip], Clip], ...]

    def __call__(self, clip: Clip) -> Clip:
        for step in self.steps:
            clip = step(clip)
        return clip


ALONG_X = Edit("--along-x", (along_x,))
ON_LINE = Edit("--on-line", (on_line,))
FALL_50 = Edit("--along-x --fall-m 0.5", (along_x, partial(fall_further, drop_m=0.5)))
FALL_100 = Edit("--along-x --fall-m 1", (along_x, partial(fall_further, drop_m=1.0)))
FOUR_CYCLES = Edit(
    f"--loop --cycles 4 --blend-s {_SEAM_S:g}", (partial(loop, blend_s=_SEAM_S), partial(repeat, cycles=4))
)


@dataclass(frozen=True)
class Change:
    """One clip in one place on one character.

    Attributes:
        group: the table it stands in.
        name: what is done.
        clip: a file of the collection, or the name of a bundled clip.
        character: a bundled one, or a file in ``models``.
        scene, measures: where.
        edit: what is done to the clip before.
    """

    group: str
    name: str
    clip: str
    character: str = "human"
    scene: str = "flat"
    measures: tuple[tuple[str, float], ...] = ()
    edit: Edit | None = None

    @property
    def command(self) -> str:
        """What a user would type."""
        clip = Path(self.clip).name
        words = ["understudy perform", clip if self.edit is None else "edited.npz"]
        words += [f"--character {self.character}"] if self.character != "human" else []
        words += [f"--scene {self.scene}"] if self.scene != "flat" else []
        words += ["--scene-set", *(f"{name}={value:g}" for name, value in self.measures)] if self.measures else []
        before = f"understudy clip edit {clip} edited.npz {self.edit.flags} && " if self.edit else ""
        return before + " ".join(words)

    def performed(self, settings: ReconstructionSettings, workers: Recruit = LocalWorkers) -> Reconstruction:
        """What the command makes, with these settings."""
        clip = clip_named(self.clip)
        return perform(
            self.edit(clip) if self.edit else clip,
            load_character(self.character_file),
            scene(self.scene, **dict(self.measures)),
            settings,
            workers=workers,
        )

    @property
    def stem(self) -> str:
        """A file's name; another command is another name."""
        key = hashlib.sha256(f"{self.clip} {self.command}".encode()).hexdigest()[:6]
        return f"{self.group}-{self.name}-{key}".replace(" ", "_")

    @property
    def character_file(self) -> str:
        """What ``load_character`` takes."""
        own = MODELS / self.character
        return str(own) if own.is_file() else self.character


def _ground(name: str, clip: str, scene: str = "flat", edit: Edit | None = None, **measures: float) -> Change:
    return Change("ground", name, clip, scene=scene, measures=tuple(measures.items()), edit=edit)


_BEAM = {"height_m": 0.3, "distance_m": -0.5}

CHANGES = (
    _ground("walk", WALK),
    _ground("walk on pebbles", WALK, "pebbles", ALONG_X),
    _ground("walk on ice", WALK, friction=0.1),
    _ground("walk on a beam of 10 cm", WALK, "beam", ON_LINE, width_m=0.1, **_BEAM),
    _ground("walk on a beam of 5 cm", WALK, "beam", ON_LINE, width_m=0.05, **_BEAM),
    _ground("roll", ROLL),
    _ground("roll up a ramp of 10 degrees", ROLL, "ramp", ALONG_X, slope_deg=10.0, distance_m=1.8),
    _ground("roll over a step of 10 cm", ROLL, "step_up", ALONG_X, height_m=0.1, distance_m=2.2, length_m=5.0),
    _ground("roll onto a mat of 10 cm", ROLL, "mat", ALONG_X, distance_m=2.2, length_m=5.0),
    _ground("roll off 50 cm", ROLL, "step_down", ALONG_X, height_m=0.5, distance_m=1.58),
    _ground("roll off 50 cm, retimed", ROLL, "step_down", FALL_50, height_m=0.5, distance_m=1.58),
    _ground("roll off 100 cm", ROLL, "step_down", ALONG_X, height_m=1.0, distance_m=1.58),
    _ground("roll off 100 cm, retimed", ROLL, "step_down", FALL_100, height_m=1.0, distance_m=1.58),
    *(Change("robot", name, clip, "robot") for name, clip in CLASSES.items()),
    Change("robot", "cartwheel", CARTWHEEL, "robot"),
    Change("characters", "trot of a dog", "deepmimic/dog3d_trot.txt", "cheetah", edit=FOUR_CYCLES),
    *(
        Change("characters", name, clip, who)
        for who in ("child.toml", "heavy.toml", "long_legs.toml")
        for name, clip in (("walk", WALK), ("roll", ROLL), ("cartwheel", CARTWHEEL))
    ),
    Change("characters", "walk", WALK, "tinman.xml"),
)
