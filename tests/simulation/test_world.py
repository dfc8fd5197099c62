"""Laws of physics, and of the World around it."""

from dataclasses import replace

import numpy as np
import pytest

from understudy.errors import SimulationError, UnknownNameError
from understudy.simulation import FreeBox, Ground, Scene, SelfCollision, Target, World, scene

AIR = Scene("air", elements=(Ground(-100.0),))
WEIGHTLESS = Scene("weightless", elements=(Ground(-100.0),), gravity_m_s2=0.0)


def test_a_falling_character_follows_the_parabola(tumbler, rest):
    world = World(AIR, tumbler, measures=("momentum",))
    before = world.momentum()
    world.advance(Target(rest), ticks=10)
    t, g, h = 10 * world.tick_s, 9.81, tumbler.physics.timestep_s
    after = world.momentum()
    np.testing.assert_allclose(after.mass_velocity_w[0], [0, 0, -g * t], atol=1e-6)
    fall = before.mass_centre_w[0, 2] - after.mass_centre_w[0, 2]
    assert fall == pytest.approx(g * t * (t + h) / 2, abs=1e-6)  # semi-implicit Euler sums h + 2h + ... + t


def test_momentum_is_conserved_while_the_joints_thrash(tumbler, poses):
    fine = replace(tumbler.physics, timestep_s=0.0005, tick_steps=20)
    world = World(WEIGHTLESS, tumbler, 3, physics=fine, measures=("momentum",), self_collision=SelfCollision("none"))
    world.reset(qvel=np.array([0.3, 0.1, 0.2, 1.0, -2.0, 0.5, *np.zeros(7)]))
    start = world.momentum()
    for _ in range(10):
        world.advance(Target(poses.draw(3)))
    end = world.momentum()
    np.testing.assert_allclose(end.mass_velocity_w, start.mass_velocity_w, atol=0.01)
    np.testing.assert_allclose(end.angular_momentum_w, start.angular_momentum_w, atol=0.01)
    assert np.abs(start.angular_momentum_w).max() > 0.3


def test_contact_forces_on_a_resting_character_sum_to_its_weight(tumbler, rest):
    world = World(scene("flat"), tumbler, 2, measures=("contacts", "momentum"))
    world.advance(Target(rest), ticks=150)
    forces = world.contacts().forces_w.sum(axis=1)
    np.testing.assert_allclose(forces, [[0, 0, tumbler.mass_kg * 9.81]] * 2, atol=0.5)
    assert world.contacts().counts[0, 1:3].min() >= 1, "both legs stand"
    places = world.contacts().places_w[0, 1:3]
    np.testing.assert_allclose(places[:, 2], 0.0, atol=0.01)


@pytest.mark.parametrize(("friction", "slides"), [(0.45, True), (0.75, False)])
def test_a_box_on_a_ramp_slides_below_the_friction_of_its_slope_and_holds_above(tumbler, friction, slides):
    box = FreeBox(size_m=(0.4, 0.4, 0.1), place_m=(3.0, 0.0, 1.27))
    slope = scene("ramp", slope_deg=31.0, friction=friction)  # tan(31 deg) is 0.60
    world = World(Scene("slope", (*slope.elements, box), friction), tumbler)
    rest = Target(world.get_states().qpos[:, 7:16])
    world.advance(rest, ticks=30 if slides else 60)
    settled = world.get_states().qpos[0, -7:]
    world.advance(rest, ticks=25)
    moved = np.linalg.norm(world.get_states().qpos[0, -7:-4] - settled[:3])
    assert settled[2] > 0.7, "it lies on the slope"
    assert moved > 0.2 if slides else moved < 5e-3


def test_a_push_gives_a_free_body_its_impulse(tumbler, rest):
    world = World(WEIGHTLESS, tumbler, 2, measures=("momentum",))
    world.push("trunk", [26.0, 0.0, -13.0], 0.065, simulations=[1])
    world.advance(Target(rest), ticks=7)
    velocity = world.momentum().mass_velocity_w
    np.testing.assert_allclose(velocity[0], 0.0, atol=1e-9)
    np.testing.assert_allclose(velocity[1], np.array([26.0, 0, -13.0]) * 0.065 / tumbler.mass_kg, rtol=1e-3, atol=1e-4)


