"""Laws of the characters that tables describe."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from understudy import rotations
from understudy.character import CHARACTERS, ROLES, Character, load_character, read_character, write_character
from understudy.errors import FileError, UnknownNameError

DEGREES_OF_FREEDOM = {
    "human": 50,
    "human45": 45,
    "human45-stunts": 45,
    "robot": 35,
    "won57": 57,
    "athlete33": 33,
    "humanoid29": 29,
}
MASSES_KG = {"human": 62.5, "human45": 62.0, "human45-stunts": 62.0, "robot": 49.5, "won57": 53.5}
HEIGHTS_M = {"human": 1.7, "human45": 1.7, "human45-stunts": 1.7, "robot": 1.2, "won57": 1.61}


@pytest.fixture(scope="module")
def characters() -> dict[str, Character]:
    return {name: load_character(name) for name in CHARACTERS}


def _rest(character: Character) -> mujoco.MjData:
    data = mujoco.MjData(character.model)
    mujoco.mj_forward(character.model, data)
    return data


def _extent(character: Character) -> tuple[np.ndarray, np.ndarray]:
    """The least and greatest corner of the boxes around what can be touched, in the rest pose."""
    model, data = character.model, _rest(character)
    solid = np.flatnonzero(model.geom_conaffinity)
    centres = data.geom_xpos[solid] + np.einsum(
        "gij,gj->gi", data.geom_xmat[solid].reshape(-1, 3, 3), model.geom_aabb[solid, :3]
    )
    halves = np.einsum("gij,gj->gi", np.abs(data.geom_xmat[solid].reshape(-1, 3, 3)), model.geom_aabb[solid, 3:])
    return (centres - halves).min(axis=0), (centres + halves).max(axis=0)


@pytest.mark.parametrize("name", DEGREES_OF_FREEDOM)
def test_degrees_of_freedom_are_the_papers(characters: dict[str, Character], name: str) -> None:
    assert characters[name].model.nv == DEGREES_OF_FREEDOM[name]


@pytest.mark.parametrize("name", MASSES_KG)
def test_masses_are_the_papers(characters: dict[str, Character], name: str) -> None:
    assert characters[name].mass_kg == pytest.approx(MASSES_KG[name], abs=0.05)


@pytest.mark.parametrize("name", HEIGHTS_M)
def test_they_stand_on_z_0_as_tall_as_the_papers_say(characters: dict[str, Character], name: str) -> None:
    least, greatest = _extent(characters[name])
    assert least[2] == pytest.approx(0.0, abs=1e-6)
    assert greatest[2] == pytest.approx(HEIGHTS_M[name], rel=0.01)


@pytest.mark.parametrize("name", CHARACTERS)
def test_left_and_right_mirror_each_other(characters: dict[str, Character], name: str) -> None:
    model, data = characters[name].model, _rest(characters[name])
    for body in characters[name].body_names:
        if body.startswith("right_"):
            continue
        left, right = model.body(body).id, model.body(body.replace("left_", "right_")).id
        np.testing.assert_allclose(data.xipos[left] * [1, -1, 1], data.xipos[right], atol=1e-6)
        np.testing.assert_allclose(model.body_mass[left], model.body_mass[right], rtol=1e-6)
        np.testing.assert_allclose(np.sort(model.body_inertia[left]), np.sort(model.body_inertia[right]), rtol=1e-4)


@pytest.mark.parametrize("name", CHARACTERS)
def test_they_face_forward(characters: dict[str, Character], name: str) -> None:
    character, data = characters[name], _rest(characters[name])
    foot = character.model.body(character.end_effectors[0]).id
    toes = data.geom_xpos[character.model.geom_bodyid == foot][:, 0].max()
    assert toes > data.xpos[foot, 0]
    left = data.xpos[character.model.body(character.roles["left_thigh"]).id]
    assert left[1] > 0.0


@pytest.mark.parametrize("name", CHARACTERS)
def test_frames_are_aligned_with_the_world_at_rest(characters: dict[str, Character], name: str) -> None:
    turned = _rest(characters[name]).xquat[1:]
    np.testing.assert_allclose(rotations.angle_between(turned, rotations.IDENTITY), 0.0, atol=1e-6)


@pytest.mark.parametrize("name", CHARACTERS)
def test_roles_joints_and_end_effectors_name_what_the_model_has(characters: dict[str, Character], name: str) -> None:
    character = characters[name]
    assert set(character.roles.values()) <= set(character.body_names)
    assert len(set(character.roles.values())) == len(character.roles)
    assert set(character.end_effectors) <= set(character.body_names)
    assert {"pelvis", "left_thigh", "right_shin", "left_foot"} <= set(character.roles) & set(ROLES)
    order = [character.model.joint(joint.mujoco_joints[0]).id for joint in character.joints]
    assert order == sorted(order)
    assert len(order) == character.model.njnt - 1


@pytest.mark.parametrize("name", CHARACTERS)
def test_nothing_of_a_character_touches_itself_in_ordinary_poses(characters: dict[str, Character], name: str) -> None:
    character = characters[name]
    data = mujoco.MjData(character.model)
    for qpos in (character.model.qpos0, character.standing_qpos, _arms_at_sides(character)):
        data.qpos[:] = qpos
        mujoco.mj_forward(character.model, data)
        assert data.ncon == 0


def _arms_at_sides(character: Character) -> np.ndarray:
    qpos = np.array(character.model.qpos0)
    for side, sign in (("left", -1.0), ("right", 1.0)):
        names = [joint.name for joint in character.joints]
        if f"{side}_shoulder" in names and "tail_1" not in names:
            place = int(character.model.joint(f"{side}_shoulder").qposadr[0])
            qpos[place : place + 4] = rotations.exp([sign * 1.5, 0.0, 0.0])
    return qpos


def test_an_arm_touches_the_trunk_but_passes_the_other_arm(characters: dict[str, Character]) -> None:
    character = characters["human"]
    data = mujoco.MjData(character.model)
    shoulder = int(character.model.joint("left_shoulder").qposadr[0])
    elbow = int(character.model.joint("left_elbow").qposadr[0])
    data.qpos[shoulder : shoulder + 4] = rotations.exp([-1.4, 0.0, 0.0])
    data.qpos[elbow : elbow + 4] = rotations.exp([-1.8, 0.0, 0.0])
    mujoco.mj_forward(character.model, data)
    touching = {frozenset(character.model.geom_bodyid[geom] for geom in pair) for pair in data.contact.geom}
    names = {frozenset(character.model.body(body).name for body in pair) for pair in touching}
    assert names
    assert all(pair & {"left_hand", "left_lower_arm"} and pair & {"trunk", "head"} for pair in names)


def test_an_arm_is_slimmest_about_its_own_length(characters: dict[str, Character]) -> None:
    """Table 1's axes: the upper arm's 2.173e-3 is about its length, y in the T-pose; the thigh's 1.709e-2 about z."""
    model = characters["human"].model
    data = _rest(characters["human"])
    for body, axis, inertia in (
        ("left_upper_arm", 1, 2.173e-3),
        ("right_thigh", 2, 1.709e-2),
        ("left_foot", 0, 1.714e-3),
    ):
        index = model.body(body).id
        turned = data.ximat[index].reshape(3, 3)
        about = turned @ np.diag(model.body_inertia[index]) @ turned.T
        assert about[axis, axis] == pytest.approx(inertia, rel=1e-4)
        assert about[axis, axis] == pytest.approx(np.linalg.eigvalsh(about)[0])


