"""``understudy demo``: a bundled clip performed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Demo:
    """Let a character perform a bundled clip, and say what to open."""

    clip: str = "kick"
    """a bundled clip, or a clip file"""
    character: str = "human"
    """a bundled character, a character file, or an MJCF model"""
    out: Path = Path("out/demo")
    """the folder to write to"""
    samples: int = 300
    """samples a fragment, in each round; fewer than understudy perform takes, to be quick"""

    def run(self) -> None:
        from understudy.cli.performances import Order, carry_out, tell_of

        start = time.perf_counter()
        order = Order(self.clip, self.out, self.character, settings={"samples": self.samples})
        tell_of(carry_out(order))
        print(f"\ndone in {time.perf_counter() - start:.0f} s; understudy perform does it with your own clip")
