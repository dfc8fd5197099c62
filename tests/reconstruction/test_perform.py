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
    """Speeds that are tried, which of them succeed, and the natural one."""
    module = perform_module.__globals__
    searched, speeds, good, natural = module["_searched"], [], set(), SimpleNamespace(speed=0.8, doubtless=False)

    def spied(job, clip, fitted, speed, kept, watch):
        found = searched(job, clip, fitted, speed, kept, watch)
        speeds.append(speed)
        found.__dict__["comparison"] = SimpleNamespace(success=speed in good)
        return found

    monkeypatch.setitem(module, "_searched", spied)

    def told(reference, gravity, doubtless=False):  # noqa: ARG001
        return natural.speed if natural.doubtless or not doubtless else None

    monkeypatch.setitem(module, "natural_speed", told)
    return speeds, good, natural


def test_a_clip_that_is_followed_keeps_its_speed(tried):
    speeds, good, _ = tried
    good.add(1.0)
    assert carried_out(job()).speed == 1.0
    assert speeds == [1.0]


def test_a_clip_that_is_not_followed_is_tried_at_its_natural_speed(tried):
    speeds, good, _ = tried
    good.add(0.8)
    found = carried_out(job())
    assert (found.speed, speeds) == (0.8, [1.0, 0.8])
    assert "performed at 0.80 times its speed" in found.notes[-1]
    assert found.clip.duration_s == pytest.approx(0.25, abs=0.02)


@pytest.mark.parametrize("followed", [True, False])
def test_a_clip_that_doubtless_falls_too_fast_is_tried_at_its_natural_speed_first(tried, followed):
    speeds, good, natural = tried
    natural.speed, natural.doubtless = 0.5, True
    good |= {0.5, 1.0} if followed else {1.0}
    assert carried_out(job()).speed == (0.5 if followed else 1.0)
    assert speeds == ([0.5] if followed else [0.5, 1.0])


@pytest.mark.parametrize(("overtaxed", "expected"), [({"left_knee": 0.6}, [1.0, 0.8, 0.65]), ({}, [1.0, 0.5])])
def test_a_clip_that_asks_for_too_much_torque_is_tried_more_slowly_any_other_at_half_speed(
    tried, monkeypatch, overtaxed, expected
):
    speeds, good, natural = tried
    natural.speed = None
    good |= {0.65, 0.5}
    judged = SimpleNamespace(overtaxed=overtaxed)
    monkeypatch.setitem(perform_module.__globals__, "account_of", lambda found: judged)  # noqa: ARG005
    found = carried_out(job())
    assert speeds == expected
    assert found.speed == expected[-1]
    assert ("asks for more torque" in " ".join(found.notes)) == bool(overtaxed)


def test_a_clip_that_is_followed_at_no_speed_keeps_its_own(tried):
    speeds, _, _ = tried
    assert carried_out(job()).speed == 1.0
    assert speeds == [1.0, 0.8]


def test_a_speed_that_is_asked_for_is_not_changed(tried):
    speeds, _, _ = tried
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
