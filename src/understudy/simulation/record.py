"""Running a Controller in a World, recording it, and running a record again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.rotations import Array, IntArray
from understudy.simulation.contacts import contacts_of
from understudy.simulation.controller import Controller
from understudy.simulation.inputs import Inputs, inputs_of
from understudy.simulation.rollout import Rollout
from understudy.simulation.state import State
from understudy.simulation.stepper import Stepper
from understudy.simulation.world import World


@dataclass(frozen=True)
class Push:
    """A push of a run to come: a force (3,) [N] on a body of the first character, from a tick on, for a time."""

    tick: int
    body: str
    force_w: tuple[float, float, float]
    duration_s: float


def simulate(
    world: World,
    controller: Controller,
    ticks: int,
    *,
    pushes: Sequence[Push] = (),
    simulation: int = 0,
    seed: int | None = None,
) -> Rollout:
    """Let a controller act for some ticks from where the world is, and record one of its simulations.

    It ends early when that simulation diverges; ``outcome`` then says why.
    """
    controller.reset()
    states: list[Array] = []
    push_steps: list[IntArray] = []
    inputs: list[Inputs] = []
    for tick in range(ticks + 1):
        for push in pushes:
            if push.tick == tick:
                world.push(push.body, push.force_w, push.duration_s)
        state = world.get_states()
        states.append(state.rows[simulation])
        push_steps.append(state.push_steps[simulation])
        if tick == ticks or not state.alive[simulation]:
            break
        target = controller.act(state, tick)
        inputs.append(inputs_of(target, world.actors, world.model).of(simulation))
        world.advance(target)
    return record(world, np.stack(states), np.stack(push_steps), inputs, simulation, seed)


def record(
    world: World,
    rows: Array,
    push_steps: IntArray,
    inputs: Sequence[Inputs],
    simulation: int = 0,
    seed: int | None = None,
) -> Rollout:
    """The Rollout of state rows (T, S) a tick apart and the T - 1 inputs between them."""
    friction = float(world.get_states(simulation).friction[0])
    joined = Inputs.stacked(inputs) if inputs else Inputs(np.zeros((0, 1, world.model.nu)))
    ended = [str(d) for d in world.divergences if d.simulation == simulation]
    return Rollout(
        scene_xml=world.assembly.xml,
        rate_hz=world.rate_hz,
        tick_steps=world.assembly.physics.tick_steps,
        states=rows,
        push_steps=push_steps,
        inputs=joined,
        contacts=contacts_of(world.model, rows, joined, friction),
        character_names=tuple(actor.name for actor in world.actors),
        assets=world.assembly.assets,
        friction=friction,
        seed=seed,
        outcome=ended[-1] if ended and not world.alive[simulation] else "",
    )


def replay(rollout: Rollout) -> Array:
    """Run a rollout again from its first state with its recorded inputs and pushes: state rows (T, S).

    On the MuJoCo version and machine kind that made it, they equal ``rollout.states`` to the last bit.
    """
    stepper = Stepper(rollout.model, 1, 1)
    blank = stepper.read()
    stepper.write(
        State(
            stepper.layout,
            rollout.states[:1],
            blank.warnings,
            blank.push_steps,
            np.array([rollout.friction]),
            blank.alive,
        )
    )
    pushed = stepper.layout.xfrc_applied
    rows = []
    for tick in range(rollout.tick_count):
        stepper.rows[:, pushed] = rollout.states[tick, pushed]  # a push may begin at any tick
        stepper.push_steps[:] = rollout.push_steps[tick]
        rows.append(stepper.rows[0].copy())
        if tick < rollout.tick_count - 1:
            inputs = rollout.inputs.of(tick)
            stepper.load(inputs)
            stepper.run(inputs, rollout.tick_steps, 0, rollout.tick_steps)
    return np.stack(rows)
