"""Progress: a bar on a terminal, plain lines elsewhere."""

import sys

from understudy.cli import progress as shown


def test_a_terminal_gets_a_bar(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with shown.progress("drawing") as tell:
        tell(1, 2)
        tell(2, 2)
    assert "drawing" in capsys.readouterr().err


def test_anything_else_gets_a_line_with_the_time_left(monkeypatch, capsys):
    monkeypatch.setattr(shown, "PLAIN_LINE_EVERY_S", 0.0)
    with shown.progress("drawing") as tell:
        tell(1, 2)
    told = capsys.readouterr().err
    assert "drawing: 1 of 2, " in told
    assert "s left" in told


def test_work_that_goes_on_counts_its_speed_from_where_it_was(monkeypatch, capsys):
    clock = iter([0.0, 0.0, 10.0])
    monkeypatch.setattr(shown.time, "monotonic", lambda: next(clock))
    with shown.progress("searching") as tell:
        tell(80, 100)
        tell(85, 100)  # 5 in 10 s: 15 more take 30 s
    assert "searching: 85 of 100, 30 s left" in capsys.readouterr().err
