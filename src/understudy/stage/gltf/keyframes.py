"""The Keyframes: one animation of everything that moves, a key per frame, straight or the shorter way in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from understudy.rotations import Array
from understudy.stage.gltf import axes
from understudy.stage.gltf.document import Document

_STILL = 1e-7  # [m], and of a quaternion; what changes less is not animated


class Keyframes:
    """Collects the animation of nodes, and writes it at the end."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._samplers: list[dict[str, Any]] = []
        self._channels: list[dict[str, Any]] = []
        self._times: dict[bytes, int] = {}

    def add(self, node: int, times_s: Array, places: Array, turned: Array, *, always: bool) -> None:
        """Animate a node by places (T, 3) [m] and rotations (T, 4) in its parent's frame, if they change or always."""
        for path, values in (("translation", axes.vectors(places)), ("rotation", axes.quaternions(turned))):
            if len(times_s) > 1 and (always or np.ptp(values, axis=0).max() > _STILL):
                self._add_channel(node, path, times_s, values)

    def finish(self, name: str) -> None:
        """Write the animation, if anything moves."""
        if self._channels:
            self._document.add("animations", name=name, samplers=self._samplers, channels=self._channels)

    def _add_channel(self, node: int, path: str, times_s: Array, values: Array) -> None:
        key = times_s.tobytes()
        if key not in self._times:  # told once, whatever moves at these times
            self._times[key] = self._document.add_array(times_s, bounds=True)
        sampler = {"input": self._times[key], "output": self._document.add_array(values), "interpolation": "LINEAR"}
        self._channels.append({"sampler": len(self._samplers), "target": {"node": node, "path": path}})
        self._samplers.append(sampler)
