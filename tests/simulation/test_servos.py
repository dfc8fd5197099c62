"""Servos: scaled, limited, and stable."""

from dataclasses import replace

import numpy as np
import pytest

from understudy.character import Character
from understudy.simulation import Scene, Target, World
from understudy.simulation.elements import Ground

AIR = Scene("weightless", elements=(Ground(-100.0),), gravity_m_s2=0.0)


@pytest.fixture
def limited(tumbler) -> Character:
    """The tumbler with strong servos of little torque."""
    xml = tumbler.xml.replace('kp="60" kv="4"', 'kp="6000" kv="400" forcerange="0 60"')
    return replace(tumbler, xml=xml.replace('kp="30" kv="2"', 'kp="3000" kv="200" forcerange="-30 30"'))


def test_a_limited_servo_stays_stable_under_wild_targets(limited, poses):
    world = World(AIR, limited, 8)
    for _ in range(40):
        world.advance(Target(poses.draw(8, size=1.0)))
    assert world.alive.all()
    assert np.abs(world.get_states().qvel).max() < 60.0


def test_its_pull_never_exceeds_the_limit(limited, poses):
    world = World(AIR, limited, 8)
    force = world._stepper.batch.bind("actuator_force")
    world.advance(Target(poses.draw(8, size=1.0)))
    forces = np.abs(force)
    assert forces[:, -1].max() <= 30.0
    assert forces.max() > 15.0


def test_scaled_gains_scale_stiffness_and_damping_alike(tumbler, limited):
    """A limited servo's damping sits in the joint; scaling by 2 must equal a character with twice the gains."""
    for character in (tumbler, limited):
        scaled = World(AIR, character)
        doubled = World(AIR, replace(character, xml=_twice(character.xml)))
        target = scaled.get_states().qpos[:, 7:].copy()
        target[0, 8] = 0.003  # too little for the limit to matter
        qvel = np.zeros(13)
        qvel[6:] = 0.01
        for world, gains in ((scaled, np.full((1, 3), 2.0)), (doubled, None)):
            world.reset(qvel=qvel)
            world.advance(Target(target, gains), ticks=2)
        np.testing.assert_allclose(scaled.get_states().qpos, doubled.get_states().qpos, atol=1e-12)
        np.testing.assert_allclose(scaled.get_states().qvel, doubled.get_states().qvel, atol=1e-12)


def _twice(xml: str) -> str:
    for name in ("kp", "kv"):
        for value in ("6000", "3000", "400", "200", "60", "30", "4", "2"):
            xml = xml.replace(f'{name}="{value}"', f'{name}="_{2 * int(value)}"')
    return xml.replace('"_', '"')
