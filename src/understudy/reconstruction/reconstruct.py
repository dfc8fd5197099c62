"""From a Reference to a Reconstruction."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

from understudy.character import Reference
from understudy.motion import Clip
from understudy.progress import Progress
from understudy.reconstruction.planning import Plan, Start, plan_of, start_of
from understudy.reconstruction.reconstruction import Reconstruction
from understudy.reconstruction.recording import costs_of, recorded
from understudy.reconstruction.sampling import Diary, GuidedSearch, SamconSearch, Search, fingerprint
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.reconstruction.workers import LocalWorkers, Recruit, Workers
from understudy.rotations import Array
from understudy.simulation import Scene


def reconstruct(
    reference: Reference,
    scene: Scene | None = None,
    settings: ReconstructionSettings | None = None,
    *,
    clip: Clip | None = None,
    progress: Progress | None = None,
    unfinished: str | Path | None = None,
    keep_unfinished: bool = False,
    workers: Recruit = LocalWorkers,
) -> Reconstruction:
    """Find how a character can perform a reference.

    Args:
        reference: what to perform.
        scene: where; on flat ground when None.
        settings: how to search.
        clip: what the reference was fitted to, to be kept with the result.
        progress: told how many fragments are done, of how many.
        unfinished: where to keep the work while it is under way, and when it is interrupted; a file that is there
            already is gone on from, and the file is removed at the end.
        keep_unfinished: whether the file stays, for who has yet to write the result down: until then it holds it.
        workers: who simulates; this machine's threads unless told otherwise.

    Raises:
        ReconstructionError: when there is nothing to follow, or the character starts inside something.
        FileError: when ``unfinished`` is of other work, or can't be written.
    """
    settings = settings or ReconstructionSettings()
    plan = plan_of(reference, scene or Scene(), settings)
    start = start_of(plan)
    search = _search(plan, settings, start.row)
    # Algebra on one thread gives the same bits on any number of cores.
    with threadpool_limits(1, "blas"), contextlib.closing(workers(plan)) as crew:
        diary = None if unfinished is None else Diary(Path(unfinished), fingerprint(plan, settings))
        seconds = _run(search, crew, plan.fragment_count, progress, diary)
    found = search.path()
    rollout = recorded(plan, found, settings.seed)
    if unfinished is not None and not keep_unfinished:
        Path(unfinished).unlink(missing_ok=True)
    return Reconstruction(
        reference=plan.reference,
        rollout=rollout,
        bounds=plan.bounds,
        offsets=found.offsets,
        gain_scale=plan.gain_scale,
        lift_m=plan.lift_m,
        costs=costs_of(plan, found.offsets, rollout, settings.cost),
        rounds=found.rounds,
        settings=settings,
        simulated=search.simulated,
        seconds=seconds,
        notes=_notes(start),
        clip=clip,
    )


def _search(plan: Plan, settings: ReconstructionSettings, start_row: Array) -> Search:
    kinds = {"guided": GuidedSearch, "samcon-2010": SamconSearch}
    return kinds[settings.method](plan, settings, start_row)


def _run(
    search: Search, workers: Workers, fragment_count: int, progress: Progress | None, diary: Diary | None
) -> float:
    """All rounds; the seconds they took, in this run and in those it goes on from."""
    start = time.monotonic() - (diary.open(search) if diary else 0.0)
    if progress:
        progress(search.done, fragment_count)
    try:
        while search.advance(workers):
            if diary:
                diary.note(search, time.monotonic() - start)
            if progress:
                progress(search.done, fragment_count)
        if progress:
            progress(fragment_count, fragment_count)
    finally:  # an interrupted search too
        if diary:
            diary.close()
    return time.monotonic() - start


def _notes(start: Start) -> tuple[str, ...]:
    if start.lifted_m <= 0.0:
        return ()
    return (f"the first pose was lifted by {1000.0 * start.lifted_m:.0f} mm out of the ground",)
