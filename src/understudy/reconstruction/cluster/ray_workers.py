"""Workers in Ray's processes, on one machine or many."""

from __future__ import annotations

import contextlib
import textwrap
from typing import Any

from understudy.errors import ReconstructionError, UnderstudyError
from understudy.reconstruction.cluster.chunks import Chunk, Chunks, rows_each
from understudy.reconstruction.cluster.hand import Hand
from understudy.reconstruction.cluster.joining import import_ray, processors, ray_joined
from understudy.reconstruction.cluster.parcel import Parcel
from understudy.reconstruction.cluster.passport import Passport
from understudy.reconstruction.cluster.post import Post
from understudy.reconstruction.planning import Plan
from understudy.reconstruction.workers import Ends, LocalWorkers
from understudy.rotations import Array

_AT_ONCE = 2  # chunks a worker has at hand, so that it need not wait for the next


class RayWorkers:
    """Workers of one thread each in processes that Ray runs; they give the bits that LocalWorkers give.

    A worker that is lost is replaced and what it had not done is done again. A machine that would give other bits is
    refused.

    Args:
        plan: what is followed; it is sent once to each machine.
        address: ``auto``, ``local`` or ``HOST:PORT``, as ``ray_joined`` takes it; a process that has joined stays.
        n_workers: at most; None is one for each processor of the cluster. Who would have nothing to do is not hired.
        patience_s: workers count as lost when for so long none of them has answered.
        tries: so many are lost in a row before nobody is looked for in their place.

    Attributes:
        about: which cluster, a sentence.
        replaced: workers that were lost so far.
    """

    def __init__(
        self,
        plan: Plan,
        address: str = "auto",
        n_workers: int | None = None,
        *,
        patience_s: float = 60.0,
        tries: int = 3,
    ) -> None:
        if n_workers is not None and n_workers < 1:
            raise ReconstructionError(f"n_workers must be at least 1, not {n_workers}")
        self._patience_s, self._tries, self._why, self.replaced = patience_s, tries, "", 0
        self._posts: list[Post] = []
        with contextlib.ExitStack() as stack:
            self.about = stack.enter_context(ray_joined(address, n_workers))
            self._ray = import_ray()
            with contextlib.closing(LocalWorkers(plan, 1)) as own:
                self._passport = Passport.issued(plan, own)
            self._parcel = self._ray.put(Parcel.of(plan))
            self._kind = self._ray.remote(num_cpus=1, max_restarts=0)(Hand)
            self._most = n_workers or max(1, int(processors(self._ray)[0]))
            self._membership = stack.pop_all()

    def run(self, fragment: int, starts: Array, offsets: Array) -> Ends:
        """Simulate a fragment of the plan from state rows starts (n, S) with offsets (n, D)."""
        chunks = Chunks(fragment, starts, offsets, rows_each(len(offsets), self._most))
        missing = min(self._most, len(chunks.waiting)) - len(self._posts)
        self._posts += [Post(self._hired) for _ in range(missing)]
        try:
            while not chunks.done:
                self._hand_out(chunks)
                self._take_in(chunks)
        finally:
            for post in self._posts:
                post.tasks.clear()
        return chunks.ends()

    def close(self) -> None:
        """Let the workers go, and the cluster if it was started for them."""
        for post in self._posts:
            self._dismiss(post.worker)
        self._posts.clear()
        self._membership.close()

    def _hired(self) -> tuple[Any, Any]:
        worker = self._kind.remote()
        return worker, worker.prepare.remote(self._passport.packages, [self._parcel])

    def _dismiss(self, worker: Any) -> None:
        if worker is not None and self._ray.is_initialized():
            self._ray.kill(worker)

    def _hand_out(self, chunks: Chunks) -> None:
        for load in range(_AT_ONCE):  # to everybody one before anybody gets two
            for post in self._posts:
                if chunks.waiting and post.ready and len(post.tasks) == load:
                    chunk = chunks.waiting.popleft()
                    post.tasks[post.worker.run.remote(*chunks.task(chunk))] = chunk

    def _take_in(self, chunks: Chunks) -> None:
        """Wait for news and deal with all there are."""
        awaited = {reference: post for post in self._posts for reference in post.awaited}
        if not awaited:
            raise ReconstructionError(self._nobody())
        news = self._news(list(awaited))
        if not news:
            why = f"none of them answered for {self._patience_s:g} s"
            for post in dict.fromkeys(awaited.values()):
                self._lose(post, chunks, why)
        for reference in news:
            if reference in awaited[reference].awaited:  # not lost in the meantime
                self._read(reference, awaited[reference], chunks)

    def _news(self, references: list[Any]) -> list[Any]:
        first, _ = self._ray.wait(references, timeout=self._patience_s)
        return self._ray.wait(references, num_returns=len(references), timeout=0)[0] if first else []

    def _read(self, reference: Any, post: Post, chunks: Chunks) -> None:
        try:
            value = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as problem:  # it answered, with an exception
            if isinstance(problem.cause, UnderstudyError):
                raise problem.cause from problem
            raise
        except self._ray.exceptions.RayError as problem:
            self._lose(post, chunks, _last_line(problem))
            return
        if isinstance(value, Passport):
            self._passport.check(value)
            post.passport = None
        else:
            chunks.finish(post.tasks.pop(reference), value.ends())
            post.losses = 0

    def _lose(self, post: Post, chunks: Chunks, why: str) -> None:
        self._why = why
        self._dismiss(post.worker)
        self.replaced += 1
        undone: list[Chunk] = post.lose(self._tries)
        for chunk in undone:
            chunks.lose(chunk, why)

    def _nobody(self) -> str:
        there, free = processors(self._ray)
        return (
            f"no Ray worker is left: each of {len(self._posts)} was looked for {self._tries} times. The cluster has "
            f"{there:g} processors, {free:g} of them free. The last was lost: {self._why}"
        )


def _last_line(problem: Exception) -> str:
    return textwrap.shorten((str(problem).strip().splitlines() or [type(problem).__name__])[-1], 160)