def test_table_2_is_in_our_axes(characters: dict[str, Character]) -> None:
    """The paper's x sideways, y up, z forward are our y, z, x."""
    human = characters["human"]
    np.testing.assert_array_equal(human.joint("left_shoulder").strength, [1.0, 0.2, 1.0])
    np.testing.assert_array_equal(human.joint("right_hip").strength, [1.0, 1.0, 0.2])
    np.testing.assert_array_equal(human.joint("left_ankle").strength, [0.5, 1.0, 1.0])
    np.testing.assert_array_equal(human.joint("left_ankle").window_rad, [0.1, 0.4, 0.2])
    assert (human.joint("waist").kp, human.joint("waist").kd) == (1000.0, 100.0)
    assert human.joint("left_wrist").contact_scale == 5.0


def test_the_second_gain_set_differs_in_waist_and_legs_only(characters: dict[str, Character]) -> None:
    basic, stunts = characters["human45"], characters["human45-stunts"]
    changed = {joint.name for joint in basic.joints if stunts.joint(joint.name).kp != joint.kp}
    legs = {f"{side}_{joint}" for side in ("left", "right") for joint in ("hip", "knee", "ankle", "toe")}
    assert changed == legs | {"waist", "chest"}
    assert {joint.kp for joint in basic.joints} == {500.0}
    assert (stunts.joint("waist").kp, stunts.joint("waist").kd) == (2000.0, 100.0)
    assert (stunts.joint("left_knee").kp, stunts.joint("left_knee").kd) == (1000.0, 50.0)


