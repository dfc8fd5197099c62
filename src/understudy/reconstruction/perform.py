"""From a clip to a performance in one call."""

from __future__ import annotations

from pathlib import Path

from understudy.character import Character, FitSettings, fit, load_character
from understudy.motion import Clip
from understudy.progress import Progress
from understudy.reconstruction.reconstruct import reconstruct
from understudy.reconstruction.reconstruction import Reconstruction
from understudy.reconstruction.settings import ReconstructionSettings
from understudy.simulation import Scene
from understudy.simulation import scene as scene_named


def perform(
    clip: Clip,
    character: Character | str = "human",
    scene: Scene | str = "flat",
    settings: ReconstructionSettings | None = None,
    *,
    fitting: FitSettings | None = None,
    progress: Progress | None = None,
    unfinished: str | Path | None = None,
) -> Reconstruction:
    """Fit a clip to a character, and find how the character can perform it.

    Args:
        clip: what to perform.
        character: who; a Character, or the name of a bundled one or a file.
        scene: where; a Scene, or the name of a ready-made one.
        settings: of the search.
        fitting: of the fitting.
        progress: told how many fragments are done, of how many.
        unfinished: where to keep the work while it is under way, to be gone on from.
    """
    who = load_character(character) if isinstance(character, str) else character
    where = scene_named(scene) if isinstance(scene, str) else scene
    reference = fit(clip, who, fitting).reference
    return reconstruct(reference, where, settings, clip=clip, progress=progress, unfinished=unfinished)
