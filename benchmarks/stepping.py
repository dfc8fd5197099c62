"""How fast simulations step: through a World against the bare Batch of the same model, and each character's steps/s.

Both sides of the ratio take the same physics steps from the same states under the same controls, in turns, within one
run: the World from Targets, with its divergence check and history; then also with everything measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from harness import Headline, Result, Table, run
from mujoco.batch import Batch

from understudy import rotations
from understudy.character import CHARACTERS, Character, load_character
from understudy.rotations import Array
from understudy.simulation import MEASURES, Measure, State, Target, World, scene

TICKS = 5  # 0.1 s, one fragment
SETTLE_TICKS = 10


def measure(quick: bool) -> Result:
    """The overhead of a World, and the speed of every character."""
    names = ("human",) if quick else CHARACTERS
    counts = (64, 512) if quick else (64, 512, 2048)
    repetitions = 9 if quick else 25
    simulations = 512 if quick else 1400
    human = load_character("human")
    plain, measured, rows = _overhead(human, simulations, repetitions)
    return Result(
        tables=(
            Table(
                f"World against bare Batch.step: human, {simulations} simulations, {TICKS} ticks",
                ("side", "median ms", "fastest ms", "ratio, median", "ratio, 10 %", "ratio, 90 %"),
                rows,
            ),
            _speeds(names, counts, 2 if quick else 3),
        ),
        headlines=(
            Headline("overhead", plain, "times the bare step (limit 1.05)"),
            Headline("overhead_measured", measured, "times the bare step, with momentum, bodies and contacts measured"),
        ),
        notes=(
            f"the ratios are medians over {repetitions} turns of World and Batch from the same states",
            "simulations stand, sway and fall on flat ground under random targets, so that contacts are many",
        ),
        seeds=repetitions,
    )


def _overhead(character: Character, simulations: int, repetitions: int) -> tuple[float, float, list[tuple]]:
    sides: dict[str, Callable[[], None]] = {}
    resets: dict[str, Callable[[], None]] = {}
    for label, measures in (("World", ()), ("World, measuring", MEASURES)):
        world, start, target = _swaying(character, simulations, None, measures)
        sides[label], resets[label] = _advancing(world, target), _setting(world, start)
    world, start, target = _swaying(character, simulations, None)
    world.advance(target)  # its controls are in the rows from now on
    rows = start.rows.copy()
    rows[:, start.layout.ctrl] = world.get_states().rows[:, start.layout.ctrl]
    batch = Batch(world.model, simulations, world.threads)
    steps = TICKS * world.assembly.physics.tick_steps
    sides["bare Batch.step"] = lambda: batch.step(nstep=steps)
    resets["bare Batch.step"] = lambda: batch.state.__setitem__(slice(None), rows)
    seconds = _in_turns(sides, resets, repetitions)
    bare = seconds["bare Batch.step"]
    table = [(label, *_summary(values, bare)) for label, values in seconds.items()]
    return (
        float(np.median(seconds["World"] / bare)),
        float(np.median(seconds["World, measuring"] / bare)),
        table,
    )


def _in_turns(
    sides: dict[str, Callable[[], None]], resets: dict[str, Callable[[], None]], repetitions: int
) -> dict[str, Array]:
    """Seconds (repetitions,) of each side, their order turned round every time, after one turn that isn't counted."""
    seconds: dict[str, list[float]] = {label: [] for label in sides}
    for turn in range(repetitions + 1):
        for label in sorted(sides, reverse=bool(turn % 2)):
            resets[label]()
            begin = time.perf_counter()
            sides[label]()
            seconds[label].append(time.perf_counter() - begin)
    return {label: np.array(values[1:]) for label, values in seconds.items()}


def _summary(values: Array, bare: Array) -> tuple[float, ...]:
    ratios = values / bare
    return (
        1e3 * float(np.median(values)),
        1e3 * float(values.min()),
        float(np.median(ratios)),
        *(float(q) for q in np.quantile(ratios, [0.1, 0.9])),
    )


def _speeds(names: Sequence[str], counts: Sequence[int], repetitions: int) -> Table:
    rows = []
    for name in names:
        character = load_character(name)
        for threads in (1, 2):
            speeds = [_steps_per_second(character, count, threads, repetitions) for count in counts]
            real_time = speeds[-1] * character.physics.timestep_s
            rows.append((name, character.model.nv, threads, *[float(speed) for speed in speeds], float(real_time)))
    columns = ("character", "DoF", "threads", *[f"{count} simulations" for count in counts], "times real time")
    return Table("Physics steps per second, the fastest of a few advances of 0.1 s", columns, rows)


def _steps_per_second(character: Character, simulations: int, threads: int, repetitions: int) -> float:
    world, start, target = _swaying(character, simulations, threads)
    best = np.inf
    for _ in range(repetitions):
        world.set_states(start)
        begin = time.perf_counter()
        world.advance(target, TICKS)
        best = min(best, time.perf_counter() - begin)
    return simulations * TICKS * character.physics.tick_steps / best


def _swaying(
    character: Character, simulations: int, threads: int | None, measures: Sequence[Measure] = ()
) -> tuple[World, State, Target]:
    """A world some time after the characters began to sway and fall, its state, and a target for the next advance."""
    random = np.random.default_rng(1)
    world = World(scene("flat"), character, simulations, threads, measures=measures)
    target = Target(near_standing(character, simulations, random))
    world.advance(target, SETTLE_TICKS)
    return world, world.get_states(), Target(near_standing(character, simulations, random))


def near_standing(character: Character, count: int, random: np.random.Generator, size_rad: float = 0.2) -> Array:
    """(count, P) random joint positions around the standing pose."""
    model, poses = character.model, np.tile(character.standing_qpos, (count, 1))
    for joint in range(1, model.njnt):
        begin = int(model.jnt_qposadr[joint])
        if model.jnt_type[joint] == 1:  # a ball
            turns = rotations.exp(size_rad * random.normal(size=(count, 3)))
            poses[:, begin : begin + 4] = rotations.multiply(poses[:, begin : begin + 4], turns)
        else:
            poses[:, begin] += size_rad * random.normal(size=count)
    return poses[:, 7:]


def _advancing(world: World, target: Target) -> Callable[[], None]:
    return lambda: world.advance(target, TICKS)


def _setting(world: World, state: State) -> Callable[[], None]:
    return lambda: world.set_states(state)


if __name__ == "__main__":
    run("stepping", measure)
