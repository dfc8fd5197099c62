"""From a clip to a performance in one call."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from understudy.character import Character, Fit, FitSettings, fit, load_character
from understudy.motion import Clip, retime
from understudy.progress import Progress, Watch, unwatched
from understudy.reconstruction.account import account_of
from understudy.reconstruction.planning import natural_speed, plan_of
from understudy.reconstruction.reconstruct import reconstruct
from understudy.reconstruction.reconstruction import Reconstruction
from understudy.reconstruction.sameness import is_of
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.reconstruction.workers import LocalWorkers, Recruit
from understudy.simulation import Scene
from understudy.simulation import scene as scene_named

_FALLS = "the clip falls faster than anything can"
_HALF = (0.5,)  # most recordings with a wrong frame rate play at twice their speed
_ANYHOW = "the clip is not followed at its own speed"
_SLOWER = (0.8, 0.65, 0.5)
_TORQUES = "the clip asks for more torque than the character has"


@dataclass(frozen=True)
class Job:
    """What is to be performed, by whom, where and how.

    Attributes:
        clip: what.
        character: who.
        scene: where.
        settings: of the search.
        fitting: of the fitting.
        workers: who simulates it.
        speed: factor to retime the clip by; when None it is performed at its own speed, or one it can have
            (``carried_out``).
    """

    clip: Clip
    character: Character
    scene: Scene
    settings: ReconstructionSettings
    fitting: FitSettings
    workers: Recruit = LocalWorkers
    speed: float | None = None

    def fitted(self, speed: float, progress: Progress | None = None) -> tuple[Clip, Fit]:
        """The clip at that factor of its speed, fitted."""
        clip = self.clip if speed == 1.0 else retime(self.clip, speed=speed)
        return clip, fit(clip, self.character, self.fitting, progress)

    def is_done_by(self, found: Reconstruction) -> bool:
        """Whether that is what carrying it out would give."""
        if self.speed not in (None, found.speed) or self.settings != found.settings:
            return False
        _, fitted = self.fitted(found.speed)
        return is_of(found, plan_of(fitted.reference, self.scene, self.settings))


def perform(
    clip: Clip,
    character: Character | str = "human",
    scene: Scene | str = "flat",
    settings: ReconstructionSettings | None = None,
    *,
    fitting: FitSettings | None = None,
    speed: float | None = None,
    progress: Progress | None = None,
    unfinished: str | Path | None = None,
    workers: Recruit = LocalWorkers,
) -> Reconstruction:
    """Fit a clip to a character, and find how the character can perform it.

    Args:
        clip: what to perform.
        character: who; a Character, or the name of a bundled one or a file.
        scene: where; a Scene, or the name of a ready-made one.
        settings: of the search.
        fitting: of the fitting.
        speed: factor to retime the clip by; None is its own, or one it can have (``carried_out``).
        progress: told how many fragments are done, of how many.
        unfinished: where to keep the work while it is under way, to be gone on from.
        workers: who simulates, this machine's threads unless told otherwise.
    """
    who = load_character(character) if isinstance(character, str) else character
    where = scene_named(scene) if isinstance(scene, str) else scene
    job = Job(clip, who, where, settings or ReconstructionSettings(), fitting or FitSettings(), workers, speed)
    kept = None if unfinished is None else Path(unfinished)
    found = carried_out(job, kept, lambda _: contextlib.nullcontext(progress))
    for path in files_of(kept):
        path.unlink(missing_ok=True)
    return found


def carried_out(job: Job, unfinished: Path | None = None, watch: Watch = unwatched) -> Reconstruction:
    """A job's performance; the files it keeps while under way (``files_of``) are left, and a later call goes on.

    At the job's speed when it names one. Else at the clip's own; but a clip that falls faster than anything can is
    tried at its natural speed, first where there is no doubt, and else when it is not followed at its own. What else is
    not followed is tried at slower speeds where joints were at their torque limits, and at half where they were not.
    """
    first, *others = files_of(unfinished) or [None] * (1 + len(_SLOWER))
    clip, fitted = _fitted(job, job.speed or 1.0, watch)
    if job.speed:
        return _searched(job, clip, fitted, job.speed, first, watch)
    gravity = job.scene.gravity_m_s2
    doubtless = natural_speed(fitted.reference, gravity, doubtless=True)
    if doubtless is not None and (again := _retimed(job, [doubtless], _FALLS, others, watch)):
        return again
    found = _searched(job, clip, fitted, 1.0, first, watch)
    if doubtless is not None or found.comparison.success:
        return found
    natural = natural_speed(fitted.reference, gravity)
    if natural is not None:
        return _retimed(job, [natural], _FALLS, others, watch) or found
    speeds, why = (_SLOWER, _TORQUES) if account_of(found).overtaxed else (_HALF, _ANYHOW)
    return _retimed(job, speeds, why, others, watch) or found


def files_of(unfinished: Path | None) -> tuple[Path, ...]:
    """The files that hold unfinished work: at the clip's own speed, and at the others that are tried."""
    if unfinished is None:
        return ()
    return (unfinished, *(unfinished.with_stem(f"{unfinished.stem}-retimed{i + 1}") for i in range(len(_SLOWER))))


def _retimed(
    job: Job, speeds: Sequence[float], why: str, files: Sequence[Path | None], watch: Watch
) -> Reconstruction | None:
    """The performance at the first of these speeds at which the clip is followed; None when it is at none."""
    for speed, kept in zip(speeds, files, strict=False):
        found = _searched(job, *_fitted(job, speed, watch), speed, kept, watch)
        if found.comparison.success:
            return replace(found, notes=(*found.notes, f"{why}, so it is performed at {speed:.2f} times its speed"))
    return None


def _fitted(job: Job, speed: float, watch: Watch) -> tuple[Clip, Fit]:
    with watch("fitting") as tell:
        return job.fitted(speed, tell)


def _searched(job: Job, clip: Clip, fitted: Fit, speed: float, kept: Path | None, watch: Watch) -> Reconstruction:
    with watch("searching" if speed == 1.0 else f"searching at {speed:.2f} times its speed") as tell:
        found = reconstruct(
            fitted.reference,
            job.scene,
            job.settings,
            clip=clip,
            progress=tell,
            unfinished=kept,
            keep_unfinished=True,
            workers=job.workers,
        )
    return replace(found, speed=speed)
