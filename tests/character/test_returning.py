"""Laws of the way back: from what a character performed to a clip of the recorded skeleton."""

import dataclasses
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from rigs import along_x, without

from understudy import rotations
from understudy.character import (
    Fit,
    FitSettings,
    character_from_clip,
    fit,
    load_character,
    returned_clip,
)
from understudy.errors import CharacterError
from understudy.motion import Clip, authored_clip, crop, crop_frames, load_clip, write_clip

AS_IT_IS = FitSettings(60.0, keep_contacts=False, above_floor=False, floor_m=0.0)


@cache
def walk() -> Clip:
    return crop(authored_clip("walk"), 0.5, 2.0)


@cache
def fitted(who: str = "human") -> Fit:
    return fit(walk(), load_character(who))


def _again(clip: Clip, result: Fit) -> Clip:
    """What the Reference itself is as a clip."""
    return returned_clip(clip, result.reference, result.reference.qpos, result.reference.rate_hz)


def _apart_mm(one: Clip, other: Clip) -> np.ndarray:
    """(T, J) how far joints are apart."""
    return 1000.0 * np.linalg.norm(one.joint_positions_w - other.joint_positions_w, axis=-1)


def _turned(qpos: np.ndarray, angle: float) -> np.ndarray:
    """Positions turned about the vertical through the origin."""
    spin, result = rotations.about_z(angle), np.array(qpos)
    result[:, :3] = rotations.rotate(spin, qpos[:, :3])
    result[:, 3:7] = rotations.multiply(spin, qpos[:, 3:7])
    return result


def _with_other_legs(clip: Clip) -> Clip:
    """The clip on legs that are farther apart, with shorter thighs and longer shins."""
    skeleton = clip.skeleton
    offsets = np.array(skeleton.offsets)
    for part, factor in {"thigh": 1.4, "shin": 0.85, "foot": 1.15}.items():
        offsets[[skeleton.index(f"{side}_{part}") for side in ("left", "right")]] *= factor
    return clip.with_(skeleton=dataclasses.replace(skeleton, offsets=offsets))


@pytest.mark.parametrize(("who", "mean_mm", "worst_mm"), [("human", 20.0, 90.0), ("human45", 15.0, 70.0)])
def test_the_reference_itself_comes_back_as_the_clip_but_for_what_the_fitting_mended(
    who: str, mean_mm: float, worst_mm: float
) -> None:
    apart = _apart_mm(_again(walk(), fitted(who)), walk())
    assert apart.mean() < mean_mm
    assert apart.max() < worst_mm


def test_a_clip_the_fitting_had_nothing_to_mend_in_comes_back_within_a_millimetre() -> None:
    clip = authored_clip("stand")
    assert _apart_mm(_again(clip, fit(clip, load_character("human"))), clip).max() < 1.0


@pytest.mark.parametrize("who", ["human45", "robot", "athlete33", "won57"])
def test_other_characters_poses_come_back_in_the_clip_s_skeleton_and_rate(who: str) -> None:
    shown = _again(walk(), fitted(who))
    assert shown.skeleton is walk().skeleton
    assert shown.rate_hz == walk().rate_hz
    assert abs(shown.frame_count - walk().frame_count) <= 1
    frames = slice(0, shown.frame_count)
    hips = walk().root_positions[frames] - shown.root_positions
    assert np.linalg.norm(hips, axis=1).max() < 0.08


@pytest.mark.parametrize("name", ["cartwheel", "get_up_back"])
def test_a_character_of_the_clip_s_own_skeleton_gives_back_exactly_what_it_performed(name: str) -> None:
    clip = crop(authored_clip(name), 1.0, 2.0)
    reference = fit(clip, character_from_clip(clip), AS_IT_IS).reference
    assert _apart_mm(returned_clip(clip, reference, reference.qpos, 60.0, AS_IT_IS), clip).max() < 1e-6
    elsewhere = _turned(reference.qpos, 0.5)
    shown = returned_clip(clip, reference, elsewhere, 60.0, AS_IT_IS)
    places = rotations.rotate(rotations.about_z(0.5), clip.joint_positions_w)
    assert np.abs(shown.joint_positions_w - places).max() < 1e-9


