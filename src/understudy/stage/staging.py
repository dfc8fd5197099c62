"""A Performance and its ghost put together in one dressed model."""

from __future__ import annotations

import dataclasses
from functools import cached_property

import mujoco
import numpy as np

from understudy.rotations import Array, BoolArray
from understudy.stage import look
from understudy.stage.performance import Performance, Touches, box_corners

_PERSON_M, _GRAVITY = 1.7, 9.81
_GHOST_PREFIX = "understudy-ghost/"
GHOST_GROUP, _HIDDEN_GROUP = 5, 4  # the geom group the ghost is in, so that it can be drawn by itself
_VISIBLE_GROUPS = (0, 1, 2)  # those MuJoCo shows unasked; models keep their collision shapes in others


class Staging:
    """The model that is drawn, and the pose it is in.

    Attributes:
        model, data: the compiled scene.
        scale: the figure's height over a person's; sizes of what is drawn around it follow it.
        figure_geoms, ghost_geoms: which of the model's geoms belong to the followed figures and to the ghost.
        weight_n: of one of the followed figures, on average [N].
    """

    def __init__(self, performance: Performance, ghost: Performance | None, size: tuple[int, int]) -> None:
        self.performance, self.ghost = performance, ghost
        self.scale = _height(performance) / _PERSON_M
        self._shift = _shift(performance)
        spec = performance.make_spec() if performance.has_ground else _on_ground(performance)
        look.dress(spec, self.scale)
        spec.visual.global_.offwidth, spec.visual.global_.offheight = size
        for geom in spec.geoms:
            if geom.group == GHOST_GROUP:  # that number is ours
                geom.group = _HIDDEN_GROUP
        if ghost is not None:
            spec.attach(_figures_only(ghost), prefix=_GHOST_PREFIX, frame=spec.worldbody.add_frame())
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.ghost_geoms = self.model.geom_group == GHOST_GROUP
        self.figure_geoms = _figure_geoms(self.model, performance.figure_count)
        bodies = np.unique(self.model.geom_bodyid[self.figure_geoms])
        self.weight_n = _GRAVITY * float(self.model.body_mass[bodies].sum()) / performance.figure_count

    @cached_property
    def is_flat(self) -> bool:
        """Whether all that stands still is level ground at z = 0."""
        model = self.model
        still = np.flatnonzero(model.body_weldid[model.geom_bodyid] == 0)
        planes = model.geom_type[still] == mujoco.mjtGeom.mjGEOM_PLANE
        level = np.abs(model.geom_quat[still, 1:3]).max(axis=1, initial=0.0) < 1e-6
        return bool(np.all(planes & level & (model.geom_pos[still, 2] == 0.0)))

    @cached_property
    def has_scenery(self) -> bool:
        """Whether there is more to see than the figures on flat ground."""
        planes = self.model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE
        hidden = self.model.geom_group == _HIDDEN_GROUP
        return bool(np.any(~(self.figure_geoms | self.ghost_geoms | planes | hidden)))

    def pose(self, time_s: float) -> None:
        """Put everyone where they are at that time."""
        own = self.performance.at(time_s)
        self.data.qpos[: len(own)] = own
        self._move(0)
        if self.ghost is not None:
            self.data.qpos[len(own) :] = self.ghost.at(time_s)
            self._move(len(own))
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)

    def touches_at(self, time_s: float) -> Touches | None:
        """The contacts at that time, where they are drawn."""
        touches = self.performance.touches_at(time_s)
        if touches is None or not self._shift.any():
            return touches
        return dataclasses.replace(touches, places_w=touches.places_w + self._shift)

    def corners(self, geoms: BoolArray) -> Array:
        """(N, 3) corners of the boxes around the given geoms [m], in the present pose."""
        return box_corners(self.model, self.data, geoms)

    def forward(self) -> Array:
        """(3,) where the figure faces: across its hips where they are known, else its root's x axis."""
        if self.performance.hips:
            left, right = (self.data.body(name).xpos for name in self.performance.hips)
            across = left - right
            return np.array([across[1], -across[0], 0.0]) / max(float(np.linalg.norm(across)), 1e-9)
        free = np.flatnonzero(self.model.jnt_type == mujoco.mjtJoint.mjJNT_FREE)
        body = self.model.jnt_bodyid[free[0]] if len(free) else min(1, self.model.nbody - 1)
        return np.array(self.data.xmat[body].reshape(3, 3)[:, 0])

    def _move(self, address: int) -> None:
        if self._shift.any():
            self.data.qpos[address : address + 3] += self._shift


def _on_ground(performance: Performance) -> mujoco.MjSpec:
    spec = performance.make_spec()
    look.add_ground(spec)
    return spec


def _shift(performance: Performance) -> Array:
    """(3,) what brings a performance on endless ground near the origin, where graphics cards are precise [m]."""
    root = np.zeros(3) if performance.has_ground else performance.qpos[0, :3]
    tile = 2.0 * look.TILE_M
    return -tile * np.round(np.array([root[0], root[1], 0.0]) / tile)


def _height(performance: Performance) -> float:
    """The largest extent of the largest figure in the first frame [m], at least a millimetre."""
    model = performance.model
    data = mujoco.MjData(model)
    data.qpos[:] = performance.qpos[0]
    mujoco.mj_kinematics(model, data)
    geoms = _figure_geoms(model, performance.figure_count)
    roots = model.body_rootid[model.geom_bodyid]
    sizes = [np.ptp(box_corners(model, data, geoms & (roots == r)), axis=0).max() for r in np.unique(roots[geoms])]
    return max(float(max(sizes, default=_PERSON_M)), 1e-3)


def _figures_only(performance: Performance) -> mujoco.MjSpec:
    """The performance's model without the world around its figures."""
    spec = performance.make_spec()
    for thing in [*spec.worldbody.geoms, *spec.lights, *spec.cameras]:
        spec.delete(thing)
    for geom in spec.geoms:
        geom.group = GHOST_GROUP if geom.group in _VISIBLE_GROUPS else _HIDDEN_GROUP
    return spec


def _figure_geoms(model: mujoco.MjModel, count: int) -> BoolArray:
    """(G,) the visible geoms of the first so many bodies that are free in the world, and of all that hangs on them."""
    free = model.jnt_bodyid[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE]
    moves = model.body_weldid[model.geom_bodyid] != 0
    own = np.isin(model.body_rootid[model.geom_bodyid], free[:count]) if len(free) else moves
    return own & np.isin(model.geom_group, _VISIBLE_GROUPS)
