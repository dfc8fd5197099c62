"""A character with a clip's own skeleton."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import mujoco
import numpy as np

from understudy import rotations
from understudy.character.character import Character, CharacterJoint
from understudy.character.clip_body.rest import RestPose, rest_pose
from understudy.character.clip_body.segments import Segment, cut
from understudy.character.clip_body.shapes import BODY_MASS_INDEX, Fleshed, flesh_out
from understudy.character.clip_body.stance import at_ease
from understudy.character.fitting.ground import lowest_points, shapes
from understudy.character.fitting.kinematics import Kinematics
from understudy.character.gains import ARMATURE_S2, DAMPING_S, guess_kp
from understudy.character.self_contact import CollisionRow, set_contact_bits
from understudy.character.servos import add_servo
from understudy.character.shape import add_shape
from understudy.character.standing import balanced_pose, standing_pose
from understudy.errors import CharacterError
from understudy.motion import Clip, body_parts
from understudy.rotations import Array

WINDOW_RAD = 0.2
_NEAR_FLOOR = 0.06  # of the height: what reaches down to here bears weight


def character_from_clip(clip: Clip, mass_kg: float | None = None) -> Character:
    """A character whose joints are the clip's, each a ball of the same name.

    Joints that never turn, lie within hands, feet and head, or are small side branches are merged into their parents.
    Body parts are found by ``motion.body_parts``; shapes and masses follow published proportions of an adult, or for
    other creatures the bones; gains follow from the masses.

    Args:
        clip: its skeleton is taken; its motion tells which joints turn, and how the limbs lie where the skeleton's rest
            pose does not stand.
        mass_kg: the mass of the body; by default of a body-mass index of 22, or of water for what is not human.
    """
    if mass_kg is not None and not (np.isfinite(mass_kg) and mass_kg > 0.0):
        raise CharacterError(f"the mass of a body must be above 0 kg, not {mass_kg}")
    parts = body_parts(clip.skeleton)
    rest = rest_pose(clip, parts)
    if not rest.height > 1e-3:
        raise CharacterError(f"clip '{clip.name}': its skeleton is {1000 * rest.height:.2g} mm tall; wrong unit?")
    segments = cut(clip, parts, rest)
    fleshed = flesh_out(segments, rest, mass_kg)
    character = _with_servos(clip, segments, _spec(clip, segments, fleshed), rest)
    return dataclasses.replace(character, guesses=_guesses(clip, segments, rest, fleshed, mass_kg, parts.found_by))


def _spec(clip: Clip, segments: Sequence[Segment], fleshed: Fleshed) -> mujoco.MjSpec:
    """The bodies with their joints, without servos."""
    spec = mujoco.MjSpec()
    spec.modelname = clip.name
    spec.compiler.degree = False
    made: dict[str, mujoco.MjsBody] = {}
    free = "root" if "root" not in [s.name for s in segments[1:]] else "free root"
    for segment, solids, mass in zip(segments, fleshed.shapes, fleshed.masses_kg, strict=True):
        if segment.parent < 0:
            body = spec.worldbody.add_body(name=segment.name, pos=segment.place, quat=segment.turn)
            body.add_freejoint(name=free)
        else:
            above = segments[segment.parent]
            back = rotations.conjugate(above.turn)
            body = made[above.name].add_body(
                name=segment.name,
                pos=rotations.rotate(back, segment.place - above.place),
                quat=rotations.multiply(back, segment.turn),
            )
            body.add_joint(name=segment.name, type=mujoco.mjtJoint.mjJNT_BALL)
        volume = sum(shape.volume for shape in solids)
        for i, shape in enumerate(solids):
            name = segment.name if i == 0 else f"{segment.name} {i + 1}"
            add_shape(body, name, shape, segment.place, segment.turn, mass * shape.volume / volume)
        made[segment.name] = body
    set_contact_bits(made, _collisions(segments))
    return spec


def _collisions(segments: Sequence[Segment]) -> tuple[CollisionRow, ...]:
    """Forearms and hands of a human against trunk and head, as in the bundled characters."""
    name = {segment.part: segment.name for segment in segments if segment.part}
    arms = tuple(
        name[f"{side}_{p}"] for side in ("left", "right") for p in ("lower_arm", "hand") if f"{side}_{p}" in name
    )
    trunk = tuple(name[part] for part in ("spine", "chest", "head") if part in name)
    return ((arms, trunk),) if arms and trunk else ()


def _with_servos(clip: Clip, segments: Sequence[Segment], spec: mujoco.MjSpec, rest: RestPose) -> Character:
    model = _compiled(clip, spec)
    ends = _end_effectors(model, segments, rest)
    qpos = standing_pose(model, {}, ends[0])
    spec.body(segments[0].name).pos = qpos[:3]  # soles on the floor
    model = _compiled(clip, spec)
    near = [name for name in ends if _reach_down(model, name) < _NEAR_FLOOR * rest.height]
    supports = {"biped": ends[:2], "quadruped": ends[:4], "other": near}[rest.build]
    kp = guess_kp(model, np.array(model.qpos0), supports)
    joints = tuple(_joint(segment, kp[segment.name]) for segment in segments[1:])
    for joint in joints:
        spec.joint(joint.name).armature = ARMATURE_S2 * joint.kp
        add_servo(spec, joint, ball=True)
    order = {model.joint(i).name: i for i in range(model.njnt)}
    return Character(
        name=clip.name,
        source=f"the skeleton of clip '{clip.name}'",
        xml=_xml(clip, spec),
        joints=tuple(sorted(joints, key=lambda joint: order[joint.name])),
        roles={segment.part: segment.name for segment in segments if segment.part},
        end_effectors=ends,
        standing=_standing(model, segments, rest, supports),
    )


def _standing(model: mujoco.MjModel, segments: Sequence[Segment], rest: RestPose, supports: Sequence[str]) -> Array:
    if rest.build != "biped":
        return np.array(model.qpos0)
    return balanced_pose(model, standing_pose(model, at_ease(segments), supports[0]), supports)


def _joint(segment: Segment, kp: float) -> CharacterJoint:
    return CharacterJoint(
        name=segment.name,
        body=segment.name,
        mujoco_joints=(segment.name,),
        kp=kp,
        kd=DAMPING_S * kp,
        strength=np.ones(3),
        window_rad=np.full(3, WINDOW_RAD),
    )


def _end_effectors(model: mujoco.MjModel, segments: Sequence[Segment], rest: RestPose) -> tuple[str, ...]:
    """Feet, then hands, of what is known; else the leaves that reach down to the floor."""
    name = {segment.part: segment.name for segment in segments if segment.part}
    known = [name[f"{side}_{p}"] for p in ("foot", "hand") for side in ("left", "right") if f"{side}_{p}" in name]
    if rest.build == "quadruped":
        paws = [_last(name, side, limb) for limb in ("hind", "fore") for side in ("left", "right")]
        known = [paw for paw in paws if paw]
    if rest.build == "biped" and not known:
        known = [name[f"{side}_shin"] for side in ("left", "right")]
    if known:
        return tuple(known)
    parents = {segment.parent for segment in segments}
    leaves = [segment.name for i, segment in enumerate(segments) if i not in parents]
    return tuple(sorted(leaves, key=lambda leaf: _reach_down(model, leaf)))


def _last(name: dict[str, str], side: str, limb: str) -> str:
    chain = ("toes", "foot", "shin") if limb == "hind" else ("hand", "lower_arm")
    return next((name[f"{side}_{part}"] for part in chain if f"{side}_{part}" in name), "")


def _reach_down(model: mujoco.MjModel, body: str) -> float:
    """Height [m] of the lowest point of a body above that of the whole, in the rest pose."""
    solids = shapes(model)
    heights = lowest_points(solids, Kinematics(model).postures(np.array(model.qpos0)[None]))[0, :, 2]
    own = [height for height, solid in zip(heights, solids, strict=True) if solid.body == model.body(body).id - 1]
    return float(min(own, default=np.inf) - heights.min())


def _compiled(clip: Clip, spec: mujoco.MjSpec) -> mujoco.MjModel:
    try:
        return spec.compile()
    except ValueError as problem:
        raise CharacterError(f"no character can be made of clip '{clip.name}': {problem}") from problem


def _xml(clip: Clip, spec: mujoco.MjSpec) -> str:
    _compiled(clip, spec)
    return spec.to_xml()


def _guesses(
    clip: Clip, segments: Sequence[Segment], rest: RestPose, fleshed: Fleshed, mass_kg: float | None, found_by: str
) -> tuple[str, ...]:
    total = sum(fleshed.masses_kg)
    lines = [
        f"body parts told by {found_by}: {', '.join(s.part for s in segments if s.part) or 'none'}",
        f"rest pose: {rest.told_by}",
        f"height: {fleshed.height_m:.2f} m" + (" (from the legs)" if rest.build == "biped" else ""),
    ]
    if mass_kg is None:
        rule = (
            f"a body-mass index of {BODY_MASS_INDEX:g}"
            if rest.build == "biped"
            else "the shapes at the density of water"
        )
        lines.append(f"mass: {total:.1f} kg, from {rule}")
    kept = {segment.joint for segment in segments}
    merged = [name for j, name in enumerate(clip.skeleton.names) if j not in kept]
    if merged:
        lines.append(f"joints merged into their parents: {', '.join(merged)}")
    lines.append("gains: from the masses that are moved and held up")
    return tuple(lines)
