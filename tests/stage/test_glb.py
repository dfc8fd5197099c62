"""An animated .glb says what the simulation said: the file is read back and compared with MuJoCo."""

import mujoco
import numpy as np
import pytest
from glb_reader import matrix, read_glb
from stage_samples import moved, stroll

from understudy.character import Reference, load_character, velocities
from understudy.errors import FileError, UnderstudyError
from understudy.simulation import Push, Target, World, scene, simulate
from understudy.stage import look, write_glb
from understudy.stage.gltf.geoms import geom_surface, has_surface

TO_GLTF = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # left, up, forward
BLOCKY = """
<mujoco model="blocky"><asset>
  <texture name="skin" type="cube" builtin="flat" rgb1=".8 .6 .4" rgb2=".8 .6 .4" width="8" height="8"/>
  <texture name="cloth" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
  <material name="skin" texture="skin"/><material name="cloth" texture="cloth"/>
  <mesh name="block" vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3" face="0 2 1 0 1 3 0 3 2 1 2 3"
        texcoord="0 0 1 0 0 1 1 1"/></asset>
<worldbody><body name="top" pos="0 0 .6"><freejoint/><geom type="mesh" mesh="block" material="cloth"/>
  <body pos="0 0 -.2" quat=".8 .2 -.1 .3"><joint type="hinge" axis="0 1 0" pos=".1 0 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".05" material="skin"/>
    <geom type="box" size=".2 .2 .2" group="3"/>
    <geom type="box" size=".2 .2 .2" rgba="0 0 0 0"/>
    <body name="foot" pos="0 0 -.35"><joint type="slide" axis="0 0 1"/>
      <geom type="ellipsoid" size=".15 .07 .03" rgba="0 .5 0 1"/></body></body></body></worldbody></mujoco>"""


class Noisy:
    """Asks for poses around standing, never the same one."""

    def __init__(self, characters):
        self._standing = np.concatenate([character.standing_qpos[7:] for character in characters])
        self._random = np.random.default_rng(5)

    def reset(self):
        pass

    def act(self, state, tick):  # noqa: ARG002
        return Target((self._standing + 0.3 * self._random.normal(size=len(self._standing)))[None])


def run(place, *names, ticks=25):
    characters = [load_character(name) for name in names]
    world = World(scene(place), characters if len(names) > 1 else characters[0], physics=characters[0].physics)
    root = world.model.body(1).name
    pushes = [Push(2, root, (300.0, 500.0, 200.0), 0.2)] if len(names) == 1 else []
    return simulate(world, Noisy(characters), ticks, pushes=pushes)


@pytest.fixture(scope="module")
def fall():
    """A human pushed over among a loose box and a ball."""
    return run("props", "human")


@pytest.fixture(scope="module")
def written(fall, tmp_path_factory):
    path = tmp_path_factory.mktemp("glb") / "fall.glb"
    write_glb(fall, path)
    return read_glb(path)


@pytest.fixture
def blocky(tmp_path):
    """An adopted model, one of whose joints turns off its body's origin and one slides, wriggling."""
    (tmp_path / "blocky.xml").write_text(BLOCKY)
    character = load_character(tmp_path / "blocky.xml")
    qpos = np.tile(character.standing_qpos, (11, 1))
    qpos[:, 7], qpos[:, 8], qpos[:, 0] = np.linspace(0.0, 1.0, 11), np.linspace(0.0, 0.1, 11), np.linspace(0.0, 2.0, 11)
    return Reference(character, 20.0, qpos, velocities(character.model, qpos, 20.0), "wriggle")


