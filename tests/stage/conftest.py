"""Drawing needs OpenGL, which a machine may lack."""

import pytest

from understudy.errors import MissingPackageError
from understudy.stage.graphics import offscreen_context


@pytest.fixture(scope="session")
def gl():
    """Skips what draws where nothing can be drawn."""
    try:
        offscreen_context(16, 16).free()
    except MissingPackageError as problem:
        pytest.skip(str(problem))
