"""First poses: every body turned as its target says, from the root outwards, as far as its joints allow.

What a joint can't do (a knee can't twist) is left over to the next body along the limb, whose joint is set from where
its parent really is.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from understudy import rotations
from understudy.character.fitting.hinges import HingeRow, solve_row, unwrapped
from understudy.character.fitting.kinematics import Kinematics, Postures
from understudy.character.fitting.targets import BodyTarget, Targets
from understudy.character.reference import body_poses
from understudy.rotations import Array

_JOINT = mujoco.mjtJoint


def first_poses(kinematics: Kinematics, targets: Targets, parts: set[int]) -> Array:
    """Positions qpos (T, nq) that meet the targets' rotations and put the hips where they should be.

    Args:
        parts: bodies that are body parts; one without a target keeps its rest pose on its parent, while joints of
            unnamed bodies on the way from target to target share in the turn.
    """
    model = kinematics.model
    hips = targets.hips
    qpos = np.tile(np.asarray(model.qpos0, float), (len(hips.places_w), 1))
    wanted = {target.body: target for target in targets.bodies}
    postures = kinematics.start(len(qpos))
    _turn_root(kinematics, qpos, wanted)
    owners = _owners(kinematics, wanted, parts)
    for body in range(len(kinematics.parents)):
        if body in owners and owners[body][0] == body:
            turn_row(kinematics, postures, qpos, owners[body], wanted[owners[body][-1]])
        kinematics.place(postures, body, qpos)
    here = postures.positions_w[:, hips.body] + rotations.rotate(postures.rotations_w[:, hips.body], hips.place_b)
    qpos[:, :3] += hips.places_w - here
    return qpos


def _turn_root(kinematics: Kinematics, qpos: Array, wanted: dict[int, BodyTarget]) -> None:
    """Turn the root as its target says, else with the first body that has one."""
    model = kinematics.model
    rest = body_poses(model, model.qpos0[None]).rotations_w[0]
    nearest = wanted[min(wanted)]
    from_nearest = rotations.multiply(rotations.conjugate(rest[nearest.body]), rest[0])
    qpos[:, 3:7] = rotations.continuous(rotations.multiply(nearest.rotations_w, from_nearest))


def _owners(kinematics: Kinematics, wanted: dict[int, BodyTarget], parts: set[int]) -> dict[int, list[int]]:
    """Body to the row of bodies it is turned with: a body with a target, and unnamed ones before it."""
    rows: dict[int, list[int]] = {}
    for body in sorted(wanted):
        row, above = [body], int(kinematics.parents[body])
        while above > 0 and above not in wanted and above not in parts and above not in rows:
            row, above = [above, *row], int(kinematics.parents[above])
        if body > 0:
            rows |= dict.fromkeys(row, row)
    return rows


def turn_row(
    kinematics: Kinematics, postures: Postures, qpos: Array, bodies: Sequence[int], target: BodyTarget
) -> None:
    """Set the joints of a row of bodies so that the last one turns as wanted."""
    model = kinematics.model
    joints = [joint for body in bodies for joint in kinematics.joints_of(body)]
    kinds = {int(model.jnt_type[joint]) for joint in joints}
    above = postures.rotations_w[:, kinematics.parents[bodies[0]]]
    local = rotations.multiply(rotations.conjugate(above), target.rotations_w)
    if kinds == {int(_JOINT.mjJNT_BALL)}:
        _share(kinematics, qpos, bodies, joints, local)
    elif kinds == {int(_JOINT.mjJNT_HINGE)}:
        row = _hinge_row(kinematics, bodies, joints)
        angles = solve_row(row, local, target.axes_b, np.maximum(target.weights, 0.05))
        angles = unwrapped(angles, np.isfinite(row.low))
        qpos[:, model.jnt_qposadr[joints]] = angles + model.qpos0[model.jnt_qposadr[joints]]


def _share(kinematics: Kinematics, qpos: Array, bodies: Sequence[int], joints: Sequence[int], local: Array) -> None:
    """Give each of several balls in a row an equal share of the turn away from the rest pose."""
    model = kinematics.model
    rest = rotations.IDENTITY
    for body in bodies:
        rest = rotations.multiply(rest, model.body_quat[body + 1])
    turn = rotations.log(rotations.multiply(local, rotations.conjugate(rest)))  # in the frame of the row's parent
    frame = rotations.IDENTITY
    for body, joint in zip(bodies, joints, strict=True):
        frame = rotations.multiply(frame, model.body_quat[body + 1])
        share = rotations.rotate(rotations.conjugate(frame), turn / len(joints))
        address = model.jnt_qposadr[joint]
        qpos[:, address : address + 4] = rotations.continuous(rotations.exp(share))


def _hinge_row(kinematics: Kinematics, bodies: Sequence[int], joints: Sequence[int]) -> HingeRow:
    model = kinematics.model
    fixed, pending = [], rotations.IDENTITY
    for body in bodies:
        pending = rotations.multiply(pending, model.body_quat[body + 1])
        for _ in kinematics.joints_of(body):
            fixed.append(pending)
            pending = rotations.IDENTITY
    limited = np.asarray(model.jnt_limited[list(joints)], bool)
    start = model.qpos0[model.jnt_qposadr[joints]]
    low, high = (np.where(limited, model.jnt_range[list(joints), i] - start, (-np.inf, np.inf)[i]) for i in (0, 1))
    return HingeRow(np.array([*fixed, pending]), np.array(model.jnt_axis[list(joints)]), low, high)
