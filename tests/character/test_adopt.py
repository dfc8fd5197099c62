"""Laws of adopted models."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from holding import hold

from understudy.character import ControlMap, adopt, body_poses, load_character, read_character, write_character
from understudy.errors import FileError

HUMANOID = """
<mujoco model="humanoid"><option timestep="0.002" gravity="0 0 -3" cone="elliptic"><flag gravity="disable"/></option>
  <size memory="20M" nuser_geom="2"/><visual><map zfar="30"/><global offwidth="2560"/></visual>
  <default><motor ctrlrange="-1 1" ctrllimited="true"/>
    <joint damping="1" stiffness="2" armature="0.01" limited="true"/><geom type="capsule" condim="1"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" condim="3"/><light pos="0 0 4"/><camera name="far" pos="0 -4 1"/>
    <body name="torso" pos="0 0 1.25"><freejoint name="root"/><light name="lamp" mode="trackcom" pos="0 0 2"/>
      <geom fromto="0 -.07 0 0 .07 0" size=".07"/><geom fromto="0 -.06 -.12 0 .06 -.12" size=".06"/>
      <body name="head" pos="0 0 .19"><geom type="sphere" size=".09"/></body>
      <body name="waist_lower" pos="0 0 -.26"><geom fromto="0 -.06 0 0 .06 0" size=".06"/>
        <joint name="abdomen_z" axis="0 0 1" range="-45 45"/><joint name="abdomen_y" axis="0 1 0" range="-75 30"/>
        <body name="pelvis" pos="0 0 -.165"><joint name="abdomen_x" axis="1 0 0" range="-35 35"/>
          <geom fromto="0 -.07 0 0 .07 0" size=".09"/>
          {right_leg}{left_leg}
        </body></body>
      {right_arm}{left_arm}
    </body>
  </worldbody>
  <tendon>
    <fixed name="hamstring" limited="true" range="-1 2"><joint joint="hip_y_left" coef=".5"/>
      <joint joint="knee_left" coef="-.5"/></fixed>
    <fixed name="driven"><joint joint="elbow_left" coef="2"/></fixed>
  </tendon>
  <equality><joint name="yoke" joint1="shoulder1_left" joint2="shoulder1_right" active="false"/></equality>
  <actuator>{motors}<general name="pulley" tendon="driven" ctrlrange="-1 1" gainprm="15"/></actuator>
  <sensor><actuatorfrc actuator="knee_left"/><accelerometer name="balance" site="sternum"/></sensor>
  <keyframe><key name="stand_on_left_leg" qpos="{key}"/></keyframe>
