"""Progress with time left: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

from understudy.progress import Progress

PLAIN_LINE_EVERY_S = 5.0


@contextlib.contextmanager
def progress(label: str) -> Iterator[Progress]:
    """A callback to give to long work; what it is told is shown on standard error."""
    if not sys.stderr.isatty():
        yield _plain(label)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _plain(label: str) -> Progress:
    start = last = time.monotonic()
    before: int | None = None  # done when it began: work may go on where it was stopped

    def tell(done: int, total: int) -> None:
        nonlocal last, before
        before = done if before is None else before
        now = time.monotonic()
        if now - last >= PLAIN_LINE_EVERY_S and done:
            last = now
            left_s = (now - start) * (total - done) / (done - before or done)
            print(f"{label}: {done} of {total}, {left_s:.0f} s left", file=sys.stderr, flush=True)

    return tell
