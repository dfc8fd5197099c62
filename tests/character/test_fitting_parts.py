"""Laws of what the fitting is made of."""

import mujoco
import numpy as np
import pytest

from understudy import rotations
from understudy.character import body_poses, load_character
from understudy.character.fitting.anatomy import (
    anatomical_frames,
    frame_of,
    standing_frame,
    t_pose_direction,
    t_pose_hinge,
)
from understudy.character.fitting.figure import character_figure, clip_figure
from understudy.character.fitting.floor import lift
from understudy.character.fitting.ground import lowest_point, shapes
from understudy.character.fitting.hinges import HingeRow, solve_row
from understudy.character.fitting.kinematics import Kinematics
from understudy.character.fitting.limits import Limits
from understudy.character.fitting.mending import mended, without_jumps
from understudy.character.fitting.ticks import places_at, rotations_at
from understudy.motion import authored_clip, body_parts
from understudy.spans import nearest, neighbours, runs

_TREE = """
<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size=".1"/>
  <body name="b" pos=".1 .2 .3" euler="10 20 30">
    <joint axis="1 2 1" pos=".1 0 0"/><joint axis="0 1 0" type="slide"/><joint axis="0 0 1" pos=".2 .1 0" ref="20"/>
    <geom size=".1"/>
    <body name="c" pos=".3 0 0"><joint type="ball" pos=".1 .1 .1" range="0 40"/><geom size=".1"/>
      <body name="d" pos=".1 0 .1" euler="5 5 5"><geom size=".1"/></body></body></body></body></worldbody></mujoco>
"""


def _tree() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(_TREE)


def _poses(model: mujoco.MjModel, count: int, seed: int = 0) -> np.ndarray:
    rng, result = np.random.default_rng(seed), np.empty((count, model.nq))
    for row in result:
        row[:] = model.qpos0
        mujoco.mj_integratePos(model, row, rng.normal(size=model.nv), 1.0)
    return result


@pytest.mark.parametrize("name", ["tree", "human", "athlete33"])
def test_kinematics_agree_with_mujoco(name: str) -> None:
    model = _tree() if name == "tree" else load_character(name).model
    qpos = _poses(model, 20)
    ours, theirs = Kinematics(model).postures(qpos), body_poses(model, qpos)
    assert np.abs(ours.positions_w - theirs.positions_w).max() < 1e-12
    assert rotations.angle_between(ours.rotations_w, theirs.rotations_w).max() < 1e-6


def test_jacobians_agree_with_finite_differences() -> None:
    model = _tree()
    kinematics, qpos, small = Kinematics(model), _poses(model, 5), 1e-6
    bodies = np.arange(model.nbody - 1)
    postures = kinematics.postures(qpos)
    points = postures.positions_w + rotations.rotate(postures.rotations_w, np.array([0.1, 0.2, 0.3]))
    moving, turning = kinematics.moving(postures, bodies, points), kinematics.turning(postures, bodies)
    for dof in range(model.nv):
        step = np.zeros((len(qpos), model.nv))
        step[:, dof] = small
        after = kinematics.postures(kinematics.advance(qpos, step))
        moved = after.positions_w + rotations.rotate(after.rotations_w, np.array([0.1, 0.2, 0.3])) - points
        turned = rotations.log(rotations.multiply(after.rotations_w, rotations.conjugate(postures.rotations_w)))
        assert np.abs(moved / small - moving[..., dof]).max() < 1e-4
        assert np.abs(turned / small - turning[..., dof]).max() < 1e-4


def test_a_difference_advances_one_pose_to_the_other() -> None:
    model = _tree()
    kinematics, one, other = Kinematics(model), _poses(model, 8, 1), _poses(model, 8, 2)
    arrived = kinematics.advance(one, kinematics.difference(one, other))
    assert np.abs(body_poses(model, arrived).positions_w - body_poses(model, other).positions_w).max() < 1e-9


def test_limits_are_reached_and_not_passed() -> None:
    model = _tree()
    limits, qpos = Limits(model), _poses(model, 50)
    assert limits.beyond(qpos).max() > 0.1
    clipped = limits.clipped(qpos)
    assert limits.beyond(clipped).max() < 1e-9
    assert np.array_equal(clipped[limits.beyond(qpos)[:, 0] == 0.0], qpos[limits.beyond(qpos)[:, 0] == 0.0])