@pytest.mark.parametrize("angle", [0.7, np.pi, -2.0])
def test_turning_and_moving_the_performance_turns_and_moves_the_clip(angle: float) -> None:
    reference, way = fitted().reference, np.array([3.0, -2.0, 0.0])
    qpos = _turned(reference.qpos, angle)
    qpos[:, :3] += way
    one, other = _again(walk(), fitted()), returned_clip(walk(), reference, qpos, reference.rate_hz)
    spin = rotations.about_z(angle)
    assert np.abs(one.rotations[:, 1:] - other.rotations[:, 1:]).max() < 1e-6
    off = other.joint_positions_w - rotations.rotate(spin, one.joint_positions_w)
    assert np.abs(off - off[0, 0]).max() < 1e-6
    assert abs(off[0, 0, 2]) < 1e-9


def test_a_performance_half_as_long_gives_half_the_frames_and_a_longer_one_more() -> None:
    reference = fitted().reference
    half = reference.tick_count // 2
    whole = _again(walk(), fitted())
    shorter = returned_clip(walk(), reference, reference.qpos[: half + 1], reference.rate_hz)
    assert shorter.frame_count == int(half / reference.rate_hz * walk().rate_hz + 1e-6) + 1
    assert _apart_mm(shorter, crop_frames(whole, 0, shorter.frame_count - 1)).mean() < 5.0
    longer = np.concatenate([reference.qpos, np.repeat(reference.qpos[-1:], 50, axis=0)])
    stays = returned_clip(walk(), reference, longer, reference.rate_hz)
    assert stays.duration_s == pytest.approx(reference.duration_s + 50 / reference.rate_hz, abs=1 / walk().rate_hz)
    assert _apart_mm(crop_frames(stays, 149, 150), crop_frames(stays, 130, 131)).max() < 1.0


def test_one_tick_gives_one_frame() -> None:
    reference = fitted().reference
    shown = returned_clip(walk(), reference, reference.qpos[:1], reference.rate_hz)
    assert shown.frame_count == 1
    assert _apart_mm(shown, crop_frames(walk(), 0, 0)).mean() < 30.0


def test_feet_that_stand_still_in_the_performance_stand_still_though_the_clip_s_legs_are_divided_otherwise() -> None:
    clip = _with_other_legs(crop(authored_clip("stand"), 0.0, 2.0))
    result = fit(clip, load_character("human"))
    sway = np.sin(np.pi * clip.times_s)[:, None] * np.array([0.05, 0.03, 0.0])
    swaying = clip.with_(root_positions=clip.root_positions + sway - np.array([0.0, 0.0, 0.06]))
    performed = fit(swaying, load_character("human"), FitSettings(scale=result.report.scale)).reference
    shown = returned_clip(clip, result.reference, performed.qpos, performed.rate_hz)
    assert np.ptp(shown.root_positions[:, 0]) > 0.09
    for name in ("left_foot", "right_foot"):
        foot = performed.bodies.positions_w[:, performed.character.body_index(name)] / result.report.scale
        ankle = shown.joint_positions_w[:, clip.skeleton.index(name)]
        assert np.all(np.ptp(ankle, axis=0) < np.ptp(foot, axis=0) + 0.001), name


def test_a_performance_that_sinks_into_the_floor_is_lifted_onto_it() -> None:
    reference = fitted().reference
    sunk = reference.qpos - np.array([0.0, 0.0, 0.04, *np.zeros(reference.qpos.shape[1] - 3)])
    shown = returned_clip(walk(), reference, sunk, reference.rate_hz)
    before = min(walk().joint_positions_w[..., 2].min(), walk().end_positions_w[..., 2].min())
    assert min(shown.joint_positions_w[..., 2].min(), shown.end_positions_w[..., 2].min()) > before - 0.005


def test_joints_the_character_has_no_part_for_are_turned_to_their_parents_as_in_the_clip() -> None:
    shown = _again(walk(), fitted("robot"))
    frames = slice(0, shown.frame_count)
    for name in ("left_clavicle", "right_clavicle"):
        joint = walk().skeleton.index(name)
        assert np.abs(shown.rotations[:, joint] - walk().rotations[frames, joint]).max() < 1e-9


