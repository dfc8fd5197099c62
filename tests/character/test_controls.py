"""Laws of the map from target poses to controls."""

import mujoco
import numpy as np
import pytest

from understudy import rotations
from understudy.character import CharacterJoint, ControlMap
from understudy.errors import CharacterError

BODY = """
<body name="{p}root"><freejoint name="{p}root"/><geom size=".1"/>
  <body name="{p}a" pos=".3 0 0"><joint name="{p}a" type="ball"/><geom size=".1"/>
    <body name="{p}b" pos=".3 0 0"><joint name="{p}b" type="ball"/><geom size=".1"/>
      <body name="{p}c" pos=".3 0 0"><joint name="{p}c" axis="0 1 0"/><geom size=".1"/></body></body></body></body>
"""
SERVOS = """
<orientation name="{p}a" joint="{p}a" kp="50" kv="5" input="quat"/>
<position name="{p}b_x" joint="{p}b" gear="1 0 0" kp="50" kv="5"/>
<position name="{p}b_y" joint="{p}b" gear="0 1 0" kp="50" kv="5"/>
<position name="{p}b_z" joint="{p}b" gear="0 0 1" kp="50" kv="5"/>
<position name="{p}c" joint="{p}c" kp="50" kv="5"/>
"""


def _model(*prefixes: str) -> mujoco.MjModel:
    bodies = "".join(BODY.format(p=p) for p in prefixes)
    servos = "".join(SERVOS.format(p=p) for p in prefixes)
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 0" integrator="implicitfast"><flag contact="disable"/></option>'
        f"<worldbody>{bodies}</worldbody><actuator>{servos}</actuator></mujoco>"
    )


def _joints() -> tuple[CharacterJoint, ...]:
    return tuple(
        CharacterJoint(name, name, (name,), 50.0, 5.0, np.ones(axes), np.zeros(axes))
        for name, axes in (("a", 3), ("b", 3), ("c", 1))
    )


def _pose(rng: np.random.Generator) -> np.ndarray:
    return np.concatenate([rotations.exp(rng.normal(size=(2, 3)) * 0.5).ravel(), rng.normal(size=1)])


@pytest.mark.parametrize("prefix", ["one_", "two_"])
def test_a_joint_at_its_target_feels_no_torque(prefix: str) -> None:
    model = _model("one_", "two_")
    controls = ControlMap(model, _joints(), prefix)
    data = mujoco.MjData(model)
    pose = _pose(np.random.default_rng(0))
    data.qpos[controls.position_indices] = pose
    data.ctrl[controls.ctrl_indices] = controls.controls(pose[None])[0]
    mujoco.mj_forward(model, data)
    forces = np.concatenate([data.qfrc_actuator[dofs] for dofs in controls.dof_indices])
    np.testing.assert_allclose(forces, 0.0, atol=1e-10)


def test_joints_are_driven_to_their_targets() -> None:
    model = _model("")
    controls = ControlMap(model, _joints())
    data = mujoco.MjData(model)
    pose = _pose(np.random.default_rng(1))
    data.ctrl[controls.ctrl_indices] = controls.controls(pose[None])[0]
    mujoco.mj_step(model, data, 4000)
    reached = data.qpos[controls.position_indices]
    assert rotations.angle_between(reached[:4], pose[:4]) < 1e-3
    assert rotations.angle_between(reached[4:8], pose[4:8]) < 1e-3
    assert abs(reached[8] - pose[8]) < 1e-3


def test_every_row_of_targets_is_mapped_alone() -> None:
    model = _model("")
    controls = ControlMap(model, _joints())
    rng = np.random.default_rng(2)
    poses = np.stack([_pose(rng) for _ in range(5)])
    together = controls.controls(poses)
    np.testing.assert_array_equal(together, np.concatenate([controls.controls(pose[None]) for pose in poses]))


def test_the_gains_of_a_joint_are_those_of_its_own_actuators() -> None:
    model = _model("one_", "two_")
    controls = ControlMap(model, _joints(), "two_")
    names = [[model.actuator(int(i)).name for i in rows] for rows in controls.gain_indices]
    assert names == [["two_a"], ["two_b_x", "two_b_y", "two_b_z"], ["two_c"]]
    assert controls.actuator_joints.tolist() == [0, 1, 1, 1, 2]


def test_an_undriven_joint_is_named() -> None:
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{BODY.format(p='')}</worldbody></mujoco>")
    with pytest.raises(CharacterError, match="joint 'a' has no actuator"):
        ControlMap(model, _joints())
