"""What the tests of authored clips measure: mass, balls and forces, from the clip's joints alone."""

from dataclasses import dataclass

import numpy as np

from understudy import rotations
from understudy.anthropometry import MASS_FRACTIONS, joint_places, mass_centres
from understudy.motion import Clip
from understudy.motion.authoring.body import Places, puppet
from understudy.rotations import Array


def centre_of_mass(clip: Clip) -> Array:
    """(T, 3) the centre of mass [m] by the tables of anthropometry, not by the solver's mass points."""
    joints, centres = joint_places(), mass_centres()
    total = np.zeros((clip.frame_count, 3))
    for i, part in enumerate(clip.skeleton.names):
        offset = rotations.rotate(clip.joint_rotations_w[:, i], centres[part] - joints[part])
        total += MASS_FRACTIONS[part] * (clip.joint_positions_w[:, i] + offset)
    return total


@dataclass(frozen=True)
class Balls:
    """World places (T, K, 3) [m] of the balls that may touch the floor, and their clearance (T, K) [m]."""

    names: tuple[str, ...]
    places: Array
    clearance: Array


def fixed_to(clip: Clip, places: Places) -> Array:
    """(T, K, 3) where points fixed to the parts of the body are [m]."""
    local = rotations.rotate(rotations.conjugate(puppet().bind[places.parts]), places.offsets)
    return clip.joint_positions_w[:, places.parts] + rotations.rotate(clip.joint_rotations_w[:, places.parts], local)


def mass_points(clip: Clip) -> Array:
    """(T, N, 3) the points [m] that stand for the body's mass and inertia."""
    return fixed_to(clip, puppet().masses)


def balls_of(clip: Clip) -> Balls:
    """The balls of a clip on the neutral skeleton."""
    body = puppet()
    places = fixed_to(clip, body.balls)
    return Balls(body.ball_names, places, places[..., 2] - body.balls.sizes)


def acceleration(places: Array, rate_hz: float) -> Array:
    """(T - 2, ...) second differences [m/s^2]."""
    return np.diff(places, 2, axis=0) * rate_hz**2
