"""Laws of the edit that puts feet on a line, and of travelling along one."""

import numpy as np
import pytest
from motion_samples import human_skeleton, same

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion import Clip, along_x, authored_clip, body_parts, contact_labels, mirror, move, on_line, turn


@pytest.fixture(scope="module")
def walk() -> Clip:
    return authored_clip("walk")


def test_feet_on_the_ground_are_on_the_line_and_point_along_it(walk: Clip) -> None:
    lined, labels = on_line(walk), contact_labels(walk)
    parts, places = body_parts(lined.skeleton), lined.joint_positions_w
    for side in ("left", "right"):
        stands = labels.labels[:, labels.names.index(f"{side}_foot")]
        ankle, ball = (places[stands][:, parts[f"{side}_{part}"]] for part in ("foot", "toes"))
        assert np.abs(ankle[:, 1]).max() < 0.005
        assert np.abs(ball[:, 1]).max() < 0.005
        assert (ball[:, 0] > ankle[:, 0]).all()


def test_feet_keep_their_heights_and_swing_past_each_other_on_their_own_side(walk: Clip) -> None:
    lined, before = on_line(walk), along_x(walk)
    parts = body_parts(lined.skeleton)
    left, right = (lined.joint_positions_w[:, parts[f"{side}_foot"]] for side in ("left", "right"))
    for side, foot in (("left", left), ("right", right)):
        assert np.abs(foot[:, 2] - before.joint_positions_w[:, parts[f"{side}_foot"], 2]).max() < 0.005
    abreast = np.abs(left[:, 0] - right[:, 0]) < 0.05
    assert abreast.any()
    assert (left[abreast, 1] - right[abreast, 1]).min() > 0.05


def test_the_root_stays_above_the_line_and_what_hangs_on_no_leg_moves_with_it(walk: Clip) -> None:
    lined, before = on_line(walk), along_x(walk)
    assert np.abs(lined.root_positions[:, 1]).max() <= 0.25 * np.abs(before.root_positions[:, 1]).max() + 1e-12
    assert np.abs(lined.root_positions[:, 2] - before.root_positions[:, 2]).max() <= 0.05
    head = lined.skeleton.index("head")
    moved = lined.joint_positions_w[:, head] - before.joint_positions_w[:, head]
    np.testing.assert_allclose(moved, lined.root_positions - before.root_positions, atol=1e-9)


def test_a_way_that_bends_becomes_a_line_all_the_same(walk: Clip) -> None:
    way = np.array(walk.root_positions)
    way[:, 1] += 0.3 * np.sin(np.linspace(0.0, np.pi, len(way)))
    assert np.abs(on_line(walk.with_(root_positions=way)).root_positions[:, 1]).max() <= 0.02 + 1e-12


def test_where_a_clip_was_and_which_way_it_went_makes_no_difference(walk: Clip) -> None:
    elsewhere = move(turn(walk, 2.0), (3.0, -1.0, 0.0))
    assert same(along_x(elsewhere), along_x(walk), 1e-6)
    assert same(on_line(elsewhere), on_line(walk), 1e-5)


def test_the_line_is_its_own_mirror_image(walk: Clip) -> None:
    assert same(on_line(mirror(walk)), mirror(on_line(walk)), 1e-4)


def test_a_clip_that_travels_along_x_starts_at_the_origin_and_ends_ahead(walk: Clip) -> None:
    placed = along_x(turn(walk, -1.0))
    assert placed.root_positions[0, 0] == pytest.approx(0.0, abs=1e-9)
    assert placed.root_positions[:, 1].mean() == pytest.approx(0.0, abs=1e-9)
    assert placed.root_positions[-1, 0] > 1.0
    np.testing.assert_array_equal(placed.root_positions[:, 2], walk.root_positions[:, 2])


def test_what_goes_nowhere_or_has_no_legs_is_refused() -> None:
    with pytest.raises(ClipError, match="goes nowhere"):
        on_line(authored_clip("stand"))
    skeleton = human_skeleton()
    way = np.stack([np.linspace(0.0, 2.0, 50), np.zeros(50), np.ones(50)], axis=1)
    legless = type(skeleton)(("a", "b"), [-1, 0], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.3]])
    clip = Clip(legless, 60.0, way, np.broadcast_to(rotations.IDENTITY, (50, 2, 4)))
    with pytest.raises(ClipError, match="no left_thigh, left_shin, left_foot, right_thigh"):
        on_line(clip)
