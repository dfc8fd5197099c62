"""Scenes: every ready-made one compiles, and holds up what falls on it."""

import mujoco
import numpy as np
import pytest

from understudy.errors import SimulationError, UnknownNameError
from understudy.simulation import SCENES, Builder, FreeBall, Hills, Scene, Solid, Target, World, ground_heights, scene


def _surface(model: mujoco.MjModel, data: mujoco.MjData, x: float, y: float) -> float:
    """Height of whatever fixed thing is topmost at (x, y)."""
    hit = np.zeros(1, np.int32)
    distance = mujoco.mj_ray(model, data, np.array([x, y, 5.0]), np.array([0, 0, -1.0]), None, 1, -1, hit, None)
    return 5.0 - distance


@pytest.mark.parametrize("name", SCENES)
def test_a_ball_dropped_on_a_scene_comes_to_rest_above_its_surface(tumbler, name):
    ready = scene(name)
    world = World(
        Scene(name, (*ready.elements, FreeBall("dropped", place_m=(1.7, 0.05, 1.3))), ready.friction), tumbler
    )
    model = mujoco.MjModel.from_xml_string(world.assembly.xml)
    joint = model.joint("dropped")
    model.dof_damping[joint.dofadr[0] : joint.dofadr[0] + 6] = [0.6] * 3 + [0.02] * 3  # a ball rolls for ever
    data = mujoco.MjData(model)
    data.ctrl[[0, 4]] = 1.0
    for _ in range(1600):
        mujoco.mj_step(model, data)
    place, velocity = data.joint("dropped").qpos[:3].copy(), data.joint("dropped").qvel[:3]
    assert np.linalg.norm(velocity) < (0.5 if "ramp" in name else 0.05)
    data.joint("dropped").qpos[0] += 50.0  # out of the ray's way
    mujoco.mj_kinematics(model, data)
    below = _surface(model, data, place[0], place[1])
    allowed = 0.03 if name == "mat" else 0.006
    assert place[2] - 0.11 > below - allowed or name in ("wall", "vault", "rail")
    assert place[2] > model.geom("ground").pos[2] + 0.1


@pytest.mark.parametrize("name", ["chair", "rocking_chair"])
def test_chairs_stand_by_themselves(tumbler, name):
    world = World(scene(name, x_m=-2.0), tumbler)
    before = world.get_states().qpos[0, -7:]
    world.advance(Target(world.get_states().qpos[:, 7:16]), ticks=100)
    after = world.get_states().qpos[0, -7:]
    np.testing.assert_allclose(after[:3], before[:3], atol=0.06)
    assert abs(after[3]) > 0.99
    assert np.abs(world.get_states().qvel[0, -6:]).max() < 0.25


def test_a_scene_is_the_same_for_the_same_seed_and_another_for_another():
    assert np.array_equal(Hills(seed=1).heights(), Hills(seed=1).heights())
    assert not np.array_equal(Hills(seed=1).heights(), Hills(seed=2).heights())
    border = Hills().heights()
    assert max(abs(border[0]).max(), abs(border[-1]).max(), abs(border[:, 0]).max(), abs(border[:, -1]).max()) == 0
    assert border.max() == pytest.approx(0.25)
    assert border.min() >= 0


def test_stairs_are_as_high_as_asked(tumbler):
    model = World(scene("stairs", count=4, rise_m=0.12, run_m=0.3), tumbler).model
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    heights = [_surface(model, data, 1.15 + 0.3 * i, 0.4) for i in range(4)]
    np.testing.assert_allclose(heights, [0.12, 0.24, 0.36, 0.48])


@pytest.mark.parametrize("name", ["ramp", "ramp_down", "step_up", "step_down", "stairs", "stairs_down", "mat", "beam"])
def test_a_scene_begins_where_it_is_asked_to(name):
    places = np.stack([np.linspace(-1.0, 2.5, 71), np.zeros(71)], axis=1)
    here, there = (ground_heights(scene(name, distance_m=distance), places) for distance in (1.0, 1.5))
    np.testing.assert_allclose(here[:61], there[10:], atol=1e-6)
    assert not here[places[:, 0] < 0.99].any()
    assert not there[places[:, 0] < 1.49].any()
    assert there[-1] != 0.0


def test_a_new_element_is_one_small_class(tumbler):
    from dataclasses import dataclass

    from understudy.simulation import Element

    @dataclass(frozen=True)
    class Kerb(Element):
        height_m: float = 0.1

        def add_to(self, builder: Builder) -> None:
            half = self.height_m / 2
            builder.fixed("kerb", Solid("box", (0.1, 1.0, half), (1.0, 0.0, half)))

    world = World(Scene("street", (*scene().elements, Kerb(), Kerb(0.2))), tumbler)
    assert world.model.geom("kerb").size[2] == pytest.approx(0.05)
    assert world.model.geom("kerb_2").size[2] == pytest.approx(0.1)


def test_characters_keep_their_names_alone_and_are_lettered_together(tumbler):
    assert World(scene(), tumbler).actors[0].name == "tumbler"
    world = World(scene(), [tumbler, tumbler])
    assert [actor.name for actor in world.actors] == ["a_tumbler", "b_tumbler"]
    assert world.model.body(world.actors[1].body("tail")).name == "b_tail"


def test_unknown_scenes_and_measures_list_those_there_are():
    with pytest.raises(UnknownNameError, match=r"no scene named 'stair'; did you mean stairs.*there are: flat, ramp"):
        scene("stair")
    with pytest.raises(UnknownNameError, match=r"no measure of scene 'stairs' named 'rise'.*rise_m"):
        scene("stairs", rise=0.2)
    with pytest.raises(SimulationError, match="rise_m must be a number, not 'high'"):
        scene("stairs", rise_m="high")
    with pytest.raises(SimulationError, match="friction must be 0 or more"):
        scene("flat", friction=-1.0)