def test_torque_limits_are_only_where_the_paper_has_them(characters: dict[str, Character]) -> None:
    assert {name for name, character in characters.items() if character.model.actuator_forcelimited.any()} == {"won57"}
    model = characters["won57"].model
    np.testing.assert_array_equal(model.actuator_forcerange[model.actuator("left_knee").id], [0.0, 200.0])
    np.testing.assert_array_equal(characters["humanoid29"].joint("left_hip_y").torque_nm, [300.0])


@pytest.mark.parametrize("name", CHARACTERS)
def test_a_saved_character_is_the_same(characters: dict[str, Character], name: str, tmp_path: Path) -> None:
    character = characters[name]
    write_character(character, tmp_path / "saved.npz")
    for again in (read_character(tmp_path / "saved.npz"), load_character(tmp_path / "saved.npz")):
        assert again.xml == character.xml
        assert again.roles == character.roles
        assert again.physics == character.physics
        np.testing.assert_array_equal(again.standing, character.standing)
        for before, after in zip(character.joints, again.joints, strict=True):
            assert (before.name, before.kp, before.contact_scale) == (after.name, after.kp, after.contact_scale)
            np.testing.assert_array_equal(before.torque_nm, after.torque_nm)


def test_a_damaged_character_file_is_refused(characters: dict[str, Character], tmp_path: Path) -> None:
    path = tmp_path / "saved.npz"
    write_character(characters["robot"], path)
    arrays = dict(np.load(path))
    arrays["xml"] = arrays["xml"][:200]
    np.savez(path, **arrays)
    with pytest.raises(FileError, match=r"saved\.npz: .*MuJoCo refuses"):
        read_character(path)


def test_a_new_character_is_one_small_file(tmp_path: Path) -> None:
    path = tmp_path / "giant.toml"
    path.write_text('base = "human"\nsource = "ours"\nheight_m = 2.1\n[joints]\n"*_knee" = { kp = 900 }\n')
    giant = load_character(path)
    assert giant.name == "giant"
    assert _extent(giant)[1][2] == pytest.approx(2.1, rel=0.01)
    assert giant.joint("left_knee").kp == giant.joint("right_knee").kp == 900.0
    assert giant.joint("left_knee").kd == 30.0


def test_what_a_lighter_character_inherits_shrinks_with_it(characters: dict[str, Character], tmp_path: Path) -> None:
    human, path = characters["human"], tmp_path / "child.toml"
    path.write_text('base = "human"\nheight_m = 1.275\nmass_kg = 25.012\n[joints]\n"*_knee" = { kp = 111 }\n')
    child = load_character(path)  # 3/4 as tall, 2/5 as heavy
    np.testing.assert_allclose(child.model.body_mass, 0.4 * human.model.body_mass, rtol=1e-4)
    np.testing.assert_allclose(child.model.body_inertia, 0.4 * 0.75**2 * human.model.body_inertia, rtol=1e-4)
    hip = child.joint("left_hip"), human.joint("left_hip")
    assert hip[0].kp == pytest.approx(0.3 * hip[1].kp)
    assert hip[0].kd == pytest.approx(0.3 * 0.75**0.5 * hip[1].kd)
    assert child.joint("left_knee").kp == 111.0


def test_stretched_parts_are_longer_and_all_others_stay_as_they_are(
    characters: dict[str, Character], tmp_path: Path
) -> None:
    path = tmp_path / "stork.toml"
    path.write_text('base = "human"\nstretch = { "*_thigh" = 1.5, "*_shin" = 1.2 }\n')
    before, after = characters["human"].model, load_character(path).model
    for name in (before.body(i).name for i in range(2, before.nbody)):  # where a body hangs on its parent
        factor = 1.5 if name.endswith("shin") else 1.2 if name.endswith("foot") else 1.0
        np.testing.assert_allclose(after.body(name).pos, factor * before.body(name).pos, atol=1e-5)
    rise = after.body("pelvis").pos - before.body("pelvis").pos
    np.testing.assert_allclose(rise, [0.0, 0.0, 1.7 * (0.5 * 0.245 + 0.2 * 0.246)], atol=1e-4)
    np.testing.assert_allclose(after.body_mass, before.body_mass, rtol=1e-5)
    assert _extent(load_character(path))[0][2] == pytest.approx(_extent(characters["human"])[0][2], abs=1e-5)


