"""Draw docs/pictures/scenes.png: every ready-made scene with the human in it.

MUJOCO_GL=egl python docs/draw_scenes.py
"""

from pathlib import Path

import matplotlib.pyplot as plt
import mujoco
import numpy as np

from understudy.character import load_character
from understudy.simulation import SCENES, World, scene

PICTURE = Path(__file__).parent / "pictures" / "scenes.png"
COLUMNS, WIDTH, HEIGHT = 4, 480, 300


def draw_scenes(path: Path) -> None:
    """Draw the scenes side by side, named."""
    human = load_character("human")
    rows = -(-len(SCENES) // COLUMNS)
    figure, axes = plt.subplots(rows, COLUMNS, figsize=(COLUMNS * 3.2, rows * 2.2), layout="constrained")
    for axis in axes.flat:
        axis.axis("off")
    for axis, name in zip(axes.flat, SCENES, strict=False):
        axis.imshow(_view(World(scene(name), human)))
        axis.set_title(name, fontsize=10)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def _view(world: World) -> np.ndarray:
    """A picture (HEIGHT, WIDTH, 3) of a world as it begins, from the front right."""
    data = mujoco.MjData(world.model)
    data.qpos[:] = world.get_states().qpos[0]
    mujoco.mj_forward(world.model, data)
    camera = mujoco.MjvCamera()
    camera.lookat[:] = [0.9, 0.0, 0.6]
    camera.distance, camera.azimuth, camera.elevation = 4.6, 125.0, -14.0
    with mujoco.Renderer(world.model, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(data, camera)
        return renderer.render().copy()


if __name__ == "__main__":
    draw_scenes(PICTURE)
    print(PICTURE)
