"""From a clip to a performance: at which speed it is tried, and what is kept meanwhile."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from understudy.character import FitSettings, load_character
from understudy.motion import authored_clip, crop
from understudy.reconstruction import Job, Reconstruction, ReconstructionSettings, carried_out, files_of
from understudy.reconstruction import perform as perform_module
from understudy.simulation import scene

SMALL = ReconstructionSettings(samples=40, saved=10, rounds=1)


def job(speed=None):
    return Job(
        crop(authored_clip("jump"), 1.0, 1.2), load_character("human"), scene(), SMALL, FitSettings(), speed=speed
    )


@pytest.fixture
def tried(monkeypatch):
    """Speeds that are tried, and which of them succeed."""
    at_speed, module = perform_module.__globals__["_at_speed"], perform_module.__globals__
    speeds, good = [], set()

    def spied(job, speed, unfinished, watch):
        found = at_speed(job, speed, unfinished, watch)
        speeds.append(speed)
        found.__dict__["comparison"] = SimpleNamespace(success=speed in good)
        return found

    monkeypatch.setitem(module, "_at_speed", spied)
    monkeypatch.setitem(module, "natural_speed", lambda reference, gravity: 0.5)  # noqa: ARG005
    return speeds, good


def test_a_clip_that_is_followed_keeps_its_speed(tried):
    speeds, good = tried
    good.add(1.0)
    assert carried_out(job()).speed == 1.0
    assert speeds == [1.0]


def test_a_clip_that_is_not_followed_is_tried_at_its_natural_speed(tried):
    speeds, good = tried
    good.add(0.5)
    found = carried_out(job())
    assert (found.speed, speeds) == (0.5, [1.0, 0.5])
    assert "performed at 0.50 times its speed" in found.notes[-1]
    assert found.clip.duration_s == pytest.approx(0.4, abs=0.02)


@pytest.mark.parametrize(("overtaxed", "expected"), [({"left_knee": 0.6}, [1.0, 0.8, 0.65]), ({}, [1.0])])
def test_a_clip_that_asks_for_too_much_torque_is_tried_more_slowly(tried, monkeypatch, overtaxed, expected):
    speeds, good = tried
    good.add(0.65)
    monkeypatch.setitem(perform_module.__globals__, "natural_speed", lambda reference, gravity: None)  # noqa: ARG005
    judged = SimpleNamespace(overtaxed=overtaxed)
    monkeypatch.setitem(perform_module.__globals__, "account_of", lambda found: judged)  # noqa: ARG005
    found = carried_out(job())
    assert speeds == expected
    assert found.speed == expected[-1]
    assert ("asks for more torque" in " ".join(found.notes)) == bool(overtaxed)


def test_a_clip_that_is_followed_at_no_speed_keeps_its_own(tried):
    speeds, _ = tried
    assert carried_out(job()).speed == 1.0
    assert speeds == [1.0, 0.5]


def test_a_speed_that_is_asked_for_is_not_changed(tried):
    speeds, _ = tried
    assert carried_out(job(speed=2.0)).speed == 2.0
    assert speeds == [2.0]


@pytest.mark.usefixtures("tried")
def test_both_searches_are_kept_until_the_end_and_not_done_again(tmp_path):
    kept = tmp_path / "kept.npz"
    first = carried_out(job(), kept)
    assert all(path.exists() for path in files_of(kept)[:2])
    assert carried_out(job(), kept).simulated == first.simulated


def test_a_job_knows_what_it_would_give(tmp_path):
    found = carried_out(job(speed=0.8))
    found.save(tmp_path / "found.npz")
    again = Reconstruction.load(tmp_path / "found.npz")
    assert again.speed == 0.8
    assert job(speed=0.8).is_done_by(again)
    assert job().is_done_by(again)
    assert not job(speed=1.0).is_done_by(again)
    assert not replace(job(), settings=replace(SMALL, seed=1)).is_done_by(again)
