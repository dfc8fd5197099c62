"""The viewer, without a window."""

import contextlib
import itertools
import types

import mujoco
import numpy as np
import pytest
from stage_samples import stroll

from understudy.errors import UnderstudyError
from understudy.stage import show, viewer


def test_without_a_display_it_says_what_to_do_instead(monkeypatch):
    monkeypatch.setattr(viewer.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(UnderstudyError, match=r"there is no display here; write a video with --video out\.mp4"):
        show(stroll())


def test_a_display_that_does_not_answer_is_no_hang(monkeypatch):
    monkeypatch.setattr(viewer.sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", ":987")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(UnderstudyError, match=r"--sheet"):
        show(stroll())


class FakeWindow:
    """Stands in for MuJoCo's handle: closes after some frames and remembers what was shown."""

    def __init__(self, model, data, frames=20):
        self.model, self.data = model, data
        self.cam, self.opt = mujoco.MjvCamera(), mujoco.MjvOption()
        self.user_scn = mujoco.MjvScene(model, 100)
        self.left = frames
        self.shown = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def lock(self):
        return contextlib.nullcontext()

    def is_running(self):
        self.left -= 1
        return self.left >= 0

    def sync(self):
        self.shown.append((np.array(self.data.qpos), np.array(self.cam.lookat), self.user_scn.ngeom))


def test_it_plays_the_subject_and_the_camera_follows(monkeypatch):
    windows = []

    def launch(model, data, **_):
        windows.append(FakeWindow(model, data))
        return windows[0]

    ticks = itertools.count()
    clock = types.SimpleNamespace(perf_counter=lambda: 0.02 * next(ticks), sleep=lambda _: None)
    monkeypatch.setattr(viewer, "_launcher", lambda: launch)
    monkeypatch.setattr(viewer, "time", clock)
    show(stroll(), ghost=stroll(speed_m_s=0.5))
    window = windows[0]
    assert len(window.shown) == 20
    forward = [qpos[0] for qpos, _, _ in window.shown]
    assert forward[-1] > forward[0] + 0.3
    assert window.shown[-1][1][0] > window.shown[0][1][0] + 0.2
    assert window.opt.geomgroup[5] == 1  # the ghost is seen
    assert (window.model.geom_rgba[window.model.geom_group == 5, 3] < 0.5).all()


def test_the_clock_goes_round_is_held_and_stepped(monkeypatch):
    now = 100.0
    monkeypatch.setattr(viewer, "time", types.SimpleNamespace(perf_counter=lambda: now))
    clock = viewer.Clock(2.0, 0.1)
    space, right, left = 32, 262, 263
    now = 101.5
    assert clock.now_s() == pytest.approx(1.5)
    now = 102.3
    assert clock.now_s() == 2.0  # it rests at the end
    now = 103.0
    assert clock.now_s() == pytest.approx(0.5)
    clock.press(space)
    now = 150.0
    assert clock.now_s() == pytest.approx(0.5)
    clock.press(right)
    assert clock.now_s() == pytest.approx(0.6)
    for _ in range(20):
        clock.press(left)
    assert clock.now_s() == 0.0
    clock.press(space)
    now = 150.25
    assert clock.now_s() == pytest.approx(0.25)
