"""Draw docs/pictures/characters.png: every bundled character after standing for five seconds on its own servos.

python docs/draw_characters.py
"""

from pathlib import Path

import numpy as np

from understudy.character import load_character
from understudy.simulation import PoseController, Scene, World, simulate
from understudy.stage import render_sheet

PICTURE = Path(__file__).parent / "pictures" / "characters.png"
SECONDS = 5.0
TITLE = "human45, human45-stunts, athlete33, humanoid29; human, won57, robot, cheetah: standing on their own servos"
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
    last_s = ticks / rollout.rate_hz
    render_sheet(rollout, path, times_s=(last_s,), cell=(1200, 600), title=TITLE, marks=False)


if __name__ == "__main__":
    draw_characters(PICTURE)
    print(PICTURE)
