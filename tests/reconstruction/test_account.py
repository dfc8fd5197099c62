"""The account of a performance: whether it followed, where not, and why."""

from dataclasses import replace

import numpy as np
import pytest
from performances import own_reference, performance, still, stood

from understudy.character import Reference
from understudy.cost import acceleration_error_mm, own_acceleration_mm, track_of
from understudy.reconstruction import account_of
from understudy.reconstruction.account.causes import fast_share, limit_use
from understudy.reconstruction.account.stretches import stretches
from understudy.simulation import Rollout, Torques


@pytest.fixture(scope="module")
def standing(human) -> Rollout:
    """2 s."""
    return stood(human, 100)


@pytest.fixture(scope="module")
def falling(human) -> Rollout:
    """Pushed over, 2.4 s."""
    return stood(human, 120, push_n=400.0)


def moved(reference: Reference, begin: int, end: int, by_m: float) -> Reference:
    """The reference stepping aside for some ticks."""
    qpos = reference.qpos.copy()
    qpos[begin:end, 1] += by_m
    return replace(reference, qpos=qpos)


def test_a_performance_that_is_its_reference_follows_and_needs_no_reasons(human, standing):
    account = account_of(performance(own_reference(human, standing), standing))
    assert account.followed
    assert account.failed_s is None
    assert account.comparison.global_mm == pytest.approx(0.0, abs=1e-9)
    assert (account.astray, account.reasons, account.fall) == ((), (), None)
    assert account.verdict == "human follows stand to the end: its bodies are 0 mm off on average."
    assert account.scene == "flat"
    assert account.seconds_per_second == pytest.approx(2.5 / 2.0)


def test_where_bodies_are_far_off_is_told_to_the_frame(human, standing):
    aside = moved(own_reference(human, standing), 50, 75, 0.3)  # 1.0 to 1.5 s
    account = account_of(performance(aside, standing))
    (astray,) = account.astray
    assert astray.stretch.begin_s == pytest.approx(1.0, abs=0.04)
    assert astray.stretch.end_s == pytest.approx(1.5, abs=0.04)
    assert astray.distance_m == pytest.approx(0.3)
    assert account.followed  # it is below half a metre
    assert any(reason.startswith("From 1.0 to 1.5 s the bodies are up to 0.30 m off") for reason in account.reasons)


def test_half_a_metre_is_a_failure_at_the_moment_it_begins(human, standing):
    account = account_of(performance(moved(own_reference(human, standing), 50, 100, 0.6), standing))
    assert not account.followed
    assert account.failed_s == pytest.approx(1.0, abs=0.04)
    assert account.verdict.startswith("human does not follow stand: bodies 0.60 m off on average at 1.0")


def test_a_fall_is_told_with_what_it_fell_onto(human, falling):
    account = account_of(performance(still(human, falling.tick_count), falling))
    assert not account.comparison.success
    assert account.fall is not None
    assert 0.4 < account.fall.time_s < 2.4
    assert account.fall.onto
    assert not {"left_foot", "right_foot"} & set(account.fall.onto)
    assert any(reason.startswith("The character fell at ") for reason in account.reasons)


def test_who_lies_down_as_it_should_has_not_fallen(human, falling):
    assert account_of(performance(own_reference(human, falling), falling)).fall is None


def test_a_run_that_diverged_is_told_and_fails_where_it_ends(human, standing):
    ended = replace(
        standing,
        states=standing.states[:41].copy(),
        push_steps=standing.push_steps[:41].copy(),
        inputs=standing.inputs.first(40),
        contacts=type(standing.contacts)(
            standing.contacts.offsets[:42].copy(),
            standing.contacts.positions_w[: standing.contacts.offsets[41]].copy(),
            standing.contacts.forces_w[: standing.contacts.offsets[41]].copy(),
            standing.contacts.pairs[: standing.contacts.offsets[41]].copy(),
            standing.contacts.body_names,
        ),
        outcome="simulation 0 diverged in tick 40",
    )
    account = account_of(performance(own_reference(human, standing), ended))
    assert account.failed_s == pytest.approx(0.8, abs=0.04)
    assert "The simulation diverged: simulation 0 diverged in tick 40." in account.reasons


def test_a_clip_that_hangs_in_the_air_is_told_to_lack_a_support(human, standing):
    account = account_of(performance(still(human, 101, height_m=0.6), standing))
    assert any("is held up by something that is not in the scene" in reason for reason in account.reasons)


def test_the_reasons_of_a_clip_that_is_followed_are_its_own_business(human, standing):
    """A clip that seems to hang on nothing and yet is followed needed nothing."""
    wanted = own_reference(human, standing)
    raised = replace(wanted, qpos=wanted.qpos + np.eye(human.model.nq)[2] * 0.12)
    account = account_of(performance(raised, standing))
    assert account.held_up
    assert account.followed
    assert account.reasons == ()


def test_notes_are_told_as_sentences_with_their_names_as_they_are(human, standing):
    noted = performance(own_reference(human, standing), standing, notes=("the LeftFoot was lifted",))
    assert account_of(noted).reasons == ("The LeftFoot was lifted.",)


def test_text_holds_the_verdict_the_reasons_and_the_figures(human, falling):
    account = account_of(performance(still(human, falling.tick_count), falling))
    lines = str(account).splitlines()
    assert lines[0] == account.verdict
    assert [line.strip() for line in lines[1:-1]] == list(account.reasons)
    assert f"E_g {account.comparison.global_mm:.1f} mm" in lines[-1]


def test_standing_still_is_off_by_the_clips_own_acceleration(human, falling):
    still_track, moving = track_of(still(human, falling.tick_count)), track_of(own_reference(human, falling))
    assert acceleration_error_mm(still_track, moving) == pytest.approx(own_acceleration_mm(moving))
    assert own_acceleration_mm(still_track) == pytest.approx(0.0, abs=1e-9)


def test_fast_shares_are_those_of_the_waves_put_in():
    times = np.arange(400) / 50.0
    slow, fast = np.sin(2 * np.pi * 1.5 * times), np.sin(2 * np.pi * 12.0 * times)
    assert fast_share(slow[:, None], 50.0) < 0.01
    assert fast_share(fast[:, None], 50.0) > 0.99
    assert fast_share(np.stack([2.0 * slow, fast], axis=1), 50.0) == pytest.approx(0.2, abs=0.01)  # 1 of 4 + 1
    assert fast_share(np.full((400, 2), 7.0), 50.0) == 0.0


def test_the_use_of_limits_is_of_those_that_have_one():
    at_limit = np.array([[True, False], [True, False], [False, False], [True, False]])
    torques = Torques(np.zeros((4, 8)), ("knee", "hip"), np.array([True, False]), at_limit)
    assert limit_use(torques, 2.0) == {"knee": 0.75}
    assert limit_use(torques, 2.0, failed_s=1.5) == {"knee": 0.5}  # in the second before


def test_stretches_are_what_is_true_and_long_enough():
    labels = np.array([0, 1, 1, 0, 1, 1, 1, 1], bool)
    found = stretches(labels, 10.0)
    assert [(s.begin_s, s.end_s) for s in found] == [(0.1, 0.3), (0.4, 0.8)]
    assert [s.begin_s for s in stretches(labels, 10.0, longer_than_s=0.3)] == [0.4]
    assert stretches(np.zeros(0, bool), 10.0) == ()
