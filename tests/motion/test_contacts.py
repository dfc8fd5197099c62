"""Contact labels: steps worked by hand, hysteresis, and what real clips show."""

from itertools import pairwise

import numpy as np
import pytest
from motion_samples import PARTS, human_skeleton, wander

from understudy import anthropometry, rotations
from understudy.errors import ClipError, UnknownNameError
from understudy.motion import Clip, Contacts, ContactSettings, Skeleton, contact_labels, load_clip, mirror, scale
from understudy.motion.contacts import hysteresis, without_short

RATE_HZ = 100.0
HIP_M = anthropometry.joint_places()["pelvis"][2]


def hopping(heights_m):
    """The neutral body, upright, with its soles at the heights (T,) over the floor."""
    skeleton, count = human_skeleton(), len(heights_m)
    way = np.stack([np.zeros(count), np.zeros(count), HIP_M + np.asarray(heights_m)], axis=1)
    return Clip(skeleton, RATE_HZ, way, np.tile(rotations.IDENTITY, (count, len(skeleton), 1)))


def test_standing_feet_touch_and_hanging_hands_do_not():
    contacts = contact_labels(hopping(np.zeros(50)))
    assert contacts.names == ("left_foot", "right_foot", "left_hand", "right_hand")
    assert contacts.labels[:, :2].all()
    assert not contacts.labels[:, 2:].any()
    assert len(contacts.switches) == 0


def test_a_jump_is_two_switches_where_height_and_speed_say():
    # Up at a constant 1 m/s from frame 50, 0.2 m high at frame 70, down again to frame 90. Speeds are differences over
    # two frames either side: at frame 51 three of the four steps are in the air, 0.75 m/s, at 52 all, 1 m/s. A contact
    # lasts below 0.9 m/s: to frame 51, and, the same way back, from 89, in a run that also goes below 0.5 m/s.
    heights = np.concatenate([np.zeros(50), np.linspace(0, 0.2, 21), np.linspace(0.19, 0, 20), np.zeros(50)])
    contacts = contact_labels(hopping(heights))
    assert contacts.of("left_foot").tolist() == contacts.of("right_foot").tolist()
    assert contacts.switches.tolist() == [52, 89]


def test_a_foot_sliding_fast_over_the_floor_does_not_stand_on_it():
    clip = hopping(np.zeros(100))
    slid = clip.with_(root_positions=clip.root_positions + np.arange(100)[:, None] / RATE_HZ * [2.0, 0.0, 0.0])
    assert not contact_labels(slid).labels.any()
    settings = ContactSettings(begin_speed_m_s=2.5, end_speed_m_s=3.0)
    assert contact_labels(slid, settings).of("left_foot").all()


def test_heights_are_counted_from_the_floor_that_is_given():
    on_stage = hopping(np.full(50, 1.0))
    assert not contact_labels(on_stage).labels.any()
    assert contact_labels(on_stage, ContactSettings(floor_m=1.0)).of("left_foot").all()


def test_contacts_of_the_mirrored_clip_are_the_contacts_mirrored():
    clip = wander(seconds=6.0, seed=4)
    settings = ContactSettings(floor_m=0.2, begin_height_m=0.1, end_height_m=0.15)
    ours, theirs = contact_labels(clip, settings), contact_labels(mirror(clip), settings)
    assert np.array_equal(ours.of("left_foot"), theirs.of("right_foot"))
    assert np.array_equal(ours.of("left_hand"), theirs.of("right_hand"))


def test_a_smaller_body_stands_as_well():
    half = scale(hopping(np.zeros(30)), 0.5)
    assert contact_labels(half).of("right_foot").all()


def test_hands_on_the_floor_touch_it():
    # upside down, arms up: fingertips at the floor
    places, ends = anthropometry.joint_places(), anthropometry.end_places()
    reach = ends["left_hand"][1] - places["left_upper_arm"][1]
    skeleton = human_skeleton()
    turned = np.tile(rotations.IDENTITY, (20, len(skeleton), 1))
    turned[:, 0] = rotations.from_axis_angle([1.0, 0.0, 0.0], np.pi)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        turned[:, PARTS.index(f"{side}_upper_arm")] = rotations.from_axis_angle([1.0, 0.0, 0.0], sign * np.pi / 2)
    root_m = places["left_upper_arm"][2] - places["pelvis"][2] + reach
    clip = Clip(skeleton, 60.0, np.tile([0.0, 0.0, root_m], (20, 1)), turned)
    contacts = contact_labels(clip)
    assert clip.end_positions_w[..., 2].min() == pytest.approx(0.0, abs=1e-9)
    assert contacts.of("left_hand").all()
    assert contacts.of("right_hand").all()
    assert not contacts.of("left_foot").any()


def test_a_body_without_feet_and_hands_touches_with_the_ends_of_its_limbs():
    whole = human_skeleton()
    kept = [j for j, part in enumerate(PARTS) if not part.endswith(("hand", "foot", "toes"))]
    parents = [-1 if whole.parents[j] < 0 else kept.index(whole.parents[j]) for j in kept]
    ends = [j for j, part in enumerate(PARTS) if part.endswith(("foot", "hand"))]
    stumps = Skeleton(
        [PARTS[j] for j in kept],
        parents,
        whole.offsets[kept],
        [kept.index(whole.parents[j]) for j in ends],
        whole.offsets[ends],
    )
    standing = hopping(np.zeros(20))
    clip = standing.with_(skeleton=stumps, rotations=standing.rotations[:, kept])
    contacts = contact_labels(clip)
    assert set(contacts.names) == {"left_foot", "right_foot", "left_hand", "right_hand"}
    assert contacts.of("left_foot").all()
    assert not contacts.of("left_hand").any()


