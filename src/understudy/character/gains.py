"""PD gains guessed from masses, for characters whose source gives none.

A limb's gain lets it swing back at 15 rad/s, and sags under the limb's weight by no more than 0.08 rad. The joints
between the floor and the top of the body hold up what is above them: with gains k_i and toppling torques g_i per radian
(mass above times its height over the joint times gravity), the stack stands if the sum of g_i / k_i is below 1
(Dunkerley's bound); each joint is given a share of that sum, the ankles the largest. The shares add up to about 0.6,
since soft contacts take their part too. Toes hold half the body on tiptoe.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from understudy.rotations import Array, IntArray

DAMPING_S = 0.1  # kd / kp, as in control-graphs-2016 section 6
ARMATURE_S2 = 1e-5  # armature / kp: no joint, however light, answers faster than 316 rad/s, which steps of 5 ms follow
_SWING_RAD_S, _SAG_RAD = 15.0, 0.08
_LEG_SHARES = (0.22, 0.10, 0.07, 0.05)  # of the sum of g_i / k_i: the lowest joint of a leg, the next, ...
_TRUNK_SHARE = 0.18  # for all the joints of the rest of the longest way up
_SWAY_SHARE = 0.2  # for every joint of a leg of four
_GRAVITY = 9.81
_SLIDE_KP = _GRAVITY / 1e-4


def guess_kp(model: mujoco.MjModel, qpos: Array, supports: Sequence[str]) -> dict[str, float]:
    """Joint name to kp [N m/rad] for all hinges and balls of a model that stands in qpos on the bodies ``supports``.

    Slides get the kp [N/m] at which they sag by a tenth of a millimetre per kilogram.
    """
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    stance = _Stance(model, data, tuple(_way_up(model, model.body(name).id) for name in supports))
    result = {}
    for joint in range(model.njnt):
        kind = model.jnt_type[joint]
        if kind != mujoco.mjtJoint.mjJNT_FREE:
            slides = kind == mujoco.mjtJoint.mjJNT_SLIDE
            kp = _SLIDE_KP if slides else max(stance.swinging(joint), stance.holding(joint))
            result[model.joint(joint).name] = _rounded(kp)
    return result


@dataclass(frozen=True)
class _Stance:
    """A model standing, kinematics done; ``legs`` are the bodies from each support up to the root."""

    model: mujoco.MjModel
    data: mujoco.MjData
    legs: tuple[list[int], ...]

    def swinging(self, joint: int) -> float:
        """The gain that lets what hangs on a joint swing and not sag."""
        inside = _subtree(self.model, int(self.model.jnt_bodyid[joint]))
        masses, levers = self.model.body_mass[inside], self.data.xipos[inside] - self.data.xanchor[joint]
        if self.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE:
            axis = self.data.xaxis[joint]
            levers = levers - (levers @ axis)[:, None] * axis
        own = self.model.body_inertia[inside].max(axis=1)
        inertia = float(np.sum(masses * np.sum(levers**2, axis=1) + own))
        weight = _GRAVITY * float(np.linalg.norm(masses @ levers))
        return max(_SWING_RAD_S**2 * inertia, weight / _SAG_RAD)

    def holding(self, joint: int) -> float:
        """The gain with which a joint bears its part of what stands above it."""
        body = int(self.model.jnt_bodyid[joint])
        level = self._level(joint)
        for leg in self.legs:
            if body in leg:
                holding = self._swaying(leg) if len(self.legs) > 2 else self._stacked(joint, leg.index(body))
                return level * max(holding, self._bearing(joint, leg[0])) / len(self.legs)
            if leg[0] in _way_up(self.model, body):
                return level * self._bearing(joint, body) / len(self.legs)
        depth = max(len(_way_up(self.model, int(tip))) for tip in _subtree(self.model, body))
        return level * self._toppling(joint, _subtree(self.model, body)) * depth / _TRUNK_SHARE

    def _level(self, joint: int) -> float:
        """How level a hinge's axis is, 1 for a ball: an upright axis bears no weight."""
        if self.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
            return 1.0
        return float(np.linalg.norm(self.data.xaxis[joint, :2]))

    def _stacked(self, joint: int, place: int) -> float:
        """What both legs' joints at that place from the floor need to hold up all that is above them."""
        above = np.setdiff1d(np.arange(1, self.model.nbody), _subtree(self.model, int(self.model.jnt_bodyid[joint])))
        return self._toppling(joint, above) / _LEG_SHARES[min(place, len(_LEG_SHARES) - 1)]

    def _swaying(self, leg: Sequence[int]) -> float:
        """What all legs' joints at one place need on four legs: the trunk sways level, as high as the legs are long."""
        long = float(self.data.xpos[leg[-1], 2] - self.data.xpos[leg[0], 2])
        return _GRAVITY * float(self.model.body_mass.sum()) * max(long, 0.0) / _SWAY_SHARE

    def _toppling(self, joint: int, above: IntArray) -> float:
        """How much more the weight of bodies above a joint pulls it over per radian it leans [N m/rad]."""
        heights = self.data.xipos[above, 2] - self.data.xanchor[joint, 2]
        return max(_GRAVITY * float(np.sum(self.model.body_mass[above] * heights)), 0.0)

    def _bearing(self, joint: int, foot: int) -> float:
        """The gain that holds a bent leg, standing on the middle of a foot, under the whole weight without sagging."""
        lever = float(np.linalg.norm((self.data.xanchor[joint] - self.data.xipos[foot])[:2]))
        return _GRAVITY * float(self.model.body_mass.sum()) * lever / _SAG_RAD


def _way_up(model: mujoco.MjModel, body: int) -> list[int]:
    """Bodies from the given one up to the root, the root left out, those without a joint left out."""
    way = []
    while model.body_parentid[body] != 0:
        if model.body_jntnum[body]:
            way.append(body)
        body = int(model.body_parentid[body])
    return way


def _subtree(model: mujoco.MjModel, body: int) -> IntArray:
    """Indices of the body and all that hang on it."""
    inside = np.zeros(model.nbody, bool)
    inside[body] = True
    for other in range(body + 1, model.nbody):
        inside[other] = inside[model.body_parentid[other]]
    return np.flatnonzero(inside)


def _rounded(kp: float) -> float:
    """Two significant digits: a guess need not look like a measurement."""
    return float(f"{kp:.2g}")
