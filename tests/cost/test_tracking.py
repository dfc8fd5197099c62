"""The squared tracking cost: the quadratic form that it says it is."""

from dataclasses import fields

import numpy as np
import pytest

from understudy import rotations
from understudy.cost import Deviation, TrackingCost, deviation
from understudy.errors import CostError

COST = TrackingCost()
NOTHING = {"effort": np.zeros(1), "roughness": np.zeros(1)}
WEIGHTS = [field.name for field in fields(TrackingCost)]


def random_deviation(rng, count=4, nv=11, bodies=3):
    """Of n characters of nv velocities and so many bodies."""
    return Deviation(rng.normal(size=(count, 2 * nv)), rng.normal(size=(count, 3 * bodies)))


def test_there_is_no_deviation_and_no_cost_at_the_target(anybody):
    wanted = anybody.moments(1, np.random.default_rng(0))
    off = deviation(anybody.anatomy, wanted, wanted)
    np.testing.assert_allclose(off.state, 0.0, atol=1e-7)
    assert off.distance_m == pytest.approx(0.0, abs=1e-12)
    for name, values in COST.evaluate(off, NOTHING).items():
        np.testing.assert_allclose(values, 0.0, atol=1e-12, err_msg=name)


def test_a_deviation_is_the_way_and_the_speeds_and_the_places(anybody):
    rng = np.random.default_rng(1)
    now, wanted = anybody.moments(3, rng), anybody.moments(1, rng)
    off, nv = deviation(anybody.anatomy, now, wanted), anybody.anatomy.nv
    np.testing.assert_array_equal(off.state[:, :nv], anybody.anatomy.difference(now.qpos, wanted.qpos))
    np.testing.assert_array_equal(off.state[:, nv:], now.qvel - wanted.qvel)
    np.testing.assert_array_equal(off.places_w.reshape(3, -1, 3), now.places_w - wanted.places_w)


def test_the_distance_is_the_mean_over_bodies():
    # two bodies, one 5 m off at (3, 0, 4), the other nowhere off: 2.5 m; both 1 m off: 1 m
    off = Deviation(np.zeros((2, 12)), np.array([[3.0, 0, 4, 0, 0, 0], [0, 1, 0, 0, 0, -1]]))
    np.testing.assert_allclose(off.distance_m, [2.5, 1.0])


def test_a_character_moved_aside_is_that_far_off(anybody):
    wanted = anybody.moments(1, np.random.default_rng(2))
    off = deviation(anybody.anatomy, anybody.moved(wanted, (0.3, 0.0, -0.4)), wanted)
    assert off.distance_m == pytest.approx(0.5)
    # a mean over bodies of squared distances: 100 / m^2 * 0.25 m^2; and nothing but the bodies counts places
    terms = COST.evaluate(off, NOTHING)
    assert terms.pop("bodies") == pytest.approx(COST.bodies * 0.25)
    np.testing.assert_allclose(list(terms.values()), 0.0, atol=1e-12)


def test_one_joint_turned_counts_by_its_squared_angle_over_the_joint_velocities(human):
    # the human's joints have 44 velocities; a ball turned by 0.5 rad: 10 * 0.25 / 44
    wanted = human.standing()
    qpos = wanted.qpos.copy()
    ball = human.anatomy.balls[1]
    qpos[0, ball] = rotations.multiply(qpos[0, ball], rotations.from_axis_angle([1.0, 1.0, 0.0], 0.5))
    terms = COST.evaluate(deviation(human.anatomy, human.at(qpos), wanted), NOTHING)
    assert terms["pose"] == pytest.approx(COST.pose * 0.25 / 44)
    assert terms["root"] == pytest.approx(0.0, abs=1e-12)


