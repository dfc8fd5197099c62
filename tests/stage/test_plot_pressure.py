"""The plot of the pressure on the ground."""

import pytest
from PIL import Image

from understudy.character import load_character
from understudy.errors import FileError, UnderstudyError
from understudy.simulation import PoseController, World, scene, simulate
from understudy.stage import plot_pressure


@pytest.fixture(scope="module")
def standing():
    human = load_character("human")
    return simulate(World(scene(), human), PoseController(human.standing_qpos[7:]), 20)


def test_one_run_or_several_are_drawn_on_one_page(standing, tmp_path):
    plot_pressure({"floor": standing}, tmp_path / "one.png")
    plot_pressure({"floor": standing, "mat": standing}, tmp_path / "two.png")
    with Image.open(tmp_path / "one.png") as one, Image.open(tmp_path / "two.png") as two:
        assert two.height > one.height
        assert len(one.convert("RGB").getcolors(1 << 24)) > 50


def test_what_can_t_be_drawn_is_refused(standing, tmp_path):
    with pytest.raises(UnderstudyError, match="nothing whose pressure"):
        plot_pressure({}, tmp_path / "x.png")
    with pytest.raises(FileError, match="not an ending of a plot"):
        plot_pressure({"floor": standing}, tmp_path / "x.mp4")
