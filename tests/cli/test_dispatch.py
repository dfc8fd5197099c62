"""The frame of the command line: help is quick, mistakes are told in a line, exit codes mean what they say."""

import subprocess
import sys
import time
from dataclasses import dataclass

import pytest

from understudy.cli.dispatch import VERBS, main
from understudy.errors import UnderstudyError


def exit_code(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(words)
    return int(stop.value.code or 0)


def test_help_lists_every_verb(capsys):
    assert exit_code("--help") == 0
    printed = capsys.readouterr().out
    assert all(f"understudy {name}" in printed for name in VERBS)


def test_help_of_a_group_lists_that_group_alone(capsys):
    assert exit_code("clip", "--help") == 0
    printed = capsys.readouterr().out
    assert "clip info" in printed
    assert "character" not in printed


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_loads_and_explains_itself(name, capsys):
    assert exit_code(*name.split(), "--help") == 0
    assert f"understudy {name}" in capsys.readouterr().out


def test_help_loads_no_heavy_package():
    code = (
        "import sys\n"
        "from understudy.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'mujoco', 'matplotlib', 'torch', 'viser', 'rich', 'tyro'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_help_answers_within_three_tenths_of_a_second():
    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "understudy.cli", "--help"], check=True, capture_output=True)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(5)) < 0.3


def test_an_unknown_verb_exits_with_2_and_names_the_nearest(capsys):
    assert exit_code("clip", "infos") == 2
    assert "did you mean 'info'" in capsys.readouterr().err


def test_a_mistake_in_the_input_exits_with_1_and_one_line(monkeypatch, capsys):
    @dataclass
    class Fails:
        def run(self) -> None:
            raise UnderstudyError("walk.bvh:3: no such joint")

    monkeypatch.setattr("understudy.cli.dispatch.Verb.load", lambda _: Fails)
    assert exit_code("show") == 1
    assert capsys.readouterr().err == "understudy: walk.bvh:3: no such joint\n"


def test_version_is_that_of_the_package(capsys):
    from understudy import __version__

    assert exit_code("--version") == 0
    assert __version__ in capsys.readouterr().out
