"""Comparing any two motions: bodies by name and by part, rates, lengths, and what is told."""

from dataclasses import replace

import numpy as np
import pytest
from motion_samples import human_skeleton, wander

from understudy import rotations
from understudy.character import Character, CharacterJoint, Reference
from understudy.cost import Track, compare, match, table, track_of, track_of_clip, track_of_qpos, track_of_rollout
from understudy.errors import CostError
from understudy.motion import crop, low_pass, move, resample, turn
from understudy.simulation import PoseController, Scene, World, simulate

BIOVISION = {
    "pelvis": "Hips",
    "spine": "ToSpine",
    "chest": "Chest",
    "neck": "Neck",
    "head": "Head",
    **{
        f"{side}_{part}": f"{side.title()}{name}"
        for side in ("left", "right")
        for part, name in {
            "clavicle": "Collar",
            "upper_arm": "Shoulder",
            "lower_arm": "Elbow",
            "hand": "Wrist",
            "thigh": "Hip",
            "shin": "Knee",
            "foot": "Ankle",
            "toes": "Toe",
        }.items()
    },
}

DOLL = """
<mujoco>
  <worldbody>
    <body name="pelvis" pos="0 0 1">
      <freejoint/>
      <geom size=".1"/>
      <body name="head" pos="0 0 .5"><joint name="neck" type="ball"/><geom size=".1"/></body>
    </body>
  </worldbody>
  <actuator><orientation name="neck" joint="neck" kp="10" kv="1" input="quat"/></actuator>
</mujoco>
"""
NECK = CharacterJoint("neck", "head", ("neck",), 10.0, 1.0, np.ones(3), np.ones(3))
DOLL_CHARACTER = Character("doll", "made up", DOLL, (NECK,), {"pelvis": "pelvis", "head": "head"}, ())


def test_a_clip_compared_with_itself_succeeds_without_error():
    result = compare(track_of(wander()), track_of(wander()))
    assert result.success
    assert result.strict
    assert result.failure == ""
    assert (result.global_mm, result.local_mm, result.acceleration_mm) == (0.0, 0.0, 0.0)
    assert result.bodies == human_skeleton().names
    assert (result.by, result.rate_hz, result.frame_count, result.notes) == ("name", 60.0, 121, ())


def test_a_shifted_clip_has_the_error_of_its_shift():
    result = compare(track_of(move(wander(), (0.0, 0.1, 0.0))), track_of(wander()))
    assert result.success
    assert result.global_mm == pytest.approx(100.0)
    assert result.local_mm == pytest.approx(0.0, abs=1e-9)
    result = compare(track_of(move(wander(), (0.0, 0.6, 0.0))), track_of(wander()))
    assert (result.success, result.strict) == (False, False)
    assert result.failure == "bodies 0.60 m off on average at 0.00 s"


def test_bodies_of_other_names_are_matched_by_the_parts_they_are():
    clip = wander()
    renamed = clip.with_(skeleton=human_skeleton([BIOVISION[name] for name in clip.skeleton.names]), name="biovision")
    result = compare(track_of(renamed), track_of(clip))
    assert result.by == "body part"
    assert result.bodies == clip.skeleton.names
    assert result.global_mm == 0.0
    assert result.success
    assert result.strict is None  # roots of other conventions have other axes


def test_names_in_another_order_are_matched_all_the_same():
    ours = track_of(wander())
    order = np.random.default_rng(0).permutation(len(ours.names))
    shuffled = Track(
        tuple(ours.names[i] for i in order),
        ours.positions_w[:, order],
        ours.rate_hz,
        int(np.argmin(order)),
        ours.rotations_w[:, order],
    )
    result = compare(shuffled, ours)
    assert result.global_mm == 0.0
    assert result.strict


def test_tilts_are_not_compared_between_roots_with_other_axes():
    ours = track_of(wander())
    other_axes = rotations.multiply(ours.rotations_w, rotations.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2))
    result = compare(replace(ours, rotations_w=other_axes), ours)
    assert result.success
    assert result.strict is None


def test_of_two_rates_the_lower_is_taken_and_told():
    clip = wander(rate_hz=120.0)
    result = compare(track_of(clip), track_of(resample(clip, 30.0)))
    assert result.rate_hz == 30.0
    assert result.global_mm == pytest.approx(0.0, abs=1e-9)
    assert result.notes == ("wander0 resampled from 120 Hz to 30 Hz",)


def test_below_30_hz_the_acceleration_error_comes_with_a_warning():
    clip = resample(wander(), 20.0)
    assert any("E_acc is of 20 Hz" in note for note in compare(track_of(clip), track_of(clip)).notes)


def test_what_goes_past_the_end_of_the_reference_is_left_out():
    result = compare(track_of(wander()), track_of(crop(wander(), 0.0, 1.5)))
    assert result.success
    assert result.frame_count == 91
    assert result.notes == ("the last 0.50 s of wander0 left out, the other is shorter",)


def test_a_motion_that_ends_before_its_reference_is_no_success():
    fallen = replace(track_of(crop(wander(), 0.0, 1.5)), unfinished="fell")
    result = compare(fallen, track_of(wander()))
    assert result.global_mm == 0.0
    assert (result.success, result.strict) == (False, False)
    assert result.failure == "it ends 0.50 s early (fell)"


