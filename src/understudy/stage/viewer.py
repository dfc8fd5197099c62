"""MuJoCo's own viewer, playing a subject in a loop."""

from __future__ import annotations

import os
import sys
import time
import warnings
from typing import Any

import mujoco
import numpy as np

from understudy.errors import MissingPackageError, UnderstudyError
from understudy.stage import look
from understudy.stage.camera import Camera
from understudy.stage.marks import add_arrows, add_discs
from understudy.stage.staging import GHOST_GROUP, Staging
from understudy.stage.subject import Subject, performance_of

_REFRESH_S = 1.0 / 60.0
_REST_S = 0.5  # at the end of each round
_GHOST_ALPHA = 0.35
_SPACE, _RIGHT, _LEFT = 32, 262, 263  # GLFW's key numbers


def show(subject: Subject, ghost: Subject | None = None) -> None:
    """Open MuJoCo's viewer and play the subject until the window is closed.

    Space holds and goes on; the left and right arrows go a frame back and forward.

    Raises:
        UnderstudyError: when there is no display; it says what to do instead.
    """
    launch = _launcher()
    performance = performance_of(subject)
    staging = Staging(performance, None if ghost is None else performance_of(ghost), (854, 480))
    model = staging.model
    model.geom_rgba[staging.ghost_geoms] = (*look.GHOST, _GHOST_ALPHA)
    model.geom_matid[staging.ghost_geoms] = -1
    clock = Clock(performance.duration_s, 1.0 / performance.rate_hz)
    staging.pose(0.0)
    try:
        viewer = launch(model, staging.data, key_callback=clock.press, show_left_ui=False, show_right_ui=False)
    except RuntimeError as problem:  # on macOS a window needs the program mjpython
        raise UnderstudyError(f"can't open the viewer: {problem}; {_INSTEAD}") from problem
    with viewer:
        _play(viewer, staging, Camera(staging, 16.0 / 9.0), clock)


_INSTEAD = "write a video with --video out.mp4 or a contact sheet with --sheet out.png instead"


class Clock:
    """What moment is shown: it runs with real time, round and round, and can be held and stepped."""

    def __init__(self, duration_s: float, frame_s: float) -> None:
        self._duration_s, self._frame_s = duration_s, frame_s
        self._held_s: float | None = None
        self._began_s = time.perf_counter()

    def now_s(self) -> float:
        """The moment of the performance to show [s]."""
        if self._held_s is not None:
            return self._held_s
        passed = (time.perf_counter() - self._began_s) % (self._duration_s + _REST_S)
        return min(passed, self._duration_s)

    def press(self, key: int) -> None:
        """A key of the viewer."""
        now = self.now_s()
        if key == _SPACE and self._held_s is not None:
            self._held_s, self._began_s = None, time.perf_counter() - now
        elif key == _SPACE:
            self._held_s = now
        elif key in (_LEFT, _RIGHT):
            step = self._frame_s if key == _RIGHT else -self._frame_s
            self._held_s = float(np.clip(now + step, 0.0, self._duration_s))


def _launcher() -> Any:
    """``mujoco.viewer.launch_passive``, once it is sure that a window can be opened (it would wait for ever)."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise UnderstudyError(f"there is no display here; {_INSTEAD}")
    try:
        import glfw
        import mujoco.viewer
    except (ImportError, RuntimeError) as problem:
        raise MissingPackageError(f"can't open a window ({problem}): pip install glfw; or {_INSTEAD}") from problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # glfw warns where it fails, and answers False as well
        opens = glfw.init()
    if not opens:
        raise UnderstudyError(f"the display does not answer; {_INSTEAD}")
    return mujoco.viewer.launch_passive


def _play(viewer: Any, staging: Staging, camera: Camera, clock: Clock) -> None:
    view = camera.view(clock.now_s())
    with viewer.lock():
        viewer.opt.geomgroup[GHOST_GROUP] = 1
        viewer.cam.lookat[:], viewer.cam.distance = view.lookat_w, view.distance_m
        viewer.cam.azimuth, viewer.cam.elevation = np.degrees([view.azimuth_rad, view.elevation_rad])
    while viewer.is_running():
        begin = time.perf_counter()
        time_s = clock.now_s()
        with viewer.lock():
            before, view = view, camera.view(time_s)
            staging.pose(time_s)
            viewer.cam.lookat[:] += view.lookat_w - before.lookat_w  # the user may have moved it
            _mark(viewer.user_scn, staging, time_s)
        viewer.sync()
        time.sleep(max(_REFRESH_S - (time.perf_counter() - begin), 0.0))


def _mark(scene: mujoco.MjvScene, staging: Staging, time_s: float) -> None:
    scene.ngeom = 0
    touches = staging.touches_at(time_s)
    if touches is not None:
        add_discs(scene, touches, staging.scale)
        add_arrows(scene, touches, staging.weight_n, staging.scale)