def test_the_root_counts_by_its_squared_turn_velocity_and_spin(human):
    wanted = human.standing()
    qpos, qvel = wanted.qpos.copy(), np.zeros((1, human.anatomy.nv))
    qpos[0, 3:7] = rotations.multiply(qpos[0, 3:7], rotations.from_axis_angle([0.0, 0.0, 1.0], 0.3))
    qvel[0, :6] = (1.0, 2.0, 2.0, 0.0, 3.0, 4.0)
    terms = COST.evaluate(deviation(human.anatomy, human.at(qpos, qvel), wanted), NOTHING)
    assert terms["root"] == pytest.approx(COST.root * 0.09)
    assert terms["root_speed"] == pytest.approx(COST.root_speed * (9.0 + 0.6 * 25.0))  # spin at three fifths
    assert terms["joint_speed"] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_cost_is_the_quadratic_form_of_its_weights(seed):
    rng = np.random.default_rng(seed)
    cost = TrackingCost(*rng.uniform(0.0, 5.0, len(WEIGHTS)))
    off, offsets, windows = random_deviation(rng), rng.normal(size=(4, 6)), rng.uniform(0.1, 1.0, 6)
    halfway = rng.normal(size=6)
    exertion = cost.exertion(windows, halfway)
    form = (
        np.einsum("ni,i,ni->n", off.state, cost.state_weights(11), off.state)
        + np.einsum("ni,i,ni->n", off.places_w, cost.place_weights(9), off.places_w)
        + np.einsum("ni,i,ni->n", offsets, exertion.effort, offsets)
        + np.einsum("ni,i,ni->n", offsets - halfway, exertion.roughness, offsets - halfway)
    )
    terms = cost.evaluate(off, exertion.terms(offsets))
    assert set(terms) == set(WEIGHTS)
    np.testing.assert_allclose(np.sum(list(terms.values()), axis=0), form)


@pytest.mark.parametrize("name", WEIGHTS)
def test_each_weight_scales_its_own_term_and_no_other(name):
    rng = np.random.default_rng(5)
    off, offsets, windows = random_deviation(rng), rng.normal(size=(4, 6)), rng.uniform(0.1, 1.0, 6)
    double = TrackingCost(**{name: 2.0 * getattr(COST, name)})
    halfway = rng.normal(size=6)
    before, after = (cost.evaluate(off, cost.exertion(windows, halfway).terms(offsets)) for cost in (COST, double))
    for term in WEIGHTS:
        np.testing.assert_allclose(after[term], (2.0 if term == name else 1.0) * before[term], err_msg=term)


def test_offsets_as_large_as_their_windows_cost_the_weight_of_effort():
    windows = np.array([0.2, 1.0, 0.05])
    assert COST.exertion(windows).terms(windows[None])["effort"] == pytest.approx(COST.effort)


def test_offsets_halfway_between_their_neighbours_are_not_rough():
    windows, halfway = np.array([0.2, 1.0, 0.05]), np.array([0.1, -0.5, 0.0])
    exertion = COST.exertion(windows, halfway)
    assert exertion.terms(halfway[None])["roughness"] == 0.0
    assert exertion.terms((halfway + windows)[None])["roughness"] == pytest.approx(COST.roughness)
    assert not COST.exertion(windows).terms(np.ones((1, 3)))["roughness"].any()  # without neighbours


def test_the_slope_of_exertion_is_half_its_gradient():
    rng = np.random.default_rng(2)
    exertion, at, step = COST.exertion(rng.uniform(0.1, 1.0, 4), rng.normal(size=4)), rng.normal(size=4), 1e-6
    cost = [sum(exertion.terms(at + s * np.eye(4))[name] for name in ("effort", "roughness")) for s in (step, -step)]
    np.testing.assert_allclose(exertion.slope(at), 0.5 * (cost[0] - cost[1]) / (2.0 * step), rtol=1e-6)


def test_the_same_error_of_every_body_or_joint_costs_the_same_on_any_character():
    few, many = Deviation(np.ones((1, 24)), np.ones((1, 9))), Deviation(np.ones((1, 112)), np.ones((1, 90)))
    costs = [COST.evaluate(off, NOTHING) for off in (few, many)]
    for name in WEIGHTS:
        assert costs[0][name] == pytest.approx(costs[1][name]), name


def test_where_the_root_is_counts_by_the_bodies_alone():
    assert not COST.state_weights(20)[:3].any()
    assert (COST.state_weights(20)[3:] > 0.0).all()


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("weight", [-0.1, np.nan, np.inf])
def test_a_weight_that_makes_no_sense_is_refused(name, weight):
    with pytest.raises(CostError, match=f"weight of tracking term '{name}' must be 0 or more, not {weight}"):
        TrackingCost(**{name: weight})
