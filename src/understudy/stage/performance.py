"""The Performance: whatever moves, in the one form that is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

from understudy.character import Character, Reference
from understudy.motion import Clip, body_parts
from understudy.records import frozen
from understudy.rotations import Array, BoolArray
from understudy.stage.stickfigure import joint_body, stick_figure, stick_positions

Subject = Clip | Character | Reference
"""What can be looked at."""


@dataclass(frozen=True)
class Touches:
    """Where a figure bears on the world: places (C, 3) [m] and, where known, forces (C, 3) [N] on the figure."""

    positions_w: Array
    forces_w: Array | None = None


@dataclass(frozen=True)
class Performance:
    """Positions of a MuJoCo model over time.

    Attributes:
        name: what to call it in captions.
        make_spec: makes a fresh model; its positions are laid out as ``qpos``.
        rate_hz: frames per second.
        qpos: (T, nq) positions.
        has_ground: whether the model brings the ground it stands on.
        touches: (T,) contacts of each frame, or None when none are known.
        figures: prefixes of the bodies the camera follows; empty for all that move.
        hips: bodies of the left and the right hip, whose line tells the heading; empty when not known.
    """

    name: str
    make_spec: Callable[[], mujoco.MjSpec]
    rate_hz: float
    qpos: Array
    has_ground: bool = False
    touches: Sequence[Touches] | None = None
    figures: tuple[str, ...] = ()
    hips: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self, qpos=np.array(self.qpos, float))

    @property
    def frame_count(self) -> int:
        return len(self.qpos)

    @property
    def duration_s(self) -> float:
        return (self.frame_count - 1) / self.rate_hz

    @cached_property
    def model(self) -> mujoco.MjModel:
        """The model alone."""
        return self.make_spec().compile()

    def at(self, time_s: float) -> Array:
        """(nq,) positions at a time, between frames the shorter way round, outside of them the first or last."""
        place = float(np.clip(time_s * self.rate_hz, 0.0, self.frame_count - 1))
        before = int(place)
        between = place - before
        if between < 1e-6:
            return self.qpos[before]
        if between > 1.0 - 1e-6:
            return self.qpos[before + 1]
        result, step = self.qpos[before].copy(), np.zeros(self.model.nv)
        mujoco.mj_differentiatePos(self.model, step, 1.0, result, self.qpos[before + 1])
        mujoco.mj_integratePos(self.model, result, step, between)
        return result

    def touches_at(self, time_s: float) -> Touches | None:
        """The contacts of the nearest frame."""
        if self.touches is None:
            return None
        return self.touches[int(np.clip(round(time_s * self.rate_hz), 0, self.frame_count - 1))]


def performance_of(subject: Subject) -> Performance:
    """A Clip as its own skeleton, a Character in its rest pose, a Reference as its character moving."""
    if isinstance(subject, Clip):
        return _of_clip(subject)
    if isinstance(subject, Character):
        return Performance(subject.name, subject.spec, 1.0, _standing(subject.model)[None], hips=_hips(subject))
    return Performance(
        subject.name, subject.character.spec, subject.rate_hz, subject.qpos, hips=_hips(subject.character)
    )


def _of_clip(clip: Clip) -> Performance:
    parts = body_parts(clip.skeleton, clip.joint_positions_w[0])
    hips = [joint_body(parts[f"{side}_thigh"]) for side in ("left", "right") if f"{side}_thigh" in parts]
    return Performance(
        clip.name,
        lambda: stick_figure(clip),
        clip.rate_hz,
        stick_positions(clip),
        hips=tuple(hips) if len(hips) == 2 else (),
    )


def _hips(character: Character) -> tuple[str, ...]:
    hips = tuple(character.roles[f"{side}_thigh"] for side in ("left", "right") if f"{side}_thigh" in character.roles)
    return hips if len(hips) == 2 else ()


def _standing(model: mujoco.MjModel) -> Array:
    """(nq,) the rest pose with its lowest point on the ground."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    qpos = np.array(model.qpos0)
    if model.nq >= 7 and model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE and model.ngeom:
        qpos[2] -= lowest_point(model, data)
    return qpos


def lowest_point(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """The least height of any geom's box [m]."""
    return float(box_corners(model, data, np.ones(model.ngeom, bool))[:, 2].min())


def box_corners(model: mujoco.MjModel, data: mujoco.MjData, geoms: BoolArray) -> Array:
    """(N, 3) corners of the boxes around the chosen geoms (G,) [m], in the present pose."""
    signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij"), axis=-1).reshape(8, 3)
    boxes = model.geom_aabb[geoms]
    corners = boxes[:, None, :3] + signs * boxes[:, None, 3:]
    turned = data.geom_xmat[geoms].reshape(-1, 3, 3)
    return (corners @ turned.transpose(0, 2, 1) + data.geom_xpos[geoms][:, None]).reshape(-1, 3)