def test_gains_scale_the_first_torque_linearly(tumbler, poses):
    world = World(WEIGHTLESS, tumbler, 3)
    target = poses.draw(1)
    scale = np.array([[1.0] * 3, [2.0] * 3, [0.0] * 3])
    torque = world._stepper.batch.bind("qfrc_actuator")
    world.advance(Target(target, gain_scale=scale))  # the first step's torque is kp times the same error
    world.reset()
    inputs_before = world.get_states()
    world.set_states(inputs_before)
    world._stepper.batch.forward()
    world._stepper.rows[:, world._stepper.layout.ctrl] = target
    world._stepper.batch.forward()
    np.testing.assert_allclose(torque[1], 2 * torque[0], rtol=1e-12)
    np.testing.assert_allclose(torque[2], 0.0)
    assert np.abs(torque[0]).max() > 1.0


def test_gains_are_the_characters_own_again_when_a_target_names_none(tumbler, poses):
    target = poses.draw(1)
    plain, scaled = World(AIR, tumbler), World(AIR, tumbler)
    start = scaled.get_states()
    scaled.advance(Target(target, gain_scale=np.full((1, 3), 3.0)))
    assert not np.array_equal(scaled.get_states().qpos, start.qpos)
    scaled.set_states(start)
    for world in (plain, scaled):
        world.advance(Target(target))
    np.testing.assert_array_equal(plain.get_states().rows, scaled.get_states().rows)


def test_torques_turn_the_joint_they_name(tumbler, rest):
    world = World(WEIGHTLESS, tumbler, 2)
    torques = np.zeros((2, 7))
    torques[1, 6] = 5.0
    world.advance(Target(rest, torques=torques))
    qvel = world.get_states().qvel
    np.testing.assert_allclose(qvel[0], 0.0, atol=1e-12)
    assert qvel[1, 12] > 0.1


def test_a_target_that_changes_within_a_tick_equals_ticks_of_their_own(tumbler, poses):
    targets = poses.draw(2, 4)
    whole, pieces = World(scene("flat"), tumbler, 2), World(scene("flat"), tumbler, 2)
    whole.advance(Target(targets), ticks=4)
    for k in range(4):
        pieces.advance(Target(targets[:, k]))
    np.testing.assert_array_equal(whole.get_states().rows, pieces.get_states().rows)


def test_friction_per_simulation_decides_how_far_a_box_slides(tumbler, rest):
    world = World(Scene("floor", (Ground(), FreeBox(size_m=(0.4, 0.4, 0.04), place_m=(3, 0, 0.02)))), tumbler, 3)
    world.set_friction([0.2, 0.4, 0.8])
    world.throw("box", [3.0, 0.0, 0.02], [2.0, 0.0, 0.0])
    world.advance(Target(rest), ticks=60)
    way = world.get_states().qpos[:, -7] - 3.0
    np.testing.assert_allclose(way, 2.0**2 / (2 * 9.81 * np.array([0.2, 0.4, 0.8])), rtol=0.1)


def test_characters_of_one_scene_collide_with_each_other_even_when_none_collides_with_itself(tumbler):
    for mode in ("own", "none"):
        world = World(AIR, [tumbler, tumbler], self_collision=SelfCollision(mode), measures=("contacts",))
        qpos = np.tile(world.get_states().qpos[:, :16], 2)
        qpos[0, 16] += 0.25
        qpos[0, 18] += 0.02
        world.reset(qpos)
        assert world.contacts(0).counts.sum() > 0, mode
        assert world.contacts(1).counts.sum() > 0, mode


def test_self_collision_can_be_left_out_and_put_back_for_a_pair(tumbler):
    def touching(self_collision: SelfCollision) -> int:
        world = World(AIR, tumbler, self_collision=self_collision, measures=("contacts",))
        crossed = world.get_states().qpos.copy()
        crossed[0, 7:11] = [np.cos(0.5), -np.sin(0.5), 0, 0]
        crossed[0, 11:15] = [np.cos(0.5), np.sin(0.5), 0, 0]
        world.reset(crossed)
        return int(world.contacts().counts.sum())

    pair = (("left_leg", "right_leg"),)
    assert touching(SelfCollision("own")) > 0
    assert touching(SelfCollision("none")) == 0
    assert touching(SelfCollision("own", exclude=pair)) == 0
    assert touching(SelfCollision("none", include=pair)) > 0


