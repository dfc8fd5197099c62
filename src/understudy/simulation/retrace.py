"""The moments of a recorded run as MuJoCo saw them: forces and contacts, which no state holds, found again."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import mujoco

from understudy.rotations import Array
from understudy.simulation.inputs import Inputs
from understudy.simulation.servos import scaled_gains


def retrace(
    model: mujoco.MjModel, rows: Array, inputs: Inputs | None = None, friction: float = 1.0
) -> Iterator[tuple[mujoco.MjModel, mujoco.MjData]]:
    """Each of the state rows (T, S) after ``mj_forward``, under the inputs (T - 1) that follow it, the last under the
    last ones again; model and data are the same objects every time, the model with the inputs' gains."""
    nominal, model = model, copy.copy(model)
    model.geom_friction *= friction
    data = mujoco.MjData(model)
    for t, row in enumerate(rows):
        mujoco.mj_setState(model, data, row, int(mujoco.mjtState.mjSTATE_INTEGRATION))
        if inputs is not None and len(inputs.controls):
            following = inputs.of(min(t, len(inputs.controls) - 1))
            data.ctrl = following.controls[0, 0]
            data.qfrc_applied = 0.0 if following.torques is None else following.torques[0]
            gains = scaled_gains(nominal, None if following.gain_scale is None else following.gain_scale[0])
            model.actuator_gainprm, model.actuator_biasprm, model.dof_damping = gains
        mujoco.mj_forward(model, data)
        yield model, data
