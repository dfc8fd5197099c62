"""Plans: a reference cut into fragments."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy import rotations
from understudy.character import Reference, fit, limb_extremes, load_character
from understudy.errors import ReconstructionError
from understudy.motion import authored_clip
from understudy.reconstruction import Plan, ReconstructionSettings, plan_of
from understudy.reconstruction.planning.bearing import bearing_gains
from understudy.reconstruction.planning.cutting import contact_bounds, extreme_bounds, uniform_bounds
from understudy.simulation import Scene

HUMAN = load_character("human")
STEP = 5  # ticks of 0.02 s in a fragment of 0.1 s


def standing(ticks, lifted=()):
    """The human at rest, 0.1 m above the floor from the first to the last tick of each pair in lifted."""
    qpos = np.tile(HUMAN.standing_qpos, (ticks, 1))
    for begin, end in lifted:
        qpos[begin:end, 2] += 0.1
    return Reference(HUMAN, 50.0, qpos, np.zeros((ticks, HUMAN.model.nv)), "standing")


def swinging(turns):
    """The human on its feet, its right shoulder swinging 0.8 rad to and fro and turning back at rising ticks turns."""
    sides = np.where(np.arange(len(turns) + 2) % 2, 0.8, -0.8)
    angles = np.interp(np.arange(turns[-1] + 9), [0, *turns, turns[-1] + 8], sides)
    reference = standing(len(angles))
    joint = HUMAN.joint("right_shoulder").mujoco_joints[0]
    shoulder = HUMAN.model.joint(joint).qposadr[0] + np.arange(4)
    qpos = reference.qpos.copy()
    swing = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), angles)
    qpos[:, shoulder] = rotations.multiply(swing, qpos[:, shoulder])
    return replace(reference, qpos=qpos)


def pairs(switches):
    """Rising ticks as the lifts between every first and second of them."""
    return tuple(zip(switches[::2], switches[1::2], strict=False))


@pytest.mark.parametrize("cut", [uniform_bounds, contact_bounds, extreme_bounds])
@settings(max_examples=30, deadline=None)
@given(st.integers(2, 200), st.sampled_from([0.05, 0.08, 0.1, 0.14, 0.2]))
def test_fragments_cover_a_reference_and_are_about_as_long_as_asked(cut, ticks, fragment_s):
    bounds, step = cut(standing(ticks), fragment_s), max(1, round(fragment_s * 50.0))
    assert (bounds[0], bounds[-1]) == (0, ticks - 1)
    lengths = np.diff(bounds)
    assert (lengths > 0).all()
    assert lengths.max() <= 1.5 * step
    assert lengths.min() >= 0.5 * step or len(lengths) == 1, "only a reference shorter than half a fragment makes one"


def test_a_reference_is_cut_evenly():
    assert uniform_bounds(standing(16), 0.1).tolist() == [0, 5, 10, 15]
    assert uniform_bounds(standing(18), 0.1).tolist() == [0, 5, 10, 17]  # 2 ticks are less than half of 5
    assert uniform_bounds(standing(19), 0.1).tolist() == [0, 5, 10, 15, 18]
    assert uniform_bounds(standing(3), 0.1).tolist() == [0, 2]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(6, 20), min_size=1, max_size=7))
def test_fragments_end_where_a_contact_begins_or_ends(gaps):
    switches = np.cumsum(gaps)
    reference = standing(int(switches[-1]) + 8, pairs([*switches.tolist(), int(switches[-1]) + 8]))
    bounds = contact_bounds(reference, 0.1)
    assert set(switches.tolist()) <= set(bounds.tolist())
    assert np.diff(bounds).min() >= 0.5 * STEP
    assert np.diff(bounds).max() <= 1.5 * STEP


def test_of_contacts_too_near_each_other_the_first_is_kept():
    # off the floor at 20 and back at 24: 4 ticks, less than half of the 10 of 0.2 s
    bounds = contact_bounds(standing(60, [(20, 24)]), 0.2)
    assert 20 in bounds
    assert 24 not in bounds


def test_a_reference_that_stays_on_the_floor_is_cut_evenly_either_way():
    np.testing.assert_array_equal(contact_bounds(standing(51), 0.1), uniform_bounds(standing(51), 0.1))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(6, 20), min_size=1, max_size=7))
def test_fragments_end_where_a_limb_turns_back(gaps):
    turns = np.cumsum(gaps).tolist()
    reference = swinging(turns)
    bounds = extreme_bounds(reference, 0.1)
    assert set(turns) <= set(bounds.tolist())
    assert (bounds[0], bounds[-1]) == (0, reference.tick_count - 1)
    assert np.diff(bounds).min() >= 0.5 * STEP
    assert np.diff(bounds).max() <= 1.5 * STEP
    np.testing.assert_array_equal(
        contact_bounds(reference, 0.1), contact_bounds(standing(reference.tick_count), 0.1), "no contact switches"
    )


def test_where_a_limb_turns_back_near_a_contact_the_contact_is_kept():
    reference = swinging([20, 40])
    qpos = reference.qpos.copy()
    qpos[22:, 2] += 0.1  # off the floor at 22, 2 ticks after the arm has turned back
    bounds = extreme_bounds(replace(reference, qpos=qpos), 0.1)
    assert {22, 40} <= set(bounds.tolist())
    assert 20 not in bounds


def test_a_walk_is_cut_at_its_contacts_and_extremes_all_of_them_near_a_bound():
    whole_walk = fit(authored_clip("walk"), HUMAN).reference
    contacts, extremes = contact_bounds(whole_walk, 0.1), extreme_bounds(whole_walk, 0.1)
    assert len(extremes) > len(contacts)
    found = limb_extremes(whole_walk)
    assert set(found) == set(HUMAN.end_effectors)
    for ticks in found.values():
        assert len(ticks) >= 4
        assert max(np.abs(extremes - tick).min() for tick in ticks) < 0.5 * STEP
    lengths = np.diff(extremes)
    assert lengths.min() >= 0.5 * STEP
    assert lengths.max() <= 1.5 * STEP


@pytest.mark.parametrize("cut", [uniform_bounds, contact_bounds, extreme_bounds])
def test_a_single_pose_is_nothing_to_follow(cut):
    with pytest.raises(ReconstructionError, match="reference 'standing' holds one pose; there is nothing to follow"):
        cut(standing(1), 0.1)


def test_joints_that_bear_weight_are_stiffened_by_their_contact_scale():
    reference = standing(31, [(0, 10), (20, 31)])
    scale = bearing_gains(reference, np.array([0, 5, 10, 15, 20, 25, 30]))
    ankles = [j for j, joint in enumerate(HUMAN.joints) if "ankle" in joint.name]
    assert len(ankles) == 2
    for j in ankles:
        on_floor = HUMAN.joints[j].contact_scale
        assert on_floor > 1.0
        np.testing.assert_array_equal(scale[:, j], [1.0, 1.0, on_floor, on_floor, 1.0, 1.0])
    others = np.delete(scale, ankles, axis=1)
    assert (others == 1.0).all(), "no hand is on the floor"


def test_gains_are_the_characters_own_or_their_contact_scale(walking):
    bounds = uniform_bounds(walking, 0.05)
    scale = bearing_gains(walking, bounds)
    assert scale.shape == (len(bounds) - 1, len(HUMAN.joints))
    for j, joint in enumerate(HUMAN.joints):
        assert set(scale[:, j]) <= {1.0, joint.contact_scale}


def test_without_contact_gains_every_gain_is_the_characters_own(walking):
    plan = plan_of(walking, Scene(), ReconstructionSettings(contact_gains=False))
    assert (plan.gain_scale == 1.0).all()
    assert (plan_of(walking, Scene(), ReconstructionSettings()).gain_scale > 1.0).any()


def test_the_settings_choose_where_a_plan_is_cut():
    swung = swinging([13, 27, 41])
    qpos = swung.qpos.copy()
    qpos[33:, 2] += 0.1
    reference = replace(swung, qpos=qpos)
    even, contacts, extremes = (
        set(plan_of(reference, Scene(), ReconstructionSettings(cut=cut)).bounds.tolist())
        for cut in ("even", "contacts", "extremes")
    )
    assert not {13, 27, 33} & even
    assert 33 in contacts
    assert {13, 27, 33, 41} <= extremes


def test_a_fragment_asks_each_tick_for_the_pose_at_its_end(plan):
    target = plan.target(1, np.zeros((2, len(plan.space))))
    begin, end = plan.bounds[1:3]
    assert plan.ticks(1) == end - begin
    for positions in target.positions:
        np.testing.assert_array_equal(positions, plan.reference.qpos[begin + 1 : end + 1, 7:])
    np.testing.assert_array_equal(target.gain_scale, plan.gain_scale[1:2])


@pytest.mark.parametrize("bounds", [[0, 5, 10], [1, 15], [0, 5, 5, 15], [0, 10, 5, 15], [0]])
def test_fragments_that_do_not_cover_the_reference_are_refused(plan, bounds):
    with pytest.raises(ReconstructionError, match="must cover the reference from its first tick to its last"):
        replace(plan, bounds=np.array(bounds), gain_scale=np.ones((len(bounds) - 1, len(HUMAN.joints))))


def test_gains_that_do_not_fit_are_refused(plan):
    with pytest.raises(ReconstructionError, match=r"gain_scale must be \(3, 16\), not \(2, 16\)"):
        replace(plan, gain_scale=np.ones((2, 16)))


def test_a_plan_keeps_its_own_arrays(walking):
    bounds, gains = np.array([0, 15]), np.ones((1, len(HUMAN.joints)))
    plan = Plan(walking, Scene(), bounds, gains, np.zeros(walking.tick_count))
    bounds[1], gains[0] = 3, 9.0
    assert plan.bounds.tolist() == [0, 15]
    assert (plan.gain_scale == 1.0).all()


def test_a_reference_at_another_rate_is_refused(walking):
    with pytest.raises(ReconstructionError, match="has 30 ticks a second, but its character is controlled at 50 Hz"):
        plan_of(replace(walking, rate_hz=30.0), Scene(), ReconstructionSettings())
