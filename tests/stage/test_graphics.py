"""Where pixels come from, and what is said where they can't."""

import pytest

from understudy.errors import MissingPackageError
from understudy.stage import graphics


@pytest.fixture(autouse=True)
def bare_linux(monkeypatch):
    monkeypatch.setattr(graphics.sys, "platform", "linux")
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)


def has(monkeypatch, *libraries):
    monkeypatch.setattr(graphics, "_loads", lambda library: library in libraries)


def test_egl_is_taken_first_then_osmesa_then_a_window(monkeypatch):
    has(monkeypatch, "libEGL.so.1", "libOSMesa.so.8")
    assert graphics._backend() == "egl"
    has(monkeypatch, "libOSMesa.so.8")
    assert graphics._backend() == "osmesa"
    has(monkeypatch)
    monkeypatch.setenv("DISPLAY", ":0")
    assert graphics._backend() == "glfw"


def test_what_the_user_sets_is_obeyed(monkeypatch):
    has(monkeypatch, "libEGL.so.1")
    monkeypatch.setenv("MUJOCO_GL", "osmesa")
    assert graphics._backend() == "osmesa"
    monkeypatch.setenv("MUJOCO_GL", "off")
    with pytest.raises(MissingPackageError, match="turns drawing off"):
        graphics.offscreen_context(16, 16)


def test_a_machine_without_opengl_is_told_which_packages_to_install(monkeypatch):
    has(monkeypatch)
    with pytest.raises(MissingPackageError, match="sudo apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri"):
        graphics.offscreen_context(16, 16)


def test_a_library_without_a_driver_is_told_so(monkeypatch):
    def fail(*_):
        raise ImportError("Cannot initialize a EGL device display")

    has(monkeypatch, "libEGL.so.1", "libOSMesa.so.8")
    monkeypatch.setattr(graphics, "_create", fail)
    with pytest.raises(MissingPackageError, match=r"Cannot initialize.*libegl-mesa0.*or set MUJOCO_GL=osmesa"):
        graphics.offscreen_context(16, 16)


@pytest.mark.usefixtures("gl")
def test_contexts_can_be_made_one_after_another_and_side_by_side():
    first, second = graphics.offscreen_context(16, 16), graphics.offscreen_context(32, 32)
    second.make_current()
    first.make_current()
    first.free()
    second.free()
    graphics.offscreen_context(16, 16).free()
