"""Videos."""

import gc
import sys
import warnings

import numpy as np
import pytest
from PIL import Image
from stage_samples import stroll

from understudy.character import load_character
from understudy.errors import FileError, MissingPackageError, UnderstudyError
from understudy.stage import render_video
from understudy.stage.canvas import Canvas

pytestmark = pytest.mark.usefixtures("gl")
SIZE = (96, 72)


def read_back(path):
    """What a video says about itself, and its frames (N, height, width, 3)."""
    from imageio_ffmpeg import read_frames

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the reader leaves its pipes to the garbage collector
        reader = read_frames(str(path))
        about = next(reader)
        width, height = about["size"]
        frames = np.array([np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader])
        del reader
        gc.collect()
    return about, frames


def test_a_video_has_the_right_frames_and_duration(tmp_path):
    pytest.importorskip("imageio_ffmpeg")
    told = []
    render_video(stroll(), tmp_path / "v.mp4", fps=20, size=SIZE, progress=lambda *done: told.append(done))
    about, frames = read_back(tmp_path / "v.mp4")
    assert about["size"] == SIZE
    assert about["fps"] == 20.0
    assert frames.shape == (41, 72, 96, 3)  # 2 s, the first and the last moment among them
    assert about["duration"] == pytest.approx(41 / 20, abs=0.02)
    assert told[0] == (0, 41)
    assert told[-1] == (41, 41)
    assert np.abs(frames[0].astype(int) - frames[20]).mean() > 1.0
    assert list(tmp_path.iterdir()) == [tmp_path / "v.mp4"]


def test_a_video_shows_what_the_canvas_draws(tmp_path):
    pytest.importorskip("imageio_ffmpeg")
    from understudy.stage.subject import performance_of

    clip = stroll()
    render_video(clip, tmp_path / "v.mp4", fps=10, size=(160, 120))
    _, frames = read_back(tmp_path / "v.mp4")
    with Canvas(performance_of(clip), size=(160, 120)) as canvas:
        drawn = canvas.draw(1.0)
    figure = np.s_[30:100, 40:120]  # without the words
    assert np.abs(frames[10][figure].astype(int) - drawn[figure]).mean() < 6.0


def test_odd_sizes_are_made_even(tmp_path):
    pytest.importorskip("imageio_ffmpeg")
    render_video(stroll(seconds=0.2), tmp_path / "v.mp4", fps=10, size=(95, 71))
    about, _ = read_back(tmp_path / "v.mp4")
    assert about["size"] == (96, 72)


def read_gif(path):
    """How often a GIF is played (0 for ever), and durations [ms] and pixels of its frames."""
    durations, frames = [], []
    with Image.open(path) as image:
        loops = image.info["loop"]
        for frame in range(image.n_frames):
            image.seek(frame)
            durations.append(image.info["duration"])
            frames.append(np.asarray(image.convert("RGB"), int))
    return loops, durations, frames


def test_a_gif_loops_and_keeps_time(tmp_path):
    render_video(stroll(), tmp_path / "v.gif", fps=12, size=SIZE)
    loops, durations, _ = read_gif(tmp_path / "v.gif")
    assert loops == 0
    assert durations == [80] * 26  # the nearest to 12 per second that a GIF can say


def test_a_part_can_be_shown(tmp_path):
    render_video(stroll(), tmp_path / "v.gif", fps=10, size=SIZE, span_s=(0.5, 1.0))
    assert len(read_gif(tmp_path / "v.gif")[1]) == 6
    with pytest.raises(UnderstudyError, match="there is no part from 1 to 3 s"):
        render_video(stroll(), tmp_path / "w.gif", span_s=(1.0, 3.0))


def test_what_does_not_move_is_turned_round_once(tmp_path):
    render_video(load_character("human"), tmp_path / "v.gif", fps=2, size=SIZE)
    _, durations, frames = read_gif(tmp_path / "v.gif")
    assert durations == [500] * 10
    steps = [np.abs(frames[k] - frames[(k + 1) % 10]).mean() for k in range(10)]
    assert min(steps) > 0.3
    assert steps[-1] < 2.0 * np.median(steps)  # the last leads on to the first


@pytest.mark.parametrize("name", ["v.avi", "v", "v.png"])
def test_an_unknown_ending_lists_the_right_ones(tmp_path, name):
    with pytest.raises(FileError, match=r"use one of \.mp4, \.gif"):
        render_video(stroll(), tmp_path / name)


def test_a_missing_package_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'understudy\[video\]'; a \.gif needs nothing more"):
        render_video(stroll(), tmp_path / "v.mp4")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["v.mp4", "v.gif"])
def test_an_interrupted_video_leaves_what_was_there_before(tmp_path, monkeypatch, name):
    if name.endswith("mp4"):
        pytest.importorskip("imageio_ffmpeg")
    (tmp_path / name).write_bytes(b"before")
    drawn = Canvas.draw

    def fail_later(self, time_s, view=None):
        if time_s > 0.25:
            raise KeyboardInterrupt
        return drawn(self, time_s, view)

    monkeypatch.setattr(Canvas, "draw", fail_later)
    with pytest.raises(KeyboardInterrupt):
        render_video(stroll(), tmp_path / name, size=SIZE, fps=10)
    assert (tmp_path / name).read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        render_video(stroll(), tmp_path / "missing" / "v.gif")


def test_too_long_a_gif_is_refused_before_it_is_drawn(tmp_path):
    with pytest.raises(FileError, match=r"too many for a GIF; write an \.mp4"):
        render_video(stroll(seconds=120.0), tmp_path / "v.gif", fps=25)


@pytest.mark.parametrize("fps", [0.0, -5.0, 1000.0, float("nan")])
def test_impossible_rates_are_refused(tmp_path, fps):
    with pytest.raises(UnderstudyError, match=r"0\.1 to 240 pictures per second"):
        render_video(stroll(), tmp_path / "v.gif", fps=fps)
