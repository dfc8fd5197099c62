"""Plots, and what they show."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from motion_samples import human_skeleton
from PIL import Image
from stage_samples import stroll

from understudy import rotations
from understudy.character import Reference, load_character, velocities
from understudy.errors import FileError, UnderstudyError
from understudy.motion import Clip, Skeleton
from understudy.simulation import PoseController, Push, Scene, World, simulate
from understudy.stage import plot, plot_clip, plot_costs, plot_reference, plot_rollout
from understudy.stage.chart import spread
from understudy.stage.landmarks import landmarks_of_clip, landmarks_of_reference


def posed(**vectors):
    """A clip of one frame of the neutral body, parts turned by rotation vectors [deg]."""
    skeleton = human_skeleton()
    turned = np.tile(rotations.IDENTITY, (1, len(skeleton), 1))
    for part, vector in vectors.items():
        turned[0, skeleton.index(part)] = rotations.exp(np.radians(vector))
    return Clip(skeleton, 30.0, np.array([[0.0, 0.0, 0.9]]), turned)


def flexion(clip, joint, side):
    return landmarks_of_clip(clip).flexion(joint, side)[0]


def test_flexion_is_the_angle_a_person_would_name():
    # Turning about +y (the left) tips what hangs down backwards, so a thigh comes forward by a turn about -y.
    assert flexion(posed(left_thigh=[0, -60, 0]), "hip", "left") == pytest.approx(60.0)
    assert flexion(posed(left_thigh=[0, 20, 0]), "hip", "left") == pytest.approx(-20.0)
    assert flexion(posed(right_shin=[0, 75, 0]), "knee", "right") == pytest.approx(75.0)
    assert flexion(posed(right_shin=[0, 75, 0]), "knee", "left") == pytest.approx(0.0, abs=1e-5)
    assert flexion(posed(left_lower_arm=[0, 0, -90]), "elbow", "left") == pytest.approx(90.0)
    assert flexion(posed(left_upper_arm=[0, 0, -90]), "shoulder", "left") == pytest.approx(90.0, abs=2.0)


def test_flexion_does_not_depend_on_where_the_body_faces_or_lies():
    thigh = [5.0, -40.0, 3.0]
    upright = flexion(posed(left_thigh=thigh), "hip", "left")
    for turn in ([0, 0, 130], [0, 90, 0], [70, -30, 20]):
        assert flexion(posed(left_thigh=thigh, pelvis=turn), "hip", "left") == pytest.approx(upright)


def test_an_arm_held_sideways_has_no_flexion():
    assert np.isnan(flexion(posed(), "shoulder", "left"))  # the T-pose


def test_parts_that_are_missing_have_no_flexion():
    skeleton = Skeleton(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    clip = Clip(skeleton, 30.0, np.zeros((3, 3)), np.tile(rotations.IDENTITY, (3, 2, 1)))
    assert landmarks_of_clip(clip).flexion("knee", "left") is None


@pytest.fixture(scope="module")
def reference():
    human = load_character("human")
    qpos = np.tile(human.standing_qpos, (40, 1))
    qpos[:, 0] += np.linspace(0.0, 1.0, 40)
    return Reference(human, 20.0, qpos, velocities(human.model, qpos, 20.0), "glide")


@pytest.fixture(scope="module")
def rollout():
    human = load_character("human")
    world = World(Scene(), human, 1, 1)
    world.reset()
    push = Push(10, human.roles["chest"], (0.0, 200.0, 0.0), 0.2)
    return simulate(world, PoseController(human.standing_qpos[7:]), 40, pushes=[push])


def test_a_reference_shows_the_flexion_of_its_character(reference):
    landmarks = landmarks_of_reference(reference)
    assert np.nanmax(np.abs(landmarks.flexion("knee", "left"))) < 30.0  # it stands
    assert landmarks.lowest_m.min() > -0.1


@pytest.mark.parametrize("ending", [".png", ".svg", ".PDF"])
def test_every_kind_of_subject_has_a_plot_in_every_format(tmp_path, reference, rollout, ending):
    for name, subject in (("clip", stroll()), ("reference", reference), ("rollout", rollout)):
        plot(subject, tmp_path / f"{name}{ending}")
        begin = (tmp_path / f"{name}{ending}").read_bytes()[:5]
        assert begin == {".png": b"\x89PNG\r", ".svg": b"<?xml", ".PDF": b"%PDF-"}[ending]


def test_plots_are_drawn_in_both_sides_colours(tmp_path):
    plot_clip(stroll(), tmp_path / "clip.png")
    with Image.open(tmp_path / "clip.png") as image:
        pixels = np.asarray(image.convert("RGB"), int)
    for colour in ((26, 143, 153), (237, 120, 84)):
        assert (np.abs(pixels - colour).max(axis=2) < 8).sum() > 500


def test_costs_are_stacked(tmp_path):
    plot_costs({"pose": np.ones(50), "balance": np.linspace(0, 1, 50)}, 25.0, tmp_path / "costs.svg")
    assert (tmp_path / "costs.svg").stat().st_size > 5000
    with pytest.raises(UnderstudyError, match=r"one length, not \[49, 50\]"):
        plot_costs({"pose": np.ones(50), "balance": np.ones(49)}, 25.0, tmp_path / "other.svg")
    with pytest.raises(UnderstudyError, match="one length"):
        plot_costs({}, 25.0, tmp_path / "other.svg")


def test_odd_clips_have_plots_too(tmp_path):
    lone = Skeleton(["$x_1$"], [-1], [[0, 0, 0]])
    clip = Clip(lone, 30.0, np.array([[0, 0, 1.0]]), np.array([[[1.0, 0, 0, 0]]]), "a_b $c^ d")
    plot_clip(clip, tmp_path / "lone.png")
    plot_clip(posed(), tmp_path / "still.png")
    plot_clip(stroll(seconds=600.0), tmp_path / "long.svg")
    assert (tmp_path / "long.svg").stat().st_size < 3e6


def test_a_body_without_our_joints_has_a_plot_of_those_that_move_most(tmp_path):
    (tmp_path / "pole.xml").write_text(
        """<mujoco><worldbody><body name="pole" pos="0 0 1"><freejoint/><geom size=".1"/>
        <body name="arm"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.9" size=".04"/>
        </body></body></worldbody></mujoco>"""
    )
    pole = load_character(tmp_path / "pole.xml")
    qpos = np.tile(pole.standing_qpos, (20, 1))
    qpos[:, 7] = np.linspace(0.0, 1.0, 20)
    plot(Reference(pole, 10.0, qpos, velocities(pole.model, qpos, 10.0)), tmp_path / "pole.png")
    assert (tmp_path / "pole.png").stat().st_size > 5000


def test_a_character_has_no_plot(tmp_path):
    with pytest.raises(UnderstudyError, match="does not move"):
        plot(load_character("human"), tmp_path / "human.png")


def test_an_unknown_ending_lists_the_right_ones(tmp_path, reference, rollout):
    for draw, subject in ((plot_clip, stroll()), (plot_reference, reference), (plot_rollout, rollout)):
        with pytest.raises(FileError, match=r"use one of \.png, \.svg, \.pdf"):
            draw(subject, tmp_path / "plot.xls")
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-5, 5), max_size=7), st.floats(0.01, 0.5))
def test_labels_are_pushed_apart_in_order_and_no_further_than_needed(values, gap):
    placed = spread(values, gap, -10.0, 10.0)
    order = np.argsort(values, kind="stable")
    steps = np.diff(np.array(placed)[order])
    assert (steps >= gap - 1e-9).all()
    np.testing.assert_allclose(np.sum(placed), np.sum(values), atol=1e-9)
    if (np.diff(np.array(values)[order]) >= gap).all():
        np.testing.assert_allclose(placed, values, atol=1e-9)