</mujoco>"""

LEG = """
<body name="thigh_{side}" pos="0 {y} -.04">
  <joint name="hip_x_{side}" axis="1 0 0" range="-30 10"/><joint name="hip_z_{side}" axis="0 0 1" range="-60 35"/>
  <joint name="hip_y_{side}" axis="0 1 0" range="-150 20"/><geom fromto="0 0 0 0 0 -.34" size=".06"/>
  <body name="shin_{side}" pos="0 0 -.4"><joint name="knee_{side}" pos="0 0 .02" axis="0 -1 0" range="-160 2"/>
    <geom fromto="0 0 0 0 0 -.3" size=".05"/>
    <body name="foot_{side}" pos="0 0 -.39">
      <joint name="ankle_y_{side}" pos="0 0 .08" axis="0 1 0" range="-50 50"/>
      <joint name="ankle_x_{side}" pos="0 0 .04" axis="1 0 .5" range="-50 50"/>
      <geom fromto="-.07 -.02 0 .14 -.03 0" size=".027"/><geom fromto="-.07 .02 0 .14 .03 0" size=".027"/>
    </body></body></body>"""

ARM = """
<body name="upper_arm_{side}" pos="0 {y} .06">
  <joint name="shoulder1_{side}" axis="1 0 0" range="-85 60"/>
  <joint name="shoulder2_{side}" axis="0 1 0" range="-85 60"/>
  <geom fromto="0 0 0 .1 {out} -.2" size=".04"/>
  <body name="lower_arm_{side}" pos=".12 {out} -.22"><joint name="elbow_{side}" axis="0 1 0" range="-100 50"/>
    <geom fromto="0 0 0 .2 0 .1" size=".03"/>
    <body name="hand_{side}" pos=".22 0 .1"><geom type="sphere" size=".04"/></body></body></body>"""

GEARS = {"abdomen": 40, "hip_x": 40, "hip_z": 40, "hip_y": 120, "knee": 80, "ankle": 20, "shoulder": 20, "elbow": 40}

CUBE = [[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)]
FACES = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]


def _humanoid(folder: Path) -> Path:
    joints = [f"abdomen_{axis}" for axis in "zyx"]
    for side in ("right", "left"):
        joints += [f"{j}_{side}" for j in ("hip_x", "hip_z", "hip_y", "knee", "ankle_y", "ankle_x")]
        joints += [f"{j}_{side}" for j in ("shoulder1", "shoulder2", "elbow")]
    gear = {joint: next(g for name, g in GEARS.items() if joint.startswith(name)) for joint in joints}
    text = HUMANOID.format(
        left_leg=LEG.format(side="left", y=0.1),
        right_leg=LEG.format(side="right", y=-0.1),
        left_arm=ARM.format(side="left", y=0.17, out=0.05),
        right_arm=ARM.format(side="right", y=-0.17, out=-0.05),
        motors="".join(f'<motor name="{j}" joint="{j}" gear="{gear[j]}"/>' for j in joints if j != "elbow_left"),
        key=" ".join(["0 0 1.2 1 0 0 0", *["0.2"] * len(joints)]),
    )
    text = text.replace('<body name="head"', '<site name="sternum"/><body name="head"')
    path = folder / "humanoid.xml"
    path.write_text(text)
    return path


def _obj(low: tuple[float, float, float], high: tuple[float, float, float]) -> str:
    corners = np.array(low) + np.array(CUBE) * (np.array(high) - np.array(low))
    lines = ["v " + " ".join(f"{v:.4f}" for v in corner) for corner in corners]
    for a, b, c, d in FACES:
        lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"]
    return "\n".join(lines)


def _robot(folder: Path) -> Path:
    """A biped facing -y with meshes in a folder, an included file, servos, and a keyframe with bent knees."""
    (folder / "parts").mkdir()
    meshes = {
        "trunk": ((-0.12, -0.08, 0.06), (0.12, 0.08, 0.40)),
        "link": ((-0.04, -0.04, -0.30), (0.04, 0.04, 0.0)),
        "sole": ((-0.05, -0.14, -0.06), (0.05, 0.08, 0.0)),
    }
    for name, (low, high) in meshes.items():
        (folder / "parts" / f"{name}.obj").write_text(_obj(low, high))
    (folder / "looks.xml").write_text('<mujoco><default><geom rgba=".7 .7 .8 1"/></default></mujoco>')
    legs = "".join(
        f"""<body name="{side}_hip_yaw_link" pos="{x} 0 0"><joint name="{side}_hip_yaw" axis="0 0 1"/>
          <geom size=".03" mass=".3"/>
          <body name="{side}_hip_roll_link"><joint name="{side}_hip_roll" axis="0 1 0"/><geom size=".03" mass=".3"/>
            <body name="{side}_thigh_link"><joint name="{side}_hip_pitch" axis="-1 0 0"/>
              <geom type="mesh" mesh="link" mass="3"/>
              <body name="{side}_shin_link" pos="0 0 -.3"><joint name="{side}_knee" axis="-1 0 0" range="-.1 2.5"/>
                <geom type="mesh" mesh="link" mass="2"/>
                <body name="{side}_foot_link" pos="0 0 -.3"><joint name="{side}_ankle" axis="-1 0 0"/>
                  <geom type="mesh" mesh="sole" mass="1"/></body></body></body></body></body>"""
        for side, x in (("left", 0.09), ("right", -0.09))
    )
    joints = [f"{s}_{j}" for s in ("left", "right") for j in ("hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle")]
    servos = "".join(f'<position joint="{j}" kp="800" kv="40" forcerange="-200 200"/>' for j in joints)
    bent = "0 0 -.4 .8 -.4"
    path = folder / "robot.xml"
    path.write_text(
        f"""<mujoco><compiler angle="radian" meshdir="parts"/><include file="looks.xml"/>
        <asset>{"".join(f'<mesh name="{m}" file="{m}.obj"/>' for m in meshes)}</asset>
        <worldbody><body name="bench" pos="2 0 0"><geom name="bench" type="box" size=".2 .2 .2"/></body>
        <body name="trunk" pos="0 0 .9"><freejoint/><geom type="mesh" mesh="trunk" mass="10"/>{legs}</body></worldbody>
        <actuator>{servos}</actuator>
        <keyframe><key name="Home" qpos="0 0 .8 1 0 0 0 {bent} {bent}"/></keyframe></mujoco>"""
    )
    return path


def test_a_humanoid_of_motors_becomes_a_character(tmp_path: Path) -> None:
    character = adopt(_humanoid(tmp_path))
    assert character.name == "humanoid"
    assert len(character.joints) == 21
    assert character.end_effectors == ("foot_left", "foot_right", "hand_left", "hand_right")
    assert character.roles["left_thigh"] == "thigh_left"
    assert character.roles["right_lower_arm"] == "lower_arm_right"
    assert character.roles["chest"] == "torso"
    assert any("guessed" in line and "hip_y_left" in line for line in character.guesses)


def test_motors_keep_their_strength(tmp_path: Path) -> None:
    character = adopt(_humanoid(tmp_path))
    assert character.joint("hip_y_left").torque_nm.tolist() == [120.0]
    assert character.joint("elbow_left").torque_nm.tolist() == [30.0], "15 N over a lever of 2"
    model = character.model
    np.testing.assert_array_equal(model.actuator_forcerange[model.actuator("ankle_y_left").id], [-20.0, 20.0])
    assert not model.actuator_ctrllimited.any()


def test_it_stands(tmp_path: Path) -> None:
    held = hold(adopt(_humanoid(tmp_path)))
    assert np.abs(held.heights - 1.0).max() < 0.05
    assert held.tilts_deg.max() < 10.0


def test_surroundings_are_left_out_and_the_rest_survives(tmp_path: Path) -> None:
    character = adopt(_humanoid(tmp_path))
    model = character.model
    assert model.nlight == model.nkey == 0
    assert (model.geom_bodyid > 0).all()
    assert (character.physics.timestep_s, character.physics.tick_steps, character.physics.cone) == (
        0.002,
        10,
        "elliptic",
    )
    assert model.opt.gravity[2] == -9.81
    assert model.opt.disableflags == 0
    assert (model.ntendon, model.neq, model.nsensor) == (2, 1, 1)
    assert any("floor" in line for line in character.guesses)


def test_servos_keep_their_gains(tmp_path: Path) -> None:
    character = adopt(_robot(tmp_path))
    assert {(joint.kp, joint.kd) for joint in character.joints} == {(800.0, 40.0)}
    assert character.joint("left_knee").torque_nm.tolist() == [200.0]
    assert not any("guessed" in line for line in character.guesses)


def test_a_robot_with_meshes_stands_in_its_keyframe_facing_forward(tmp_path: Path) -> None:
    character = adopt(_robot(tmp_path))
    knee = int(character.model.joint("left_knee").qposadr[0])
    assert character.standing_qpos[knee] == pytest.approx(0.8)
    poses = body_poses(character.model, character.standing_qpos[None])
    left, right = (poses.positions_w[0, character.body_index(f"{s}_foot_link")] for s in ("left", "right"))
    assert left[1] > right[1] + 0.1
    assert character.roles["left_shin"] == "left_shin_link"
    held = hold(character)
    assert np.abs(held.heights - 1.0).max() < 0.05
    assert held.tilts_deg.max() < 10.0


def test_a_model_with_meshes_needs_its_folder_no_more(tmp_path: Path) -> None:
    path = _robot(tmp_path)
    character = adopt(path)
    write_character(character, tmp_path / "robot.npz")
    for file in (path, *(tmp_path / "parts").iterdir()):
        file.unlink()
    again = read_character(tmp_path / "robot.npz")
    assert again.model.nmesh == 3
    assert str(tmp_path) not in again.xml
    np.testing.assert_allclose(again.model.body_mass, character.model.body_mass)


def test_it_can_be_attached_and_driven_beside_another(tmp_path: Path) -> None:
    character = adopt(_robot(tmp_path))
    scene = mujoco.MjSpec()
    for prefix in ("a_", "b_"):
        scene.attach(character.spec(), prefix=prefix, frame=scene.worldbody.add_frame())
    model = scene.compile()
    controls = ControlMap(model, character.joints, "b_")
    assert controls.controls(character.standing_qpos[None, 7:]).shape == (1, len(character.joints))
    assert set(controls.actuator_indices) == set(range(10, 20))


def test_it_joins_a_scene_without_a_conflict(tmp_path: Path) -> None:
    character = adopt(_humanoid(tmp_path))
    scene = mujoco.MjSpec()
    scene.option.timestep = 0.003
    scene.attach(character.spec(), prefix="a_", frame=scene.worldbody.add_frame())
    scene.compile()  # MuJoCo warns of conflicts, and here warnings are errors


def test_a_model_without_actuators_has_all_its_joints_driven(tmp_path: Path) -> None:
    path = tmp_path / "toy.xml"
    path.write_text(
        '<mujoco><worldbody><body><freejoint/><geom size=".1"/><body pos="0 0 -.2"><joint type="ball"/>'
        '<geom size=".1"/><body pos="0 0 -.2"><joint axis="0 1 0"/><geom type="box" size=".2 .2 .05"/></body></body>'
        "</body></worldbody></mujoco>"
    )
    character = adopt(path)
    assert [len(joint.strength) for joint in character.joints] == [3, 1]
    assert any("drives no joint" in line for line in character.guesses)


def test_load_character_adopts_models(tmp_path: Path) -> None:
    assert load_character(_humanoid(tmp_path)).source == "adopted from humanoid.xml"


BODY = '<body name="{n}"><freejoint/><geom size=".1"/><body pos="0 0 .2"><joint/><geom size=".1"/></body></body>'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "MuJoCo refuses it"),
        ("\x00\x01PK", None, "MuJoCo refuses it"),
        (
            "<mujoco>\n<worldbody>\n<body>\n<joint typ='hinge'/>\n</body></worldbody></mujoco>",
            4,
            "unrecognized attribute: 'typ'",
        ),
        ("<mujoco>\n<worldbody>\n<body><joint/></body></worldbody></mujoco>", 3, "mass and inertia"),
        ("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>", None, "nothing in it moves"),
        (
            f"<mujoco><worldbody>{BODY.format(n='a')}{BODY.format(n='b')}</worldbody></mujoco>",
            None,
            "several roots: 'a', 'b'",
        ),
        (
            "<mujoco><worldbody><body name='arm'><joint/><geom size='.1'/></body></worldbody></mujoco>",
            None,
            "its root 'arm' has no free joint; put a <freejoint/> first in that body",
        ),
        (
            "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
            None,
            "no joints to drive",
        ),
        (
            "<mujoco><asset><mesh name='m' file='gone.stl'/></asset><worldbody><body><freejoint/>"
            "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
            None,
            "gone.stl",
        ),
        ("<mujoco>\n<include file='gone.xml'/></mujoco>", 2, "gone.xml"),
    ],
)
def test_a_model_that_is_no_character_says_why(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    path = tmp_path / "model.xml"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        adopt(path)
    assert str(caught.value).startswith(f"{path}:{line}" if line else str(path))
    assert caught.value.line == line
    assert message in str(caught.value)


def test_nothing_is_written_beside_a_model_mujoco_warns_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "model.xml"
    path.write_text(f"<mujoco><worldbody>{BODY.format(n='a').replace('.2', 'nan')}</worldbody></mujoco>")
    with pytest.raises(FileError, match="not numbers"):
        adopt(path)
    assert [file.name for file in tmp_path.iterdir()] == ["model.xml"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nothing\.xml: can't be read"):
        adopt(tmp_path / "nothing.xml")
