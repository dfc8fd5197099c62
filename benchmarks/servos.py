"""What drives a ball joint: one orientation servo, or three position servos on its axes.

    python benchmarks/servos.py [--quick]

Joints of ``human`` start at rest from random rotations about a given distance from the rest pose, and are to reach
targets 0.7 rad away, everything else held, root fixed, no gravity, 5 ms steps of ``implicitfast``.
"""

from __future__ import annotations

import dataclasses

import mujoco
import numpy as np
from harness import Headline, Result, Table, run

from understudy import rotations
from understudy.character import Character, ControlMap, load_character
from understudy.character.build import build
from understudy.character.table import read_table, table_path
from understudy.rotations import Array

JOINTS = ("left_shoulder", "left_hip", "left_elbow")
DISTANCES_RAD = (0.8, 1.6, 2.4)
STEP_RAD, SECONDS, TIMESTEP_S = 0.7, 1.5, 0.005


def measure(quick: bool) -> Result:
    """Settle from the same poses with both servos."""
    count = 6 if quick else 60
    servos = {"orientation, largest strength": load_character("human"), "axes, strength of each": _with_axes()}
    rows: list[tuple[object, ...]] = []
    worst: dict[str, float] = {}
    for joint in JOINTS:
        for distance in DISTANCES_RAD:
            rng = np.random.default_rng(0)
            starts = _rotations(rng, count, distance)
            targets = rotations.multiply(starts, _rotations(rng, count, STEP_RAD))
            for name, character in servos.items():
                left, detour = _settle(character, joint, starts, targets)
                rows.append((joint, distance, name, np.median(left), left.max(), detour.mean()))
                worst[name] = max(worst.get(name, 0.0), float(np.median(left)))
    columns = ("joint", "rad from rest", "servo", "left, median [deg]", "left, worst [deg]", "mean detour [deg]")
    return Result(
        tables=(Table(f"Where a joint is {SECONDS} s after its target moved by {STEP_RAD} rad", columns, rows),),
        headlines=(Headline("axes_left_at_worst", worst["axes, strength of each"], "deg"),),
        notes=("detour: how much farther the joint went round than the shortest way, at its farthest",),
        seeds=count,
    )


def _with_axes() -> Character:
    return build(dataclasses.replace(read_table(table_path("human")), ball_servo="axes"))


def _rotations(rng: np.random.Generator, count: int, angle_rad: float) -> Array:
    return rotations.exp(angle_rad * rotations.normalize(rng.normal(size=(count, 3))))


def _settle(character: Character, joint: str, starts: Array, targets: Array) -> tuple[Array, Array]:
    """Degrees (n,) left to the target at the end, and of the detour, for starts and targets (n, 4)."""
    spec = character.spec()
    spec.delete(spec.joint("root"))
    spec.option.timestep, spec.option.gravity = TIMESTEP_S, [0.0, 0.0, 0.0]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    model, free = spec.compile(), ControlMap(character.model, character.joints)
    data = mujoco.MjData(model)
    begin = int(model.joint(joint).qposadr[0])
    place = slice(begin, begin + 4)
    left, detours = np.zeros(len(starts)), np.zeros(len(starts))
    for i, (start, target) in enumerate(zip(starts, targets, strict=True)):
        mujoco.mj_resetData(model, data)
        wanted = np.array(model.qpos0)
        wanted[place] = target
        data.ctrl[free.ctrl_indices] = free.controls(wanted[None])[0]
        data.qpos[place] = start
        for _ in range(round(SECONDS / TIMESTEP_S)):
            mujoco.mj_step(model, data)
            gone = rotations.angle_between(start, data.qpos[place])
            left[i] = np.degrees(rotations.angle_between(data.qpos[place], target))
            detours[i] = max(detours[i], np.degrees(gone - STEP_RAD) + left[i])
    return left, detours


if __name__ == "__main__":
    run("servos", measure)