def check_places(glb, model, qpos, prefix=""):
    """The world transform of every body's node is MuJoCo's, at every key."""
    data = mujoco.MjData(model)
    names = [model.body(body).name or f"body_{body}" for body in range(model.nbody)]
    nodes = [glb.node(prefix + name if body else name) for body, name in enumerate(names)]
    for key in np.unique([0, len(qpos) // 3, len(qpos) - 1]):
        data.qpos[:] = qpos[key]
        mujoco.mj_kinematics(model, data)
        for body, node in enumerate(nodes):
            found = glb.world(node, key)
            np.testing.assert_allclose(found[:3, 3], TO_GLTF @ data.xpos[body], atol=2e-6)
            turn = TO_GLTF @ data.xmat[body].reshape(3, 3) @ TO_GLTF.T
            np.testing.assert_allclose(found[:3, :3], turn, atol=2e-6)


def test_nodes_are_where_the_simulation_had_the_bodies(fall, written):
    assert np.ptp(fall.qpos[:, 2]) > 0.05  # it does move
    check_places(written, fall.model, fall.qpos)


def test_several_characters_are_where_they_were(tmp_path):
    rollout = run("hills", "human", "robot")
    write_glb(rollout, tmp_path / "two.glb")
    glb = read_glb(tmp_path / "two.glb")
    check_places(glb, rollout.model, rollout.qpos)
    assert [skin["name"] for skin in glb.json["skins"]] == list(rollout.character_names) == ["a_human", "b_robot"]


def test_sliding_joints_and_joints_off_the_origin_of_their_body_are_right(tmp_path, blocky):
    write_glb(blocky, tmp_path / "b.glb")
    glb = read_glb(tmp_path / "b.glb")
    check_places(glb, blocky.character.model, blocky.qpos)
    assert (glb.node("foot"), "translation") in glb.channels


def test_vertices_of_the_skin_are_on_the_bodies(fall, written):
    check_skin(written, "human_skin", fall.model, fall.qpos, key=20)


def test_vertices_are_on_bodies_that_rest_askew(tmp_path, blocky):
    write_glb(blocky, tmp_path / "b.glb")
    check_skin(read_glb(tmp_path / "b.glb"), "blocky_skin", blocky.character.model, blocky.qpos, key=7)


def check_skin(glb, name, model, qpos, key):
    """The vertices that hang on each joint are those of its body's visible geoms, where MuJoCo has them."""
    data = mujoco.MjData(model)
    data.qpos[:] = qpos[key]
    mujoco.mj_kinematics(model, data)
    skinned = glb.skinned(glb.node(name), key)
    for body in range(1, model.nbody):
        if model.body_rootid[body] != 1:
            continue  # it hangs not on the first figure
        own = np.concatenate([places[owners == body - 1] for owners, places in skinned])
        expected = np.concatenate([drawn(model, data, geom) for geom in visible_geoms(model, body)])
        assert len(own) == len(expected)
        for axis in range(3):  # sorted, for they are grouped by their paint
            np.testing.assert_allclose(np.sort(own[:, axis]), np.sort(expected[:, axis]), atol=5e-6)


def visible_geoms(model, body):
    shown = (model.geom_group < 3) & (model.geom_rgba[:, 3] > 0.0) & (model.geom_bodyid == body)
    return [geom for geom in np.flatnonzero(shown) if has_surface(model, geom)]


def drawn(model, data, geom):
    """(V, 3) the vertices of a geom's surface, in glTF's axes."""
    surface = geom_surface(model, geom, np.zeros((2, 2)))
    return (surface.vertices @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]) @ TO_GLTF.T


def test_weights_are_one_for_one_joint(written):
    for mesh in written.json["meshes"]:
        for primitive in mesh["primitives"]:
            if "WEIGHTS_0" in primitive["attributes"]:
                weights = written.array(primitive["attributes"]["WEIGHTS_0"])
                assert (weights == [255, 0, 0, 0]).all()
                assert not written.array(primitive["attributes"]["JOINTS_0"])[:, 1:].any()


def test_keys_are_the_ticks(fall, written):
    times = [times for times, _ in written.channels.values()]
    assert all(len(t) == fall.tick_count and t[0] == 0.0 and (np.diff(t) > 0.0).all() for t in times)
    assert {float(t[-1]) for t in times} == {np.float32(fall.duration_s)}
    assert written.json["animations"][0]["name"] == "human"


def test_rotations_are_unit_quaternions_that_never_jump(written):
    turns = [values for (_, path), (_, values) in written.channels.items() if path == "rotation"]
    assert len(turns) > 15
    for values in turns:
        np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1.0, atol=1e-6)
        assert (np.sum(values[1:] * values[:-1], axis=1) > 0.0).all()


