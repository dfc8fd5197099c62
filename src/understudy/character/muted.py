"""MuJoCo's warnings kept instead of printed, and instead of written to a log file in the current folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import mujoco


@contextlib.contextmanager
def kept_warnings() -> Iterator[list[str]]:
    """Inside, what MuJoCo warns of is gathered in the list."""
    messages: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(messages.append)
    try:
        yield messages
    finally:
        mujoco.set_mju_user_warning(before)
