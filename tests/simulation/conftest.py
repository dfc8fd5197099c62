"""Small characters the laws of simulation are tested on."""

from dataclasses import dataclass

import numpy as np
import pytest

from understudy.character import Character, CharacterJoint, Physics

TUMBLER = """
<mujoco model="tumbler"><worldbody>
  <body name="trunk" pos="0 0 0.5">
    <freejoint name="root"/>
    <geom type="box" size="0.12 0.15 0.10" mass="8"/>
    <body name="left_leg" pos="0 0.15 -0.1">
      <joint name="left_hip" type="ball" armature="0.01"/>
      <geom type="capsule" fromto="0 0 -0.06 0 0 -0.3" size="0.05" mass="2"/>
    </body>
    <body name="right_leg" pos="0 -0.15 -0.1">
      <joint name="right_hip" type="ball" armature="0.01"/>
      <geom type="capsule" fromto="0 0 -0.06 0 0 -0.3" size="0.05" mass="2"/>
    </body>
    <body name="tail" pos="-0.12 0 0">
      <joint name="tail" type="hinge" axis="0 1 0" armature="0.01"/>
      <geom type="capsule" fromto="-0.05 0 0 -0.25 0 -0.35" size="0.03" mass="1"/>
    </body>
  </body></worldbody>
  <actuator>
    <orientation name="left_hip" joint="left_hip" kp="60" kv="4" input="quat"/>
    <orientation name="right_hip" joint="right_hip" kp="60" kv="4" input="quat"/>
    <position name="tail" joint="tail" kp="30" kv="2"/>
  </actuator>
</mujoco>"""
REST = np.array([1.0, 0, 0, 0, 1, 0, 0, 0, 0])  # joint positions of the tumbler's rest pose


def _joint(name: str, body: str, axes: int) -> CharacterJoint:
    return CharacterJoint(name, body, (name,), 60.0, 4.0, np.ones(axes), np.full(axes, 0.5))


def make_tumbler() -> Character:
    return Character(
        name="tumbler",
        source="these tests",
        xml=TUMBLER,
        joints=(_joint("left_hip", "left_leg", 3), _joint("right_hip", "right_leg", 3), _joint("tail", "tail", 1)),
        roles={"pelvis": "trunk"},
        end_effectors=("left_leg", "right_leg"),
        physics=Physics(timestep_s=0.005, tick_steps=4),
    )


@pytest.fixture(scope="session")
def tumbler() -> Character:
    """13 kg on two legs and a tail: 9 joint positions, 7 joint velocities."""
    return make_tumbler()


@dataclass(frozen=True)
class Poses:
    """Random joint targets of the tumbler."""

    random: np.random.Generator

    def draw(self, *leading: int, size: float = 0.4) -> np.ndarray:
        """(*leading, 9) joint positions near the rest pose."""
        result = np.broadcast_to(REST, (*leading, 9)) + size * self.random.normal(size=(*leading, 9))
        for ball in (slice(0, 4), slice(4, 8)):
            result[..., ball] /= np.linalg.norm(result[..., ball], axis=-1, keepdims=True)
        return result


@pytest.fixture
def poses() -> Poses:
    return Poses(np.random.default_rng(3))


@pytest.fixture
def rest() -> np.ndarray:
    """(1, 9) joint positions of the tumbler's rest pose."""
    return REST[None].copy()
