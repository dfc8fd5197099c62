"""Algebra of rotations over random inputs and shapes, against scipy, and at the edges of each formula."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from understudy import rotations as rot

ORDERS = ["".join(order) for order in permutations("XYZ")]
SHAPES = [(), (5,), (3, 4), (2, 3, 2)]


def draw(seed, shape=(200,), components=3, size=2.0):
    return np.random.default_rng(seed).normal(0.0, size, (*shape, components))


def turns(seed, shape=(200,)):
    """Random rotations, spread evenly."""
    return rot.normalize(draw(seed, shape, 4))


def scipy_of(q):
    return Rotation.from_quat(np.asarray(q)[..., [1, 2, 3, 0]])


def alike(a, b, tolerance=1e-9):
    """Whether rotations agree, up to the sign of the quaternion (the double cover)."""
    return bool(np.all(1.0 - np.abs(np.sum(np.asarray(a) * b, axis=-1)) < tolerance**2 + 1e-15))


# --- products ---


@pytest.mark.parametrize("shape", SHAPES)
def test_products_keep_any_leading_shape(shape):
    a, b, v = turns(0, shape), turns(1, shape), draw(2, shape)
    assert rot.multiply(a, b).shape == (*shape, 4)
    assert rot.rotate(a, v).shape == (*shape, 3)
    assert rot.exp(v).shape == (*shape, 4)
    assert rot.log(a).shape == (*shape, 3)
    assert rot.to_matrix(a).shape == (*shape, 3, 3)
    assert rot.from_matrix(rot.to_matrix(a)).shape == (*shape, 4)
    assert rot.angle_between(a, b).shape == shape
    assert rot.slerp(a, b, np.full(shape, 0.3)).shape == (*shape, 4)


def test_products_broadcast_as_numpy_does():
    a, b = turns(0, (5, 1)), turns(1, (3,))
    assert np.allclose(rot.multiply(a, b)[4, 2], rot.multiply(a[4, 0], b[2]))
    assert np.allclose(rot.rotate(a, np.eye(3))[4, 2], rot.rotate(a[4, 0], np.eye(3)[2]))


def test_the_product_turns_by_the_second_first():
    a, b, v = turns(0), turns(1), draw(2)
    assert np.allclose(rot.rotate(rot.multiply(a, b), v), rot.rotate(a, rot.rotate(b, v)))


def test_the_product_is_scipys():
    a, b, v = turns(0), turns(1), draw(2)
    assert np.allclose(rot.to_matrix(rot.multiply(a, b)), (scipy_of(a) * scipy_of(b)).as_matrix())
    assert np.allclose(rot.rotate(a, v), scipy_of(a).apply(v))


def test_rotations_form_a_group():
    a, b, c = turns(0), turns(1), turns(2)
    assert np.allclose(rot.multiply(rot.multiply(a, b), c), rot.multiply(a, rot.multiply(b, c)))
    assert np.allclose(rot.multiply(a, rot.IDENTITY), a)
    assert np.allclose(rot.multiply(a, rot.conjugate(a)), rot.IDENTITY)


def test_turning_keeps_lengths_angles_and_hands():
    q, u, v = turns(0), draw(1), draw(2)
    turned_u, turned_v = rot.rotate(q, u), rot.rotate(q, v)
    assert np.allclose(np.sum(turned_u * turned_v, axis=-1), np.sum(u * v, axis=-1))
    assert np.allclose(rot.cross(turned_u, turned_v), rot.rotate(q, rot.cross(u, v)))
    assert np.allclose(rot.cross(u, v), np.cross(u, v))


def test_functions_return_arrays_of_their_own():
    q = turns(0)
    before = q.copy()
    for result in (rot.normalize(q), rot.conjugate(q), rot.continuous(q), rot.log(q), rot.twist(q, [0.0, 0.0, 1.0])):
        result += 1.0
    assert np.array_equal(q, before)
    with pytest.raises(ValueError, match="read-only"):
        rot.IDENTITY[0] = 2.0


# --- vectors, matrices, angles ---


def test_exp_and_log_undo_each_other_below_half_a_turn():
    vectors = draw(0) * np.geomspace(1e-12, 1.0, 200)[:, None]
    vectors *= np.minimum(1.0, 3.1 / np.linalg.norm(vectors, axis=1))[:, None]
    assert np.allclose(rot.log(rot.exp(vectors)), vectors, rtol=1e-9, atol=1e-15)
    assert alike(rot.exp(rot.log(turns(1))), turns(1))


def test_log_takes_the_shorter_way_and_does_not_mind_the_sign():
    q = turns(0)
    assert np.all(np.linalg.norm(rot.log(q), axis=-1) <= np.pi + 1e-12)
    assert np.allclose(rot.log(-q), rot.log(q))
    assert np.allclose(rot.log(q), scipy_of(q).as_rotvec())


@pytest.mark.parametrize("angle", [np.pi - 1e-9, np.pi])
def test_half_a_turn_has_the_length_of_pi(angle):
    assert np.linalg.norm(rot.log(rot.exp([0.0, angle, 0.0]))) == pytest.approx(angle)


def test_no_turn_at_all_is_no_trouble():
    assert np.array_equal(rot.exp(np.zeros(3)), rot.IDENTITY)
    assert np.array_equal(rot.log(rot.IDENTITY), np.zeros(3))
    assert np.array_equal(rot.normalize(np.zeros(4)), np.zeros(4))
    assert rot.angle_between(rot.IDENTITY, rot.IDENTITY) == 0.0


def test_matrices_and_back():
    q = turns(0, (50, 4))
    m = rot.to_matrix(q)
    assert np.allclose(m @ np.swapaxes(m, -1, -2), np.eye(3))
    assert np.allclose(np.linalg.det(m), 1.0)
    assert alike(rot.from_matrix(m), q)


def test_matrices_of_half_turns_come_back_whatever_their_axis():
    axes = rot.normalize(np.array([a for a in product((-1.0, 0.0, 1.0), repeat=3) if any(a)]))
    q = rot.from_axis_angle(axes, np.full(len(axes), np.pi))
    assert alike(rot.from_matrix(rot.to_matrix(q)), q)


def test_axis_and_angle_need_no_unit_axis():
    assert np.allclose(rot.from_axis_angle([0.0, 0.0, 5.0], 0.3), rot.exp([0.0, 0.0, 0.3]))
    assert np.allclose(rot.about_z(0.3), rot.exp([0.0, 0.0, 0.3]))


@pytest.mark.parametrize("order", [*ORDERS, "XYX", "ZYZ", "X", "YZ", "xyz"])
def test_euler_angles_are_products_of_turns_in_their_order(order):
    angles = draw(0, (50,), len(order))
    expected = np.broadcast_to(rot.IDENTITY, (50, 4))
    for i, letter in enumerate(order.upper()):
        axis = np.eye(3)["XYZ".index(letter)]
        expected = rot.multiply(expected, rot.from_axis_angle(axis, angles[:, i]))
    assert alike(rot.from_euler(order, angles), expected)
    if len(order) == 3:
        assert np.allclose(rot.to_matrix(expected), Rotation.from_euler(order.upper(), angles).as_matrix())


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_come_back_as_rotations(order):
    q = turns(0)
    angles = rot.to_euler(order, q)
    assert np.all(np.abs(angles[:, 1]) <= np.pi / 2 + 1e-12)
    assert alike(rot.from_euler(order, angles), q)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("middle", [np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-7])
def test_euler_angles_at_the_lock_are_still_the_rotation(order, middle):
    angles = np.stack([np.linspace(-3, 3, 20), np.full(20, middle), np.linspace(2, -2, 20)], axis=1)
    q = rot.from_euler(order, angles)
    assert np.all(rot.angle_between(rot.from_euler(order, rot.to_euler(order, q)), q) < 1e-6)


# --- in between ---


def test_slerp_starts_and_ends_where_it_should_at_constant_speed():
    a, b = turns(0), turns(1)
    assert alike(rot.slerp(a, b, np.zeros(200)), a)
    assert alike(rot.slerp(a, b, np.ones(200)), b)
    whole = rot.angle_between(a, b)
    for part in (0.25, 0.5, 0.9):
        assert np.allclose(rot.angle_between(a, rot.slerp(a, b, np.full(200, part))), part * whole)


def test_slerp_takes_the_shorter_way_and_is_the_same_backwards():
    a, b = turns(0), turns(1)
    assert alike(rot.slerp(a, -b, np.full(200, 0.3)), rot.slerp(a, b, np.full(200, 0.3)))
    assert alike(rot.slerp(b, a, np.full(200, 0.7)), rot.slerp(a, b, np.full(200, 0.3)))


def test_continuous_quaternions_are_the_same_rotations_without_jumps():
    angles = np.linspace(0.0, 20.0, 300)
    path = np.stack([rot.about_z(angles), rot.exp(np.outer(angles, [0.3, 0.0, 0.4]))], axis=1)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (300, 2, 1))
    smooth = rot.continuous(path * signs)
    assert alike(smooth, path)
    assert np.all(np.sum(smooth[1:] * smooth[:-1], axis=-1) > 0.0)
    assert np.array_equal(rot.continuous(smooth), smooth)


def test_between_is_the_smallest_turn_from_one_direction_to_another():
    a, b = draw(0), draw(1)
    q = rot.between(a, b)
    assert np.allclose(rot.rotate(q, rot.normalize(a)), rot.normalize(b))
    angle = np.arccos(np.sum(rot.normalize(a) * rot.normalize(b), axis=-1))
    assert np.allclose(np.linalg.norm(rot.log(q), axis=-1), angle)


def test_between_opposite_directions_is_half_a_turn_across_them():
    a = np.concatenate([np.eye(3), -np.eye(3), draw(0, (20,))])
    q = rot.between(a, -a)
    assert np.allclose(rot.rotate(q, a), -a)
    assert np.allclose(rot.between(a, a), rot.IDENTITY)


def test_a_rotation_is_its_swing_after_its_twist():
    q, axis = turns(0), rot.normalize([1.0, 2.0, -0.5])
    part = rot.twist(q, axis)
    swing = rot.multiply(q, rot.conjugate(part))
    assert np.allclose(np.cross(rot.log(part), axis), 0.0)  # about the axis
    assert np.allclose(rot.log(swing) @ axis, 0.0)  # across it
    assert alike(rot.twist(rot.from_axis_angle(axis, np.array(1.2)), axis), rot.from_axis_angle(axis, np.array(1.2)))


def test_a_half_turn_across_the_axis_has_no_twist():
    assert np.array_equal(rot.twist([0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0]), rot.IDENTITY)


def test_the_mean_of_rotations_lies_in_their_middle_whatever_their_signs():
    centre, spread = turns(0, ()), draw(1, (50,), size=0.2)
    around = rot.multiply(centre, rot.exp(np.concatenate([spread, -spread])))
    signs = np.random.default_rng(2).choice([-1.0, 1.0], (100, 1))
    assert rot.angle_between(rot.mean(around * signs), centre) < 1e-6
    a, b = turns(3, ()), turns(4, ())
    assert alike(rot.mean([a, b], [1.0, 0.0]), a, 1e-7)
    assert alike(rot.mean([a, b]), rot.slerp(a, b, 0.5), 1e-7)


def test_angular_velocity_is_in_the_childs_frame_and_turns_the_pose_on():
    times = np.arange(101) / 100.0
    start, spin = turns(0, ()), np.array([0.5, -1.0, 2.0])
    q = rot.multiply(start, rot.exp(times[:, None] * spin))
    assert np.allclose(rot.angular_velocity(q, 100.0), spin)
    assert np.array_equal(rot.angular_velocity(q[:1], 100.0), np.zeros((1, 3)))
    assert rot.angular_velocity(np.stack([q, q], axis=1), 100.0).shape == (101, 2, 3)


def test_the_heading_is_the_angle_about_the_vertical():
    angles = np.linspace(-3.0, 3.0, 25)
    assert np.allclose(rot.heading(rot.about_z(angles)), angles)
    leaning = rot.multiply(rot.about_z(angles), rot.from_axis_angle([0.0, 1.0, 0.0], 0.6))
    assert np.allclose(rot.heading(leaning), angles)
    assert rot.heading(rot.IDENTITY, (0.0, 1.0, 0.0)) == pytest.approx(np.pi / 2)
