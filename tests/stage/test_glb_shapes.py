"""The surfaces that are written to a .glb are those of MuJoCo's shapes."""

import mujoco
import numpy as np
import pytest

from understudy.stage.gltf import shapes
from understudy.stage.gltf.geoms import geom_surface, has_surface
from understudy.stage.gltf.surface import joined

TETRA = """
v 0 0 0
v .3 0 0
v 0 .3 0
v 0 0 .3
vt 1 1
vt .25 .5
vt 0 0
f 1/1 3/2 2/3
f 1/1 2/3 4/2
f 1/1 4/2 3/2
f 2/3 3/2 4/2
"""
SOLIDS = {
    "sphere": (shapes.sphere(0.3), 4 / 3 * np.pi * 0.3**3),
    "ellipsoid": (shapes.ellipsoid(np.array([0.1, 0.2, 0.4])), 4 / 3 * np.pi * 0.1 * 0.2 * 0.4),
    "capsule": (shapes.capsule(0.1, 0.25), np.pi * 0.1**2 * 0.5 + 4 / 3 * np.pi * 0.1**3),
    "cylinder": (shapes.cylinder(0.2, 0.1), np.pi * 0.2**2 * 0.2),
    "box": (shapes.box(np.array([0.1, 0.2, 0.3])), 8 * 0.1 * 0.2 * 0.3),
}
ROUND = {
    "sphere": lambda v: np.linalg.norm(v, axis=1) - 0.3,
    "ellipsoid": lambda v: np.linalg.norm(v / [0.1, 0.2, 0.4], axis=1) - 1.0,
    "capsule": lambda v: np.linalg.norm(v - np.clip(v, [0, 0, -0.25], [0, 0, 0.25]), axis=1) - 0.1,
}


def model_of(geom, asset="", **files):
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><asset>{asset}</asset><worldbody><body><joint/>{geom}"
        '<geom type="sphere" size=".1" group="4"/></body></worldbody></mujoco>',
        {f"{name}.obj": text.encode() for name, text in files.items()},
    )


def corners(surface):
    return surface.vertices[surface.triangles]


def crosses(surface):
    a, b, c = corners(surface).transpose(1, 0, 2)
    return np.cross(b - a, c - a)


def volume(surface):
    a, b, c = corners(surface).transpose(1, 0, 2)
    return np.sum(np.cross(a, b) * c) / 6.0


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_is_closed_and_turned_outwards(name):
    surface, exact = SOLIDS[name]
    places = np.unique(np.round(surface.vertices, 9), axis=0, return_inverse=True)[1].reshape(-1)
    edges = places[surface.triangles][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    ways, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 1).all()
    assert {tuple(way) for way in ways} == {tuple(way[::-1]) for way in ways}  # each edge once in either direction
    assert 0.95 * exact < volume(surface) < exact + 1e-12


@pytest.mark.parametrize("name", SOLIDS)
def test_normals_are_unit_vectors_along_those_of_the_triangles(name):
    surface = SOLIDS[name][0]
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0, atol=1e-12)
    assert np.linalg.norm(crosses(surface), axis=1).min() > 1e-6  # none has no area
    assert (np.einsum("fi,fki->fk", crosses(surface), surface.normals[surface.triangles]) > 0.0).all()


@pytest.mark.parametrize("name", ROUND)
def test_the_vertices_of_round_solids_lie_on_them(name):
    assert np.abs(ROUND[name](SOLIDS[name][0].vertices)).max() < 1e-12


def test_normals_of_an_ellipsoid_are_its_gradient():
    surface = SOLIDS["ellipsoid"][0]
    gradient = surface.vertices / np.array([0.1, 0.2, 0.4]) ** 2
    gradient /= np.linalg.norm(gradient, axis=1, keepdims=True)
    np.testing.assert_allclose(surface.normals, gradient, atol=1e-9)


