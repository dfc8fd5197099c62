"""What all tests share: the folder of real clips, when it is there."""

from pathlib import Path

import pytest

MOCAP = Path(__file__).resolve().parents[2] / "shared" / "mocap"


@pytest.fixture(scope="session")
def mocap() -> Path:
    """The folder of real motion capture beside the repository; tests that need it are skipped without it."""
    if not MOCAP.is_dir():
        pytest.skip("needs real clips in ../shared/mocap")
    return MOCAP