def test_only_what_both_have_is_compared_and_the_rest_is_told():
    ours = track_of(wander())
    few = Track(ours.names[:5], ours.positions_w[:, :5], 60.0, 0, None, name="few")
    result = compare(few, ours)
    assert result.bodies == ours.names[:5]
    not_strict = "no strict success is told, as the roots' own axes differ or are not known"
    assert result.notes == ("16 of the 21 bodies of wander0 have no counterpart", not_strict)
    assert compare(ours, few).notes == (not_strict,)


def test_motions_without_common_bodies_are_refused():
    other = Track(("x", "y"), np.zeros((3, 2, 3)), 30.0, name="other")
    with pytest.raises(CostError, match="no bodies in common, by name or by body part: x, y and pelvis, spine"):
        compare(other, track_of(wander()))


def test_a_match_is_of_the_same_bodies_in_the_same_frames():
    clip = wander(rate_hz=90.0)
    pair = match(track_of(crop(clip, 0.0, 1.0)), track_of(resample(clip, 60.0)))
    assert pair.motion.names == pair.reference.names
    assert pair.motion.positions_w.shape == pair.reference.positions_w.shape
    assert pair.motion.rate_hz == pair.reference.rate_hz == 60.0
    assert pair.missing_s == pytest.approx(1.0)


def test_the_table_shows_figures_bodies_and_rate():
    clip = wander()
    good = compare(replace(track_of(move(clip, (0.1, 0.0, 0.0))), name="shifted"), track_of(clip))
    bad = compare(replace(track_of(turn(clip, 2.0)), name="turned"), track_of(clip))
    lines = table([good, bad]).splitlines()
    assert " ".join(lines[0].split()) == "motion reference success strict E_g mm E_l mm E_acc mm/frame^2"
    assert lines[1].split() == ["shifted", "wander0", "yes", "yes", "100.0", "0.0", "0.0"]
    assert lines[2].split()[:4] == ["turned", "wander0", "no", "no"]
    basis = "121 frames at 60 Hz, E_acc at 30 Hz; 21 bodies matched by name: pelvis, spine, chest"
    assert [line for line in lines if line.startswith(basis)] == [lines[3]]  # once for both
    assert lines[4].startswith("turned against wander0 fails: bodies ")
    assert str(good) == table([good])


def test_smoothing_lowers_no_error_but_the_smoothed_away_one():
    # a filtered clip is near to the clip, and its error is in every metric
    clip = wander()
    result = compare(track_of(low_pass(clip, 3.0)), track_of(clip))
    assert 0.0 < result.global_mm < 50.0
    assert result.strict


def test_tracks_of_models_follow_their_kinematics():
    qpos = np.tile([1.0, 2.0, 3.0, *rotations.IDENTITY, *rotations.IDENTITY], (3, 1))
    reference = Reference(DOLL_CHARACTER, 50.0, qpos, np.zeros((3, 9)))
    for track in (track_of_qpos(DOLL_CHARACTER.model, qpos, 50.0), track_of(reference)):
        assert track.names == ("pelvis", "head")
        assert np.allclose(track.positions_w, [[1.0, 2.0, 3.0], [1.0, 2.0, 3.5]])
        assert track.roles["pelvis"] == 0


def test_a_clips_root_is_its_pelvis():
    skeleton = human_skeleton()
    assert track_of_clip(wander(skeleton=skeleton)).root == skeleton.index("pelvis")


def doll_rollout(count):
    """A doll without servos, or several side by side, let fall for five ticks of 0.02 s."""
    world = World(Scene(), [DOLL_CHARACTER] * count)
    return simulate(world, PoseController(np.tile(rotations.IDENTITY, count)), 5)


def test_a_rollout_has_the_bodies_of_its_character_at_its_ticks():
    rollout = doll_rollout(1)
    track = track_of(rollout)
    assert (track.names, track.rate_hz, track.frame_count, track.name) == (("pelvis", "head"), 50.0, 6, "doll")
    # free fall from 1 m for 0.1 s: 0.05 m
    assert track.positions_w[-1, 0, 2] == pytest.approx(1.0 - 0.5 * 9.81 * 0.1**2, abs=0.005)
    standing = Reference(DOLL_CHARACTER, 50.0, np.tile(DOLL_CHARACTER.model.qpos0, (6, 1)), np.zeros((6, 9)))
    result = compare(track, track_of(standing))
    assert (result.success, result.strict, result.by) == (True, True, "name")
    assert result.local_mm == pytest.approx(0.0, abs=1e-3)


def test_each_of_several_characters_has_its_own_track_under_its_own_names():
    rollout = doll_rollout(2)
    tracks = [track_of_rollout(rollout, character) for character in range(2)]
    assert tracks[0].names == tracks[1].names == ("pelvis", "head")
    assert np.allclose(tracks[0].positions_w[:, 0], rollout.qpos[:, :3])
    assert np.allclose(tracks[1].positions_w[:, 0], rollout.qpos[:, 11:14])
    with pytest.raises(CostError, match="has 2 characters, counted from 0; there is no character 2"):
        track_of_rollout(rollout, 2)


def test_a_rollout_that_ended_early_says_so():
    rollout = replace(doll_rollout(1), outcome="diverged at tick 5")
    result = compare(track_of(rollout), track_of(rollout))
    assert not result.success
    assert result.failure == "diverged at tick 5"
