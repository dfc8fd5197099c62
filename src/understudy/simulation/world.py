"""The World: many simulations of one Scene and its Characters, advanced together."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from understudy.character import Character, Physics, Reference
from understudy.errors import SimulationError, UnknownNameError
from understudy.rotations import Array, BoolArray
from understudy.simulation.actor import Actor
from understudy.simulation.assembly import Assembly, assemble
from understudy.simulation.collisions import SelfCollision
from understudy.simulation.divergence import Divergence, diverged, explain
from understudy.simulation.facing import Root, root_of
from understudy.simulation.history import History
from understudy.simulation.inputs import inputs_of
from understudy.simulation.measures import Bodies, BodyContacts, Measure, Meter, Momentum, check_measures
from understudy.simulation.scene import Scene
from understudy.simulation.state import State
from understudy.simulation.stepper import STAGE_ALL, STAGE_NONE, STAGE_VELOCITY, Stepper
from understudy.simulation.target import Target

SAVED_DIVERGENCES = 3
"""How many diverged simulations a World saves; the others are only named."""


class World:
    """n simulations of a scene.

    Args:
        scene: where.
        characters: who; one, or several that collide with each other.
        n_simulations: how many.
        threads: that step them; None is all there are. The result is the same to the last bit for any number.
        physics: how; the characters' own when None.
        self_collision: which of a character's parts meet.
        measures: what will be read after an advance: ``momentum``, ``bodies``, ``contacts``.
        divergence_folder: where simulations that diverge are saved; a temporary folder when None.
        explain_divergence: whether those that diverge are run again to find out why; else they are only taken out.

    Attributes:
        assembly: the compiled scene.
        divergences: what was taken out so far, oldest first.
    """

    def __init__(
        self,
        scene: Scene,
        characters: Character | Sequence[Character],
        n_simulations: int = 1,
        threads: int | None = None,
        *,
        physics: Physics | None = None,
        self_collision: SelfCollision | None = None,
        measures: Sequence[Measure] = (),
        divergence_folder: str | Path | None = None,
        explain_divergence: bool = True,
    ) -> None:
        if n_simulations < 1 or (threads is not None and threads < 0):
            raise SimulationError(f"a world needs at least 1 simulation, not {n_simulations}, and no negative threads")
        characters = (characters,) if isinstance(characters, Character) else tuple(characters)
        self._measures = check_measures(measures)
        self.assembly: Assembly = assemble(scene, characters, physics, self_collision, self._measures)
        self._stepper = Stepper(self.model, n_simulations, threads or 0)
        self._meters = tuple(Meter(self._stepper.batch, actor, self._measures) for actor in self.actors)
        self._history = History(self._stepper, depth=4)
        self._folder = Path(divergence_folder) if divergence_folder is not None else None
        self._saved = 0
        self._explains = explain_divergence
        self._current = False  # whether the measures describe the simulations as they are
        self.divergences: list[Divergence] = []
        self.reset()

    @property
    def model(self) -> mujoco.MjModel:
        """The compiled scene."""
        return self.assembly.model

    @property
    def actors(self) -> tuple[Actor, ...]:
        """The characters, and where they are in the model's arrays."""
        return self.assembly.actors

    @property
    def n_simulations(self) -> int:
        return len(self._stepper.alive)

    @property
    def threads(self) -> int:
        return int(self._stepper.batch.nthread)

    @property
    def tick_s(self) -> float:
        """Length of a control tick [s]."""
        return self.assembly.physics.tick_s

    @property
    def rate_hz(self) -> float:
        """Control ticks per second."""
        return 1.0 / self.tick_s

    @property
    def alive(self) -> BoolArray:
        """(n,) False for simulations that diverged; they stand still until a State is set or they are reset."""
        return self._stepper.alive.copy()

    def reset(self, qpos: ArrayLike | None = None, qvel: ArrayLike | None = None) -> None:
        """Begin all simulations anew at time 0, pushes ended; at rest, and standing, unless told otherwise.

        Without qpos the first character stands at the origin facing +x, the others in a row to its right.

        Args:
            qpos: (n or 1, Q) or (Q,) positions of the characters side by side, or of the whole model.
            qvel: (n or 1, V) or (V,) velocities, likewise.
        """
        self._stepper.batch.reset(stage=STAGE_NONE)
        self._stepper.push_steps[:] = 0
        self._stepper.alive[:], self._stepper.failed[:] = True, False
        layout, last = self._stepper.layout, self.actors[-1]
        self._fill(layout.qpos, last.qpos.stop, self._standing() if qpos is None else qpos, "qpos")
        if qvel is not None:
            self._fill(layout.qvel, last.qvel.stop, qvel, "qvel")
        self._set_from_outside()

    def reset_to(self, references: Reference | Sequence[Reference], tick: int | Sequence[int] = 0) -> None:
        """Begin all simulations anew where the references of the characters are at a tick, or at one tick each (n,)."""
        references = (references,) if isinstance(references, Reference) else tuple(references)
        if len(references) != len(self.actors):
            raise SimulationError(f"{len(self.actors)} characters need as many references, not {len(references)}")
        ticks = np.atleast_1d(np.asarray(tick, int))
        for reference in references:
            if ticks.min() < 0 or ticks.max() >= reference.tick_count:
                raise SimulationError(
                    f"reference '{reference.name}' has ticks 0 to {reference.tick_count - 1}, not {tick}"
                )
        qpos = np.concatenate([reference.qpos[ticks] for reference in references], axis=1)
        self.reset(qpos, np.concatenate([reference.qvel[ticks] for reference in references], axis=1))

    def get_states(self, index: Any = slice(None)) -> State:
        """A copy of all simulations, or of those at index."""
        return self._stepper.read([index] if isinstance(index, (int, np.integer)) else index)

    def set_states(self, state: State) -> None:
        """Make the simulations those of state: one for each, or one for all. They go on as if never interrupted."""
        if len(state) not in (1, self.n_simulations):
            raise SimulationError(f"this world holds {self.n_simulations} simulations; the state holds {len(state)}")
        self._stepper.write(state)
        self._set_from_outside()

    def set_friction(self, scale: ArrayLike) -> None:
        """Multiply every friction coefficient by a factor, or by one for each simulation (n,)."""
        if np.any(np.asarray(scale) < 0):
            raise SimulationError("a friction factor must be 0 or more")
        self._stepper.friction[:] = scale
        self._stepper.apply_friction()
        self._set_from_outside()

    def push(
        self, body: str, force_w: ArrayLike, duration_s: float, simulations: Any = slice(None), actor: int = 0
    ) -> None:
        """Push a body at its centre of mass from now on, for a time rounded to physics steps.

        Args:
            body: of the actor, by the name it has in its character.
            force_w: (3,) or one for each simulation pushed (k, 3) [N], in the world's frame.
            duration_s: how long [s].
            simulations: which of them; a push on the same body that is still under way ends.
            actor: whose body, counted from 0.
        """
        steps = round(duration_s / self.assembly.physics.timestep_s)
        if steps < 1:
            raise SimulationError(f"a push must last at least a physics step, {self.assembly.physics.timestep_s} s")
        self._stepper.push(self.actors[actor].body(body), np.asarray(force_w, float), steps, simulations)

    def throw(self, prop: str, place_w: ArrayLike, velocity_w: ArrayLike, simulations: Any = slice(None)) -> None:
        """Put a loose prop somewhere (3,) or (k, 3) [m], upright and flying with a velocity [m/s]."""
        free = [j for j in range(self.model.njnt) if self.model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE]
        own = {int(self.model.body_jntadr[actor.root_body]) for actor in self.actors}
        props = {self.model.joint(j).name: j for j in free if j not in own}
        if prop not in props:
            raise UnknownNameError("prop", prop, props)
        q, v = self.model.jnt_qposadr[props[prop]], self.model.jnt_dofadr[props[prop]]
        qpos, qvel = self._view(self._stepper.layout.qpos), self._view(self._stepper.layout.qvel)
        qpos[simulations, q : q + 3], qpos[simulations, q + 3 : q + 7] = place_w, (1.0, 0.0, 0.0, 0.0)
        qvel[simulations, v : v + 3], qvel[simulations, v + 3 : v + 6] = velocity_w, 0.0
        self._set_from_outside()

    def advance(self, target: Target, ticks: int = 1) -> None:
        """Advance every simulation that is alive by a number of control ticks under a target.

        One that diverges is put back to where it was before, taken out (``alive``), and told in ``divergences``.
        """
        steps = ticks * self.assembly.physics.tick_steps
        self._check(target, steps)
        inputs = inputs_of(target, self.actors, self.model)
        self._history.note(inputs, steps)
        self._stepper.load(inputs)
        if self._measures:
            self._stepper.sense(False)
            self._stepper.run(inputs, steps, 0, steps - 1)
            self._stepper.sense(True)
            self._stepper.run(inputs, steps, steps - 1, steps, STAGE_VELOCITY)
        else:
            self._stepper.run(inputs, steps, 0, steps)
        wrong = diverged(self._stepper)
        self._current = not wrong.any()
        if wrong.any():
            if self._explains:
                self._explain(wrong)
            self._history.put_back(wrong)
            self._stepper.alive[wrong], self._stepper.failed[wrong] = False, False

    def momentum(self, actor: int = 0) -> Momentum:
        """Centre of mass, its velocity, and angular momentum; the world must measure ``momentum``."""
        return self._read(actor).momentum()

    def bodies(self, actor: int = 0) -> Bodies:
        """Places, rotations and velocities of a character's bodies; the world must measure ``bodies``."""
        return self._read(actor).bodies()

    def end_effectors(self, actor: int = 0) -> Bodies:
        """The same of a character's end effectors alone, feet first; the world must measure ``bodies``."""
        return self._read(actor).end_effectors()

    def contacts(self, actor: int = 0) -> BodyContacts:
        """What touches a character's bodies; the world must measure ``contacts``."""
        return self._read(actor).contacts()

    def root(self, actor: int = 0) -> Root:
        """A character's root in its facing frame, from the state alone."""
        who, layout = self.actors[actor], self._stepper.layout
        return root_of(self._view(layout.qpos)[:, who.qpos].copy(), self._view(layout.qvel)[:, who.qvel])

    def _standing(self) -> Array:
        """(sum of nq,) the characters' standing poses, a good arm's length apart."""
        poses = [actor.character.standing_qpos.copy() for actor in self.actors]
        for i, pose in enumerate(poses):
            pose[1] -= 1.5 * i
        return np.concatenate(poses)

    def _view(self, part: slice) -> Array:
        return self._stepper.rows[:, part]

    def _fill(self, part: slice, actors_width: int, values: ArrayLike, name: str) -> None:
        rows, live = np.atleast_2d(np.asarray(values, float)), self._view(part)
        if (
            rows.ndim != 2
            or rows.shape[0] not in (1, self.n_simulations)
            or rows.shape[1] not in (actors_width, live.shape[1])
        ):
            raise SimulationError(
                f"{name} must be ({self.n_simulations} or 1, {actors_width}) for the characters, "
                f"or {live.shape[1]} wide for the whole model, not {rows.shape}"
            )
        live[:, : rows.shape[1]] = rows

    def _set_from_outside(self) -> None:
        self._history.clear()
        self._current = False

    def _check(self, target: Target, steps: int) -> None:
        parts = [part for part in (target.positions, target.gain_scale, target.torques) if part is not None]
        wrong = [len(part) for part in parts if len(part) not in (1, self.n_simulations)]
        if wrong:
            raise SimulationError(
                f"a target for {wrong[0]} simulations can't be used in a world of {self.n_simulations}"
            )
        pieces = target.positions.shape[1] if target.positions.ndim == 3 else 1
        if steps < 1 or pieces < 1 or steps % pieces:
            raise SimulationError(f"an advance of {steps} physics steps can't be cut into {pieces} equal pieces")

    def _read(self, actor: int) -> Meter:
        if self._measures and not self._current:
            before = self._stepper.rows.copy()
            self._stepper.batch.forward(stage=STAGE_ALL)
            self._stepper.rows[:] = before  # measuring must not warm the solver
            self._current = True
        return self._meters[actor]

    def _explain(self, wrong: BoolArray) -> None:
        which = np.flatnonzero(wrong)
        count = min(len(which), SAVED_DIVERGENCES - self._saved)
        if count and self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="understudy-diverged-"))
        if count and self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
        self.divergences += explain(self.assembly, self._stepper, self._history, which, self._folder or Path(), count)
        self._saved += count
