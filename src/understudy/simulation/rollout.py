"""The Rollout: the record of a simulated run, complete enough to be drawn and to be run again to the last bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from understudy.errors import FileError, SimulationError
from understudy.files import ArrayFile, read_arrays, write_arrays
from understudy.records import frozen
from understudy.rotations import Array, IntArray
from understudy.simulation.contacts import Contacts
from understudy.simulation.engine import compile_xml, model_hash
from understudy.simulation.inputs import Inputs
from understudy.simulation.state import Layout

KIND, VERSION = "rollout", 1


@dataclass(frozen=True)
class Rollout:
    """T moments of one simulation, a control tick apart, and what it was fed between them.

    Attributes:
        scene_xml, assets: the whole scene as MJCF text, and the files it names.
        rate_hz: ticks per second.
        tick_steps: physics steps per tick.
        states: (T, S) MuJoCo's integration states, before the inputs of each tick are applied.
        push_steps: (T, bodies) physics steps for which pushes last; the forces are in the states.
        inputs: what the model was fed from each moment to the next, (T - 1, ...).
        contacts: of the T moments.
        character_names: who is in it.
        friction: factor of all friction.
        seed: of the run's random generator, where it had one.
        mujoco_version: that simulated it; another may differ in the last bits.
        outcome: empty, or why it ended early.
    """

    scene_xml: str
    rate_hz: float
    tick_steps: int
    states: Array
    push_steps: IntArray
    inputs: Inputs
    contacts: Contacts
    character_names: tuple[str, ...]
    assets: Mapping[str, bytes] = field(default_factory=dict)
    friction: float = 1.0
    seed: int | None = None
    mujoco_version: str = mujoco.__version__
    outcome: str = ""

    def __post_init__(self) -> None:
        frozen(self, states=self.states, push_steps=self.push_steps, character_names=tuple(self.character_names))
        ticks = len(self.states)
        counts = {
            "push_steps": len(self.push_steps),
            "contacts": len(self.contacts),
            "inputs": len(self.inputs.controls) + 1,
        }
        wrong = [f"{name} of {count}" for name, count in counts.items() if count != ticks]
        if ticks == 0 or wrong:
            raise SimulationError(f"a rollout of {ticks} moments can't have {' and '.join(wrong) or 'none'}")
        if self.states.ndim != 2 or not np.isfinite(self.states).all():
            raise SimulationError("a rollout's states must be a finite array (T, S)")

    @property
    def tick_count(self) -> int:
        return len(self.states)

    @property
    def duration_s(self) -> float:
        return (self.tick_count - 1) / self.rate_hz

    @cached_property
    def model(self) -> mujoco.MjModel:
        """The compiled scene."""
        return compile_xml(self.scene_xml, self.assets)

    @cached_property
    def model_hash(self) -> str:
        """SHA-256 of the scene's text and files."""
        return model_hash(self.scene_xml, self.assets)

    @cached_property
    def layout(self) -> Layout:
        """Where things are in a row of ``states``."""
        layout = Layout.of(self.model)
        if layout.width != self.states.shape[1]:
            raise SimulationError(f"states of {self.states.shape[1]} numbers don't fit a scene that has {layout.width}")
        return layout

    @property
    def qpos(self) -> Array:
        """(T, nq) positions in MuJoCo's layout."""
        return self.states[:, self.layout.qpos]

    @property
    def qvel(self) -> Array:
        """(T, nv) velocities in MuJoCo's layout."""
        return self.states[:, self.layout.qvel]

    @property
    def times_s(self) -> Array:
        """(T,) simulated time of each moment [s]."""
        return self.states[:, self.layout.time.start]

    def save(self, path: str | Path) -> None:
        """Write an array file of kind ``rollout``; see docs/simulation.md for its members."""
        write_arrays(path, self.contents())

    @classmethod
    def load(cls, path: str | Path) -> Rollout:
        """Read what ``save`` wrote; raises FileError for anything else."""
        return cls.of_contents(read_arrays(path, KIND, VERSION), path)

    def contents(self) -> ArrayFile:
        """What its file holds; other files that carry a rollout hold the same."""
        layout = self.layout
        header = {
            "rate_hz": self.rate_hz,
            "tick_steps": self.tick_steps,
            "character_names": list(self.character_names),
            "friction": self.friction,
            "seed": self.seed,
            "mujoco_version": self.mujoco_version,
            "outcome": self.outcome,
            "model_hash": self.model_hash,
            "qpos_columns": [layout.qpos.start, layout.qpos.stop],
            "qvel_columns": [layout.qvel.start, layout.qvel.stop],
            "body_names": list(self.contacts.body_names),
            "assets": list(self.assets),
        }
        return ArrayFile(KIND, VERSION, header, self._arrays())

    def _arrays(self) -> dict[str, NDArray[Any]]:
        arrays: dict[str, NDArray[Any]] = {
            "scene_xml": np.frombuffer(self.scene_xml.encode(), np.uint8),
            "states": self.states,
            "push_steps": self.push_steps,
            "controls": self.inputs.controls,
            "contact_offsets": self.contacts.offsets,
            "contact_positions": self.contacts.positions_w,
            "contact_forces": self.contacts.forces_w,
            "contact_pairs": self.contacts.pairs,
        }
        for name, values in (("gain_scale", self.inputs.gain_scale), ("torques", self.inputs.torques)):
            if values is not None:
                arrays[name] = values
        arrays |= {f"asset_{i}": np.frombuffer(data, np.uint8) for i, data in enumerate(self.assets.values())}
        return arrays

    @classmethod
    def of_contents(cls, contents: ArrayFile, path: str | Path) -> Rollout:
        """The rollout that contents read from path hold; raises FileError when they do not."""
        header, arrays = contents.header, contents.arrays
        try:
            rollout = cls(
                scene_xml=arrays["scene_xml"].tobytes().decode(),
                rate_hz=float(header["rate_hz"]),
                tick_steps=int(header["tick_steps"]),
                states=arrays["states"],
                push_steps=arrays["push_steps"],
                inputs=Inputs(arrays["controls"], arrays.get("gain_scale"), arrays.get("torques")),
                contacts=Contacts(
                    arrays["contact_offsets"],
                    arrays["contact_positions"],
                    arrays["contact_forces"],
                    arrays["contact_pairs"],
                    tuple(header["body_names"]),
                ),
                character_names=tuple(header["character_names"]),
                assets={name: arrays[f"asset_{i}"].tobytes() for i, name in enumerate(header["assets"])},
                friction=float(header["friction"]),
                seed=header["seed"],
                mujoco_version=str(header["mujoco_version"]),
                outcome=str(header["outcome"]),
            )
        except (KeyError, ValueError, TypeError, IndexError, SimulationError) as problem:
            raise FileError(path, f"a damaged rollout ({problem})") from problem
        if rollout.model_hash != header.get("model_hash"):
            raise FileError(path, "its scene is not the one it was recorded in", hint="the file was changed")
        return rollout