def test_bounds_are_exact_and_everything_is_aligned_and_inside(written):
    assert len(written.binary) == written.json["buffers"][0]["byteLength"]
    for view in written.json["bufferViews"]:
        assert view["byteOffset"] % 4 == 0
        assert view["byteOffset"] + view["byteLength"] <= len(written.binary)
    bounded = 0
    for index, accessor in enumerate(written.json["accessors"]):
        values = written.array(index)
        assert np.isfinite(values).all()
        if "min" in accessor:
            bounded += 1
            rows = values.reshape(len(values), -1)
            np.testing.assert_array_equal(np.float32(accessor["min"]), rows.min(axis=0))
            np.testing.assert_array_equal(np.float32(accessor["max"]), rows.max(axis=0))
    assert bounded > 4
    for mesh in written.json["meshes"]:
        for primitive in mesh["primitives"]:
            count = written.json["accessors"][primitive["attributes"]["POSITION"]]["count"]
            assert "min" in written.json["accessors"][primitive["attributes"]["POSITION"]]
            assert written.array(primitive["indices"]).max() < count


def test_what_stands_still_is_not_animated_and_what_is_loose_is(written):
    animated = {written.json["nodes"][node]["name"] for node, _ in written.channels}
    assert {"box", "ball", "pelvis", "left_shin"} <= animated
    assert not animated & {"world", "ground", "human", "human_skin"}
    assert (written.node("left_shin"), "translation") not in written.channels  # bones keep their length
    assert all("mesh" in written.json["nodes"][written.node(name)] for name in ("box", "ball", "ground"))


def test_the_scene_stands_where_it_is(tmp_path):
    rollout = run("ramp", "human", ticks=1)
    write_glb(rollout, tmp_path / "ramp.glb")
    glb = read_glb(tmp_path / "ramp.glb")
    data = mujoco.MjData(rollout.model)
    mujoco.mj_kinematics(rollout.model, data)
    for name in ("ramp", "platform"):
        mesh = glb.json["meshes"][glb.json["nodes"][glb.node(name)]["mesh"]]
        own = glb.array(mesh["primitives"][0]["attributes"]["POSITION"])
        np.testing.assert_allclose(own, drawn(rollout.model, data, rollout.model.geom(name).id), atol=1e-6)
    ground = glb.json["meshes"][glb.json["nodes"][glb.node("ground")]["mesh"]]
    bounds = glb.json["accessors"][ground["primitives"][0]["attributes"]["POSITION"]]
    assert bounds["max"][2] > 8.0  # under the end of the platform
    assert bounds["min"][2] < -0.5  # and behind who stands before it
    assert bounds["max"][1] == bounds["min"][1] == 0.0


def test_a_ghost_is_there_at_its_own_rate_translucent(fall, tmp_path):
    human = load_character("human")
    qpos = np.tile(human.standing_qpos, (7, 1))
    qpos[:, 0] = np.linspace(1.0, 2.0, 7)
    ghost = Reference(human, 10.0, qpos, velocities(human.model, qpos, 10.0))
    write_glb(fall, tmp_path / "g.glb", ghost=ghost)
    glb = read_glb(tmp_path / "g.glb")
    check_places(glb, fall.model, fall.qpos)
    check_places(glb, human.model, qpos, prefix="ghost_")
    times, _ = glb.channels[glb.node("ghost_pelvis"), "translation"]
    np.testing.assert_allclose(times, np.arange(7) / 10.0, atol=1e-6)
    mesh = glb.json["meshes"][glb.json["nodes"][glb.node("ghost_human_skin")]["mesh"]]
    (primitive,) = mesh["primitives"]
    material = glb.json["materials"][primitive["material"]]
    assert material["alphaMode"] == "BLEND"
    assert 0.1 < material["pbrMetallicRoughness"]["baseColorFactor"][3] < 0.6


def test_colours_are_the_stages_as_amounts_of_light(tmp_path):
    write_glb(stroll(), tmp_path / "c.glb")
    colours = [m["pbrMetallicRoughness"]["baseColorFactor"] for m in read_glb(tmp_path / "c.glb").json["materials"]]
    light = np.array(colours)[:, :3]
    shown = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)  # as a screen undoes it
    for colour in (look.LEFT, look.RIGHT, look.CENTRE):
        assert np.abs(shown - colour).max(axis=1).min() < 1e-3


