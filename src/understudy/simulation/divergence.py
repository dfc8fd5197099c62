"""Simulations that diverge: noticed, explained by running them again alone, and saved."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from pathlib import Path

import mujoco
import numpy as np

from understudy.rotations import Array, BoolArray, IntArray
from understudy.simulation.assembly import Assembly
from understudy.simulation.contacts import contacts_of
from understudy.simulation.history import History
from understudy.simulation.inputs import Inputs
from understudy.simulation.rollout import Rollout
from understudy.simulation.stepper import Stepper

FASTEST = 1e4
"""A speed [m/s, rad/s] that nothing in our scenes reaches; MuJoCo itself only stops at 1e10."""
FARTHEST = 1e5
"""A place [m] that nothing in our scenes reaches."""

_WARNINGS = {
    "mjWARN_INERTIA": "the inertia matrix became singular",
    "mjWARN_CONTACTFULL": "there were more contacts than MuJoCo has room for",
    "mjWARN_CNSTRFULL": "there were more constraints than MuJoCo has room for",
    "mjWARN_BADQPOS": "a position became infinite or undefined",
    "mjWARN_BADQVEL": "a velocity became infinite or undefined",
    "mjWARN_BADQACC": "an acceleration became infinite or undefined",
    "mjWARN_BADCTRL": "a target was infinite or undefined",
}


@dataclass(frozen=True)
class Divergence:
    """A simulation that was taken out of its World.

    Attributes:
        simulation: its index.
        tick: the control tick, counted from its reset, during which it diverged.
        body: the body that was accelerated most when it did.
        reason: what went wrong.
        path: the Rollout of its last moments, physics step by physics step, or None when enough others are saved.
    """

    simulation: int
    tick: int
    body: str
    reason: str
    path: Path | None

    def __str__(self) -> str:
        seen = f"; its last moments are in {self.path}" if self.path else ""
        return f"simulation {self.simulation} diverged in tick {self.tick} at body '{self.body}': {self.reason}{seen}"


def diverged(stepper: Stepper) -> BoolArray:
    """(n,) which running simulations have gone wrong since they were set."""
    rows, layout = stepper.rows, stepper.layout
    wild = ~(np.abs(rows[:, layout.qvel]) < FASTEST).all(axis=1)  # also true of NaN
    wild |= ~(np.abs(rows[:, layout.qpos]) < FARTHEST).all(axis=1)
    wild |= (stepper.batch.warning[:, :, 1] > 0).any(axis=1) | stepper.failed
    return wild & stepper.alive


@dataclass
class _Rerun:
    """Simulations run again step by step: rows, inputs and accelerations until each one goes wrong."""

    rows: list[Array]
    pushes: list[IntArray]
    inputs: list[Inputs]
    fastest_dof: IntArray
    ends: IntArray
    reasons: list[str]


def explain(
    assembly: Assembly, stepper: Stepper, history: History, which: IntArray, folder: Path, saved: int
) -> list[Divergence]:
    """What happened to the simulations at ``which``; the first ``saved`` of them are saved to folder."""
    rerun = _run_again(assembly.model, history, which)
    results = []
    for i, simulation in enumerate(which):
        before = rerun.rows[rerun.ends[i] - 1][i]
        step = round(float(before[stepper.layout.time.start]) / assembly.physics.timestep_s)
        body = assembly.model.body(int(assembly.model.dof_bodyid[rerun.fastest_dof[i]])).name
        found = Divergence(int(simulation), step // assembly.physics.tick_steps, body, rerun.reasons[i], None)
        if i < saved:
            path = folder / f"simulation-{found.simulation}-tick-{found.tick}.npz"
            _record(assembly, rerun, i, float(stepper.friction[simulation])).save(path)
            found = replace(found, path=path)
        results.append(found)
    return results


def _run_again(model: mujoco.MjModel, history: History, which: IntArray) -> _Rerun:
    model = copy.copy(model)
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)  # what went wrong shall stay to be seen
    stepper = Stepper(model, len(which), 1)
    acceleration = stepper.batch.bind("qacc")
    advances = history.advances(which)
    stepper.write(advances[0][0])
    rerun = _Rerun([], [], [], np.zeros(len(which), int), np.zeros(len(which), int), [""] * len(which))
    for _, inputs, steps in advances:
        for step in range(steps):
            rerun.rows.append(stepper.rows.copy())
            rerun.pushes.append(stepper.push_steps.copy())
            rerun.inputs.append(_of_step(inputs, steps, step))
            if step == 0:
                stepper.load(inputs)
            stepper.run(inputs, steps, step, step + 1)
            wrong = diverged(stepper)
            seen = stepper.alive & np.isfinite(acceleration).any(axis=1)
            rerun.fastest_dof[seen] = np.argmax(np.nan_to_num(np.abs(acceleration[seen]), nan=0.0), axis=1)
            rerun.ends[wrong] = len(rerun.rows)
            for i in np.flatnonzero(wrong):
                rerun.reasons[i] = _reason(stepper, int(i))
            stepper.alive[wrong] = False
    rerun.ends[rerun.ends == 0] = len(rerun.rows)
    return rerun


def _of_step(inputs: Inputs, steps: int, step: int) -> Inputs:
    piece = step // (steps // inputs.controls.shape[1])
    return Inputs(inputs.controls[:, piece : piece + 1], inputs.gain_scale, inputs.torques)


def _reason(stepper: Stepper, index: int) -> str:
    counters = stepper.batch.warning[index, :, 1]
    for name, text in _WARNINGS.items():
        if counters[int(getattr(mujoco.mjtWarning, name))]:
            return text
    return (
        stepper.batch.error(index)
        if stepper.failed[index]
        else f"something moved faster than {FASTEST:.0e} m/s or rad/s"
    )


def _record(assembly: Assembly, rerun: _Rerun, index: int, friction: float) -> Rollout:
    """The steps of one simulation up to the last sound one."""
    end = int(rerun.ends[index])
    states = np.stack([rows[index] for rows in rerun.rows[:end]])
    inputs = Inputs.stacked([inputs.of(index) for inputs in rerun.inputs[:end]]).first(end - 1)
    return Rollout(
        scene_xml=assembly.xml,
        rate_hz=1.0 / assembly.physics.timestep_s,
        tick_steps=1,
        states=states,
        push_steps=np.stack([pushes[index] for pushes in rerun.pushes[:end]]),
        inputs=inputs,
        contacts=contacts_of(assembly.model, states, inputs, friction),
        character_names=tuple(actor.name for actor in assembly.actors),
        assets=assembly.assets,
        friction=friction,
        outcome=rerun.reasons[index],
    )
