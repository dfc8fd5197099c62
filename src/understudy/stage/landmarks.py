"""Places of body parts over time, and the angles a person would name, whatever the skeleton's own frames are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.character import Reference
from understudy.motion import Clip, body_parts
from understudy.rotations import Array
from understudy.spans import runs

FLEXIONS = ("hip", "knee", "shoulder", "elbow")
_LIMBS = {"knee": ("thigh", "shin", "foot"), "elbow": ("upper_arm", "lower_arm", "hand")}
_BALLS = {"hip": ("thigh", "shin"), "shoulder": ("upper_arm", "lower_arm")}
_LEAST_SAGITTAL = 0.5  # of a unit vector's length


@dataclass(frozen=True)
class Landmarks:
    """Body part to its joint's places (T, 3) [m], at times (T,) [s]; ``lowest_m`` (T,) is the lowest of all joints."""

    times_s: Array
    places_w: Mapping[str, Array]
    root_w: Array
    lowest_m: Array

    def flexion(self, joint: str, side: str) -> Array | None:
        """(T,) flexion [deg] of hip, knee, shoulder or elbow of a side; None where parts for it are missing.

        Knees and elbows: 0 when straight. Hips and shoulders: the limb's angle from the trunk's downward line in the
        sagittal plane, forward positive; not a number while the limb points sideways, where that angle means nothing.
        """
        if joint in _LIMBS:
            chain = self._parts(side, _LIMBS[joint])
            return None if chain is None else _bend(*chain)
        limb = self._parts(side, _BALLS[joint])
        across = self._parts("", ("right_thigh", "left_thigh"))
        top = self.places_w.get("neck", self.places_w.get("head"))
        if limb is None or across is None or top is None:
            return None
        up = rotations.normalize(top - 0.5 * (across[0] + across[1]))
        forward = rotations.normalize(np.cross(across[1] - across[0], up))
        way = rotations.normalize(limb[1] - limb[0])
        return _sagittal(np.sum(way * forward, axis=1), -np.sum(way * up, axis=1))

    def _parts(self, side: str, names: tuple[str, ...]) -> list[Array] | None:
        full = [f"{side}_{name}" if side else name for name in names]
        return [self.places_w[name] for name in full] if all(name in self.places_w for name in full) else None


def landmarks_of_clip(clip: Clip) -> Landmarks:
    """Of the clip's joints."""
    parts = body_parts(clip.skeleton, clip.joint_positions_w[0])
    places = {part: clip.joint_positions_w[:, joint] for part, joint in parts.joints.items()}
    everything = np.concatenate([clip.joint_positions_w, clip.end_positions_w], axis=1)
    return Landmarks(clip.times_s, places, clip.root_positions, everything[..., 2].min(axis=1))


def landmarks_of_reference(reference: Reference) -> Landmarks:
    """Of the bodies of the reference's character."""
    character, positions = reference.character, reference.bodies.positions_w
    places = {role: positions[:, character.body_index(body)] for role, body in character.roles.items()}
    times = np.arange(reference.tick_count) / reference.rate_hz
    return Landmarks(times, places, positions[:, 0], positions[..., 2].min(axis=1))


def _sagittal(ahead: Array, down: Array) -> Array:
    """(T,) angle [deg] of a direction with these parts ahead and down, beginning between -120 and 240."""
    told = np.hypot(ahead, down) > _LEAST_SAGITTAL
    angles = np.full(len(ahead), np.nan)
    for start, stop in runs(told):
        raw = np.degrees(np.arctan2(ahead[start:stop], down[start:stop]))
        smooth = np.unwrap(raw, period=360.0)
        angles[start:stop] = smooth + (raw[0] + 120.0) % 360.0 - 120.0 - smooth[0]
    return angles


def _bend(near: Array, middle: Array, far: Array) -> Array:
    first, second = rotations.normalize(middle - near), rotations.normalize(far - middle)
    return np.degrees(np.arccos(np.clip(np.sum(first * second, axis=1), -1.0, 1.0)))