def test_textures_that_can_not_be_laid_on_become_their_mean_and_hidden_shapes_are_left_out(tmp_path, blocky):
    write_glb(blocky, tmp_path / "b.glb")
    glb = read_glb(tmp_path / "b.glb")
    materials = {material["name"]: material["pbrMetallicRoughness"] for material in glb.json["materials"]}
    assert set(materials) == {"tiles", "cloth", "skin", "#008000"}
    assert "baseColorTexture" in materials["cloth"]
    assert "baseColorTexture" not in materials["skin"]
    np.testing.assert_allclose(materials["skin"]["baseColorFactor"], [0.604, 0.319, 0.133, 1.0], atol=2e-3)
    for primitive in (p for mesh in glb.json["meshes"] for p in mesh["primitives"]):
        textured = "baseColorTexture" in glb.json["materials"][primitive["material"]]["pbrMetallicRoughness"]
        assert textured == ("TEXCOORD_0" in primitive["attributes"])
    image = glb.json["bufferViews"][glb.json["images"][0]["bufferView"]]
    assert glb.binary[image["byteOffset"] :].startswith(b"\x89PNG")


def test_a_clip_has_the_names_of_its_joints_and_stays_where_it_is(tmp_path):
    clip = moved(stroll(seconds=0.5), [40.0, -30.0, 0.0])
    write_glb(clip, tmp_path / "c.glb")
    glb = read_glb(tmp_path / "c.glb")
    for joint, name in enumerate(clip.skeleton.names):
        place = glb.world(glb.node(name), 10)[:3, 3]
        np.testing.assert_allclose(place, TO_GLTF @ clip.joint_positions_w[10, joint], atol=1e-5)
    ground = glb.json["meshes"][glb.json["nodes"][glb.node("ground")]["mesh"]]["primitives"][0]
    low, high = (glb.json["accessors"][ground["attributes"]["POSITION"]][bound] for bound in ("min", "max"))
    assert low[2] < 39.5 < 40.5 < high[2]
    assert low[0] < -30.5 < -29.5 < high[0]
    assert high[2] - low[2] < 8.0


def test_what_does_not_move_has_no_animation(tmp_path):
    human = load_character("human")
    write_glb(human, tmp_path / "h.glb")
    glb = read_glb(tmp_path / "h.glb")
    assert "animations" not in glb.json
    check_places(glb, human.model, human.standing_qpos[None])


def test_who_never_stirs_still_has_the_duration(tmp_path):
    human = load_character("human")
    qpos = np.tile(human.standing_qpos, (31, 1))
    write_glb(Reference(human, 30.0, qpos, np.zeros((31, human.model.nv))), tmp_path / "h.glb")
    channels = read_glb(tmp_path / "h.glb").channels
    assert len(channels) == 2
    assert all(times[-1] == 1.0 for times, _ in channels.values())


def test_writing_changes_nothing_and_writes_the_same_again(fall, tmp_path):
    before = fall.states.copy(), fall.model.geom_rgba.copy()
    write_glb(fall, tmp_path / "a.glb", ghost=stroll())
    write_glb(fall, tmp_path / "b.glb", ghost=stroll())
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
    np.testing.assert_array_equal(before[0], fall.states)
    np.testing.assert_array_equal(before[1], fall.model.geom_rgba)


@pytest.mark.parametrize("name", ["v.gltf", "v", "v.mp4"])
def test_an_unknown_ending_says_the_right_one(tmp_path, name):
    with pytest.raises(FileError, match=r"not the ending of a binary glTF; use \.glb"):
        write_glb(stroll(), tmp_path / name)


def test_a_path_in_place_of_a_subject_is_told_apart(tmp_path):
    with pytest.raises(UnderstudyError, match="not of a str; open_subject opens files"):
        write_glb("run.npz", tmp_path / "v.glb")
    with pytest.raises(UnderstudyError, match="not of a str"):
        write_glb(stroll(), tmp_path / "v.glb", ghost="run.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        write_glb(stroll(), tmp_path / "missing" / "v.glb")


def test_a_rate_that_makes_no_times_is_refused_and_nothing_is_lost(tmp_path):
    human = load_character("human")
    qpos = np.tile(human.standing_qpos, (3, 1))
    (tmp_path / "v.glb").write_bytes(b"before")
    for rate in (0.0, -30.0, 1e46):
        with pytest.raises(UnderstudyError, match="no times that a file can tell apart"):
            write_glb(Reference(human, rate, qpos, np.zeros((3, human.model.nv))), tmp_path / "v.glb")
    assert (tmp_path / "v.glb").read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["v.glb"]


def test_the_readers_matrix_turns_as_the_specification_says():
    quarter = np.array([0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)])  # about z
    np.testing.assert_allclose(matrix(quarter) @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-12)