@pytest.mark.parametrize(
    "gone",
    [("clavicle", "upper_arm", "lower_arm", "hand"), ("foot", "toes"), ("toes",)],
)
def test_clips_without_arms_feet_or_toes_come_back(gone: tuple[str, ...]) -> None:
    names = walk().skeleton.names
    clip = without(walk(), {j for j, name in enumerate(names) if name.split("_", 1)[-1] in gone})
    assert _apart_mm(_again(clip, fit(clip, load_character("human"))), clip).mean() < 25.0


def test_joint_frames_may_lie_anyhow() -> None:
    clip = along_x(walk())
    assert _apart_mm(_again(clip, fit(clip, load_character("human"))), clip).mean() < 25.0


def test_the_clip_that_is_written_has_the_recording_s_names_hierarchy_and_rate(tmp_path: Path) -> None:
    write_clip(_again(walk(), fitted()), tmp_path / "performance.bvh")
    again = load_clip(tmp_path / "performance.bvh")
    assert again.skeleton.names == walk().skeleton.names
    assert np.array_equal(again.skeleton.parents, walk().skeleton.parents)
    assert np.abs(again.skeleton.offsets[1:] - walk().skeleton.offsets[1:]).max() < 1e-6
    assert again.rate_hz == pytest.approx(walk().rate_hz)


def test_neither_the_clip_nor_the_positions_are_changed() -> None:
    reference = fitted().reference
    qpos = np.array(reference.qpos)
    before = np.array(walk().rotations)
    returned_clip(walk(), reference, qpos, reference.rate_hz)
    assert np.array_equal(qpos, reference.qpos)
    assert np.array_equal(walk().rotations, before)


def test_what_does_not_belong_together_is_told() -> None:
    reference = fitted().reference
    qpos, rate_hz = reference.qpos, reference.rate_hz
    with pytest.raises(CharacterError, match=r"performed by 'human' must be \(T, 65\) for one tick or more, not"):
        returned_clip(walk(), reference, qpos[:, 1:], rate_hz)
    with pytest.raises(CharacterError, match="one tick or more"):
        returned_clip(walk(), reference, qpos[:0], rate_hz)
    broken = np.array(qpos)
    broken[7, 3] = np.nan
    with pytest.raises(CharacterError, match="tick 7 of the performance holds a value that is not a number"):
        returned_clip(walk(), reference, broken, rate_hz)
    with pytest.raises(CharacterError, match="a rate above 0 Hz, not -50"):
        returned_clip(walk(), reference, qpos, -50.0)
    with pytest.raises(CharacterError, match="1e-09 Hz are"):
        returned_clip(walk(), reference, qpos, 1e-9)
    with pytest.raises(CharacterError, match=r"lasts 1\.50 s and clip 'walk' 1\.00 s: it was not fitted to this clip"):
        returned_clip(crop(walk(), 0.0, 1.0), reference, qpos, rate_hz)


@pytest.mark.parametrize(
    ("name", "who", "most_mm"),
    [
        ("cmu_bvh/07_01.bvh", "human", 40.0),
        ("cmu_bvh/49_06.bvh", "human", 60.0),
        ("deepmimic/humanoid3d_walk.txt", "human", 20.0),
        ("misc/bandai_namco/dataset-1_walk_old_001.bvh", "human", 20.0),
        ("misc/makehuman/walk1.bvh", "human", 10.0),
        ("lafan1/dance1_subject2_first10frames.bvh", "human", 10.0),
        ("deepmimic/dog3d_trot.txt", "cheetah", 90.0),
    ],
)
def test_a_real_clip_comes_back_from_its_reference(mocap: Path, name: str, who: str, most_mm: float) -> None:
    clip = load_clip(mocap / name)
    clip = crop(clip, 0.0, min(clip.duration_s, 2.5))
    shown = _again(clip, fit(clip, load_character(who)))
    frames = crop_frames(clip, 0, shown.frame_count - 1)
    assert _apart_mm(shown, frames).mean() < most_mm
