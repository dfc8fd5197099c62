"""Parts that a recording shows turned over: found by what no joint can do, and turned back.

Marker solvers now and then turn a foot by 180 degrees about one of its axes, for a frame or for a whole clip (CMU
subjects 88 to 90 among others). Of the four readings of a frame, as it is or turned about x, y or z, the ones are
chosen that stay within what the joint can do and move least. A leg turned over has a knee that bends forwards.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from understudy import rotations
from understudy.character.fitting.anatomy import SIDES, t_pose_direction, t_pose_hinge
from understudy.character.fitting.figure import Figure
from understudy.rotations import Array, BoolArray, IntArray
from understudy.spans import nearest, smooth_step

_PLAUSIBLE = {"foot": np.radians(90.0), "hand": np.radians(130.0)}  # from the common pose
_BENT, _SURE = np.sin(np.radians(25.0)), 0.5
_ABOVE = {"foot": "shin", "hand": "lower_arm"}
_TURNS = np.concatenate([rotations.IDENTITY[None], np.eye(4)[1:]])  # none, and half turns about x, y and z
_BEYOND = 1.0  # cost of a radian beyond the plausible, in every frame, beside 1 for a radian moved between frames
_FASTEST_RAD_S = 60.0  # of a limb; pitchers turn their upper arms at over 100 about the bone, for a few milliseconds
_FASTEST_TRUNK_RAD_S = 30.0  # somersaults turn at 10 to 20
_TRUNK = ("pelvis", "spine", "chest", "neck", "head")
_BRIDGE_S = 0.05
_TURNED = 0.01  # cost of a frame read as turned over


def mended(frames: Mapping[str, Array], clip: Figure) -> tuple[dict[str, Array], dict[str, float]]:
    """The anatomical frames (T, 4) of the parts, turned back, and the share of frames of each part that was."""
    result, shares = dict(frames), {}
    for side in SIDES:
        for first, second in (("thigh", "shin"), ("upper_arm", "lower_arm")):
            for part, over in _bent_backwards(result, clip, f"{side}_{first}", f"{side}_{second}").items():
                half_turn = np.concatenate([np.zeros(1), np.abs(t_pose_direction(part)).round()])
                result[part] = np.where(over[:, None], rotations.multiply(result[part], half_turn), result[part])
                shares[part] = float(np.mean(over))
        for own, above in _ABOVE.items():
            part, parent = f"{side}_{own}", f"{side}_{above}"
            if part in frames and parent in frames:
                local = rotations.multiply(rotations.conjugate(result[parent]), result[part])
                chosen = _readings(local, _PLAUSIBLE[own])
                if chosen.any():
                    _turn(result, part, _TURNS[chosen])
                shares[part] = float(np.mean(chosen != 0))
    return result, {part: share for part, share in shares.items() if share > 0.0}


def _turn(frames: dict[str, Array], part: str, turns: Array) -> None:
    """Turn a part by turns (T, 4) in its own frames, a foot together with its toes."""
    toes = part.replace("_foot", "_toes")
    if toes != part and toes in frames:
        bent = rotations.multiply(rotations.conjugate(frames[part]), frames[toes])
        frames[toes] = rotations.multiply(rotations.multiply(frames[part], turns), bent)
    frames[part] = rotations.multiply(frames[part], turns)


def _bent_backwards(frames: Mapping[str, Array], clip: Figure, upper: str, lower: str) -> dict[str, BoolArray]:
    """Of the two parts of a limb, the frames (T,) in which the joint between them bends the wrong way.

    A straight limb does not tell; it is taken to be as in the nearest frame in which it is bent.
    """
    if upper not in frames or lower not in frames:
        return {}
    first, second = clip.direction(upper), clip.direction(lower)
    if first is None or second is None:
        return {}
    axis = np.cross(first, second)
    bent = (np.linalg.norm(axis, axis=1) > _BENT) | (np.sum(first * second, axis=1) < 0.0)
    result = {}
    for part in (upper, lower):
        cosine = np.sum(rotations.rotate(frames[part], t_pose_hinge(part)) * rotations.normalize(axis), axis=1)
        told = np.flatnonzero(
            bent & (np.abs(cosine) > _SURE)
        )  # in between, the rig's elbow is another, not turned over
        if len(told):
            result[part] = (cosine < 0.0)[nearest(told, len(cosine))]
    return result


def without_jumps(frames: Mapping[str, Array], rate_hz: float) -> dict[str, Array]:
    """The anatomical frames (T, 4) of the parts, faster turns than any body can do led over in a tenth of a second."""
    result = {}
    reach = max(1, round(_BRIDGE_S * rate_hz))
    for part, turns in frames.items():
        fastest = _FASTEST_TRUNK_RAD_S if part in _TRUNK else _FASTEST_RAD_S
        jumps = np.flatnonzero(rotations.angle_between(turns[:-1], turns[1:]) * rate_hz > fastest)
        turns = np.array(turns)
        for start, stop in _spans(jumps, reach, len(turns)):
            share = np.linspace(0.0, 1.0, stop - start + 1)
            turns[start : stop + 1] = rotations.slerp(turns[start], turns[stop], smooth_step(share))
        result[part] = turns
    return result


def _spans(jumps: IntArray, reach: int, count: int) -> list[tuple[int, int]]:
    """First and last frame around each jump from frame j to j + 1, those that touch taken together."""
    spans: list[tuple[int, int]] = []
    for j in jumps:
        start, stop = max(int(j) + 1 - reach, 0), min(int(j) + reach, count - 1)
        if spans and start <= spans[-1][1]:
            start = spans.pop()[0]
        spans.append((start, stop))
    return spans


def _readings(local: Array, plausible_rad: float) -> IntArray:
    """(T,) which of the four turns to apply to rotations local (T, 4), by the cheapest path (Viterbi)."""
    options = rotations.multiply(local[:, None], _TURNS)  # (T, 4, 4)
    beyond = np.maximum(rotations.angle_between(rotations.IDENTITY, options) - plausible_rad, 0.0)
    cost = _BEYOND * beyond + _TURNED * (np.arange(4) > 0)
    moved = rotations.angle_between(options[:-1, None, :], options[1:, :, None])  # (T - 1, to, from)
    best, came_from = cost[0], np.zeros((len(local), 4), int)
    for t in range(1, len(local)):
        total = best[None] + moved[t - 1]
        came_from[t] = np.argmin(total, axis=1)
        best = cost[t] + total[np.arange(4), came_from[t]]
    path = np.empty(len(local), int)
    path[-1] = np.argmin(best)
    for t in range(len(local) - 1, 0, -1):
        path[t - 1] = came_from[t, path[t]]
    return path
