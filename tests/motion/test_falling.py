"""Laws of the edit that makes a flight long enough to land lower."""

import numpy as np
import pytest
from motion_samples import human_skeleton, same

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion import Clip, authored_clip, fall_further, flight_of

G = 9.81


def thrown(up_m_s: float = 2.5, forwards_m_s: float = 2.0, rate_hz: float = 120.0) -> Clip:
    """A body that stands, flies and stands again, turning a little in flight."""
    skeleton = human_skeleton()
    times_s = np.arange(round(1.6 * rate_hz)) / rate_hz
    flying_s = np.clip(times_s - 0.4, 0.0, 2.0 * up_m_s / G)
    height = -skeleton.forward(np.zeros((1, 3)), _rest(1, len(skeleton)))[0][..., 2].min() + 0.05
    way = np.stack(
        [forwards_m_s * flying_s, np.zeros_like(times_s), height + up_m_s * flying_s - 0.5 * G * flying_s**2], axis=1
    )
    turned = _rest(len(times_s), len(skeleton))
    turned[:, 0] = rotations.about_z(0.6 * flying_s)
    return Clip(skeleton, rate_hz, way, turned, "thrown")


def _rest(frames: int, joints: int) -> np.ndarray:
    return np.array(np.broadcast_to(rotations.IDENTITY, (frames, joints, 4)))


def test_the_flight_is_found() -> None:
    flight = flight_of(thrown())
    assert 0.4 <= flight.start_s < 0.5
    assert 0.8 < flight.end_s <= 0.4 + 2.0 * 2.5 / G
    assert flight.take_off[0] == pytest.approx(2.0 * (flight.start_s - 0.4), abs=1e-9)


def test_falling_no_further_changes_nothing() -> None:
    assert same(fall_further(thrown(), 0.0), thrown(), 1e-9)


@pytest.mark.parametrize("drop_m", [0.5, 1.0])
def test_less_the_free_fall_from_the_edge_the_body_flies_as_it_must(drop_m: float) -> None:
    clip = thrown()
    flight, deep = flight_of(clip), fall_further(clip, drop_m)
    flying_s = np.clip(deep.times_s - flight.start_s, 0.0, None)
    height = deep.joint_positions_w.mean(axis=1)[:, 2] - np.minimum(0.5 * G * flying_s**2, drop_m)
    longer_s = deep.duration_s - clip.duration_s
    flying = (deep.times_s > flight.start_s + 0.02) & (deep.times_s < flight.end_s + longer_s - 0.02)
    throw = np.polynomial.Polynomial.fit(deep.times_s[flying], height[flying], 2).convert()
    assert 2.0 * throw.coef[2] == pytest.approx(-G, abs=0.01)
    assert np.abs(throw(deep.times_s[flying]) - height[flying]).max() < 1e-4  # poses in between are on lines
    assert height[-1] == pytest.approx(clip.joint_positions_w.mean(axis=1)[-1, 2] - drop_m, abs=1e-6)
    speed = np.diff(deep.joint_positions_w.mean(axis=1)[flying, 0]) * clip.rate_hz
    np.testing.assert_allclose(speed, 2.0, atol=0.05)  # it turns about its root, not quite its centre


def test_what_comes_before_stays_and_what_follows_is_moved_as_a_whole() -> None:
    clip = thrown()
    flight, deep = flight_of(clip), fall_further(clip, 0.5)
    before = round(flight.start_s * clip.rate_hz)
    np.testing.assert_allclose(deep.joint_positions_w[:before], clip.joint_positions_w[:before], atol=1e-12)
    way = deep.joint_positions_w[-1] - clip.joint_positions_w[-1]
    np.testing.assert_allclose(way, np.broadcast_to(way[:1] * [1.0, 1.0, 0.0], way.shape), atol=1e-6)


def test_what_does_not_fly_or_is_to_fall_upwards_is_refused() -> None:
    with pytest.raises(ClipError, match="has no flight"):
        fall_further(authored_clip("walk"), 0.5)
    with pytest.raises(ClipError, match="0 m or more further, not -1 m"):
        fall_further(thrown(), -1.0)
