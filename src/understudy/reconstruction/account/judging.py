"""From a Reconstruction to its Account."""

from __future__ import annotations

import numpy as np

from understudy.cost import (
    Match,
    distances,
    first_failure,
    first_strict_failure,
    match,
    own_acceleration_mm,
    track_of,
)
from understudy.reconstruction.account.account import Account, Astray
from understudy.reconstruction.account.causes import fall_of, fast_share, held_up, limit_use, off_balance
from understudy.reconstruction.account.stretches import stretches
from understudy.reconstruction.account.surroundings import surroundings_of
from understudy.reconstruction.reconstruction import Reconstruction
from understudy.simulation import torques_of

ASTRAY_M = 0.25
"""Mean distance of the bodies from where they should be above which a performance has gone astray."""

_RATE_HZ = 30.0
_FARTHEST = 3  # bodies told of


def account_of(reconstruction: Reconstruction) -> Account:
    """Did it follow, where not, and why."""
    reference, rollout = reconstruction.reference, reconstruction.rollout
    pair = match(track_of(rollout).at_rate(_RATE_HZ), track_of(reference).at_rate(_RATE_HZ))
    around = surroundings_of(reference, rollout.model, rollout.qpos[0])
    torques = torques_of(rollout)
    comparison, failed_s = reconstruction.comparison, _failed_s(pair)
    return Account(
        name=reference.name,
        character=reference.character.name,
        scene=rollout.model.names.split(b"\0", 1)[0].decode(),
        comparison=comparison,
        failed_s=failed_s,
        acceleration_share=comparison.acceleration_mm / max(own_acceleration_mm(pair.reference), 1e-9),
        fast_torque_share=fast_share(torques.joints_nm, rollout.rate_hz),
        times_s=np.arange(pair.motion.frame_count) / pair.motion.rate_hz,
        distances_m=distances(pair.motion, pair.reference),
        astray=_astray(pair),
        fall=fall_of(reconstruction, around),
        held_up=held_up(around, reference.rate_hz),
        off_balance=off_balance(around, reference.rate_hz),
        limit_use=limit_use(torques, rollout.rate_hz, failed_s),
        outcome=rollout.outcome,
        notes=reconstruction.notes,
        duration_s=reference.duration_s,
        seconds=reconstruction.seconds,
        simulated=reconstruction.simulated,
    )


def _failed_s(pair: Match) -> float | None:
    """When a performance fails first, or ends too early."""
    failure = first_strict_failure(pair.motion, pair.reference) or first_failure(pair.motion, pair.reference)
    if failure is not None:
        return failure.frame / pair.motion.rate_hz
    early = pair.motion.unfinished or pair.missing_s > 1.5 / pair.reference.rate_hz
    return pair.motion.duration_s if early else None


def _astray(pair: Match) -> tuple[Astray, ...]:
    off, rate_hz = distances(pair.motion, pair.reference), pair.motion.rate_hz
    result = []
    for stretch in stretches(off.mean(axis=1) > ASTRAY_M, rate_hz):
        own = off[round(stretch.begin_s * rate_hz) : round(stretch.end_s * rate_hz)]
        farthest = np.argsort(-own.mean(axis=0), kind="stable")[:_FARTHEST]
        names = tuple(pair.motion.names[body] for body in farthest)
        result.append(Astray(stretch, float(own.mean(axis=1).max()), names))
    return tuple(result)
