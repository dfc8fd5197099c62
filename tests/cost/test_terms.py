"""The papers' cost terms: nothing at the target, small cases by hand, and what they do not mind."""

from dataclasses import replace

import numpy as np
import pytest

from understudy import rotations
from understudy.cost import CONTROL_GRAPHS_2016, SAMCON_2010, TERMS, Moments, TermCost
from understudy.errors import CostError, UnknownNameError

EACH = TermCost(dict.fromkeys(TERMS, 1.0))
NOT_OF_PLACE = ("pose", "root", "end_effectors", "balance", "velocity", "angular_momentum", "action")


def evaluate(sample, now, wanted, offsets=None, cost=EACH):
    """Term to value, for offsets of nothing unless told otherwise."""
    return cost.evaluate(sample.anatomy, now, wanted, np.zeros((len(now), 5)) if offsets is None else offsets)


def changed(moments: Moments, **by):
    """Moments of which some arrays have something added, whether a body could be so or not."""
    return replace(moments, **{name: getattr(moments, name) + np.asarray(value) for name, value in by.items()})


def turned_together(sample, moments, angle_rad):
    """The same, all of it turned about the vertical through the origin."""
    turn, qpos, qvel = rotations.about_z(angle_rad), moments.qpos.copy(), moments.qvel.copy()
    qpos[:, :3], qpos[:, 3:7] = rotations.rotate(turn, qpos[:, :3]), rotations.multiply(turn, qpos[:, 3:7])
    qvel[:, :3] = rotations.rotate(turn, qvel[:, :3])  # MuJoCo counts a root's spin in its own frame
    return sample.at(qpos, qvel)


def test_every_term_is_nothing_at_the_target(anybody):
    wanted = anybody.moments(1, np.random.default_rng(0))
    for name, values in evaluate(anybody, wanted, wanted).items():
        np.testing.assert_allclose(values, 0.0, atol=1e-7, err_msg=name)


def test_every_term_is_more_than_nothing_away_from_it(anybody):
    rng = np.random.default_rng(1)
    now, wanted = anybody.moments(4, rng), anybody.moments(1, rng)
    for name, values in evaluate(anybody, now, wanted, np.ones((4, 5))).items():
        assert values.shape == (4,), name
        assert (values > 1e-3).all(), name


def test_each_of_several_simulations_is_judged_as_if_alone(human):
    rng = np.random.default_rng(2)
    now, wanted, offsets = human.moments(3, rng), human.moments(1, rng), rng.normal(size=(3, 5))
    together = evaluate(human, now, wanted, offsets)
    for i in range(3):
        alone = evaluate(human, now[i], wanted, offsets[i : i + 1])
        for name in TERMS:
            assert together[name][i] == pytest.approx(alone[name][0], rel=1e-12), name


def test_one_joint_turned_counts_by_its_angle_over_the_number_of_joints(human):
    # 14 balls and 2 hinges; a ball turned by 0.4 rad: E_p = 0.4 / 16
    wanted = human.standing()
    qpos = wanted.qpos.copy()
    ball = human.anatomy.balls[3]
    qpos[0, ball] = rotations.multiply(qpos[0, ball], rotations.from_axis_angle([1.0, 2.0, -1.0], 0.4))
    terms = evaluate(human, human.at(qpos), wanted)
    assert terms["pose"] == pytest.approx(0.4 / 16)
    assert terms["root"] == pytest.approx(0.0, abs=1e-12)


def test_a_joint_that_turns_too_fast_counts_a_tenth_of_its_speed(human):
    # a ball spinning at (3, 0, 4) rad/s, 5 rad/s, of 16 joints: E_p = 0.1 * 5 / 16
    qvel = np.zeros((1, human.anatomy.nv))
    qvel[0, human.anatomy.ball_dofs[2]] = (3.0, 0.0, 4.0)
    standing = human.standing()
    assert evaluate(human, human.at(standing.qpos, qvel), standing)["pose"] == pytest.approx(0.1 * 5.0 / 16)


