"""``understudy perform``, used as a user would: on short clips, in an empty folder."""

import contextlib
import errno
import itertools
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from understudy.cli import main, performances
from understudy.cli.perform import Perform
from understudy.motion import authored_clip, crop, read_clip, write_clip
from understudy.reconstruction import LocalWorkers, Reconstruction, ReconstructionSettings
from understudy.stage import performing as writing

QUICK = ("--samples", "60", "--rounds", "1", "--no-video")
THOROUGH = ("--samples", "60", "--rounds", "4", "--no-video")


@pytest.fixture
def _undrawn(monkeypatch):
    """Pictures take longer than such short searches; tests/stage looks at them."""
    for name in ("render_sheet", "write_report", "render_video"):
        monkeypatch.setattr(writing, name, lambda *given, **_: Path(given[1]).write_bytes(b"drawn"))


undrawn = pytest.mark.usefixtures("_undrawn")


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(words)
    return int(stop.value.code or 0)


@pytest.fixture(autouse=True)
def _clips(tmp_path, monkeypatch):
    """Two short clips, and one that is none."""
    monkeypatch.chdir(tmp_path)
    write_clip(crop(authored_clip("walk"), 0.0, 0.3), "walk.bvh")
    write_clip(crop(authored_clip("squat"), 0.2, 0.5), "squat.bvh")
    Path("broken.bvh").write_text("HIERARCHY\nnonsense")


@contextlib.contextmanager
def interrupted_at(call: int):
    """Ctrl-C at a call of the workers."""
    simulate, calls = LocalWorkers.run, itertools.count()

    def run_or_stop(self, *given):
        if next(calls) == call:
            raise KeyboardInterrupt
        return simulate(self, *given)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(LocalWorkers, "run", run_or_stop)
        yield


def never(*_args, **_kwargs):
    raise AssertionError("it searched again")


def test_a_clip_becomes_a_folder_of_files_without_a_flag_needed(capsys):
    assert run("perform", "walk.bvh", *QUICK) == 0
    told = capsys.readouterr()
    assert "human follows walk" in told.out
    assert "out/walk/report.html" in told.out
    assert "--up-axis" in told.err  # what was guessed on reading, with the flag that overrules it
    names = {"reconstruction.npz", "performance.bvh", "sheet.png", "report.html"}
    assert {path.name for path in Path("out/walk").iterdir()} == names
    performed, clip = read_clip("out/walk/performance.bvh").clip, read_clip("walk.bvh").clip
    assert performed.skeleton.names == clip.skeleton.names
    assert performed.frame_count == clip.frame_count


@undrawn
@pytest.mark.parametrize("method", ["guided", "samcon-2010"])
def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(method, capsys):
    words = ("perform", "walk.bvh", *THOROUGH, "--method", method)
    assert run(*words, "--out", "whole") == 0
    with interrupted_at(4):
        assert run(*words, "--out", "parts") == 1
    assert "stopped; the same command goes on from fragment" in capsys.readouterr().err
    assert [path.name for path in Path("parts").iterdir()] == ["unfinished.npz"]
    assert run(*words, "--out", "parts") == 0
    one, other = (Path(folder) / "performance.bvh" for folder in ("whole", "parts"))
    assert one.read_bytes() == other.read_bytes()
    first, second = (Reconstruction.load(path.with_name("reconstruction.npz")) for path in (one, other))
    assert first.rollout.states.tobytes() == second.rollout.states.tobytes()
    assert first.offsets.tobytes() == second.offsets.tobytes()
    assert not Path("parts/unfinished.npz").exists()


