"""Contact sheets."""

import numpy as np
import pytest
from PIL import Image
from stage_samples import stroll

from understudy.character import load_character
from understudy.errors import FileError, UnderstudyError
from understudy.stage import render_sheet, sheet_size
from understudy.stage.canvas import Canvas

pytestmark = pytest.mark.usefixtures("gl")
CELL = (60, 70)


def pixels(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def test_a_sheet_is_as_large_as_its_grid_and_every_cell_shows_something(tmp_path):
    render_sheet(stroll(), tmp_path / "sheet.png", frames=7, columns=3, cell=CELL)
    page = pixels(tmp_path / "sheet.png")
    assert page.shape == (*sheet_size(7, 3, CELL)[::-1], 3)
    for k in range(9):
        left, upper = 10 + (k % 3) * 70, 54 + (k // 3) * 80
        cell = page[upper + 2 : upper + 68, left + 2 : left + 58]
        assert (cell.std() > 8.0) == (k < 7)


def test_times_chosen_by_hand_are_drawn_in_that_order(tmp_path):
    render_sheet(stroll(), tmp_path / "a.png", times_s=[0.3, 1.1], cell=CELL)
    render_sheet(stroll(), tmp_path / "b.png", times_s=[1.1, 0.3], cell=CELL)
    a, b = pixels(tmp_path / "a.png"), pixels(tmp_path / "b.png")
    upper = slice(54 + 2, 54 + 55)  # without the label
    np.testing.assert_array_equal(a[upper, 12:68], b[upper, 82:138])
    assert not np.array_equal(a[upper, 12:68], b[upper, 12:68])


def test_the_ghost_is_drawn_and_named(tmp_path):
    clip, ghost = stroll(), stroll(speed_m_s=0.6, name="slower")
    render_sheet(clip, tmp_path / "alone.png", frames=4, cell=(140, 140))
    render_sheet(clip, tmp_path / "both.png", ghost, frames=4, cell=(140, 140))
    changed = np.abs(pixels(tmp_path / "alone.png").astype(int) - pixels(tmp_path / "both.png")).max(axis=2) > 20
    assert changed[54:].sum() > 100
    assert changed[:54].sum() > 50  # its name


def test_what_does_not_move_is_shown_from_four_sides(tmp_path):
    render_sheet(load_character("human"), tmp_path / "human.png", cell=CELL)
    page = pixels(tmp_path / "human.png")
    assert page.shape == (*sheet_size(4, 4, CELL)[::-1], 3)
    cells = [page[56:120, 12 + 70 * k : 66 + 70 * k] for k in range(4)]
    assert all(not np.array_equal(cells[i], cells[j]) for i in range(4) for j in range(i))


def test_title_and_marks_can_be_chosen(tmp_path):
    clip = stroll(speed_m_s=0.0, height_m=0.86)
    still = clip.with_(rotations=np.tile(clip.rotations[:1], (clip.frame_count, 1, 1)))
    for name, options in (("a", {}), ("b", {"title": "another"}), ("c", {"marks": False})):
        render_sheet(still, tmp_path / f"{name}.png", frames=1, cell=(160, 160), **options)
    a, b, c = (pixels(tmp_path / f"{name}.png").astype(int) for name in "abc")
    assert (a[:54] != b[:54]).any()
    np.testing.assert_array_equal(a[54:], b[54:])
    np.testing.assert_array_equal(a[:54], c[:54])
    assert (np.abs(a - c).max(axis=2) > 20).sum() > 4


def test_a_clip_of_few_frames_has_no_more_cells_than_frames(tmp_path):
    clip = stroll(seconds=0.1)
    render_sheet(clip, tmp_path / "sheet.png", frames=12, cell=CELL)
    assert pixels(tmp_path / "sheet.png").shape == (*sheet_size(clip.frame_count, 4, CELL)[::-1], 3)


def test_a_long_clip_takes_no_longer_than_a_short_one(tmp_path):
    told = []
    render_sheet(
        stroll(seconds=600.0), tmp_path / "sheet.png", frames=3, cell=CELL, progress=lambda *done: told.append(done)
    )
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_other_formats_are_chosen_by_the_ending(tmp_path):
    for ending, name in ((".jpg", "JPEG"), (".webp", "WEBP"), (".PNG", "PNG")):
        render_sheet(stroll(), tmp_path / f"sheet{ending}", frames=2, cell=CELL)
        with Image.open(tmp_path / f"sheet{ending}") as image:
            assert image.format == name


@pytest.mark.parametrize("name", ["sheet.bmpx", "sheet", "sheet.mp4"])
def test_an_unknown_ending_lists_the_right_ones(tmp_path, name):
    with pytest.raises(FileError, match=r"use one of \.png, \.jpg, \.jpeg, \.webp"):
        render_sheet(stroll(), tmp_path / name)


def test_a_folder_that_is_not_there_is_named_before_anything_is_drawn(tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        render_sheet(stroll(), tmp_path / "missing" / "sheet.png", progress=lambda *_: pytest.fail("drawn"))


def test_an_interrupted_sheet_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Canvas, "draw", fail)
    with pytest.raises(KeyboardInterrupt):
        render_sheet(stroll(), tmp_path / "sheet.png", cell=CELL)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"frames": 0}, "1 to 400 frames"),
        ({"frames": 401}, "1 to 400 frames"),
        ({"times_s": []}, "1 to 400 frames"),
        ({"times_s": [0.5, 2.1]}, "runs from 0 to 2 s; there is no time 2.1 s"),
        ({"times_s": [float("nan")]}, "there is no time nan s"),
        ({"columns": -1}, "at least one column"),
    ],
)
def test_what_can_not_be_is_refused(tmp_path, options, message):
    clip = stroll(seconds=2.0, rate_hz=240.0)
    with pytest.raises(UnderstudyError, match=message):
        render_sheet(clip, tmp_path / "sheet.png", **options)
    assert list(tmp_path.iterdir()) == []
