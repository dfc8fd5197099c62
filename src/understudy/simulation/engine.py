"""MuJoCo as this room uses it: quiet, and with models that always come from their XML text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import mujoco

from understudy.character import Physics
from understudy.errors import SimulationError

_INTEGRATORS = {
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "discrete": mujoco.mjtIntegrator.mjINT_DISCRETE,
    "euler": mujoco.mjtIntegrator.mjINT_EULER,
}
_SOLVERS = {
    "newton": mujoco.mjtSolver.mjSOL_NEWTON,
    "pgs": mujoco.mjtSolver.mjSOL_PGS,
    "cg": mujoco.mjtSolver.mjSOL_CG,
}
_CONES = {"pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL, "elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC}


def be_quiet() -> None:
    """Keep MuJoCo from writing MUJOCO_LOG.TXT into the user's folder and its warnings to the terminal.

    The warnings' counters are read after every advance, and what they mean is told as our own exceptions or records.
    """
    config = mujoco.MjLogConfig.get()
    if config.logto_file or config.logto_console:
        config.logto_file, config.logto_console = False, False
        mujoco.MjLogConfig.set(config)


def apply_physics(spec: mujoco.MjSpec, physics: Physics) -> None:
    """Set the options of spec from physics, whatever they were."""
    spec.option = mujoco.MjSpec().option
    spec.option.timestep = physics.timestep_s
    spec.option.integrator = _INTEGRATORS[physics.integrator]
    spec.option.solver = _SOLVERS[physics.solver]
    spec.option.iterations = physics.iterations
    spec.option.cone = _CONES[physics.cone]
    # Solving contact islands one by one costs 4 to 9 % here, with one character or three among loose props. A warm
    # start costs 9 to 12 %, dense matrices 6 to 7 %, and leaving them out changes results by rounding alone.
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND | mujoco.mjtDisableBit.mjDSBL_WARMSTART)
    spec.option.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE


def compile_xml(xml: str, assets: Mapping[str, bytes]) -> mujoco.MjModel:
    """The model of an MJCF text.

    A World and the Rollouts it makes compile the same text, so that a replay runs the same numbers to the last bit (a
    text holds six digits of what an MjSpec holds).
    """
    be_quiet()
    try:
        return mujoco.MjModel.from_xml_string(xml, assets=dict(assets))
    except ValueError as problem:
        raise SimulationError(f"MuJoCo refuses the scene's model ({problem})") from problem


def model_hash(xml: str, assets: Mapping[str, bytes]) -> str:
    """A name for a model that changes with anything in it: SHA-256 over its text and its files."""
    digest = hashlib.sha256(xml.encode())
    for name in sorted(assets):
        digest.update(name.encode())
        digest.update(assets[name])
    return digest.hexdigest()
