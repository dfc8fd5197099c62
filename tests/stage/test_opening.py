"""What names and files mean."""

import numpy as np
import pytest
from stage_samples import stroll

from understudy.character import CHARACTERS, Character, Reference, load_character, write_character
from understudy.errors import FileError, UnderstudyError, UnknownNameError
from understudy.files import ArrayFile, write_arrays
from understudy.motion import Clip, write_clip
from understudy.simulation import PoseController, Rollout, Scene, World, simulate
from understudy.stage import open_subject, open_track
from understudy.stage.subject import name_of


def test_bundled_names_are_known():
    assert isinstance(open_subject("stand"), Clip)
    assert name_of(open_subject(CHARACTERS[0])) == CHARACTERS[0]


def test_saved_things_are_told_apart_by_what_they_hold(tmp_path):
    human = load_character("human")
    world = World(Scene(), human, 1, 1)
    world.reset()
    rollout = simulate(world, PoseController(human.standing_qpos[7:]), 3)
    rollout.save(tmp_path / "a.npz")
    Reference(human, 30.0, human.standing_qpos[None], np.zeros((1, human.model.nv))).save(tmp_path / "b.npz")
    write_character(human, tmp_path / "c.npz")
    write_clip(stroll(), tmp_path / "d.npz")
    write_clip(stroll(), tmp_path / "e.bvh")
    kinds = [type(open_subject(tmp_path / name)) for name in ("a.npz", "b.npz", "c.npz", "d.npz", "e.bvh")]
    assert kinds == [Rollout, Reference, Character, Clip, Clip]
    assert name_of(open_subject(tmp_path / "a.npz")) == "human"


def test_a_table_of_ones_own_is_a_character(tmp_path):
    from understudy.character.table import table_path

    copy = tmp_path / "mine.toml"
    copy.write_bytes(table_path("human").read_bytes())
    assert isinstance(open_subject(copy), Character)


def test_a_file_comes_before_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_clip(stroll(), tmp_path / "human.bvh")
    (tmp_path / "human.bvh").rename(tmp_path / "human")
    assert isinstance(open_subject("human"), Clip)


def test_what_is_neither_file_nor_name_is_told_what_there_is():
    with pytest.raises(UnknownNameError, match=r"did you mean human\b.*there are: .*walk.*human"):
        open_subject("humam")
    with pytest.raises(FileError, match=r"walk\.bvh: there is no such file"):
        open_subject("walk.bvh")


def test_folders_and_strangers_are_refused_by_name(tmp_path):
    with pytest.raises(FileError, match="is a folder"):
        open_subject(tmp_path)
    write_arrays(tmp_path / "x.npz", ArrayFile("graph", 1, {}, {}))
    with pytest.raises(FileError, match=r"x\.npz.*graph"):
        open_subject(tmp_path / "x.npz")
    for name in ("bad.toml", "bad.xml", "bad.npz", "bad.bvh"):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00 nonsense [")
        with pytest.raises(UnderstudyError, match="bad"):
            open_subject(tmp_path / name)


def test_only_what_moves_can_be_compared(tmp_path):
    write_clip(stroll(), tmp_path / "d.npz")
    assert open_track(tmp_path / "d.npz").positions_w.shape[0] == stroll().frame_count
    with pytest.raises(UnderstudyError, match="is a character, which does not move"):
        open_track("human")
