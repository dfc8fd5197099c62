"""Pictures show what they should."""

import dataclasses

import numpy as np
import pytest
from stage_samples import enlarged, moved, stroll

from understudy.errors import UnderstudyError
from understudy.motion import Clip, Skeleton
from understudy.stage import canvas, look
from understudy.stage.canvas import Canvas
from understudy.stage.performance import Forces, Performance, Touches
from understudy.stage.subject import performance_of

pytestmark = pytest.mark.usefixtures("gl")
SIZE = (160, 120)


def draw(clip, ghost=None, time_s=0.5, **options):
    performance = clip if isinstance(clip, Performance) else performance_of(clip)
    with Canvas(
        performance, None if ghost is None else performance_of(ghost), size=SIZE, moments=[time_s], **options
    ) as drawn:
        return drawn.draw(time_s)


def difference(one, other):
    """Mean difference of two pictures, of 255."""
    return np.abs(one.astype(float) - other.astype(float)).mean()


def near_colour(picture, colour, tolerance=0.2):
    """(height, width) which pixels have a hue like that colour's."""
    pixels = picture / np.maximum(picture.max(axis=2, keepdims=True), 1)
    return np.linalg.norm(pixels - np.array(colour) / max(colour), axis=2) < tolerance


def test_a_picture_has_the_size_asked_for_and_shows_a_figure():
    picture = draw(stroll())
    assert picture.shape == (120, 160, 3)
    assert picture.dtype == np.uint8
    assert picture.std() > 10.0
    assert picture[:20].mean() > 200  # a pale sky


def test_the_picture_is_neither_upside_down_nor_mirrored():
    picture = draw(stroll(speed_m_s=0.0))
    right, left = np.argwhere(near_colour(picture, look.RIGHT)), np.argwhere(near_colour(picture, look.LEFT))
    assert len(right) > 50
    assert len(left) > 50
    assert right[:, 1].mean() < left[:, 1].mean()  # seen from the front, its right is on the left
    with Canvas(performance_of(stroll(speed_m_s=0.0)), size=SIZE) as drawn:
        geoms = drawn.segments(0.5)
        heights = {g: np.argwhere(geoms == g)[:, 0].mean() for g in np.unique(geoms) if g >= 0}
        places = drawn.staging.data.geom_xpos
    seen = [g for g in heights if drawn.staging.figure_geoms[g]]
    assert np.corrcoef([heights[g] for g in seen], [places[g, 2] for g in seen])[0, 1] < -0.95


def test_drawing_twice_gives_the_same_picture():
    np.testing.assert_array_equal(draw(stroll()), draw(stroll()))


def test_only_what_is_around_the_figure_needs_to_be_drawn_smoothly(monkeypatch):
    ghost = stroll(speed_m_s=0.7)
    part = draw(stroll(), ghost).astype(int)
    monkeypatch.setattr(canvas, "window_around", lambda places, view, size, margin_px: canvas.whole(size))  # noqa: ARG005
    difference_of_pixels = np.abs(part - draw(stroll(), ghost))
    assert difference_of_pixels.max() < 12  # edges of tiles
    assert difference_of_pixels.mean() < 0.5


def test_no_pixel_of_the_figure_is_at_the_edge_over_twenty_metres():
    clip = stroll(seconds=10.0, speed_m_s=2.0, turn_rad_s=0.2)
    with Canvas(performance_of(clip), size=SIZE) as drawn:
        for time in np.linspace(0.0, 10.0, 12):
            geoms = drawn.segments(time)
            figure = np.where(geoms >= 0, drawn.staging.figure_geoms[geoms], False)
            assert figure.sum() > 0.01 * figure.size
            edge = np.concatenate([figure[0], figure[-1], figure[:, 0], figure[:, -1]])
            assert not edge.any()


def test_a_ghost_changes_the_picture_and_is_violet():
    alone, both = draw(stroll()), draw(stroll(), stroll(speed_m_s=0.7))
    changed = np.abs(alone.astype(int) - both.astype(int)).max(axis=2) > 20
    assert changed.sum() > 60
    assert (both[changed][:, 2] > both[changed][:, 1]).mean() > 0.9


