"""How well clips fit: every readable clip of ``../shared/mocap`` (else the bundled ones) on the human."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from harness import Headline, Result, Table, run

from understudy import rotations
from understudy.character import Character, Fit, fit, load_character
from understudy.character.fitting.carrying import carried_over
from understudy.character.fitting.kinematics import Kinematics
from understudy.character.fitting.limits import Limits
from understudy.character.fitting.matching import match
from understudy.character.fitting.polish import Wishes, polish
from understudy.character.fitting.posing import first_poses
from understudy.character.fitting.targets import Targets
from understudy.character.fitting.ticks import at_ticks
from understudy.errors import UnderstudyError
from understudy.motion import AUTHORED, Clip, authored_clip, crop, load_clip
from understudy.rotations import Array

MOCAP = Path(__file__).resolve().parents[2] / "shared" / "mocap"
ENDINGS = (".bvh", ".amc", ".npz", ".txt")
QUICK_EVERY, QUICK_S = 8, 2.0
MINK_ROUNDS = 3


@dataclass(frozen=True)
class Outcome:
    """One clip: its family, its name, the fit or why there is none, and how long it took [s]."""

    family: str
    name: str
    frames: int
    result: Fit | str
    seconds: float


def measure(quick: bool) -> Result:
    human = load_character("human")
    outcomes = [_outcome(family, clip, human) for family, clip in _clips(quick)]
    fits = [outcome for outcome in outcomes if isinstance(outcome.result, Fit)]
    refused = [outcome for outcome in outcomes if isinstance(outcome.result, str)]
    tables = [_families(fits), _every(fits), _characters(quick)]
    if (ours := _against_mink(quick)) is not None:
        tables.append(ours)
    floors = [outcome.result.report.floor for outcome in fits if isinstance(outcome.result, Fit)]
    usual = [outcome.seconds for outcome in fits if outcome.name == "90_34"]
    headlines = [
        Headline("fitted_clips", float(len(fits)), "clips"),
        Headline("median_foot_slide", float(np.median([floor.foot_slide_mm_s for floor in floors])), "mm/s"),
        Headline("worst_penetration", max(floor.worst_penetration_mm for floor in floors), "mm"),
    ]
    headlines += [Headline("seconds_841_frames", usual[0], "s")] if usual and not quick else []
    return Result(
        tuple(tables),
        tuple(headlines),
        notes=(
            "Before: every body turned as the clip's, legs as far from the hips as the clip's, floor found. After: "
            "resting feet and hands held, nothing below the floor.",
            "Sliding: mean speed along the floor of heels and tips of feet that are below 10 mm in two ticks running; "
            "feet that move are kept 15 mm clear of the floor.",
            "Limits: the most any joint was asked beyond its limit before it was brought back; none is beyond after.",
            *(f"not fitted: {outcome.name}: {outcome.result}" for outcome in refused),
        ),
    )


def _clips(quick: bool) -> Iterator[tuple[str, Clip]]:
    """Family and clip; every few of them, cut short, for a quick run."""
    if not MOCAP.is_dir():
        yield from (("bundled", authored_clip(name)) for name in AUTHORED)
        return
    paths = [path for path in sorted(MOCAP.rglob("*")) if path.suffix in ENDINGS and "reconstructed" not in str(path)]
    for path in paths[::QUICK_EVERY] if quick else paths:
        try:
            clip = load_clip(path)
        except UnderstudyError:
            continue  # a licence, a list of clips, or a clip without its skeleton
        parts = path.relative_to(MOCAP).parts
        clip = crop(clip, 0.0, min(clip.duration_s, QUICK_S)) if quick else clip
        yield (parts[1] if parts[0] == "misc" else parts[0]), clip


def _outcome(family: str, clip: Clip, character: Character) -> Outcome:
    start = time.perf_counter()
    try:
        result: Fit | str = fit(clip, character)
    except UnderstudyError as problem:
        result = str(problem).splitlines()[0]
    return Outcome(family, clip.name, clip.frame_count, result, time.perf_counter() - start)


def _row(outcome: Outcome, result: Fit) -> tuple[object, ...]:
    report = result.report
    before, after = report.floor_before, report.floor
    return (
        f"{outcome.family}/{outcome.name}",
        result.reference.tick_count,
        len(report.matched),
        report.posed_by,
        round(report.scale, 3),
        round(before.worst_penetration_mm, 1),
        round(after.worst_penetration_mm, 1),
        round(before.foot_slide_mm_s, 1),
        round(after.foot_slide_mm_s, 1),
        round(after.floating_mm, 1),
        round(report.limits[0].worst_deg, 1) if report.limits else 0.0,
        round(outcome.seconds, 2),
    )


def _every(outcomes: list[Outcome]) -> Table:
    columns = (
        "clip", "ticks", "matched of 17", "aligned by", "scale", "sinks mm before", "after", "slides mm/s before",
        "after", "floats mm", "beyond limits deg", "s",
    )  # fmt: skip
    return Table("Every clip on the human", columns, [_row(o, o.result) for o in outcomes if isinstance(o.result, Fit)])


def _families(outcomes: list[Outcome]) -> Table:
    """Medians over the clips of each family."""
    rows = []
    for family in dict.fromkeys(outcome.family for outcome in outcomes):
        own = [o.result.report for o in outcomes if o.family == family and isinstance(o.result, Fit)]
        rows.append(
            (
                family,
                len(own),
                float(np.median([len(report.matched) for report in own])),
                round(float(np.median([report.floor_before.foot_slide_mm_s for report in own])), 1),
                round(float(np.median([report.floor.foot_slide_mm_s for report in own])), 1),
                round(float(np.median([report.floor_before.worst_penetration_mm for report in own])), 1),
                round(float(np.median([report.floor.worst_penetration_mm for report in own])), 1),
                sum(bool(report.turned_over) for report in own),
            )
        )
    columns = ("family", "clips", "matched", "slides mm/s before", "after", "sinks mm before", "after", "mended clips")
    return Table("Medians by family", columns, rows)


def _characters(quick: bool) -> Table:
    """Bundled clips on the other characters."""
    rows = []
    for name in ("human45", "robot", "won57", "athlete33", "humanoid29"):
        character = load_character(name)
        for clip in ("walk", "cartwheel") if quick else ("walk", "run", "cartwheel", "forward_roll", "get_up_front"):
            report = fit(authored_clip(clip), character).report
            worst = report.limits[0].worst_deg if report.limits else 0.0
            floor = report.floor
            rows.append(
                (
                    name,
                    clip,
                    len(report.matched),
                    round(floor.worst_penetration_mm, 1),
                    round(floor.foot_slide_mm_s, 1),
                    round(worst, 1),
                )
            )
    columns = ("character", "clip", "matched", "sinks mm", "slides mm/s", "beyond limits deg")
    return Table("Bundled clips on other characters", columns, rows)


def _against_mink(quick: bool) -> Table | None:
    """Our least squares and mink: poses that meet the same targets, tick by tick, without floor and contacts."""
    try:
        import mink  # noqa: F401
    except ImportError:
        return None
    character, rows = load_character("human45"), []  # its elbows are hinges: something is left to solve
    kinematics, limits = Kinematics(character.model), Limits(character.model)
    for name in ("walk",) if quick else ("walk", "cartwheel", "forward_roll"):
        clip = authored_clip(name)
        matching = match(clip, character)
        targets = at_ticks(carried_over(clip, character, matching, None), clip.rate_hz, 50.0)
        first = first_poses(kinematics, targets, set(matching.bodies.values()))
        start = time.perf_counter()
        ours = polish(kinematics, limits, first, Wishes(targets.bodies, (targets.hips, *targets.ankles)), iterations=5)
        ours_s = time.perf_counter() - start
        start = time.perf_counter()
        theirs = _by_mink(character, targets, first[0])
        theirs_s = time.perf_counter() - start
        row = [name, len(first), round(ours_s, 3), round(theirs_s, 3), round(theirs_s / ours_s, 2)]
        for qpos in (ours, theirs):
            degrees, millimetres = _missed(kinematics, targets, qpos)
            row += [round(degrees, 2), round(millimetres, 2)]
        rows.append(tuple(row))
    columns = ("clip", "ticks", "ours s", "mink s", "ratio", "ours deg", "mm", "mink deg", "mm")
    return Table(f"Inverse kinematics on human45: ours, and mink with {MINK_ROUNDS} rounds a tick", columns, rows)


def _by_mink(character: Character, targets: Targets, first: Array) -> Array:
    """Positions (T, nq) that meet the targets, by mink's quadratic programs, each tick from the one before."""
    import mink

    names = character.body_names
    turned = {body.body: body.rotations_w for body in targets.bodies}
    turning = [
        (mink.FrameTask(names[body.body], "body", 0.0, float(body.weights.mean()), lm_damping=0.01), body)
        for body in targets.bodies
    ]
    placing = [
        (mink.FrameTask(names[point.body], "body", point.weight, 0.0, lm_damping=0.01), point)
        for point in (targets.hips, *targets.ankles)
    ]
    tasks = [task for task, _ in (*turning, *placing)]
    configuration = mink.Configuration(character.model)
    configuration.update(first)
    limits, result = [mink.ConfigurationLimit(character.model)], []
    for t in range(len(targets.hips.places_w)):
        for task, body in turning:
            task.set_target(_pose(body.rotations_w[t], np.zeros(3)))
        for task, point in placing:
            turn = turned[point.body][t]
            task.set_target(_pose(turn, point.places_w[t] - rotations.rotate(turn, point.place_b)))
        for _ in range(MINK_ROUNDS):
            velocity = mink.solve_ik(configuration, tasks, 1.0, "daqp", damping=1e-3, limits=limits)
            configuration.integrate_inplace(velocity, 1.0)
        result.append(configuration.q.copy())
    return np.array(result)


def _pose(turn: Array, place: Array) -> Any:
    import mink

    return mink.SE3.from_rotation_and_translation(mink.SO3(turn), place)


def _missed(kinematics: Kinematics, targets: Targets, qpos: Array) -> tuple[float, float]:
    """Mean error of the bodies' turns [deg] and of the ankles' places [mm]."""
    postures = kinematics.postures(qpos)
    turns = [rotations.angle_between(postures.rotations_w[:, b.body], b.rotations_w) for b in targets.bodies]
    places = [np.linalg.norm(postures.positions_w[:, p.body] - p.places_w, axis=1) for p in targets.ankles]
    return float(np.degrees(np.mean(turns))), 1000.0 * float(np.mean(places))


if __name__ == "__main__":
    run("fitting", measure)
