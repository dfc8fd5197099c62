"""``understudy perform``: clips become physical performances."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import tyro

from understudy.errors import UnderstudyError
from understudy.motion import ReadSettings

if TYPE_CHECKING:
    from understudy.cli.performances import Order

_SEARCH = ("method", "samples", "rounds", "fragment_s", "cut", "seed")


@dataclass(frozen=True)
class Perform:
    """Let a simulated character perform clips: each gets a folder with the motion, a video and a report.

    A run that is stopped goes on where it was when the same command is given again.
    """

    clips: tyro.conf.Positional[tuple[str, ...]]
    """clip files, or names of bundled clips"""
    out: Path | None = None
    """the folder to write to, out/CLIP when left out; of several clips, each gets a folder in it"""
    character: str = "human"
    """a bundled character, a character file, or an MJCF model"""
    scene: str = "flat"
    """a ready-made scene"""
    scene_set: tuple[str, ...] = ()
    """measures of the scene, like friction=0.1 slope_deg=10"""
    method: Literal["guided", "samcon-2010"] | None = None
    """how to search: guided unless told otherwise, or as the paper does"""
    samples: int | None = None
    """samples a fragment, in each round"""
    rounds: int | None = None
    """most rounds of a fragment that follows badly"""
    fragment_s: float | None = None
    """length of a fragment of control"""
    cut: Literal["even", "contacts", "extremes"] | None = None
    """where fragments end: evenly, also where feet or hands touch or leave the floor, or there and where limbs turn"""
    seed: int | None = None
    """another seed gives another performance of the same clip"""
    speed: float | None = None
    """factor to retime the clip by; its own speed when left out, or where that fails the one that its falls tell"""
    map: Path | None = None
    """a joint map that overrules the guess; understudy fit --map-out writes one to start from"""
    video: bool = True
    """write performance.mp4"""
    glb: bool = False
    """write performance.glb, for Blender and browsers"""
    jobs: int = 1
    """how many clips to work on at once, each with its share of the processors"""
    ray: str | None = None
    """simulate on Ray: auto, local or HOST:PORT; docs/performing.md tells of it"""
    fresh: bool = False
    """throw unfinished work away and begin anew"""
    read: tyro.conf.OmitArgPrefixes[ReadSettings] = ReadSettings()
    """how to read the clips; what is left out is guessed"""

    def run(self) -> int:
        from understudy.cli.batch import perform_all
        from understudy.cli.performances import carry_out, tell_of
        from understudy.reconstruction import ray_joined

        orders = self.orders()
        orders[0].parts()  # a wrong word is told before anything is done
        with contextlib.ExitStack() as stack:
            if self.ray is not None:
                print(stack.enter_context(ray_joined(self.ray)), file=sys.stderr)
            if len(orders) > 1:
                return perform_all(orders, self.jobs)
            tell_of(carry_out(orders[0]))
            return 0

    def orders(self) -> list[Order]:
        """What is to be done, clip by clip."""
        from understudy.cli.performances import Order

        if not self.clips:
            raise UnderstudyError("name a clip to perform; understudy clip list shows the bundled ones")
        if self.jobs < 1:
            raise UnderstudyError(f"--jobs must be at least 1, not {self.jobs}")
        if self.ray is not None and self.jobs > 1:
            raise UnderstudyError("with --ray all workers are at one clip, then at the next; leave --jobs out")
        search = {name: getattr(self, name) for name in _SEARCH if getattr(self, name) is not None}
        return [
            Order(
                clip,
                folder,
                self.character,
                self.scene,
                dict(map_of_measures(self.scene_set)),
                search,
                self.map,
                self.video,
                self.glb,
                self.fresh,
                self.read,
                speed=self.speed,
                ray=self.ray,
            )
            for clip, folder in zip(self.clips, self.folders(), strict=True)
        ]

    def folders(self) -> list[Path]:
        """Where each clip's files go; clips of the same name are numbered."""
        if len(self.clips) == 1:
            return [self.out or Path("out") / Path(self.clips[0]).stem]
        names: list[str] = []
        for clip in self.clips:
            stem, number = Path(clip).stem, 2
            name = stem
            while name in names:
                name, number = f"{stem}-{number}", number + 1
            names.append(name)
        return [(self.out or Path("out")) / name for name in names]


def map_of_measures(words: tuple[str, ...]) -> dict[str, Any]:
    """``slope_deg=10`` as a name and a number."""
    result: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            result[name] = int(value) if value.lstrip("+-").isdigit() else float(value)
        except ValueError:
            raise UnderstudyError(f"--scene-set takes name=number, like friction=0.1, not '{word}'") from None
    return result
