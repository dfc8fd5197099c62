"""``understudy compare``: how far one motion is from another."""

from __future__ import annotations

from dataclasses import dataclass

import tyro


@dataclass(frozen=True)
class Compare:
    """Measure how far a motion is from the one it should be: success, E_g, E_l and E_acc, over the bodies listed."""

    motion: tyro.conf.Positional[str]
    """a clip, reference, rollout or reconstruction: what was done"""
    reference: tyro.conf.Positional[str]
    """a clip, reference, rollout or reconstruction: what should have been done"""

    def run(self) -> None:
        from understudy.cost import compare
        from understudy.stage import open_track

        print(compare(open_track(self.motion), open_track(self.reference)))
