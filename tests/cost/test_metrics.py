"""The evaluation metrics against small cases worked by hand."""

import numpy as np
import pytest

from understudy import rotations
from understudy.cost import (
    Track,
    acceleration_error_mm,
    first_failure,
    first_strict_failure,
    global_error_mm,
    local_error_mm,
    tilt_errors,
)
from understudy.errors import CostError

NAMES = ("pelvis", "hand")


def track(positions, rotations_w=None, rate_hz=30.0, names=NAMES, root=0):
    return Track(names, np.asarray(positions, float), rate_hz, root, rotations_w)


def still(frames=6):
    """Two bodies at rest, the hand 1 m beside the pelvis."""
    return track(np.tile([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]], (frames, 1, 1)))


def shifted(base, shift):
    """The track with a shift (..., 3) added to every place; broadcast over frames and bodies."""
    return track(base.positions_w + np.asarray(shift, float), base.rotations_w, base.rate_hz)


def leaning(angle_rad, heading_rad=0.0, frames=6):
    """At rest, the root leaning forwards by angle_rad after it was turned by heading_rad."""
    turn = rotations.multiply(rotations.about_z(heading_rad), rotations.from_axis_angle([0.0, 1.0, 0.0], angle_rad))
    return track(still(frames).positions_w, np.tile(turn, (frames, 2, 1)))


def test_a_motion_compared_with_itself_has_no_error():
    p = shifted(still(), np.random.default_rng(0).normal(size=(6, 2, 3)))
    assert (global_error_mm(p, p), local_error_mm(p, p), acceleration_error_mm(p, p)) == (0.0, 0.0, 0.0)
    assert first_failure(p, p) is None


def test_a_constant_shift_is_a_global_error_and_no_local_one():
    # 0.1 m everywhere: E_g = 1000 * 0.1 = 100 mm; relative to the root nothing differs; no acceleration differs
    p = shifted(still(), [0.1, 0.0, 0.0])
    assert global_error_mm(p, still()) == pytest.approx(100.0)
    assert local_error_mm(p, still()) == pytest.approx(0.0)
    assert acceleration_error_mm(p, still()) == pytest.approx(0.0, abs=1e-9)


def test_errors_are_means_over_frames_and_bodies_of_distances():
    # the hand is (0.03, 0.04, 0) off, 0.05 m, in half of the frames: E_g = 1000 * (0.05 / 2 bodies / 2) = 12.5 mm,
    # and the same relative to the root, which is where it should be
    off = np.zeros((6, 2, 3))
    off[:3, 1] = [0.03, 0.04, 0.0]
    assert global_error_mm(shifted(still(), off), still()) == pytest.approx(12.5)
    assert local_error_mm(shifted(still(), off), still()) == pytest.approx(12.5)


def test_a_root_alone_off_puts_every_other_body_off_locally():
    # root 0.2 m off, hand right: E_g = 1000 * 0.2 / 2 = 100; relative to the root the hand is 0.2 m off: E_l = 100
    off = np.zeros((6, 2, 3))
    off[:, 0, 2] = 0.2
    assert global_error_mm(shifted(still(), off), still()) == pytest.approx(100.0)
    assert local_error_mm(shifted(still(), off), still()) == pytest.approx(100.0)


def test_the_root_is_the_one_the_track_names():
    # the same with the hand as root: relative to the hand only the pelvis is off
    off = np.zeros((6, 2, 3))
    off[:, 1, 2] = 0.2
    p, q = (track(t.positions_w, root=1) for t in (shifted(still(), off), still()))
    assert local_error_mm(p, q) == pytest.approx(100.0)


def test_the_acceleration_error_is_of_second_differences_per_frame():
    # x = 0.5 a t^2 with a = 9 m/s^2 at 30 Hz: D2 x = a / 30^2 = 0.01 m per frame^2, E_acc = 10 mm/frame^2
    times = np.arange(31) / 30.0
    fall = np.zeros((31, 2, 3))
    fall[..., 2] = -(0.5 * 9.0 * times**2)[:, None]
    p = shifted(still(31), fall)
    assert acceleration_error_mm(p, still(31)) == pytest.approx(10.0)
    # one of the two bodies: half of it
    fall[:, 1] = 0.0
    assert acceleration_error_mm(shifted(still(31), fall), still(31)) == pytest.approx(5.0)


@pytest.mark.parametrize("rate_hz", [60.0, 90.0, 120.0])
def test_the_acceleration_error_is_taken_at_30_hz_whatever_the_rate(rate_hz):
    frames = int(rate_hz) + 1
    times = np.arange(frames) / rate_hz
    fall = np.zeros((frames, 2, 3))
    fall[..., 2] = -(0.5 * 9.0 * times**2)[:, None]
    q = track(still(frames).positions_w, rate_hz=rate_hz)
    p = track(q.positions_w + fall, rate_hz=rate_hz)
    assert acceleration_error_mm(p, q) == pytest.approx(10.0)  # every 2nd, 3rd, 4th frame is one at 30 Hz


def test_a_steady_speed_is_no_acceleration():
    walk = np.zeros((20, 2, 3))
    walk[..., 0] = 0.05 * np.arange(20)[:, None]
    assert acceleration_error_mm(shifted(still(20), walk), still(20)) == pytest.approx(0.0, abs=1e-9)


def test_two_frames_have_no_acceleration_to_compare():
    assert np.isnan(acceleration_error_mm(still(2), still(2)))


def test_a_run_fails_at_exactly_the_tick_at_which_it_is_too_far():
    # 0.4 m, then at frame 4 0.9 m on the hand and 0.2 m on the pelvis: mean 0.55 m > 0.5 m, at that frame alone
    off = np.zeros((6, 2, 3))
    off[..., 0] = 0.4
    off[4, :, 0] = [0.2, 0.9]
    failure = first_failure(shifted(still(), off), still())
    assert failure is not None
    assert failure.frame == 4
    assert failure.why == "bodies 0.55 m off on average"


