"""Laws of the fitting of clips to characters."""

from functools import cache

import mujoco
import numpy as np
import pytest
from rigs import along_x, with_random_frames, without

from understudy import rotations
from understudy.character import (
    Character,
    Fit,
    FitSettings,
    body_poses,
    character_from_clip,
    fit,
    load_character,
)
from understudy.errors import CharacterError
from understudy.motion import Clip, authored_clip, crop, move, scale, turn

AS_IT_IS = FitSettings(keep_contacts=False, above_floor=False, floor_m=0.0)


@cache
def human() -> Character:
    return load_character("human")


@cache
def fitted(name: str, who: str = "human") -> Fit:
    return fit(authored_clip(name), load_character(who))


def _apart_mm(result: Fit, clip: Clip) -> np.ndarray:
    """(T, N) how far the matched bodies are from the clip's joints; parts whose bodies begin elsewhere left out."""
    character = result.reference.character
    pairs = [
        (character.body_index(match.body), clip.skeleton.index(match.joint))
        for match in result.report.matched
        if match.part not in ("chest", "head")
    ]
    bodies = result.reference.bodies.positions_w[:, [body for body, _ in pairs]]
    return 1000.0 * np.linalg.norm(bodies - clip.joint_positions_w[:, [joint for _, joint in pairs]], axis=-1)


@pytest.mark.parametrize("name", ["stand", "walk", "kick"])
def test_a_clip_of_the_same_proportions_is_reproduced_within_millimetres(name: str) -> None:
    clip = authored_clip(name)
    result = fit(clip, human(), FitSettings(60.0, keep_contacts=False, above_floor=False, floor_m=0.0))
    assert result.report.scale == pytest.approx(1.0, abs=1e-3)
    apart = _apart_mm(result, clip)
    assert apart.max() < 5.0
    assert apart.mean() < 0.5


@pytest.mark.parametrize("angle", [0.7, np.pi, -2.0])
def test_fitting_turns_and_moves_with_the_clip(angle: float) -> None:
    clip = crop(authored_clip("walk"), 0.5, 1.5)
    moved = turn(move(clip, np.array([3.0, -2.0, 0.0])), angle)
    one, other = fit(clip, human()).reference.qpos, fit(moved, human()).reference.qpos
    spin = rotations.about_z(angle)
    assert np.abs(one[:, 7:] - other[:, 7:]).max() < 1e-6
    assert np.abs(rotations.multiply(spin, one[:, 3:7]) - other[:, 3:7]).max() < 1e-6
    steps = rotations.rotate(spin, np.diff(one[:, :3], axis=0))
    assert np.abs(steps - np.diff(other[:, :3], axis=0)).max() < 1e-6


def test_fitting_does_not_depend_on_the_clip_s_size() -> None:
    clip = crop(authored_clip("kick"), 0.5, 1.5)
    one, other = fit(clip, human()), fit(scale(clip, 0.4), human())
    assert other.report.scale == pytest.approx(one.report.scale / 0.4)
    assert np.abs(one.reference.qpos[:, 2:] - other.reference.qpos[:, 2:]).max() < 1e-6


def test_a_character_made_from_the_clip_reproduces_its_joints() -> None:
    clip = crop(authored_clip("cartwheel"), 1.0, 2.0)
    result = fit(
        clip, character_from_clip(clip), FitSettings(60.0, keep_contacts=False, above_floor=False, floor_m=0.0)
    )
    assert result.report.told_by == "same skeleton"
    assert _apart_mm(result, clip).max() < 1e-3


def test_joint_frames_may_be_turned_anyhow_as_long_as_the_rest_pose_stands() -> None:
    """Frames are told by the rest pose: turning all of it (as for y up) changes nothing."""
    clip = crop(authored_clip("kick"), 0.5, 1.5)
    tilted = rotations.exp(np.array([0.0, 0.0, 0.5 * np.pi]))
    skeleton = clip.skeleton
    other = Clip(
        type(skeleton)(
            skeleton.names,
            skeleton.parents,
            rotations.rotate(tilted, skeleton.offsets),
            skeleton.end_parents,
            rotations.rotate(tilted, skeleton.end_offsets),
        ),
        clip.rate_hz,
        clip.root_positions,
        rotations.multiply(
            rotations.multiply(
                np.where(np.arange(len(skeleton))[:, None] == 0, rotations.IDENTITY, tilted), clip.rotations
            ),
            rotations.conjugate(tilted),
        ),
    )
    assert np.abs(other.joint_positions_w - clip.joint_positions_w).max() < 1e-9
    one, two = fit(clip, human(), AS_IT_IS).reference, fit(other, human(), AS_IT_IS).reference
    assert np.abs(one.qpos - two.qpos).max() < 1e-6


def test_a_rig_with_all_bones_along_one_axis_is_fitted_by_its_motion() -> None:
    """As LAFAN1's and Rokoko's: the rest pose is no stance, and yet the limbs go where they should."""
    clip = authored_clip("walk")
    straight = fit(clip, human(), AS_IT_IS)
    rig = fit(along_x(clip), human(), AS_IT_IS)
    assert straight.report.posed_by == "rest pose"
    assert rig.report.posed_by == "motion"
    for part, most_deg in {
        "thigh": 6.0,
        "shin": 6.0,
        "upper_arm": 6.0,
        "lower_arm": 6.0,
        "foot": 15.0,
        "hand": 30.0,
    }.items():
        for side in ("left", "right"):
            body = human().body_index(human().roles[f"{side}_{part}"])
            off = rotations.angle_between(
                straight.reference.bodies.rotations_w[:, body], rig.reference.bodies.rotations_w[:, body]
            )
            assert np.degrees(off).max() < most_deg, (side, part)


