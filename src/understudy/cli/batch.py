"""Several performances: one after another or several at once, going on after failures, with one table at the end."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess

from understudy.cli.performances import Order, Stopped, carry_out
from understudy.cli.progress import progress
from understudy.errors import UnderstudyError
from understudy.progress import Progress, Watch


@dataclass(frozen=True)
class Row:
    """What became of one clip: how it went, or why it could not be performed."""

    clip: str
    success: bool | None = None
    global_mm: float | None = None
    seconds_per_second: float | None = None
    verdict: str = ""
    problem: str = ""


def perform_all(orders: Sequence[Order], jobs: int) -> int:
    """Carry all orders out and print a table; 1 when any clip could not be performed at all."""
    rows: dict[int, Row] = {}
    for index, row in _one_by_one(orders) if jobs == 1 else _at_once(orders, min(jobs, len(orders))):
        rows[index] = row
        told = row.problem or row.verdict
        print(told if row.clip in told else f"{row.clip}: {told}", file=sys.stderr, flush=True)
    _print_table([rows[index] for index in range(len(orders))])
    return 1 if any(row.problem for row in rows.values()) else 0


def _one_by_one(orders: Sequence[Order]) -> Iterator[tuple[int, Row]]:
    for index, order in enumerate(orders):
        label = f"{order.folder.name} ({index + 1} of {len(orders)})"
        yield index, _row(order, partial(_watch, label))


def _watch(label: str, doing: str) -> AbstractContextManager[Progress]:
    return progress(f"{label}: {doing}")


def _at_once(orders: Sequence[Order], jobs: int) -> Iterator[tuple[int, Row]]:
    """A process for each clip, so many at a time; when stopped, each is told to keep what it has."""
    context = multiprocessing.get_context("spawn")
    threads = max(1, (os.cpu_count() or 1) // jobs)
    waiting = list(enumerate(replace(order, threads=threads) for order in orders))
    running: dict[Connection, tuple[int, SpawnProcess]] = {}
    with progress("clips") as tell:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    index, order = waiting.pop(0)
                    answers, process = _started(context, order)
                    running[answers] = index, process
                ready = wait(list(running))
                for answers in [answers for answers in running if answers in ready]:
                    index, process = running.pop(answers)
                    yield index, _answer(answers, orders[index].clip, process)
                    tell(len(orders) - len(waiting) - len(running), len(orders))
        except KeyboardInterrupt as stop:
            raise Stopped("stopped; the same command goes on where each clip was") from stop
        finally:
            _stop([process for _, process in running.values()])


def _work(order: Order, answers: Connection) -> None:
    """What a process does."""
    signal.signal(signal.SIGINT, _interrupt_once)
    with contextlib.suppress(KeyboardInterrupt):
        answers.send(_row(order, _silent))


def _interrupt_once(number: int, frame: object) -> None:  # noqa: ARG001
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal and the first process both tell us; keeping takes time
    raise KeyboardInterrupt


def _started(context: SpawnContext, order: Order) -> tuple[Connection, SpawnProcess]:
    """A process at work on an order, and where its row will come from."""
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(order, theirs))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # passed on: deaf until it knows how to keep its work
    process.start()
    signal.signal(signal.SIGINT, before)
    theirs.close()
    return ours, process


def _answer(answers: Connection, clip: str, process: SpawnProcess) -> Row:
    try:
        return answers.recv()
    except EOFError:
        process.join()
        return Row(clip, problem=f"its process ended with code {process.exitcode}; is there memory enough?")
    finally:
        process.join()


def _stop(processes: Sequence[SpawnProcess]) -> None:
    """Tell them until they have ended; each listens once, as soon as it can."""
    while alive := [process for process in processes if process.is_alive()]:
        for process in alive:
            assert process.pid is not None  # it was started
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGINT)
            process.join(0.2)


def _row(order: Order, watch: Watch) -> Row:
    """Carry one order out; a mistake in it is told in its row."""
    try:
        account = carry_out(order, watch).account
    except UnderstudyError as problem:
        return Row(order.clip, problem=str(problem))
    except Exception as problem:  # a mistake of ours in one clip is no reason to leave the others
        traceback.print_exc()
        return Row(order.clip, problem=f"a mistake in Understudy ({type(problem).__name__}: {problem})")
    c = account.comparison
    return Row(order.clip, c.success, c.global_mm, account.seconds_per_second, account.verdict)


@contextlib.contextmanager
def _silent(doing: str) -> Iterator[Progress]:  # noqa: ARG001
    yield lambda done, total: None  # noqa: ARG005


def _print_table(rows: Sequence[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("clip", overflow="fold")
    table.add_column("success")
    for heading in ("E_g mm", "s per s"):
        table.add_column(heading, justify="right")
    table.add_column("", overflow="fold")
    for row in rows:
        table.add_row(
            row.clip,
            {True: "yes", False: "no", None: "-"}[row.success],
            "-" if row.global_mm is None else f"{row.global_mm:.1f}",
            "-" if row.seconds_per_second is None else f"{row.seconds_per_second:.1f}",
            row.problem,
        )
    Console(width=None if sys.stdout.isatty() else 160).print(table)
