"""Segmentation: contact switches, extremes, and fragments that end on them."""

import numpy as np
import pytest
from motion_samples import PARTS, human_skeleton, wander

from understudy import anthropometry, rotations
from understudy.errors import ClipError
from understudy.motion import Clip, SegmentSettings, contact_labels, crop_frames, fragment_times, mirror, segment, turn
from understudy.motion.segmentation import centroid_extremes, spaced, swing_extremes

RATE_HZ = 100.0


def waving(angles_rad):
    """The neutral body standing, its left upper arm turned by angles_rad (T,) about the forward axis."""
    skeleton, count = human_skeleton(), len(angles_rad)
    turned = np.tile(rotations.IDENTITY, (count, len(skeleton), 1))
    arm = PARTS.index("left_upper_arm")
    turned[:, arm] = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), angles_rad)
    height_m = anthropometry.joint_places()["pelvis"][2]
    return Clip(skeleton, RATE_HZ, np.tile([0.0, 0.0, height_m], (count, 1)), turned)


def test_a_swinging_arm_is_cut_where_it_turns_back():
    # cos: extremes at 0.5 s (frame 50), 1 s, 1.5 s; the ends are at 0 s and 2 s
    points = segment(waving(0.8 * np.cos(2.0 * np.pi * np.arange(201) / RATE_HZ)))
    assert [(point.frame, point.kind) for point in points] == [
        (0, "end"),
        (50, "extreme"),
        (100, "extreme"),
        (150, "extreme"),
        (200, "end"),
    ]
    assert points[1].parts == ("left_arm",)


def test_a_trembling_arm_is_not_cut():
    draw = np.random.default_rng(0)
    points = segment(waving(draw.normal(0.0, 0.02, 300)))
    assert [point.kind for point in points] == ["end", "end"]


def test_a_wandering_centroid_is_cut_where_it_is_farthest_from_the_start_of_its_swing():
    # along a line: out to 1.0 at frame 10, back to 0.4 at frame 16, out to 2.0 at frame 32
    x = np.concatenate([np.arange(11) / 10, 1.0 - np.arange(1, 7) / 10, 0.4 + np.arange(1, 17) / 10])
    centroid = x[:, None] * [1.0, 0.0, 0.0]
    assert centroid_extremes(centroid, SegmentSettings(swing=0.5, turn_back=0.1)) == [10, 16]
    # the swing of 0.6 back is too small when 0.7 is asked for; the way out goes on to the end
    assert centroid_extremes(centroid, SegmentSettings(swing=0.7, turn_back=0.1)) == [10]


def test_a_swing_is_measured_in_lengths_of_the_limb_and_against_what_it_hangs_on():
    # a rod of two joints, turning back at frames 10, 20 and 30
    angles = np.interp(np.arange(41), [0, 10, 20, 30, 40], [-0.5, 0.5, -0.5, 0.5, -0.5])
    rod = np.stack([np.zeros((41, 3)), np.stack([np.sin(angles), 0.0 * angles, -np.cos(angles)], axis=1)], axis=1)
    still = np.tile(rotations.IDENTITY, (41, 1))
    assert swing_extremes(rod, still) == [10, 20, 30]
    assert swing_extremes(100.0 * rod + [5.0, 6.0, 7.0], still) == [10, 20, 30]
    with_it = rotations.from_axis_angle(np.array([0.0, -1.0, 0.0]), angles)
    assert swing_extremes(rod, with_it) == [], "what it hangs on swings as far"


def test_contact_switches_are_points_and_name_their_feet():
    clip = wander(seconds=4.0)
    contacts = contact_labels(clip)
    switches = {point.frame: point for point in segment(clip) if point.kind == "contact"}
    assert sorted(switches) == contacts.switches.tolist()
    for frame, point in switches.items():
        changed = contacts.labels[frame] != contacts.labels[frame - 1]
        assert point.parts == tuple(name for name, has in zip(contacts.names, changed, strict=True) if has)


def test_where_a_clip_is_cut_does_not_depend_on_its_place_or_side():
    clip = wander(seconds=5.0, seed=2)
    frames = [point.frame for point in segment(clip)]
    assert [point.frame for point in segment(turn(clip, 1.0))] == frames
    assert [point.frame for point in segment(mirror(clip))] == frames


@pytest.mark.parametrize("fragment_s", [0.06, 0.1, 0.15])
@pytest.mark.parametrize("seed", range(4))
def test_fragments_last_between_half_and_twice_what_was_asked_and_hit_the_points(seed, fragment_s):
    clip = wander(seconds=5.0, seed=seed, rate_hz=120.0)
    times = fragment_times(clip, fragment_s)
    lengths = np.diff(times)
    assert times[0] == 0.0
    assert times[-1] == pytest.approx(clip.duration_s)
    assert np.all(lengths >= 0.5 * fragment_s - 1e-6)
    assert np.all(lengths <= 2.0 * fragment_s)
    for point in segment(clip):
        nearest = np.abs(times - point.frame / clip.rate_hz).min()
        assert nearest < 0.5 * fragment_s  # left out only when another point is that near


def test_fragments_are_laid_evenly_between_points_the_important_first():
    # ends 0 and 1; a switch at 0.33; an extreme at 0.36 is nearer than 0.05 and left out; one at 0.6 is kept.
    # 0 to 0.33: round(3.3) = 3 fragments of 0.11; to 0.6: round(2.7) = 3 of 0.09; to 1: 4 of 0.1.
    times = spaced([0.0, 1.0, 0.33, 0.36, 0.6], 0.1)
    assert np.allclose(times, [0.0, 0.11, 0.22, 0.33, 0.42, 0.51, 0.6, 0.7, 0.8, 0.9, 1.0])


@pytest.mark.parametrize("seed", range(20))
def test_any_points_can_be_spaced(seed):
    draw = np.random.default_rng(seed)
    end = draw.uniform(0.05, 4.0)
    times = spaced([0.0, end, *draw.uniform(0.0, end, 30)], 0.1)
    assert np.all(np.diff(times) >= 0.05 - 1e-8)
    assert np.all(np.diff(times) <= 0.2)


def test_what_is_too_short_for_a_fragment_is_refused():
    with pytest.raises(ClipError, match=r"too short for a fragment of 0\.05 s"):
        fragment_times(crop_frames(wander(), 0, 1))
    with pytest.raises(ClipError, match="more than 0 s, not -1"):
        fragment_times(wander(), -1.0)
