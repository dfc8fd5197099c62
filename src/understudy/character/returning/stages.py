"""From a performance of a Reference back to a Clip: the stages, in order."""

from __future__ import annotations

import numpy as np

from understudy.character.fitting.carrying import carried_over
from understudy.character.fitting.matching import match
from understudy.character.fitting.settings import FitSettings
from understudy.character.reference import Reference
from understudy.character.returning.contacts import contacts_of
from understudy.character.returning.frames import side_by_side
from understudy.character.returning.holding import holds
from understudy.character.returning.levelling import with_level_toes
from understudy.character.returning.placing import found_scaling, placed
from understudy.character.returning.reaching import reaching
from understudy.character.returning.shifting import shifted
from understudy.character.returning.turning import bearings, turned
from understudy.errors import CharacterError
from understudy.motion import Clip
from understudy.rotations import Array


def returned_clip(
    clip: Clip, reference: Reference, qpos: Array, rate_hz: float, settings: FitSettings = FitSettings()
) -> Clip:
    """What a character performed, as a clip of the skeleton, the size and the frame rate of the clip it was given.

    The reverse of ``fit``: joints are turned as the performing bodies are and keep what the clip alone knows of them (a
    spine's curve, fingers); hips go where the character's went; feet and hands rest where the character's do.

    Args:
        clip: the recorded motion.
        reference: the Reference that was fitted to it.
        qpos: (T, nq) positions the character performed from the Reference's first tick on, in MuJoCo's layout; fewer
            or more than the Reference has. Beyond the clip's end what the clip alone knows stays as in its last frame.
        rate_hz: ticks per second of qpos.
        settings: those the Reference was fitted with; their map and scale count.

    Raises:
        CharacterError: when clip, Reference and positions do not belong together.
        FileError, UnknownNameError: for a map file that makes no sense.
    """
    qpos = _checked(clip, reference, qpos, rate_hz)
    character = reference.character
    matching = match(clip, character, settings.map)
    side = side_by_side(clip, reference, qpos, rate_hz, matching)
    contacts = contacts_of(side, character)
    scaling = found_scaling(side, contacts, carried_over(clip, character, matching, settings.scale))
    known = bearings(side, contacts)
    shown = with_level_toes(turned(side, known), side.clip, contacts)
    shown = placed(shown, side, scaling)
    held = holds(shown, side, contacts, known, scaling)
    shown = shifted(shown, held, scaling.floor_m)
    return reaching(shown, side.clip, held, scaling.floor_m).with_(name=f"{clip.name} performed")


def _checked(clip: Clip, reference: Reference, qpos: Array, rate_hz: float) -> Array:
    """The positions (T, nq) as an array, when they can be a performance of the Reference and that be the clip's."""
    qpos, character = np.asarray(qpos, float), reference.character
    if not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise CharacterError(f"a performance must have a rate above 0 Hz, not {rate_hz:g}")
    if qpos.ndim != 2 or qpos.shape[1] != character.model.nq or len(qpos) == 0:
        raise CharacterError(
            f"positions performed by '{character.name}' must be (T, {character.model.nq}) for one tick or more, "
            f"not {qpos.shape}"
        )
    bad = ~np.isfinite(qpos).all(axis=1)
    if bad.any():
        raise CharacterError(f"tick {np.flatnonzero(bad)[0]} of the performance holds a value that is not a number")
    if abs(reference.duration_s - clip.duration_s) > 1.0 / reference.rate_hz + 1.0 / clip.rate_hz:
        raise CharacterError(
            f"reference '{reference.name}' lasts {reference.duration_s:.2f} s and clip '{clip.name}' "
            f"{clip.duration_s:.2f} s: it was not fitted to this clip"
        )
    return qpos