def test_knees_and_elbows_tell_where_a_rig_s_frames_say_nothing() -> None:
    """Frames turned at random, joint by joint: no rest pose and no common axis, only motion to go by."""
    clip = authored_clip("walk")
    straight = fit(clip, human(), AS_IT_IS).reference.bodies
    other = fit(with_random_frames(clip, np.random.default_rng(3)), human(), AS_IT_IS)
    assert other.report.posed_by == "motion"
    for part in ("left_shin", "right_shin", "left_foot", "right_foot", "left_lower_arm", "right_hand"):
        body = human().body_index(part)
        apart = np.linalg.norm(straight.positions_w[:, body] - other.reference.bodies.positions_w[:, body], axis=1)
        assert apart.max() < 0.06, part


@pytest.mark.parametrize("name", ["walk", "run", "turn_left"])
def test_feet_that_rest_do_not_slide_and_sliding_does_not_grow(name: str) -> None:
    floor = fitted(name).report.floor
    assert floor.foot_slide_mm_s < 5.0
    assert floor.worst_penetration_mm < 2.0
    assert floor.floating_mm < 2.0
    assert fitted(name).report.floor_before.foot_slide_mm_s > floor.foot_slide_mm_s


@pytest.mark.parametrize("name", ["forward_roll", "cartwheel", "get_up_back"])
def test_nothing_sinks_into_the_floor_when_bodies_lie_and_hands_bear_weight(name: str) -> None:
    assert fitted(name).report.floor.worst_penetration_mm < 5.0


@pytest.mark.parametrize("who", ["human", "humanoid29", "athlete33"])
def test_joint_limits_are_kept(who: str) -> None:
    reference = fitted("cartwheel", who).reference
    model = reference.character.model
    for joint in np.flatnonzero(model.jnt_limited):
        low, high = model.jnt_range[joint]
        values = reference.qpos[:, model.jnt_qposadr[joint]]
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE:
            assert low - 1e-9 <= values.min() <= values.max() <= high + 1e-9, model.joint(joint).name


def test_velocities_lead_from_the_tick_before_to_the_tick_after() -> None:
    reference = fitted("cartwheel").reference
    model = reference.character.model
    for t in range(1, reference.tick_count - 1, 7):
        position = np.array(reference.qpos[t - 1])
        mujoco.mj_integratePos(model, position, reference.qvel[t], 2.0 / reference.rate_hz)
        ends = body_poses(model, np.stack([position, reference.qpos[t + 1]])).positions_w
        assert np.abs(ends[0] - ends[1]).max() < 1e-9


def test_positions_have_no_jumps_and_unit_quaternions() -> None:
    reference = fitted("get_up_back").reference
    assert np.abs(np.linalg.norm(reference.qpos[:, 3:7], axis=1) - 1.0).max() < 1e-9
    assert np.abs(np.diff(reference.qpos, axis=0)).max() < 0.5


def test_the_floor_is_found_wherever_the_clip_stands() -> None:
    clip = crop(authored_clip("walk"), 0.0, 1.5)
    raised = fit(move(clip, np.array([0.0, 0.0, 0.3])), human())
    assert raised.report.floor_m == pytest.approx(fit(clip, human()).report.floor_m + 0.3, abs=1e-6)
    told = fit(clip, human(), FitSettings(floor_m=0.05, keep_contacts=False, above_floor=False))
    as_is = fit(clip, human(), AS_IT_IS)
    assert np.allclose(told.reference.qpos[:, 2], as_is.reference.qpos[:, 2] - 0.05)


def test_joints_without_a_part_are_told() -> None:
    clip = authored_clip("stand")
    report = fit(clip, load_character("robot")).report
    assert "left_clavicle" in report.dropped
    assert len(report.matched) + len(report.dropped) == len(clip.skeleton)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_joints_a_clip_lacks_it_fits_or_says_what_is_missing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clip = crop(authored_clip("cartwheel"), 1.5, 1.55)
    gone = set(rng.choice(len(clip.skeleton), 4, replace=False).tolist())
    lacking = without(clip, gone)
    lacking = [lacking, along_x(lacking), with_random_frames(lacking, rng)][seed % 3]
    try:
        reference = fit(lacking, load_character(("human", "robot", "athlete33")[seed % 3])).reference
    except CharacterError as problem:
        assert "can't tell" in str(problem) or "tells nothing" in str(problem)  # noqa: PT017
    else:
        assert np.isfinite(reference.qpos).all()


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    fit(crop(authored_clip("walk"), 0.0, 0.5), human(), progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]


def test_a_clip_of_one_frame_is_fitted() -> None:
    result = fit(crop(authored_clip("stand"), 0.0, 0.0), human())
    assert result.reference.tick_count == 1
    assert np.all(result.reference.qvel == 0.0)


def test_ticks_come_at_the_character_s_rate_unless_another_is_asked_for() -> None:
    clip = authored_clip("stand")
    assert fit(clip, human(), AS_IT_IS).reference.rate_hz == pytest.approx(1.0 / human().physics.tick_s)
    slow = fit(clip, human(), FitSettings(10.0, keep_contacts=False, above_floor=False)).reference
    assert slow.tick_count == int(clip.duration_s * 10.0) + 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rate_hz": 0.0}, "rate_hz must be above 0"),
        ({"scale": -1.0}, "scale must"),
        ({"floor_m": np.nan}, "floor_m must"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(CharacterError, match=message):
        FitSettings(**wrong)


def test_the_report_reads_as_lines_and_stands_in_the_reference() -> None:
    result = fitted("walk")
    text = str(result.report)
    assert "matched by names: pelvis, chest -> trunk, head" in text
    assert "below the floor by at most" in text
    assert result.reference.notes == tuple(text.splitlines())