def test_surfaces_put_together_keep_their_triangles():
    one, other = SOLIDS["box"][0], SOLIDS["sphere"][0]
    both = joined([one, other.placed(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.0, 0.0]))])
    assert volume(both) == pytest.approx(volume(one) + volume(other))
    np.testing.assert_array_equal(corners(both)[: len(one.triangles)], corners(one))
    assert len(both.triangles) == len(one.triangles) + len(other.triangles)


def test_terrain_is_where_rays_meet_it():
    heights = np.random.default_rng(0).uniform(0.0, 1.0, (5, 7))
    text = " ".join(map(str, heights.ravel()))
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><hfield name="h" nrow="5" ncol="7" size="2 1 .4 .1" elevation="{text}"/></asset>'
        '<worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    surface = geom_surface(model, 0, np.zeros((2, 2)))
    inside = surface.vertices[(np.abs(surface.vertices[:, :2]) < [1.9, 0.9]).all(axis=1)]
    assert len(inside) == 15
    for x, y, z in inside:
        found = np.zeros(1, np.int32)
        distance = mujoco.mj_ray(model, data, np.array([x, y, 5.0]), np.array([0.0, 0.0, -1.0]), None, 1, -1, found)
        assert 5.0 - distance == pytest.approx(z, abs=1e-6)
    assert (crosses(surface)[:, 2] > 0.0).all()
    assert (surface.normals[:, 2] > 0.0).all()


@pytest.mark.parametrize("smooth", ["true", "false"])
def test_a_mesh_has_its_volume_and_its_texels(smooth):
    asset = f'<mesh name="m" file="tetra.obj" smoothnormal="{smooth}"/>'
    model = model_of('<geom type="mesh" mesh="m"/>', asset, tetra=TETRA)
    surface = geom_surface(model, 0, np.zeros((2, 2)))
    placed = surface.placed(model.geom_pos[0], model.geom_quat[0])
    assert volume(surface) == pytest.approx(0.3**3 / 6, rel=1e-5)
    np.testing.assert_allclose(placed.vertices.min(axis=0), 0.0, atol=1e-6)
    np.testing.assert_allclose(placed.vertices.max(axis=0), 0.3, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0, atol=1e-6)
    x, y, z = placed.vertices.T > 0.2
    for corner, texel in ((x, (0.0, 1.0)), (y | z, (0.25, 0.5)), (~(x | y | z), (1.0, 0.0))):  # from the upper left
        np.testing.assert_allclose(surface.texels[corner], np.tile(texel, (corner.sum(), 1)), atol=1e-6)


@pytest.mark.parametrize("size", ["0 0 1", "2 0 1", "2 3 1"])
def test_a_plane_without_end_ends_where_it_is_told_to(size):
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><geom type="plane" size="{size}"/></worldbody></mujoco>'
    )
    low, high = np.array([-7.0, 1.0]), np.array([9.0, 4.0])
    surface = geom_surface(model, 0, np.array([low, high]))
    own = np.array([float(number) for number in size.split()])[:2]
    np.testing.assert_array_equal(surface.vertices[:, :2].min(axis=0), np.where(own > 0.0, -own, low))
    np.testing.assert_array_equal(surface.vertices[:, :2].max(axis=0), np.where(own > 0.0, own, high))
    assert (crosses(surface)[:, 2] > 0.0).all()


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "box", "ellipsoid"])
def test_every_shape_fills_the_box_mujoco_has_around_it(kind):
    model = model_of(f'<geom type="{kind}" size=".1 .2 .3"/>')
    assert has_surface(model, 0)
    surface = geom_surface(model, 0, np.zeros((2, 2)))
    middle, half = model.geom_aabb[0, :3], model.geom_aabb[0, 3:]
    np.testing.assert_allclose(surface.vertices.min(axis=0), middle - half, atol=1e-3)
    np.testing.assert_allclose(surface.vertices.max(axis=0), middle + half, atol=1e-3)