def test_hysteresis_holds_on_from_where_it_begins_both_ways_in_time():
    begins = np.array([0, 0, 1, 0, 0, 0, 0, 0], bool)
    lasts = np.array([0, 1, 1, 1, 1, 0, 1, 1], bool)
    # the run 1..4 holds a beginning, the run 6..7 none
    assert hysteresis(begins, lasts).tolist() == [False, True, True, True, True, False, False, False]


def test_short_gaps_and_short_contacts_are_noise():
    labels = np.array([1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1], bool)
    # the gap of one is closed; then the contact of one goes; the ends stay as they are
    assert without_short(labels, 2).astype(int).tolist() == [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]


def test_noise_around_a_threshold_does_not_flicker():
    draw = np.random.default_rng(0)
    heights = 0.055 + 0.01 * np.sin(np.linspace(0.0, 20.0, 300)) + draw.normal(0.0, 2e-4, 300)
    clip = hopping(np.concatenate([np.zeros(20), np.linspace(0.0, heights[0], 20), heights]))
    assert len(contact_labels(clip).switches) <= 1


def test_contacts_are_arrays_of_their_own_and_named():
    labels = np.ones((4, 1), bool)
    contacts = Contacts(("left_foot",), labels, 30.0)
    labels[0] = False
    assert contacts.of("left_foot").all()
    with pytest.raises(ValueError, match="read-only"):
        contacts.labels[0] = False
    with pytest.raises(UnknownNameError, match="no contact named 'left_hand'"):
        contacts.of("left_hand")
    with pytest.raises(ClipError, match=r"labels \(T, 2\)"):
        Contacts(("a", "b"), labels, 30.0)


def test_senseless_settings_and_footless_clips_are_refused():
    with pytest.raises(ClipError, match="no lower than"):
        ContactSettings(begin_height_m=0.1, end_height_m=0.05)
    with pytest.raises(ClipError, match="0 s or longer"):
        ContactSettings(shortest_s=-1.0)
    chain = Skeleton(("base", "tip"), [-1, 0], np.ones((2, 3)))
    clip = Clip(chain, 30.0, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, 2, 1)))
    with pytest.raises(ClipError, match="can't tell which joints are feet or hands from names like base, tip"):
        contact_labels(clip)


# --- real clips ---


def runs(labels):
    """Lengths of the runs of equal labels, and the label of each."""
    edges = [0, *(np.flatnonzero(np.diff(labels.astype(int))) + 1).tolist(), len(labels)]
    return [(bool(labels[a]), b - a) for a, b in pairwise(edges)]


def test_a_real_jump_is_one_flight_of_both_feet(mocap):
    contacts = contact_labels(load_clip(mocap / "cmu_bvh" / "16_01.bvh"))
    grounded = contacts.of("left_foot") | contacts.of("right_foot")
    (before, _), (during, frames), (after, _) = runs(grounded)
    assert (before, during, after) == (True, False, True)
    assert (
        0.25 < frames / contacts.rate_hz < 0.5
    )  # 0.3 m high: 2 sqrt(2 h / g) = 0.49 s, and somewhat less above the floor


def test_a_real_walk_always_has_a_foot_on_the_ground_and_lifts_each_in_turn(mocap):
    contacts = contact_labels(load_clip(mocap / "cmu_bvh" / "07_01.bvh"))
    left, right = contacts.of("left_foot")[40:-40], contacts.of("right_foot")[40:-40]
    assert np.mean(left | right) > 0.97
    assert 0.05 < np.mean(left & right) < 0.5  # double support
    lifts = sorted(
        [(int(f), side) for side, on in (("l", left), ("r", right)) for f in np.flatnonzero(on[:-1] & ~on[1:])]
    )
    assert all(a[1] != b[1] for a, b in pairwise(lifts))


def test_a_real_run_has_flights_and_no_double_support(mocap):
    contacts = contact_labels(load_clip(mocap / "cmu_bvh" / "09_06.bvh"))
    left, right = contacts.of("left_foot"), contacts.of("right_foot")
    assert not np.any(left & right)
    assert np.mean(~left & ~right) > 0.2


def test_the_same_take_in_two_formats_has_the_same_contacts(mocap):
    acclaim = contact_labels(load_clip(mocap / "cmu_asfamc" / "07" / "07_01.amc"))
    biovision = contact_labels(load_clip(mocap / "cmu_bvh" / "07_01.bvh"))
    assert acclaim.labels.shape == biovision.labels.shape
    assert np.mean(acclaim.labels == biovision.labels) > 0.97


def test_a_real_crawl_is_on_hands_and_feet(mocap):
    contacts = contact_labels(load_clip(mocap / "cmu_bvh" / "111_03.bvh"))
    late = contacts.labels[len(contacts.labels) // 3 :]
    assert np.all(late.mean(axis=0) > 0.7)
