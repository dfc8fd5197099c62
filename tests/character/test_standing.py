"""Every bundled character stands under its own servos."""

import mujoco
import numpy as np
import pytest
from holding import hold

from understudy import rotations
from understudy.character import CHARACTERS, body_poses, load_character


@pytest.mark.parametrize("name", CHARACTERS)
def test_it_stands_for_five_seconds(name: str) -> None:
    held = hold(load_character(name))
    assert np.abs(held.heights - 1.0).max() < 0.02
    assert held.tilts_deg.max() < 5.0


@pytest.mark.parametrize("name", ["human", "human45", "robot", "cheetah"])
def test_it_would_stand_on(name: str) -> None:
    """What it does in the third five seconds is no more than in the second: it is not about to tip over."""
    held = hold(load_character(name), 15.0)
    later, latest = np.split(held.tilts_deg, 3)[1:]
    assert latest.max() < later.max() + 0.2


@pytest.mark.parametrize("name", CHARACTERS)
def test_the_standing_pose_has_its_soles_on_the_floor(name: str) -> None:
    character = load_character(name)
    model = character.model
    poses = body_poses(model, np.stack([model.qpos0, character.standing_qpos]))
    foot = character.body_index(character.end_effectors[0])
    assert rotations.angle_between(poses.rotations_w[0, foot], poses.rotations_w[1, foot]) < 1e-3
    assert poses.positions_w[1, foot, 2] == pytest.approx(poses.positions_w[0, foot, 2], abs=2e-3)


@pytest.mark.parametrize("name", CHARACTERS)
def test_the_centre_of_mass_stands_over_the_feet(name: str) -> None:
    character = load_character(name)
    data = mujoco.MjData(character.model)
    data.qpos[:] = character.standing_qpos
    mujoco.mj_forward(character.model, data)
    feet = [
        character.model.body(b).id for b in character.end_effectors if "foot" in b or "toes" in b or name == "cheetah"
    ]
    touching = data.geom_xpos[np.isin(character.model.geom_bodyid, feet)]
    assert touching[:, 0].min() - 0.1 < data.subtree_com[1, 0] < touching[:, 0].max() + 0.05
    assert data.subtree_com[1, 1] == pytest.approx(0.0, abs=1e-6)
