"""The verbs, used as a user would: on bundled clips and characters, in an empty folder."""

from pathlib import Path

import pytest

from understudy.cli import main
from understudy.motion import AUTHORED


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(words)
    return int(stop.value.code or 0)


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_clip_list_names_every_bundled_clip(capsys):
    assert run("clip", "list") == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in AUTHORED)


def test_an_edited_clip_is_read_back_with_its_guesses_told(capsys):
    assert run("clip", "edit", "kick", "left.bvh", "--mirror", "--resample-hz", "30") == 0
    assert run("clip", "info", "left.bvh", "--plot", "left.png") == 0
    told = capsys.readouterr()
    assert "--unit-m" in told.err
    assert "left.bvh" in told.out
    assert Path("left.png").stat().st_size > 1000


def test_edits_for_a_beam_and_for_a_drop_say_what_the_scene_needs(capsys):
    assert run("clip", "edit", "walk", "line.bvh", "--on-line") == 0
    assert run("clip", "edit", "jump", "deep.bvh", "--to-origin", "--fall-m", "0.3") == 0
    assert "s and begins over x = " in capsys.readouterr().out
    assert run("clip", "edit", "stand", "x.bvh", "--on-line") == 1
    assert "goes nowhere" in capsys.readouterr().err


def test_a_folder_is_read_whole_and_what_is_no_clip_is_explained(capsys):
    assert run("clip", "convert", "walk", "walk.npz") == 0
    Path("notes.txt").write_text("remember the milk", encoding="utf-8")
    assert run("clip", "info", ".", "walk.npz") == 1
    told = capsys.readouterr()
    assert "1 clips read, 1 files refused" in told.out
    assert "notes.txt" in told.err


def test_a_clip_becomes_a_reference_that_compares_with_it(capsys):
    assert run("fit", "walk", "--out", "walk.npz", "--map-out", "map.toml") == 0
    assert run("compare", "walk.npz", "walk") == 0
    assert "E_g" in capsys.readouterr().out
    assert run("fit", "walk", "--fitting.map", "map.toml") == 0


def test_a_reference_is_drawn(capsys):
    assert run("fit", "punch", "--out", "punch.npz") == 0
    assert run("show", "punch.npz", "--ghost", "punch", "--sheet", "punch.png", "--frames", "2") == 0
    assert Path("punch.png").stat().st_size > 1000
    assert "punch.png" in capsys.readouterr().out


def test_a_character_is_made_of_a_clip_and_serves_by_its_file(capsys):
    assert run("character", "from-clip", "walk", "--out", "me.npz") == 0
    assert run("fit", "walk", "--character", "me.npz") == 0
    assert run("character", "list") == 0
    assert "human45-stunts" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ("clip", "info", "nowhere.bvh"),
        ("clip", "convert", "walk", "walk.foo"),
        ("clip", "convert", "walk", "nowhere/walk.bvh"),
        ("clip", "edit", "walk", "x.bvh", "--start-s", "9"),
        ("fit", "walk", "--character", "nobody"),
        ("show", "nowhere.npz", "--sheet", "x.png"),
        ("show", "walk", "--sheet", "x.foo"),
        ("character", "adopt", "nowhere.xml", "--out", "x.npz"),
        ("compare", "walk", "nowhere.bvh"),
    ],
    ids=" ".join,
)
def test_a_mistake_is_told_in_a_line_and_nothing_is_written(words, capsys):
    assert run(*words) == 1
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert len(told.strip().splitlines()) >= 1
    assert list(Path.cwd().iterdir()) == []


def test_a_wrong_flag_exits_with_2(capsys):
    assert run("clip", "info", "walk", "--plto", "x.png") == 2
    assert "--plot" in capsys.readouterr().err


def test_completion_scripts_know_the_verbs(capsys):
    assert run("completion", "bash") == 0
    assert "from-clip" in capsys.readouterr().out