def test_the_root_counts_by_its_turn_and_a_tenth_of_its_spin(human):
    standing = human.standing()
    qpos, qvel = standing.qpos.copy(), np.zeros((1, human.anatomy.nv))
    qpos[0, 3:7] = rotations.multiply(qpos[0, 3:7], rotations.from_axis_angle([0.0, 1.0, 0.0], -0.2))
    qvel[0, 3:6] = (0.0, 2.0, 0.0)
    terms = evaluate(human, human.at(qpos, qvel), standing)
    assert terms["root"] == pytest.approx(0.2 + 0.1 * 2.0)
    assert terms["pose"] == pytest.approx(0.0, abs=1e-12)


def test_end_effectors_count_by_height_alone(human):
    # four of them; one 0.08 m too high, one 0.04 m too low, all 1 m aside: E_e = (0.08 + 0.04) / 4
    wanted = human.standing()
    off = np.zeros_like(wanted.places_w)
    off[0, human.anatomy.end_effectors] = (1.0, -1.0, 0.0)
    off[0, human.anatomy.end_effectors[:2], 2] = (0.08, -0.04)
    assert evaluate(human, changed(wanted, places_w=off), wanted)["end_effectors"] == pytest.approx(0.03)


def test_balance_is_where_the_mass_is_over_the_end_effectors_by_height(human):
    # the mass centre 0.3 m forward and 0.4 m left of where it should be over each: E_b = 0.5 / h; its height is free
    wanted, height = human.standing(), human.anatomy.height_m
    terms = evaluate(human, changed(wanted, mass_centre_w=(0.3, 0.4, 9.0)), wanted)
    assert terms["balance"] == pytest.approx(0.5 / height)
    # one of the four end effectors 0.2 m aside: E_b = 0.2 / 4 / h
    off = np.zeros_like(wanted.places_w)
    off[0, human.anatomy.end_effectors[0], 1] = 0.2
    assert evaluate(human, changed(wanted, places_w=off), wanted)["balance"] == pytest.approx(0.05 / height)


def test_the_terms_of_the_mass_centre_are_plain_distances(human):
    wanted = human.moments(1, np.random.default_rng(3))
    now = changed(wanted, mass_centre_w=(0, 0.3, 0.4), mass_velocity_w=(1, 2, 2), angular_momentum_w=(0, 5, 12))
    terms = evaluate(human, now, wanted, np.array([[0.0, 3.0, 0.0, 4.0, 12.0]]))
    assert terms["centroid"] == pytest.approx(0.5)
    assert terms["velocity"] == pytest.approx(3.0)
    assert terms["angular_momentum"] == pytest.approx(13.0)
    assert terms["action"] == pytest.approx(13.0)


def test_place_adds_the_way_over_the_ground_and_the_turn(human):
    standing = human.standing()
    qpos = standing.qpos.copy()
    qpos[0, :3] += (0.3, -0.4, 0.2)
    qpos[0, 3:7] = rotations.multiply(rotations.about_z(0.7), qpos[0, 3:7])
    assert evaluate(human, human.at(qpos), standing)["place"] == pytest.approx(0.5 + 0.7)


def test_headings_on_both_sides_of_backwards_are_near_each_other(human):
    qpos = np.repeat(human.character.standing_qpos[None], 2, axis=0)
    qpos[:, 3:7] = rotations.about_z([3.0, -3.0])
    left, right = human.at(qpos[:1]), human.at(qpos[1:])
    assert evaluate(human, left, right)["place"] == pytest.approx(2.0 * (np.pi - 3.0))