@pytest.mark.parametrize(
    "geom",
    [
        'type="sphere" size=".1"',
        'type="capsule" size=".05 .2"',
        'type="cylinder" size=".05 .2"',
        'type="box" size=".1 .2 .3"',
        'type="ellipsoid" size=".1 .2 .3"',
        'type="mesh" mesh="wedge"',
    ],
)
def test_lowest_points_are_the_lowest_of_the_surface(geom: str) -> None:
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1 .3 .3 .9"/></asset>
        <worldbody><body><freejoint/><geom {geom} pos=".1 .2 .3" euler="20 30 40"/></body></worldbody></mujoco>"""
    )
    (shape,) = shapes(model)
    rng, data = np.random.default_rng(0), mujoco.MjData(model)
    for _ in range(10):
        data.qpos[:3], data.qpos[3:7] = rng.normal(size=3), rotations.normalize(rng.normal(size=4))
        mujoco.mj_kinematics(model, data)
        point = lowest_point(shape, data.xpos[1:2], data.xquat[1:2])[0]
        inside = point + 1e-3 * (data.geom_xpos[0] - point)
        assert _from_below(model, data, inside - np.array([0.0, 0.0, 5.0])) == pytest.approx(5.0, abs=5e-3)
        ends = point + rng.normal(size=(40, 3)) * np.array([0.3, 0.3, 0.0])
        for end in ends:
            far = _from_below(model, data, end - np.array([0.0, 0.0, 5.0]))
            assert far == -1.0 or far >= 5.0 - 1e-6


def _from_below(model: mujoco.MjModel, data: mujoco.MjData, start: np.ndarray) -> float:
    """How far above a place the surface is; -1 when there is none."""
    return mujoco.mj_ray(model, data, start, np.array([0.0, 0.0, 1.0]), None, 1, -1, np.zeros(1, np.int32), None)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_row_of_hinges_finds_angles_for_what_it_can_do(count: int) -> None:
    rng = np.random.default_rng(count)
    fixed = rotations.normalize(rng.normal(size=(count + 1, 4)))
    axes = np.eye(3)[:count]
    row = HingeRow(fixed, axes, np.full(count, -1.4), np.full(count, 1.4))
    angles = np.cumsum(0.05 * rng.normal(size=(60, count)), axis=0)
    wanted, _ = row.turned(angles)
    found = solve_row(row, wanted, np.eye(3), np.ones(3))
    assert rotations.angle_between(row.turned(found)[0], wanted).max() < 1e-3
    assert np.abs(np.diff(found, axis=0)).max() < 0.5


def test_anatomical_frames_of_a_t_pose_are_the_identity() -> None:
    figure = character_figure(load_character("human"))
    assert rotations.angle_between(standing_frame(figure), rotations.IDENTITY) < 1e-9


def test_a_frame_turns_its_first_axis_exactly_and_its_second_as_near_as_can_be() -> None:
    rng = np.random.default_rng(0)
    first, second, first_t, second_t = rng.normal(size=(4, 50, 3))
    frame = frame_of(first, second, first_t, second_t)
    assert np.abs(rotations.normalize(rotations.rotate(frame, first_t)) - rotations.normalize(first)).max() < 1e-9
    turned = rotations.rotate(frame, second_t)
    assert np.all(np.abs(np.sum(np.cross(first, second) * turned, axis=1)) < 1e-9)


def test_elbows_and_knees_of_the_common_pose_bend_the_way_bodies_do() -> None:
    """A forearm comes forward, a shin goes back."""
    for side in ("left", "right"):
        bent = rotations.from_axis_angle(t_pose_hinge(f"{side}_lower_arm"), 1.0)
        assert rotations.rotate(bent, t_pose_direction(f"{side}_lower_arm"))[0] > 0.5
        bent = rotations.from_axis_angle(t_pose_hinge(f"{side}_shin"), 1.0)
        assert rotations.rotate(bent, t_pose_direction(f"{side}_shin"))[0] < -0.5


def _frames_of_a_walk() -> tuple[dict[str, np.ndarray], object]:
    clip = authored_clip("walk")
    figure = clip_figure(clip, dict(body_parts(clip.skeleton).joints))
    return anatomical_frames(figure, dict.fromkeys(figure.places, rotations.IDENTITY)), figure


@pytest.mark.parametrize("axis", [1, 2, 3])
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_feet_turned_over_are_turned_back(axis: int, share: float) -> None:
    frames, figure = _frames_of_a_walk()
    spoilt, until = dict(frames), int(share * len(frames["left_foot"]))
    over = np.tile(rotations.IDENTITY, (len(frames["left_foot"]), 1))
    over[:until] = np.eye(4)[axis]
    spoilt["left_foot"] = rotations.multiply(frames["left_foot"], over)
    back, shares = mended(spoilt, figure)
    assert rotations.angle_between(back["left_foot"], frames["left_foot"]).max() < 1e-6
    assert shares["left_foot"] == pytest.approx(until / len(over))


def test_legs_turned_over_are_told_by_knees_that_bend_forwards() -> None:
    frames, figure = _frames_of_a_walk()
    over = np.array([0.0, 0.0, 0.0, 1.0])
    spoilt = frames | {
        part: rotations.multiply(frames[part], over) for part in ("right_thigh", "right_shin", "right_foot")
    }
    back, shares = mended(spoilt, figure)
    for part in ("right_thigh", "right_shin", "right_foot"):
        assert rotations.angle_between(back[part], frames[part]).max() < 1e-6
        assert shares[part] == pytest.approx(1.0)


def test_what_is_sound_is_left_alone() -> None:
    frames, figure = _frames_of_a_walk()
    back, shares = mended(frames, figure)
    assert shares == {}
    assert all(np.array_equal(back[part], frames[part]) for part in frames)
    calm = without_jumps(frames, 60.0)
    assert all(np.array_equal(calm[part], frames[part]) for part in frames)


def test_jumps_no_body_can_do_are_led_over() -> None:
    turns = np.tile(rotations.IDENTITY, (60, 1))
    turns[30:] = rotations.exp(np.array([0.0, 0.0, 2.5]))
    calm = without_jumps({"head": turns}, 60.0)["head"]
    assert rotations.angle_between(calm[:-1], calm[1:]).max() < 1.0
    assert np.array_equal(calm[:25], turns[:25])
    assert np.array_equal(calm[40:], turns[40:])


def test_lifting_is_smooth_and_leaves_nothing_below_the_floor() -> None:
    rng = np.random.default_rng(0)
    heights = np.cumsum(0.01 * rng.normal(size=300))
    up = lift(heights, 50.0)
    assert (heights + up).min() >= -1e-12
    assert up.min() >= 0.0
    assert np.abs(np.diff(up)).max() < 0.03
    assert np.all(lift(np.full(50, 0.1), 50.0) == 0.0)


def test_interpolation_passes_through_the_frames_and_turns_evenly_between() -> None:
    rng = np.random.default_rng(0)
    turns = rotations.exp(np.cumsum(0.3 * rng.normal(size=(20, 3)), axis=0))
    frames = np.arange(20.0)
    assert rotations.angle_between(rotations_at(turns, frames), turns).max() < 1e-6
    steady = rotations.exp(np.outer(np.arange(20.0), [0.1, 0.2, 0.0]))
    half = rotations.exp(np.outer(np.arange(19.0) + 0.5, [0.1, 0.2, 0.0]))
    assert rotations.angle_between(rotations_at(steady, frames[:-1] + 0.5), half).max() < 1e-6
    places = rng.normal(size=(20, 3))
    assert np.abs(places_at(places, frames) - places).max() < 1e-12


def test_runs_and_neighbours_of_labelled_frames() -> None:
    labels = np.array([True, False, False, True, True, False])
    assert runs(labels) == [(0, 1), (3, 5)]
    before, after = neighbours(np.flatnonzero(labels), len(labels))
    assert before.tolist() == [0, 0, 0, 3, 4, 4]
    assert after.tolist() == [0, 3, 3, 3, 4, 4]
    assert nearest(np.flatnonzero(labels), len(labels)).tolist() == [0, 0, 3, 3, 4, 4]
