"""``understudy perform --ray``: what of it is the command line's; tests/reconstruction/test_cluster.py has the rest."""

import sys
from pathlib import Path

import pytest

from understudy.cli import main
from understudy.cli.perform import Perform
from understudy.cli.performances import Order
from understudy.reconstruction import LocalWorkers, RayWorkers


def told_by(capsys, *words: str) -> str:
    """What a command that fails says."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 1
    return capsys.readouterr().err


def test_the_workers_are_those_that_were_asked_for():
    far = Perform(clips=("walk",), ray="head:6379").orders()[0].job().workers
    assert (far.func, far.keywords) == (RayWorkers, {"address": "head:6379"})
    near = Order("walk", Path("out"), threads=1).job().workers
    assert (near.func, near.keywords) == (LocalWorkers, {"threads": 1})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--ray", "nonsense"), "is no Ray address; give auto, local or HOST:PORT"),
        (("--ray", "127.0.0.1:9"), "no Ray cluster answers at 127.0.0.1:9"),
        (("--ray", "auto", "--jobs", "2"), "with --ray all workers are at one clip"),
    ],
)
def test_a_mistake_is_told_before_anything_is_done(words, told, capsys, tmp_path, monkeypatch):
    pytest.importorskip("ray", reason="needs Ray: pip install 'understudy[cluster]'")
    monkeypatch.chdir(tmp_path)
    assert told in told_by(capsys, "perform", "walk", *words)
    assert not list(tmp_path.iterdir())


def test_without_ray_it_is_told_how_to_install_it(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "pip install 'understudy[cluster]'" in told_by(capsys, "perform", "walk", "--ray", "auto")