def test_nothing_jumps_where_a_character_lies_down(human):
    # bent forward by a little less, and a little more, than a right angle: its front points down, it has no heading
    qpos = np.repeat(human.character.standing_qpos[None], 2, axis=0)
    qpos[:, 3:7] = rotations.from_axis_angle([0.0, 1.0, 0.0], np.array([0.5 * np.pi - 0.02, 0.5 * np.pi + 0.02]))
    terms = evaluate(human, human.at(qpos[:1]), human.at(qpos[1:]))
    assert terms["root"] == pytest.approx(0.04)
    assert terms["place"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_no_term_changes_when_character_and_target_are_moved_together(anybody, seed):
    rng = np.random.default_rng(seed)
    now, wanted = anybody.moments(2, rng), anybody.moments(1, rng)
    shift = (3.0, -2.0, 1.0)
    before = evaluate(anybody, now, wanted)
    after = evaluate(anybody, anybody.moved(now, shift), anybody.moved(wanted, shift))
    for name in TERMS:
        np.testing.assert_allclose(after[name], before[name], rtol=1e-6, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("angle_rad", [0.4, 2.0, -3.0])
def test_no_term_changes_when_character_and_target_are_turned_together(anybody, angle_rad):
    rng = np.random.default_rng(7)
    now, wanted = anybody.moments(2, rng, 0.2), anybody.moments(1, rng, 0.2)
    before = evaluate(anybody, now, wanted)
    after = evaluate(anybody, *(turned_together(anybody, moments, angle_rad) for moments in (now, wanted)))
    for name in TERMS:
        np.testing.assert_allclose(after[name], before[name], rtol=1e-6, atol=1e-9, err_msg=name)


def test_only_place_and_centroid_mind_where_the_character_is(anybody):
    rng = np.random.default_rng(4)
    now, wanted = anybody.moments(2, rng), anybody.moments(1, rng)
    before, after = evaluate(anybody, now, wanted), evaluate(anybody, anybody.moved(now, (5.0, 9.0, 0.0)), wanted)
    for name in NOT_OF_PLACE:
        np.testing.assert_allclose(after[name], before[name], rtol=1e-6, atol=1e-9, err_msg=name)
    for name in set(TERMS) - set(NOT_OF_PLACE):
        assert (after[name] > before[name] + 1.0).all(), name


def test_a_quaternion_and_its_negative_cost_the_same(anybody):
    rng = np.random.default_rng(5)
    now, wanted = anybody.moments(2, rng), anybody.moments(1, rng)
    qpos = now.qpos.copy()
    qpos[:, 3:7] *= -1.0
    qpos[:, anybody.anatomy.balls] *= -1.0
    before, after = evaluate(anybody, now, wanted), evaluate(anybody, anybody.at(qpos, now.qvel), wanted)
    for name in TERMS:
        np.testing.assert_allclose(after[name], before[name], rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("weights", [SAMCON_2010, CONTROL_GRAPHS_2016])
def test_weights_scale_their_terms(human, weights):
    rng = np.random.default_rng(6)
    now, wanted, offsets = human.moments(2, rng), human.moments(1, rng), rng.normal(size=(2, 5))
    plain, weighted = (evaluate(human, now, wanted, offsets, cost) for cost in (EACH, TermCost(weights)))
    assert list(weighted) == list(weights)
    for name, values in weighted.items():
        np.testing.assert_allclose(values, weights[name] * plain[name])


def test_a_term_of_weight_0_is_left_out(human):
    standing = human.standing()
    assert list(evaluate(human, standing, standing, cost=TermCost({"pose": 0.0, "root": 1.0}))) == ["root"]


def test_the_papers_weights_are_the_papers():
    assert dict(SAMCON_2010) == {"pose": 8.0, "root": 5.0, "end_effectors": 20.0, "balance": 20.0}  # section 4
    assert list(CONTROL_GRAPHS_2016.values()) == [4.0, 4.0, 10.0, 1.0, 3.0, 0.1, 0.03, 0.05]  # below Eq. 20


def test_an_unknown_term_is_told_which_there_are():
    words = r"no cost term named 'ballance'; did you mean balance.* there are: pose, root, .* angular_momentum"
    with pytest.raises(UnknownNameError, match=words):
        TermCost({"pose": 1.0, "ballance": 2.0})


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_a_weight_that_makes_no_sense_is_refused(weight):
    with pytest.raises(CostError, match=f"weight of cost term 'root' must be 0 or more, not {weight}"):
        TermCost({"root": weight})


def test_a_cost_keeps_its_own_weights():
    weights = {"pose": 1.0}
    cost = TermCost(weights)
    weights["pose"] = 7.0
    assert cost.weights["pose"] == 1.0
    with pytest.raises(TypeError):
        cost.weights["pose"] = 7.0
