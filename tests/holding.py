"""Hold a character in its standing pose by its own servos on a plane of friction 1, for tests."""

from dataclasses import dataclass

import mujoco
import numpy as np

from understudy import rotations
from understudy.character import Character, ControlMap


@dataclass(frozen=True)
class Held:
    """What became of a character held in its standing pose, per step.

    Attributes:
        heights: (T,) height of the root, as a share of what it was.
        tilts_deg: (T,) how far the root leans from how it stood.
        positions: (nq,) qpos at the end.
    """

    heights: np.ndarray
    tilts_deg: np.ndarray
    positions: np.ndarray


def hold(character: Character, seconds: float = 5.0) -> Held:
    """Stand for a while, the gains of joints multiplied by their contact scale as it bears weight."""
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], friction=[1.0, 0.005, 0.0001])
    spec.attach(character.spec(), prefix="it_", frame=spec.worldbody.add_frame())
    spec.option.timestep = character.physics.timestep_s
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{character.physics.integrator.upper()}")
    model = spec.compile()
    controls = ControlMap(model, character.joints, "it_")
    for joint, rows in zip(character.joints, controls.gain_indices, strict=True):
        model.actuator_gainprm[rows, 0] *= joint.contact_scale
        model.actuator_biasprm[rows, 1:3] *= joint.contact_scale
    data = mujoco.MjData(model)
    stands = character.standing_qpos
    data.qpos[:] = stands
    data.ctrl[controls.ctrl_indices] = controls.controls(stands[controls.position_indices][None])[0]
    qpos = np.empty((round(seconds / model.opt.timestep), model.nq))
    for t in range(len(qpos)):
        mujoco.mj_step(model, data)
        qpos[t] = data.qpos
    leaning = rotations.multiply(qpos[:, 3:7], rotations.conjugate(stands[3:7]))
    upright = rotations.rotate(leaning, np.array([0.0, 0.0, 1.0]))[:, 2]
    return Held(qpos[:, 2] / stands[2], np.degrees(np.arccos(np.clip(upright, -1.0, 1.0))), qpos[-1])