def test_measured_bodies_move_as_their_places_do(tumbler, poses):
    world = World(WEIGHTLESS, tumbler, 2, measures=("bodies",))
    world.reset(qvel=np.array([0.3, 0.1, 0.2, 1.0, -2.0, 0.5, *np.zeros(7)]))
    target = Target(poses.draw(2))
    world.advance(target, ticks=2)
    before, dt = world.bodies(), world.tick_s
    world.advance(target)
    after = world.bodies()
    middle = (before.velocities_w + after.velocities_w) / 2
    np.testing.assert_allclose((after.positions_w - before.positions_w) / dt, middle, atol=0.06)
    assert np.abs(middle).max() > 0.5
    np.testing.assert_array_equal(world.end_effectors().positions_w, after.positions_w[:, 1:3])


def test_measuring_changes_nothing(tumbler, poses):
    targets = [Target(poses.draw(2)) for _ in range(6)]
    plain = World(scene("flat"), tumbler, 2)
    measured = World(scene("flat"), tumbler, 2, measures=("momentum", "bodies", "contacts"))
    for target in targets:
        plain.advance(target)
        measured.momentum(), measured.contacts()
        measured.advance(target)
        measured.set_states(measured.get_states())
        measured.contacts()
    np.testing.assert_array_equal(plain.get_states().rows, measured.get_states().rows)


def test_the_root_is_seen_in_its_facing_frame(tumbler):
    world = World(AIR, tumbler, 2)
    turn = np.array([np.cos(0.6), 0, 0, np.sin(0.6)])  # 1.2 rad to the left
    qpos = world.get_states().qpos[:, :16].copy()
    qpos[1, 3:7] = turn
    qvel = np.zeros((2, 13))
    qvel[:, 0], qvel[:, 5] = 1.0, 0.7
    world.reset(qpos, qvel)
    root = world.root()
    np.testing.assert_allclose(root.heading_rad, [0.0, 1.2])
    np.testing.assert_allclose(root.velocity_f[1], [np.cos(1.2), -np.sin(1.2), 0], atol=1e-12)
    np.testing.assert_allclose(root.rotation_f[1], [1, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(root.spin_f[:, 2], 0.7)


def test_a_thrown_box_flies_and_hits(tumbler, rest):
    world = World(Scene("range", (Ground(), FreeBox("box", place_m=(5, 0, 0.1)))), tumbler, 2, measures=("momentum",))
    world.throw("box", [-2.0, 0.0, 0.5], [8.0, 0.0, 1.0], simulations=[1])
    world.advance(Target(rest), ticks=20)
    velocity = world.momentum().mass_velocity_w
    assert velocity[1, 0] > velocity[0, 0] + 0.3
    with pytest.raises(UnknownNameError, match="no prop named 'bx'; did you mean box"):
        world.throw("bx", [0, 0, 1], [0, 0, 0])


def test_mistakes_are_told_with_what_would_have_been_right(tumbler, rest):
    world = World(scene("flat"), tumbler, 2)
    with pytest.raises(SimulationError, match=r"positions of 'tumbler' must have 9 columns, not 4"):
        world.advance(Target(np.zeros((1, 4))))
    with pytest.raises(SimulationError, match="a target for 3 simulations can't be used in a world of 2"):
        world.advance(Target(np.repeat(rest, 3, axis=0)))
    with pytest.raises(SimulationError, match="4 physics steps can't be cut into 3"):
        world.advance(Target(np.repeat(rest[:, None], 3, axis=1)))
    with pytest.raises(SimulationError, match="measure contacts; build it with"):
        world.contacts()
    with pytest.raises(UnknownNameError, match="no body of 'tumbler' named 'trunc'; did you mean trunk"):
        world.push("trunc", [1, 0, 0], 0.1)
    with pytest.raises(SimulationError, match="qpos must be"):
        world.reset(np.zeros(5))
    with pytest.raises(UnknownNameError, match="no measure named 'contact'"):
        World(scene("flat"), tumbler, measures=("contact",))
    with pytest.raises(SimulationError, match="at least 1 simulation"):
        World(scene("flat"), tumbler, 0)
