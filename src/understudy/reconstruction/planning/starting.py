"""Where a performance starts: the reference's first pose, lifted out of whatever it sinks into."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

from understudy.character import Character
from understudy.errors import ReconstructionError
from understudy.reconstruction.planning.plan import Plan
from understudy.records import frozen
from understudy.rotations import Array
from understudy.simulation import World

_ALLOWED_M, _ROUNDS = 0.001, 8
_MOST_M = 0.06  # more than a clip's noise: the character starts inside something


@dataclass(frozen=True)
class Start:
    """Attributes: row: (S,) the state; lifted_m: how far it was lifted for it."""

    row: Array
    lifted_m: float

    def __post_init__(self) -> None:
        frozen(self, row=self.row)


def start_of(plan: Plan) -> Start:
    """The state at the reference's first tick; raises ReconstructionError when it is inside something of the scene."""
    reference, character = plan.reference, plan.reference.character
    world = World(plan.scene, character, 1, 1)
    qpos = reference.qpos[0].copy()
    for _ in range(_ROUNDS):
        depth, what = _deepest(world.model, character, qpos)
        if depth <= _ALLOWED_M:
            break
        qpos[2] += depth
        if qpos[2] - reference.qpos[0, 2] > _MOST_M:
            raise ReconstructionError(
                f"in scene '{plan.scene.name}' character '{character.name}' starts inside {what}; move the clip, or "
                "the scene, so that its first pose is free"
            )
    world.reset(qpos[None], reference.qvel[:1])
    return Start(world.get_states().rows[0].copy(), float(qpos[2] - reference.qpos[0, 2]))


def _deepest(model: mujoco.MjModel, character: Character, qpos: Array) -> tuple[float, str]:
    """How deep the character sinks into what is not itself [m], and a name of that."""
    data = mujoco.MjData(model)
    data.qpos[: len(qpos)] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_collision(model, data)
    deepest, what = 0.0, ""
    for contact in data.contact:
        bodies = model.geom_bodyid[contact.geom]
        own = [model.body(int(b)).name in character.body_names for b in bodies]
        if own[0] != own[1] and -contact.dist > deepest:
            other = int(contact.geom[own.index(False)])
            deepest, what = (
                float(-contact.dist),
                model.geom(other).name or model.body(int(bodies[own.index(False)])).name,
            )
    return deepest, f"'{what}'" if what else "the scene"