@undrawn
def test_a_run_stopped_while_drawing_goes_on_with_its_files(monkeypatch, capsys):
    def stop(*_args, **_kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(performances, "write_performance", stop)
        assert run("perform", "walk.bvh", *QUICK) == 1
    assert "the search is done" in capsys.readouterr().err
    monkeypatch.setattr(LocalWorkers, "run", never)
    assert run("perform", "walk.bvh", *QUICK) == 0
    assert Path("out/walk/report.html").exists()


@undrawn
def test_the_same_command_again_does_not_search_again(monkeypatch, capsys):
    assert run("perform", "walk.bvh", *QUICK) == 0
    with monkeypatch.context() as patched:
        patched.setattr(LocalWorkers, "run", never)
        assert run("perform", "walk.bvh", *QUICK, "--glb") == 0
    assert "holds this performance already" in capsys.readouterr().err
    assert Path("out/walk/performance.glb").exists()
    for other in (("--seed", "1"), ("--scene-set", "friction=0.5")):
        assert run("perform", "walk.bvh", *QUICK, *other) == 0
        assert "holds this performance already" not in capsys.readouterr().err
    assert Reconstruction.load("out/walk/reconstruction.npz").rollout.scene_xml.count("0.5")


@undrawn
def test_unfinished_work_of_another_kind_is_refused_and_fresh_throws_it_away(capsys):
    with interrupted_at(4):
        assert run("perform", "walk.bvh", *THOROUGH) == 1
    kept = Path("out/walk/unfinished.npz").read_bytes()
    assert run("perform", "walk.bvh", *THOROUGH, "--seed", "5") == 1
    told = capsys.readouterr().err
    assert "unfinished work on another clip, character, scene or settings; begin anew with --fresh" in told
    assert Path("out/walk/unfinished.npz").read_bytes() == kept
    assert run("perform", "walk.bvh", *THOROUGH, "--seed", "5", "--fresh") == 0
    assert not Path("out/walk/unfinished.npz").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_batch_goes_on_after_a_failure_and_ends_with_a_table(jobs, capsys):
    words = ("perform", "broken.bvh", "walk.bvh", *QUICK, "--out", "all", "--jobs", jobs)
    assert run(*words) == 1
    told = capsys.readouterr()
    rows = {line.split()[0]: line for line in told.out.splitlines()}
    assert list(rows) == ["clip", "broken.bvh", "walk.bvh"]
    assert "yes" in rows["walk.bvh"]
    assert "has no MOTION section" in rows["broken.bvh"]
    assert Path("all/walk/report.html").exists()


def test_ctrl_c_stops_every_process_of_a_batch_and_leaves_nothing_half_written():
    words = ["perform", "walk", "jump", "--jobs", "2", "--no-video", "--out", "all"]
    with subprocess.Popen([sys.executable, "-m", "understudy.cli", *words], stderr=subprocess.PIPE, text=True) as batch:
        while not (Path("all/walk").exists() and Path("all/jump").exists()):
            time.sleep(0.1)
        time.sleep(1.0)
        batch.send_signal(signal.SIGINT)
        told = batch.communicate(timeout=60)[1]
    assert batch.returncode == 1
    assert "stopped; the same command goes on where each clip was" in told
    assert "Traceback" not in told
    assert {path.name for path in Path("all").rglob("*.*")} <= {"unfinished.npz"}


@undrawn
def test_a_batch_in_which_all_were_performed_ends_well():
    assert run("perform", "walk.bvh", "squat.bvh", *QUICK) == 0


def test_clips_of_one_name_get_folders_of_their_own():
    orders = Perform(clips=("a/walk.bvh", "b/walk.bvh", "walk")).orders()
    assert [str(order.folder) for order in orders] == ["out/walk", "out/walk-2", "out/walk-3"]


def test_flags_of_the_search_are_those_it_has():
    searched = {field.name for field in fields(ReconstructionSettings)}
    assert set(performances.Order("x", Path()).settings) == set()
    order = Perform(clips=("walk",), samples=40, seed=3, cut="contacts").orders()[0]
    assert set(order.settings) <= searched
    settings = order.parts()[2]
    assert (settings.samples, settings.seed, settings.cut) == (40, 3, "contacts")
    assert settings.rounds == ReconstructionSettings().rounds


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--samples", "0"), "samples must be"),
        (("--rounds", "0"), "rounds must be"),
        (("--fragment-s", "3"), "fragment_s must be"),
        (("--seed", "-1"), "seed must be"),
        (("--character", "humam"), "did you mean human"),
        (("--scene", "starirs"), "did you mean stairs"),
        (("--scene-set", "slope=3"), "friction, gravity_m_s2"),
        (("--scene-set", "friction"), "name=number"),
        (("--scene", "stairs", "--scene-set", "rise_m=nan"), "must be a number"),
        (("--jobs", "0"), "--jobs must be at least 1"),
        (("--map", "nowhere.toml"), "nowhere.toml"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_mistake_is_told_before_any_search_in_a_line(words, told, capsys, monkeypatch):
    monkeypatch.setattr(LocalWorkers, "run", never)
    assert run("perform", "walk.bvh", *words) == 1
    err = capsys.readouterr().err
    assert told in err
    assert "Traceback" not in err


def test_without_a_clip_it_is_told_what_there_is(capsys):
    assert run("perform") == 1
    assert "understudy clip list" in capsys.readouterr().err


def test_a_folder_that_cannot_hold_it_is_told_before_the_search(capsys, monkeypatch):
    monkeypatch.setattr(LocalWorkers, "run", never)
    assert run("perform", "walk.bvh", "--out", "broken.bvh/out") == 1
    assert "broken.bvh/out: can't be written to" in capsys.readouterr().err
    usage = shutil.disk_usage(".")
    monkeypatch.setattr(performances.shutil, "disk_usage", lambda _: usage._replace(free=5 << 20))
    assert run("perform", "walk.bvh") == 1
    assert "its disk has 5 MB left; make room for" in capsys.readouterr().err


def test_a_disk_that_fills_up_while_searching_is_told_and_leaves_nothing_half_written(capsys, monkeypatch):
    def full(*_args, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np.lib.format, "write_array", full)
    assert run("perform", "walk.bvh", *QUICK) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == "understudy: out/walk/unfinished.npz: can't be written (No space left on device)"
    assert not list(Path("out/walk").iterdir())


def test_a_clip_that_starts_inside_something_is_told(capsys):
    assert run("perform", "walk.bvh", *QUICK, "--scene", "wall", "--scene-set", "distance_m=0.0") == 1
    assert "starts inside" in capsys.readouterr().err
    assert not list(Path("out/walk").iterdir())


@undrawn
def test_the_demo_says_what_to_open(capsys):
    assert run("demo", "--clip", "squat.bvh", "--samples", "60", "--out", "shown") == 0
    told = capsys.readouterr().out
    assert "shown/report.html" in told
    assert "shown/performance.mp4" in told
    assert np.isfinite(Reconstruction.load("shown/reconstruction.npz").comparison.global_mm)