def test_thicker_parts_are_as_long_as_before(characters: dict[str, Character], tmp_path: Path) -> None:
    path = tmp_path / "stout.toml"
    path.write_text('base = "human"\ngirth = { "*_thigh" = 1.5, chest = 1.2 }\n')
    before, after = characters["human"].model, load_character(path).model
    np.testing.assert_array_equal(after.body_pos, before.body_pos)
    np.testing.assert_allclose(after.geom("left_thigh").size[0], 1.5 * before.geom("left_thigh").size[0], rtol=1e-5)
    np.testing.assert_allclose(after.geom("left_thigh").size[1], before.geom("left_thigh").size[1], rtol=0.05)
    np.testing.assert_array_equal(after.geom("left_shin").size, before.geom("left_shin").size)


def test_strengths_per_axis_can_be_had_exactly(tmp_path: Path) -> None:
    path = tmp_path / "exact.toml"
    path.write_text('base = "human"\nball_servo = "axes"\n')
    model = load_character(path).model
    gains = [model.actuator_gainprm[model.actuator(f"left_hip_{axis}").id, 0] for axis in "xyz"]
    np.testing.assert_allclose(gains, [300.0, 300.0, 60.0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("base = ", "not a TOML file"),
        ('base = "nobody"', "can't be read"),
        ('base = "broken"', "inherits from itself"),
        ('base = "human"\nwings = 2', "unknown key 'wings'; known are: "),
        ('base = "human"\n[joints.neck]\nkp = "strong"', "joints.neck: kp: a number is wanted, not 'strong'"),
        ('base = "human"\n[joints.neck]\nstrength = [1, 2]', "joints.neck: strength has 2 numbers; it needs 3"),
        ('base = "human"\n[joints.tail]\nbody = "tail"\nkp = 1\nkd = 1', "there is no body 'tail'; there are: pelvis"),
        ('base = "human"\ngirth = { belly = 2 }', "girth: no part 'belly'; parts: pelvis"),
        ('base = "human"\nstretch = { legs = 2 }', "stretch: no part 'legs'; parts: pelvis"),
        ('base = "human"\nstretch = { "*_shin" = -1 }', "stretch: 'left_shin' can't be -1 times what it is"),
        ('base = "human"\n[bodies.pelvis]\nmass_kg = 40', "its bodies weigh 97.70 kg, not 62.53 kg"),
        (
            'base = "human45"\n[bodies.tail]\nmass_kg = 1\nparts = ["tail"]',
            "bodies.tail: no part 'tail'; parts: pelvis",
        ),
        ('base = "human"\naxes = ["x", "x", "y"]', "axes must be some order of x, y and z"),
        ('base = "human"\ncollisions = [[["nose"], ["trunk"]]]', "collisions: there is no body 'nose'"),
        ('base = "human"\n[standing_deg]\nnose = 3', "standing_deg: there is no joint 'nose'"),
        ('base = "human"\nphysique = "ghost"', "there is no physique 'ghost'; there are: adult"),
        ('base = "human"\n[physics]\ngravity = 3', "physics: "),
        ('base = "human"\n[joints.neck]\nkp = nan', "joints.neck: kp: a number is wanted, not nan"),
        ('base = "human"\nheight_m = -1', "height_m must be above 0"),
        ('base = "human"\ncollisions = 3', "collisions: a list is wanted, not 3"),
        ('base = "human"\nend_effectors = []', "end_effectors must name at least one body"),
        ('base = "human"\n[joints.neck]\nkp = -1', "joints.neck: gains, strengths and windows can't be below 0"),
        (
            'base = "human"\n[physics]\nsolver = "magic"',
            "physics: solver: one of newton, pgs, cg is wanted, not 'magic'",
        ),
        ('base = "human"\n[bodies.head]\nshapes = [{ sphere = [[0, 0]] }]', "a sphere is one point of three numbers"),
        ('base = "human"\n[colours]\nleft = [2, 0, 0]', "colour 'left' is not three numbers from 0 to 1"),
        ('source = "ours"', "has no [bodies.NAME] tables"),
    ],
)
def test_a_table_that_makes_no_sense_says_why(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        load_character(path)
    assert str(caught.value).startswith(str(path)) or "nobody.toml" in str(caught.value)
    assert message in str(caught.value)


def test_an_unknown_character_lists_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match="no character named 'humn'; did you mean human"):
        load_character("humn")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"friend\.toml: there is no such file"):
        load_character(tmp_path / "friend.toml")
