"""Any MJCF with a free root becomes a Character."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import mujoco
import numpy as np

from understudy import rotations
from understudy.character.adopting.anatomy import Anatomy, study
from understudy.character.adopting.drives import Drive, Drives, drives
from understudy.character.adopting.reading import Creature, read_creature
from understudy.character.character import Character, CharacterJoint, Physics
from understudy.character.gains import ARMATURE_S2, DAMPING_S, guess_kp
from understudy.character.servos import add_servo
from understudy.character.standing import balanced_pose, on_the_floor
from understudy.rotations import Array

_TURNED_RAD = math.radians(20.0)
_SATURATED_RAD = 0.02  # a servo reaches its motor's strength no sooner
_WINDOW = 0.2
_TICK_S = 0.02
_STEPS_S = (0.001, 0.005)
_ONE_NUMBER = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


def adopt(path: str | Path) -> Character:
    """Make a Character of a model file; what had to be guessed stands in ``Character.guesses``.

    Joints that have actuators (all joints, if none has) are driven by PD servos in their place. Servos of the model
    keep their gains, motors their strength; other gains follow from the masses.

    Raises:
        FileError: the file can't be read, MuJoCo refuses it, or it is not one tree of bodies on a free joint.
    """
    creature = read_creature(Path(path))
    found = drives(creature.compile())
    creature = _without_actuators(creature, found)
    creature, anatomy, turn = _facing_forward(creature)
    model = creature.compile()
    stands = balanced_pose(model, _pose(creature, model, turn), anatomy.feet)
    joints = _joints(model, found, guess_kp(model, stands, anatomy.feet))
    for joint in joints:
        name = joint.mujoco_joints[0]
        element = creature.spec.joint(name)
        element.armature = max(element.armature, ARMATURE_S2 * joint.kp)
        ball = element.type == mujoco.mjtJoint.mjJNT_BALL
        add_servo(creature.spec, joint, ball=ball, limited=bool(np.isfinite(joint.torque_nm).all()))
    creature.compile()
    return Character(
        name=creature.path.stem,
        source=f"adopted from {creature.path.name}",
        xml=creature.spec.to_xml(),
        joints=joints,
        roles=anatomy.roles,
        end_effectors=anatomy.feet + anatomy.others,
        physics=_physics(creature),
        assets=creature.assets,
        guesses=(*creature.guesses, *_told(joints, found, anatomy)),
        standing=stands,
    )


def _without_actuators(creature: Creature, found: Drives) -> Creature:
    for actuator in list(creature.spec.actuators):
        creature.spec.delete(actuator)
    for group in list(creature.spec.tuples):
        creature.spec.delete(group)
    lines = []
    if found.others:
        lines.append(f"actuators that turn no joint of their own are left out: {', '.join(found.others)}")
    if not found.joints:
        lines.append("the model drives no joint; all its joints are driven")
    return creature.noting(*lines)


def _facing_forward(creature: Creature) -> tuple[Creature, Anatomy, Array]:
    """The creature turned about the vertical so that its hips face +x, on the floor; and that turn (4,)."""
    model = creature.compile()
    anatomy = study(model, _pose(creature, model, rotations.IDENTITY))
    turn = rotations.about_z(-anatomy.heading_rad if abs(anatomy.heading_rad) > _TURNED_RAD else 0.0)
    root = creature.spec.body(model.body(1).name)
    if turn[0] < 1.0:
        root.quat = rotations.multiply(turn, model.qpos0[3:7])
        root.alt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT
        creature = creature.noting(f"turned by {-math.degrees(anatomy.heading_rad):.0f} degrees to face forward")
        model = creature.compile()
    root.pos = on_the_floor(model, np.array(model.qpos0))[:3]
    return creature, anatomy, turn


def _pose(creature: Creature, model: mujoco.MjModel, turn: Array) -> Array:
    """(nq,) the keyframe to stand in (its root turned by turn), or the rest pose, within the joints' limits."""
    qpos = np.array(model.qpos0)
    if creature.key_qpos.shape == qpos.shape:
        qpos[7:] = creature.key_qpos[7:]
        qpos[3:7] = rotations.multiply(turn, rotations.normalize(creature.key_qpos[3:7]))
    return on_the_floor(model, _within_limits(model, qpos))


def _within_limits(model: mujoco.MjModel, qpos: Array) -> Array:
    """The pose with hinges and slides brought into their ranges: rest poses of some models lie outside."""
    result = np.array(qpos)
    for joint in np.flatnonzero(model.jnt_limited):
        if model.jnt_type[joint] in _ONE_NUMBER:
            place = int(model.jnt_qposadr[joint])
            result[place] = np.clip(result[place], *model.jnt_range[joint])
    return result


def _joints(model: mujoco.MjModel, found: Drives, guessed: dict[str, float]) -> tuple[CharacterJoint, ...]:
    names = [model.joint(j).name for j in range(model.njnt) if model.joint(j).name in guessed]
    driven = [name for name in names if name in found.joints] or names
    return tuple(_joint(model, name, found.joints.get(name, Drive(torque_nm=np.inf)), guessed[name]) for name in driven)


def _joint(model: mujoco.MjModel, name: str, drive: Drive, guess: float) -> CharacterJoint:
    joint = model.joint(name)
    axes = 3 if joint.type[0] == mujoco.mjtJoint.mjJNT_BALL else 1
    torque = drive.torque_nm if drive.torque_nm > 0.0 else np.inf
    kp = drive.kp or min(guess, torque / _SATURATED_RAD)
    return CharacterJoint(
        name=name,
        body=model.body(int(joint.bodyid[0])).name,
        mujoco_joints=(name,),
        kp=kp,
        kd=drive.kd if drive.kp and drive.kd else DAMPING_S * kp,
        strength=np.ones(axes),
        window_rad=np.full(axes, _WINDOW),
        torque_nm=np.full(axes, torque),
    )


def _physics(creature: Creature) -> Physics:
    step = float(np.clip(creature.timestep_s, *_STEPS_S))
    cone: Literal["pyramidal", "elliptic"] = "elliptic" if creature.elliptic else "pyramidal"
    return Physics(timestep_s=step, tick_steps=max(round(_TICK_S / step), 1), cone=cone)


def _told(joints: tuple[CharacterJoint, ...], found: Drives, anatomy: Anatomy) -> tuple[str, ...]:
    guessed = [j for j in joints if not found.joints.get(j.name, Drive()).kp]
    lines = []
    if guessed:
        gains = ", ".join(f"{joint.name} {joint.kp:g}" for joint in guessed)
        lines.append(f"gains (kp, with kd {DAMPING_S:g} s of it) guessed from the masses: {gains}")
    strong = ", ".join(f"{joint.name} {joint.torque_nm[0]:g}" for joint in joints if np.isfinite(joint.torque_nm[0]))
    if strong:
        lines.append(f"servos limited to the strength of the model's actuators [N m]: {strong}")
    if anatomy.roles:
        lines.append(
            f"body parts told by {anatomy.told_by}: " + ", ".join(f"{p} = {b}" for p, b in anatomy.roles.items())
        )
    else:
        lines.append("body parts: none recognised")
    lines.append(f"feet: {', '.join(anatomy.feet)}; other limb ends: {', '.join(anatomy.others) or 'none'}")
    return tuple(lines)
