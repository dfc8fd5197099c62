"""Every example runs, from an empty folder, and is short."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_runs_from_an_empty_folder(example, tmp_path):
    ran = subprocess.run([sys.executable, "-W", "error", str(example)], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
    assert [path.name for path in tmp_path.iterdir()] in ([], ["out"])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_example_is_under_80_lines(example):
    assert len(example.read_text(encoding="utf-8").splitlines()) < 80


def test_there_are_examples():
    assert len(EXAMPLES) >= 9