def test_a_ghost_in_the_same_pose_is_hidden():
    apart = difference(draw(stroll()), draw(stroll(), stroll(speed_m_s=0.7)))
    assert difference(draw(stroll()), draw(stroll(), stroll())) < 0.1 * apart


def test_the_figure_casts_a_shadow():
    with_shadow, without = draw(stroll()), draw(stroll(), shadows=False)
    darker = without.astype(int) - with_shadow
    assert (darker.max(axis=2) > 15).sum() > 40
    assert darker.min() >= -1


def test_a_figure_far_from_the_origin_looks_the_same():
    assert difference(draw(stroll()), draw(moved(stroll(), [3e6, -2e6, 0.0]))) < 0.3


@pytest.mark.parametrize("factor", [1e-3, 1e-1, 50.0, 1e4])
def test_a_tiny_or_giant_figure_looks_the_same(factor):
    assert difference(draw(stroll(), shadows=False), draw(enlarged(stroll(), factor), shadows=False)) < 1.0


def test_contacts_are_marked_where_they_are():
    clip = stroll(speed_m_s=0.0)
    places = np.array([[0.1, 0.5, 0.0]])
    bare = dataclasses.replace(performance_of(clip), touches=None)
    marked = dataclasses.replace(bare, touches=lambda frame: Touches(places))  # noqa: ARG005
    changed = np.argwhere(np.abs(draw(bare).astype(int) - draw(marked)).max(axis=2) > 12)
    assert len(changed) > 3
    with Canvas(bare, size=SIZE) as drawn:
        view = drawn.camera.view(0.5)
    right, up, ahead = view.axes_w @ (places[0] - view.position_w)
    height, width = SIZE[1], SIZE[0]
    scale = 0.5 * height / np.tan(np.radians(22.5)) / ahead
    expected = [0.5 * height - scale * up, 0.5 * width + scale * right]
    np.testing.assert_allclose(changed.mean(axis=0), expected, atol=2.0)


def test_forces_are_drawn_as_arrows_as_long_as_they_are_strong():
    clip = stroll(speed_m_s=0.0)
    bare = dataclasses.replace(performance_of(clip), touches=None)

    def lengths(share):
        with Canvas(bare, size=SIZE) as drawn:
            force = share * drawn.staging.weight_n
        forces = Forces(np.array([[0.3, -0.3, 0.0]]), np.array([[0.0, 0.0, force]]))
        loaded = dataclasses.replace(bare, touches=lambda frame: Touches(np.zeros((0, 3)), forces))  # noqa: ARG005
        changed = np.argwhere(np.abs(draw(bare).astype(int) - draw(loaded)).max(axis=2) > 30)
        return np.ptp(changed[:, 0]) + 1

    pixels_per_m = SIZE[1] / 2.3
    np.testing.assert_allclose(lengths(1.0), 0.6 * pixels_per_m, rtol=0.3)
    assert lengths(0.5) < 0.6 * lengths(1.0)


def test_a_lone_joint_can_be_drawn():
    clip = Clip(Skeleton(["only"], [-1], [[0, 0, 0]]), 30.0, np.array([[0, 0, 1.0]]), np.array([[[1.0, 0, 0, 0]]]))
    assert draw(clip, time_s=0.0).std() > 3.0


def test_joints_may_have_any_names():
    clip = stroll()
    names = ["world", "", "a/b", "<x>", 'q"', *[f"n {i}" for i in range(len(clip.skeleton) - 5)]]
    odd = clip.with_(skeleton=dataclasses.replace(clip.skeleton, names=tuple(names)))
    assert draw(odd).std() > 10.0


def test_frames_that_are_not_numbers_show_the_frame_before():
    performance = performance_of(stroll())
    qpos = performance.qpos.copy()
    qpos[10:] = np.nan
    broken = dataclasses.replace(performance, qpos=qpos)
    np.testing.assert_array_equal(broken.at(1.5), performance.qpos[9])
    qpos[0] = np.inf
    with pytest.raises(UnderstudyError, match="no first frame"):
        dataclasses.replace(performance, qpos=qpos)


@pytest.mark.parametrize("size", [(0, 100), (100, 5000), (-4, -4)])
def test_impossible_sizes_are_refused(size):
    with pytest.raises(UnderstudyError, match="16 to 4096 pixels"):
        Canvas(performance_of(stroll()), size=size)
