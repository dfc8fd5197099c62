"""The camera follows without losing the figure and without shaking."""

import numpy as np
import pytest
from stage_samples import enlarged, stroll

from understudy.stage.camera import FIELD_OF_VIEW_RAD, Camera, View, _smooth_above
from understudy.stage.staging import Staging
from understudy.stage.subject import performance_of

ASPECT = 16.0 / 9.0


def staged(clip, ghost=None):
    return Staging(performance_of(clip), None if ghost is None else performance_of(ghost), (64, 36))


def in_picture(view, places, aspect=ASPECT):
    """(N, 2) places on the picture, each axis from -1 to 1 inside of it."""
    right, up, ahead = view.axes_w @ (places - view.position_w).T
    assert (ahead > 0).all()
    tangent = np.tan(0.5 * FIELD_OF_VIEW_RAD)
    return np.stack([right / (ahead * tangent * aspect), up / (ahead * tangent)], axis=1)


def test_axes_of_a_view_are_right_up_and_forward():
    axes = View(np.zeros(3), 2.0, np.radians(40.0), np.radians(-20.0)).axes_w
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.cross(axes[0], axes[1]), -axes[2], atol=1e-12)  # sight goes along minus z of OpenGL
    assert axes[1, 2] > 0.9
    assert axes[0, 2] == 0.0


@pytest.mark.parametrize("turn_rad_s", [0.0, 0.4])
def test_the_figure_stays_in_the_picture_over_twenty_metres(turn_rad_s):
    clip = stroll(seconds=10.0, speed_m_s=2.0, turn_rad_s=turn_rad_s)
    assert np.linalg.norm(np.diff(clip.root_positions[:, :2], axis=0), axis=1).sum() > 19.9
    staging = staged(clip)
    camera = Camera(staging, ASPECT)
    for time in np.linspace(0.0, clip.duration_s, 97):  # between frames too
        view = camera.view(time)
        staging.pose(time)
        assert np.abs(in_picture(view, staging.corners(staging.figure_geoms))).max() < 1.0


def test_the_figure_fills_a_good_part_of_the_picture():
    staging = staged(stroll())
    view = Camera(staging, ASPECT).view(1.0)
    staging.pose(1.0)
    heights = in_picture(view, staging.corners(staging.figure_geoms))[:, 1]
    assert 1.2 < np.ptp(heights) < 2.0


def test_the_camera_sees_the_front_and_the_right_side():
    staging = staged(stroll(speed_m_s=0.0))
    view = Camera(staging, ASPECT).view(0.0)
    assert view.position_w[0] > 0.5  # it faces +x
    assert view.position_w[1] < -0.5  # and its right is -y
    assert view.position_w[2] > 0.0


def test_the_camera_turns_with_a_walk_in_a_circle_but_smoothly():
    clip = stroll(seconds=12.0, turn_rad_s=0.5)
    camera = Camera(staged(clip), ASPECT)
    views = [camera.view(time) for time in np.arange(0.0, 12.0, 0.1)]
    azimuths = np.array([view.azimuth_rad for view in views])
    speeds = np.diff(azimuths) / 0.1
    np.testing.assert_allclose(speeds[30:-30], 0.5, atol=0.05)
    places = np.array([view.position_w for view in views])
    assert np.abs(np.diff(places, 2, axis=0)).max() < 0.05  # no jerk


def test_a_few_moments_are_seen_from_one_distance_and_direction():
    clip, moments = stroll(seconds=4.0, turn_rad_s=0.5), (0.0, 3.7, 1.0)
    staging = staged(clip)
    camera = Camera(staging, ASPECT, moments=moments)
    views = [camera.view(time) for time in moments]
    assert len({round(view.azimuth_rad, 9) for view in views}) == 1
    assert len({round(view.distance_m, 9) for view in views}) == 1
    for time, view in zip(moments, views, strict=True):
        staging.pose(time)
        assert np.abs(in_picture(view, staging.corners(staging.figure_geoms))).max() < 1.0


def test_a_ghost_that_runs_away_is_followed_only_so_far():
    clip, runs = stroll(speed_m_s=0.0), stroll(speed_m_s=8.0)
    alone = Camera(staged(clip), ASPECT).view(1.5).distance_m
    both = Camera(staged(clip, runs), ASPECT).view(1.5).distance_m
    assert alone < both < 1.6 * alone


def test_distance_follows_the_size_of_the_figure():
    person, giant = stroll(), enlarged(stroll(), 100.0)
    distances = [Camera(staged(clip), ASPECT).view(1.0).distance_m for clip in (person, giant)]
    np.testing.assert_allclose(distances[1], 100.0 * distances[0], rtol=1e-6)


@pytest.mark.parametrize("half_width", [0.4, 3.0, 12.0, 500.0])
def test_a_smoothed_distance_is_nowhere_too_short(half_width):
    needed = np.random.default_rng(0).gamma(2.0, size=300)
    smooth = _smooth_above(needed, half_width)
    assert smooth.shape == needed.shape
    assert (smooth >= needed - 1e-12).all()
    assert smooth.max() <= needed.max() + 1e-12
