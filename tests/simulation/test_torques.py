"""Torques: what drove the joints of a recorded run."""

from dataclasses import replace

import numpy as np
import pytest

from understudy.simulation import PoseController, Scene, Target, World, simulate, torques_of
from understudy.simulation.elements import Ground

AIR = Scene("weightless", elements=(Ground(-100.0),), gravity_m_s2=0.0)
TAIL = -1  # the last degree of freedom of the tumbler: a hinge with kp 30 and kd 2


class Wild:
    """Random targets, gains and torques."""

    def __init__(self, poses, size: float = 0.4) -> None:
        self._poses, self._size = poses, size

    def reset(self) -> None:
        self._random = np.random.default_rng(5)

    def act(self, state, tick: int) -> Target:  # noqa: ARG002
        gains = self._random.uniform(0.5, 1.5, (1, 3))
        return Target(self._poses.draw(1, size=self._size), gains, self._random.normal(size=(1, 7)))


def test_a_hinges_torque_is_what_the_servo_law_says_plus_what_was_asked_for(tumbler, poses):
    rollout = simulate(World(AIR, tumbler), Wild(poses), 12)
    torques = torques_of(rollout)
    gains = rollout.inputs.gain_scale[:, -1]
    pull = 30.0 * (rollout.inputs.controls[:, 0, -1] - rollout.qpos[:-1, TAIL]) - 2.0 * rollout.qvel[:-1, TAIL]
    asked = rollout.inputs.torques[:, TAIL]
    np.testing.assert_allclose(torques.joints_nm[:, TAIL], gains * pull + asked, atol=1e-9)


def test_free_roots_are_driven_by_nothing(tumbler, poses):
    torques = torques_of(simulate(World(AIR, tumbler), Wild(poses), 6))
    assert torques.joints_nm.shape == (6, 13)
    assert not torques.joints_nm[:, :6].any()


def test_a_limit_that_is_never_reached_changes_no_torque(tumbler, rest):
    """The damping of a limited servo is simulated by its joint, and yet is the servo's."""
    xml = tumbler.xml.replace('kp="30" kv="2"', 'kp="30" kv="2" forcerange="-900 900"')
    runs = []
    for character in (tumbler, replace(tumbler, xml=xml)):
        world = World(AIR, character)
        world.reset(qvel=np.concatenate([np.zeros(12), [3.0]]))
        runs.append(torques_of(simulate(world, PoseController(rest[0]), 1)))
    assert runs[0].joints_nm[0, TAIL] == pytest.approx(-6.0)
    np.testing.assert_allclose(runs[1].joints_nm, runs[0].joints_nm, atol=1e-9)
    assert (runs[0].limited.any(), runs[1].limited.tolist()) == (False, [False, False, True])
    assert not runs[1].at_limit.any()


def test_servos_at_their_limit_are_told_of_balls_and_of_hinges(tumbler, poses):
    xml = tumbler.xml.replace('kp="60" kv="4"', 'kp="6000" kv="40" forcerange="0 60"')
    xml = xml.replace('kp="30" kv="2"', 'kp="3000" kv="20" forcerange="-30 30"')
    torques = torques_of(simulate(World(AIR, replace(tumbler, xml=xml)), Wild(poses, size=1.0), 20))
    assert torques.actuators == ("left_hip", "right_hip", "tail")
    assert torques.limited.all()
    assert (torques.at_limit.mean(axis=0) > 0.5).all()


def test_a_run_of_one_moment_has_no_torques(tumbler, rest):
    assert torques_of(simulate(World(AIR, tumbler), PoseController(rest[0]), 0)).joints_nm.shape == (0, 13)
