"""The surfaces of MuJoCo's primitive shapes, each in its own frame: round ones about z, smooth where they are round."""

from __future__ import annotations

import numpy as np

from understudy import rotations
from understudy.rotations import Array
from understudy.stage.gltf.surface import Surface, joined

_SLICES, _RINGS = 24, 12  # round a shape, and from pole to pole


def sphere(radius: float) -> Surface:
    return ellipsoid(np.full(3, radius))


def ellipsoid(size: Array) -> Surface:
    """size is (3,) half its extents [m]."""
    arc = _arc(-0.5 * np.pi, 0.5 * np.pi, _RINGS)
    unit = _revolved(arc, arc)
    return Surface(unit.vertices * size, rotations.normalize(unit.normals / size), unit.triangles)


def capsule(radius: float, half_length: float) -> Surface:
    """half_length is that of the straight part [m]."""
    lower, upper = _arc(-0.5 * np.pi, 0.0, _RINGS // 2), _arc(0.0, 0.5 * np.pi, _RINGS // 2)
    apart = np.array([0.0, half_length])
    return _revolved(np.concatenate([radius * lower - apart, radius * upper + apart]), np.concatenate([lower, upper]))


def cylinder(radius: float, half_length: float) -> Surface:
    low, high = (0.0, -1.0), (0.0, 1.0)
    outline = [(0, -1), (1, -1), (1, -1), (1, 1), (1, 1), (0, 1)]  # twice at the rims, which are sharp
    normals = [low, low, (1.0, 0.0), (1.0, 0.0), high, high]
    return _revolved(np.array(outline, float) * [radius, half_length], np.array(normals))


def box(size: Array) -> Surface:
    """size is (3,) half its edges [m]."""
    square = plane(-np.ones(2), np.ones(2))
    top = Surface(square.vertices + np.array([0.0, 0.0, 1.0]), square.normals, square.triangles)
    half, quarter = np.pi, 0.5 * np.pi
    turns = [("X", 0.0), ("X", half), ("X", quarter), ("X", -quarter), ("Y", quarter), ("Y", -quarter)]
    sides = [top.placed(np.zeros(3), rotations.from_euler(axis, [angle])) for axis, angle in turns]
    cube = joined(sides)
    return Surface(cube.vertices * size, cube.normals, cube.triangles)


def plane(low: Array, high: Array) -> Surface:
    """A level rectangle from low (2,) to high (2,) [m], seen from above only."""
    corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    vertices = np.column_stack([corners, np.zeros(4)])
    return Surface(vertices, np.tile([0.0, 0.0, 1.0], (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]))


def terrain(half_size: Array, heights: Array) -> Surface:
    """The upper side of a height field (rows along y, columns along x) [m] over half_size (2,) to each side."""
    rows, columns = heights.shape
    x, y = (np.linspace(-half, half, count) for half, count in zip(half_size, (columns, rows), strict=True))
    slope_y, slope_x = np.gradient(heights, y, x)
    normals = rotations.normalize(np.stack([-slope_x, -slope_y, np.ones_like(heights)], axis=-1))
    vertices = np.stack([*np.meshgrid(x, y), heights], axis=-1)
    corner = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (part.ravel() for part in (corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]))
    triangles = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    return Surface(vertices.reshape(-1, 3), normals.reshape(-1, 3), triangles)


def _arc(begin_rad: float, end_rad: float, pieces: int) -> Array:
    """(pieces + 1, 2) distance from the axis and height on the unit circle; at a pole the distance is 0 exactly."""
    angles = np.linspace(begin_rad, end_rad, pieces + 1)
    return np.column_stack([np.where(np.abs(angles) == 0.5 * np.pi, 0.0, np.cos(angles)), np.sin(angles)])


def _revolved(outline: Array, normals: Array) -> Surface:
    """An outline (P, 2) of distances from the axis and heights, upwards, and its normals (P, 2), turned about z."""
    angles = np.linspace(0.0, 2.0 * np.pi, _SLICES, endpoint=False)
    round_z = np.stack([np.cos(angles), np.sin(angles), np.ones(_SLICES)], axis=-1)
    here = np.arange(_SLICES)
    there = (here + 1) % _SLICES
    triangles = []
    for point in range(len(outline) - 1):
        a, b, c, d = (point * _SLICES + k for k in (here, there, there + _SLICES, here + _SLICES))
        if (outline[point] == outline[point + 1]).all():
            continue
        if outline[point, 0] > 0.0:
            triangles.append(np.column_stack([a, b, c]))
        if outline[point + 1, 0] > 0.0:
            triangles.append(np.column_stack([a, c, d]))
    vertices, outwards = (line[:, None, [0, 0, 1]] * round_z for line in (outline, normals))
    return Surface(vertices.reshape(-1, 3), outwards.reshape(-1, 3), np.concatenate(triangles))
