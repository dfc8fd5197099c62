"""Why a performance does not follow, where it can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy.cost import STRICT_HEIGHT_M
from understudy.reconstruction.account.stretches import Stretch, stretches
from understudy.reconstruction.account.surroundings import Surroundings
from understudy.reconstruction.reconstruction import Reconstruction
from understudy.rotations import Array, BoolArray
from understudy.simulation import Torques

_HELD_UP, _HELD_UP_S = 0.5, 0.25
_OFF_BALANCE_M, _OFF_BALANCE_S = 0.1, 0.5  # what is followed easily is within them all the time
_AROUND_S = 0.2
_BEFORE_S = 1.0
_FAST_HZ = 5.0


@dataclass(frozen=True)
class Fall:
    """When a character fell, and onto which of its bodies."""

    time_s: float
    onto: tuple[str, ...]


def fall_of(reconstruction: Reconstruction, around: Surroundings) -> Fall | None:
    """The first tick at which the root is 0.25 m too low and something touches the scene that should not be near it."""
    reference, rollout = reconstruction.reference, reconstruction.rollout
    count = min(reference.tick_count, rollout.tick_count)
    names = reference.character.body_names
    low = reference.qpos[:count, 2] - rollout.qpos[:count, 2] > STRICT_HEIGHT_M
    reach = round(_AROUND_S * reference.rate_hz)
    wrong = rollout.contacts.touching(names)[:count] & ~_widened(around.near, reach)[:count]
    ticks = np.flatnonzero(low & wrong.any(axis=1))
    if not len(ticks):
        return None
    return Fall(float(ticks[0] / reference.rate_hz), tuple(names[b] for b in np.flatnonzero(wrong[ticks[0]])))


def held_up(around: Surroundings, rate_hz: float) -> tuple[Stretch, ...]:
    """When more than half the weight is borne for more than 0.25 s by nothing that is in the scene."""
    return stretches((around.support > _HELD_UP) & ~around.near.any(axis=1), rate_hz, _HELD_UP_S)


def off_balance(around: Surroundings, rate_hz: float) -> tuple[Stretch, ...]:
    """When for more than 0.5 s what is near the scene is not below where the weight would have to be borne."""
    return stretches(around.off_balance_m > _OFF_BALANCE_M, rate_hz, _OFF_BALANCE_S)


def limit_use(torques: Torques, rate_hz: float, failed_s: float | None = None) -> Mapping[str, float]:
    """Actuator with a limit to the share of ticks it is at it, in the second before failed_s if there is one.

    Who has fallen is at many limits; what counts is what went before.
    """
    end = len(torques.at_limit) if failed_s is None else round(failed_s * rate_hz)
    begin = 0 if failed_s is None else max(0, end - round(_BEFORE_S * rate_hz))
    at_limit = torques.at_limit[begin:end]
    shares = at_limit.mean(axis=0) if len(at_limit) else np.zeros(len(torques.actuators))
    named = zip(torques.actuators, shares, torques.limited, strict=True)
    return {name: float(share) for name, share, limited in named if limited}


def fast_share(values: Array, rate_hz: float) -> float:
    """The share of the variance of values (T, n) that is faster than 5 Hz; 0 of what does not change."""
    if len(values) < 4:
        return 0.0
    window = np.hanning(len(values) + 2)[1:-1, None]  # the ends of a run are no jumps
    power = np.square(np.abs(np.fft.rfft((values - values.mean(axis=0)) * window, axis=0))).sum(axis=1)
    fast = np.fft.rfftfreq(len(values), 1.0 / rate_hz) > _FAST_HZ
    return float(power[fast].sum() / power.sum()) if power.sum() > 0.0 else 0.0


def _widened(labels: BoolArray, reach: int) -> BoolArray:
    """(T, B) labels that are true wherever one is true within so many ticks."""
    padded = np.pad(labels, ((reach, reach), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)
    return np.asarray(windows.any(axis=-1))