@pytest.mark.parametrize(("distance", "fails"), [(0.5, False), (np.nextafter(0.5, 1.0), True), (0.499, False)])
def test_half_a_metre_off_is_still_a_success_and_more_is_not(distance, fails):
    # exact: from the origin along one axis
    p, q = (track(np.full((3, 2, 3), x) * [1.0, 0.0, 0.0]) for x in (distance, 0.0))
    assert (first_failure(p, q) is not None) == fails


def test_the_mean_over_bodies_decides_not_the_worst_body():
    off = np.zeros((6, 2, 3))
    off[:, 1, 0] = 0.9  # the mean is 0.45 m
    assert first_failure(shifted(still(), off), still()) is None


def test_strictly_the_roots_height_counts_too():
    q = leaning(0.0)
    for height, fails in ((0.25, False), (0.26, True)):  # 1.0 + 0.25 and 1.0 are exact in binary
        off = np.zeros((6, 2, 3))
        off[3, 0, 2] = -height
        p = shifted(q, off)
        assert first_failure(p, q) is None
        failure = first_strict_failure(p, q)
        assert (failure is not None) == fails
        if failure:
            assert (failure.frame, failure.why) == (3, "root 0.26 m off in height")


def test_strictly_the_roots_tilt_counts_too():
    for angle, fails in ((0.79, False), (0.81, True)):
        failure = first_strict_failure(leaning(angle), leaning(0.0))
        assert (failure is not None) == fails
        if failure:
            assert (failure.frame, failure.why) == (0, "root 0.81 rad off in tilt")


def test_the_first_of_several_strict_failures_is_told():
    q = leaning(0.0)
    off = np.zeros((6, 2, 3))
    off[2:, 0, 2] = 0.3  # height from frame 2
    off[4:, :, 0] = 2.0  # far from frame 4
    failure = first_strict_failure(shifted(q, off), q)
    assert failure is not None
    assert failure.frame == 2


@pytest.mark.parametrize("heading_rad", [0.5, 1.5, 3.0])
def test_the_heading_is_no_tilt(heading_rad):
    assert np.allclose(tilt_errors(leaning(0.3, heading_rad), leaning(0.3)), 0.0, atol=1e-9)
    assert np.allclose(tilt_errors(leaning(0.7, heading_rad), leaning(0.3)), 0.4)


def test_upside_down_is_half_a_turn_off():
    assert np.allclose(tilt_errors(leaning(np.pi), leaning(0.0)), np.pi)


@pytest.mark.parametrize("seed", range(5))
def test_errors_do_not_change_when_both_motions_are_moved_and_turned_together(seed):
    draw = np.random.default_rng(seed)
    p, q = (track(draw.normal(size=(40, 2, 3))) for _ in range(2))
    turn, shift = rotations.exp(draw.normal(size=3)), draw.normal(size=3)
    moved = [track(rotations.rotate(turn, t.positions_w) + shift) for t in (p, q)]
    for metric in (global_error_mm, local_error_mm, acceleration_error_mm):
        assert metric(*moved) == pytest.approx(metric(p, q))
        assert metric(p, q) == pytest.approx(metric(q, p))


def test_tracks_that_do_not_match_are_refused():
    with pytest.raises(CostError, match=r"not the same bodies in the same frames; match\(\) makes them so"):
        global_error_mm(still(6), still(5))
    with pytest.raises(CostError, match=r"at 30 Hz and .* at 60 Hz"):
        local_error_mm(still(), track(still().positions_w, rate_hz=60.0))
    with pytest.raises(CostError, match="rotation is not known"):
        first_strict_failure(still(), still())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"positions_w": np.zeros((3, 5, 3))}, r"needs places \(T, 2, 3\), not \(3, 5, 3\)"),
        ({"positions_w": np.zeros((0, 2, 3))}, "needs places"),
        ({"positions_w": np.full((3, 2, 3), np.nan)}, "frame 0 holds a place that is not a number"),
        ({"rate_hz": 0.0}, "above 0 Hz, not 0"),
        ({"root": 7}, "among its 2 bodies"),
        ({"roles": {"head": 2}}, "among its 2 bodies"),
        ({"rotations_w": np.zeros((3, 2, 3))}, r"must be \(3, 2, 4\)"),
    ],
)
def test_a_senseless_track_is_refused(change, words):
    with pytest.raises(CostError, match=words):
        Track(**({"names": NAMES, "positions_w": np.zeros((3, 2, 3)), "rate_hz": 30.0} | change))


def test_a_track_keeps_its_own_arrays():
    places = np.zeros((3, 2, 3))
    kept = track(places)
    places += 1.0
    assert not kept.positions_w.any()
    with pytest.raises(ValueError, match="read-only"):
        kept.positions_w[0] = 1.0


def test_resampling_a_track_keeps_what_is_where_when():
    times = np.arange(101) / 100.0
    line = np.stack([times, 2.0 * times, 0.0 * times], axis=1)[:, None]
    spin = rotations.about_z(3.0 * times)[:, None]
    moving = Track(("root",), line, 100.0, 0, spin)
    slow = moving.at_rate(30.0)
    assert slow.frame_count == 31
    assert np.allclose(slow.positions_w[:, 0, 0], np.arange(31) / 30.0)
    assert np.allclose(rotations.angle_between(slow.rotations_w[:, 0], rotations.about_z(np.arange(31) / 10.0)), 0.0)
    assert moving.at_rate(100.0004).frame_count == 101  # as files round the time of a frame
