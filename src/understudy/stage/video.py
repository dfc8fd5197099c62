"""Videos: a performance as mp4 or as a looping GIF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from understudy.errors import FileError, MissingPackageError, UnderstudyError
from understudy.files import replacing
from understudy.progress import Progress
from understudy.stage import look
from understudy.stage.canvas import Canvas
from understudy.stage.layers import Picture
from understudy.stage.lettering import caption, rgb
from understudy.stage.naming import Legend, legend_of, title_of
from understudy.stage.shots import Shot, video_shots
from understudy.stage.subject import Subject, performance_of, without_marks

VIDEO_ENDINGS = (".mp4", ".gif")
_GIF_COLOURS, _GIF_MOST = 160, 1500


def render_video(
    subject: Subject,
    path: str | Path,
    ghost: Subject | None = None,
    *,
    fps: float = 30.0,
    size: tuple[int, int] = (854, 480),
    span_s: tuple[float, float] | None = None,
    title: str | None = None,
    marks: bool = True,
    progress: Progress | None = None,
) -> None:
    """Write a video at true speed; a subject that does not move is turned round once.

    Args:
        subject: what to look at.
        path: the video, ``.mp4`` or ``.gif``.
        ghost: another motion, drawn translucent at the same times.
        fps: pictures per second; a GIF's are rounded to its hundredths of a second.
        size: width and height in pixels, made even for mp4.
        span_s: begin and end of the part to show [s]; all of it when left out.
        title: what is written at the upper left; the subject's name and duration when left out.
        marks: whether contacts and forces are marked.
        progress: told how far it is.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in VIDEO_ENDINGS:
        raise FileError(path, "not an ending of a video", hint=f"use one of {', '.join(VIDEO_ENDINGS)}")
    if not 0.1 <= fps <= 240.0:
        raise UnderstudyError(f"a video has 0.1 to 240 pictures per second, not {fps:g}")
    performance = performance_of(subject) if marks else without_marks(performance_of(subject))
    frame_s = max(round(100.0 / fps), 2) / 100.0 if kind == ".gif" else 1.0 / fps
    shots = video_shots(performance, frame_s, span_s)
    if kind == ".mp4":
        write_frames = _ffmpeg()
        size = size[0] + size[0] % 2, size[1] + size[1] % 2
    elif len(shots) > _GIF_MOST:
        raise FileError(
            path, f"{len(shots)} pictures are too many for a GIF", hint="write an .mp4, fewer per second, or a part"
        )
    with (
        replacing(path) as temporary,
        Canvas(performance, None if ghost is None else performance_of(ghost), size=size) as canvas,
    ):
        reel = _Reel(canvas, title_of(performance) if title is None else title, legend_of(subject, ghost), shots)
        if kind == ".mp4":
            _write_mp4(path, temporary, write_frames, reel, fps, progress)
        else:
            _write_gif(temporary, reel, frame_s, progress)


@dataclass(frozen=True)
class _Reel:
    """The pictures of a video, drawn one after the other."""

    canvas: Canvas
    title: str
    legend: Legend
    shots: Sequence[Shot]

    def picture(self, shot: Shot) -> Picture:
        """One of them, with its words."""
        view = self.canvas.camera.view(shot.time_s, shot.turn_rad)
        return caption(self.canvas.draw(shot.time_s, view), self.title, shot.label, self.legend)

    def pictures(self, progress: Progress | None) -> Iterator[Picture]:
        """All of them."""
        for done, shot in enumerate(self.shots):
            if progress:
                progress(done, len(self.shots))
            yield self.picture(shot)
        if progress:
            progress(len(self.shots), len(self.shots))


def _ffmpeg() -> Any:
    """imageio-ffmpeg's writer, which brings its own ffmpeg."""
    try:
        from imageio_ffmpeg import write_frames
    except ImportError as problem:
        raise MissingPackageError(
            "writing .mp4 needs imageio-ffmpeg: pip install 'understudy[video]'; a .gif needs nothing more"
        ) from problem
    return write_frames


def _write_mp4(
    path: Path, temporary: Path, write_frames: Any, reel: _Reel, fps: float, progress: Progress | None
) -> None:
    options = ["-crf", "20", "-preset", "veryfast", "-tune", "animation", "-movflags", "+faststart"]
    writer = write_frames(
        str(temporary),
        reel.canvas.size,
        fps=fps,
        codec="libx264",
        quality=None,
        macro_block_size=2,
        ffmpeg_log_level="error",
        output_params=options,
    )
    try:
        writer.send(None)
        for picture in reel.pictures(progress):
            writer.send(np.ascontiguousarray(picture))
    except OSError as problem:
        lines = str(problem).strip().splitlines()
        raise FileError(path, f"ffmpeg failed ({lines[-1] if lines else problem!r})") from problem
    finally:
        writer.close()
    if temporary.stat().st_size == 0:
        raise FileError(path, "ffmpeg wrote nothing")


def _write_gif(temporary: Path, reel: _Reel, frame_s: float, progress: Progress | None) -> None:
    palette = _palette(reel)
    pictures = (
        Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)
        for picture in reel.pictures(progress)
    )
    next(pictures).save(
        temporary,
        format="GIF",
        save_all=True,
        append_images=pictures,
        duration=round(1000 * frame_s),
        loop=0,
        optimize=False,
        disposal=1,
    )


def _palette(reel: _Reel) -> Image.Image:
    """One palette for all pictures, from a few of them, so that colours do not flicker; rare colours are kept."""
    chosen = [reel.shots[i] for i in np.unique(np.linspace(0, len(reel.shots) - 1, 5).round().astype(int))]
    together = np.concatenate([reel.picture(shot) for shot in chosen])
    kept = np.array([rgb(colour) for colour in look.PALETTE], np.uint8)
    swatches = np.repeat(np.repeat(kept, 40, axis=0)[None], 40, axis=0)[:, : together.shape[1]]
    filled = np.full((40, together.shape[1], 3), 255, np.uint8)
    filled[:, : swatches.shape[1]] = swatches
    return Image.fromarray(np.concatenate([together, filled])).quantize(_GIF_COLOURS)
