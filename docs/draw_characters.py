"""Draw docs/pictures/characters.png: every bundled character after standing for five seconds on its own servos.

python docs/draw_characters.py
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from understudy.character import load_character
from understudy.simulation import Contacts, PoseController, Rollout, Scene, World, simulate
from understudy.stage import render_sheet

PICTURE = Path(__file__).parent / "pictures" / "characters.png"
SECONDS = 5.0
ROWS = (("human45", "human45-stunts", "athlete33", "humanoid29"), ("human", "won57", "robot", "cheetah"))
APART_M, DEEP_M = 1.1, 1.4
BEGIN = (0.1, 0.05)  # where each row begins, so that none hides another
ACROSS, TOWARDS = (
    np.array([0.77, 0.64]),
    np.array([0.64, -0.77]),
)  # in the picture, for the stage looks from three quarters


def draw_characters(path: Path) -> None:
    """Let the characters stand together in one world, and draw the last moment."""
    characters = [load_character(name) for row in ROWS for name in row]
    world = World(Scene(), characters)
    qpos = [character.standing_qpos.copy() for character in characters]
    places = [(BEGIN[depth] + column, depth) for depth, row in enumerate(ROWS) for column in range(len(row))]
    for row, (column, depth) in zip(qpos, places, strict=True):
        row[:2] += APART_M * column * ACROSS + DEEP_M * depth * TOWARDS
    world.reset(np.concatenate(qpos))
    controller = PoseController(
        np.concatenate([row[7:] for row in qpos]),
        np.concatenate([[joint.contact_scale for joint in character.joints] for character in characters]),
    )
    ticks = round(SECONDS * world.rate_hz)
    rollout = simulate(world, controller, ticks)
    path.parent.mkdir(exist_ok=True)
    render_sheet(_without_contacts(rollout), path, times_s=(ticks / rollout.rate_hz,), cell=(1200, 600))


def _without_contacts(rollout: Rollout) -> Rollout:
    """The rollout with nothing to mark on the floor."""
    none, names = np.zeros((0, 3)), rollout.contacts.body_names
    empty = Contacts(np.zeros(len(rollout.contacts) + 1, int), none, none, np.zeros((0, 2), int), names)
    return replace(rollout, contacts=empty)


if __name__ == "__main__":
    draw_characters(PICTURE)
    print(PICTURE)
