"""The Trees: a staged model taken apart into what stands or moves by itself."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import mujoco
import numpy as np

from understudy.character import Reference
from understudy.motion import Clip
from understudy.simulation import Rollout
from understudy.stage.gltf.motion import Motion, motion_of
from understudy.stage.performance import Performance
from understudy.stage.staging import Staging
from understudy.stage.stickfigure import joint_body
from understudy.stage.subject import Subject

_GHOST = "ghost_"  # what the names of everything of a ghost begin with


@dataclass(frozen=True)
class Tree:
    """A body that is in the world by itself, and all that hangs on it.

    Attributes:
        name: of the whole: a character's, or the first body's.
        bodies: the names of its bodies by their numbers in the model, parents before children.
        motion: of the whole model.
        moves: whether it has a joint anywhere.
    """

    name: str
    bodies: dict[int, str]
    motion: Motion
    moves: bool


def trees(staging: Staging, subject: Subject, ghost: Subject | None) -> list[Tree]:
    """All trees of a staging of that subject and ghost, in the model's order."""
    model, own, other = staging.model, staging.performance, staging.ghost
    result = _trees(model, own, subject, first_body=1, first_column=0, prefix="")
    if other is not None and ghost is not None:  # a ghost's bodies come after all others
        result += _trees(model, other, ghost, own.model.nbody, own.model.nq, _GHOST)
    return result


def _trees(
    model: mujoco.MjModel, part: Performance, subject: Subject, first_body: int, first_column: int, prefix: str
) -> list[Tree]:
    """The trees of the part of a model that a performance is: its bodies and columns of qpos from the first ones on."""
    qpos = np.tile(model.qpos0, (part.frame_count, 1))
    qpos[:, first_column : first_column + part.model.nq] = part.qpos
    motion = motion_of(model, qpos, part.rate_hz)
    names = dict(enumerate((prefix + name for name in _body_names(part.model, subject)), first_body))
    figures = iter(_figure_names(subject))
    result = []
    for root, group in itertools.groupby(names, lambda body: int(model.body_rootid[body])):
        bodies = {body: names[body] for body in group}
        moves = bool(model.body_dofnum[list(bodies)].any())
        figure = next(figures, None) if moves else None  # characters come before what is loose in their scene
        result.append(Tree(names[root] if figure is None else prefix + figure, bodies, motion, moves))
    return result


def _body_names(model: mujoco.MjModel, subject: Subject) -> list[str]:
    """Of all but the world: as the model has them; of a clip's stick figure as the clip has its joints."""
    own = [model.body(body).name or f"body_{body}" for body in range(1, model.nbody)]
    if not isinstance(subject, Clip):
        return own
    joints = {joint_body(joint): name for joint, name in enumerate(subject.skeleton.names)}
    return [joints[name] for name in own]


def _figure_names(subject: Subject) -> list[str]:
    if isinstance(subject, Rollout):
        return list(subject.character_names)
    return [subject.character.name if isinstance(subject, Reference) else subject.name]
