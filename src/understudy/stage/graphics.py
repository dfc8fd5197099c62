"""Where pixels come from: an OpenGL context, in software when the machine has no screen."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from typing import Protocol

from understudy.errors import MissingPackageError

_INSTALL = "on Debian or Ubuntu: sudo apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri"


class Context(Protocol):
    """What MuJoCo's EGL, OSMesa, GLFW and CGL contexts have in common."""

    def make_current(self) -> None: ...

    def free(self) -> None: ...


def offscreen_context(width: int, height: int) -> Context:
    """A context to draw pictures of up to that size in, made current.

    ``MUJOCO_GL`` is obeyed when set. Otherwise Linux takes EGL, which needs no screen, else OSMesa, else, with a
    screen, GLFW; other systems take what MuJoCo takes there.
    """
    backend = _backend()
    try:
        context = _create(backend, width, height)
        context.make_current()
    except Exception as problem:  # PyOpenGL raises AttributeError, ImportError and its own kinds, by version
        raise MissingPackageError(
            f"can't draw: OpenGL through {backend or 'the system'} does not start ({problem}); {_hint(backend)}"
        ) from problem
    return context


def _backend() -> str:
    """``egl``, ``osmesa``, ``glfw``, or an empty word for MuJoCo's own choice."""
    asked = os.environ.get("MUJOCO_GL", "").lower().strip()
    if asked in ("disable", "disabled", "off", "false", "0"):
        raise MissingPackageError(f"can't draw: MUJOCO_GL={asked} turns drawing off; unset it, or set it to egl")
    if asked in ("egl", "osmesa", "glfw"):
        return asked
    if sys.platform != "linux":
        return ""
    for backend, library in (("egl", "libEGL.so.1"), ("osmesa", "libOSMesa.so.8")):
        if _loads(library):
            return backend
    if os.environ.get("DISPLAY"):
        return "glfw"
    raise MissingPackageError(f"can't draw: no software OpenGL on this machine; {_INSTALL}")


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _create(backend: str, width: int, height: int) -> Context:
    """MuJoCo picks a backend once, when it is first imported; this asks the one wanted by name."""
    if backend == "egl":
        from mujoco.egl import GLContext
    elif backend == "osmesa":
        from mujoco.osmesa import GLContext
    elif backend == "glfw":
        from mujoco.glfw import GLContext
    else:
        from mujoco.gl_context import GLContext
    context: Context = GLContext(width, height)
    return context


def _hint(backend: str) -> str:
    if backend == "egl" and _loads("libOSMesa.so.8"):
        return f"{_INSTALL}; or set MUJOCO_GL=osmesa"
    return _INSTALL if sys.platform == "linux" else "is the graphics driver installed?"
