"""What a performance leaves in a folder: the files to open, to go on with, and to take elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

from understudy.character import FitSettings
from understudy.errors import FileError, UnderstudyError
from understudy.motion import write_clip
from understudy.progress import Progress
from understudy.reconstruction import Reconstruction, performed_clip
from understudy.stage.gltf import write_glb
from understudy.stage.report import write_report
from understudy.stage.sheet import render_sheet
from understudy.stage.video import render_video


def write_performance(
    reconstruction: Reconstruction,
    folder: str | Path,
    *,
    video: bool = True,
    glb: bool = False,
    fitting: FitSettings | None = None,
    progress: Progress | None = None,
) -> tuple[Path, ...]:
    """Write reconstruction.npz, performance.bvh, sheet.png, report.html, and performance.mp4 and .glb if asked for.

    What can't be made here (a video without ffmpeg, a picture without OpenGL) is left out with a warning.

    Args:
        reconstruction: what to write.
        folder: where to; made when it is not there.
        video: whether to write ``performance.mp4``, the reference as ghost.
        glb: whether to write ``performance.glb``, for Blender and browsers.
        fitting: how the reference was fitted to the clip; its map and scale count for the BVH.
        progress: told how many pictures of the video, or of the sheet, are done, of how many.

    Returns:
        The files, in the order they were written.
    """
    folder = Path(folder)
    _make(folder)
    reconstruction.save(folder / "reconstruction.npz")
    written = [folder / "reconstruction.npz"]

    def leave(name: str, write: Callable[[Path], None]) -> Path | None:
        path = folder / name
        try:
            write(path)
        except FileError:
            raise
        except UnderstudyError as problem:
            warnings.warn(f"{name} was not written: {problem}", stacklevel=3)
            return None
        written.append(path)
        return path

    rollout, ghost = reconstruction.rollout, reconstruction.reference
    title = f"{ghost.name} on {ghost.character.name}  \u00b7  {rollout.duration_s:.2f} s"
    tell_sheet = None if video else progress
    if reconstruction.clip is not None:
        leave("performance.bvh", lambda path: write_clip(performed_clip(reconstruction, fitting), path))
    sheet = leave("sheet.png", lambda path: render_sheet(rollout, path, ghost, title=title, progress=tell_sheet))
    leave("report.html", lambda path: write_report(reconstruction, path, sheet))
    if glb:
        leave("performance.glb", lambda path: write_glb(rollout, path, ghost))
    if video:
        leave("performance.mp4", lambda path: render_video(rollout, path, ghost, title=title, progress=progress))
    return tuple(written)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileError(folder, f"the folder can't be made ({problem.strerror})") from problem
