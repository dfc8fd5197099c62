"""The skeleton of a clip as a figure that can be drawn: a bone from each joint to the next, coloured by side."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from understudy import rotations
from understudy.motion import BodyParts, Clip, Skeleton, body_parts
from understudy.rotations import Array
from understudy.stage import look

_SHORTEST = 1e-3  # lengths and radii as shares of the figure's height; a shorter bone is not drawn
_THINNEST, _THICKEST, _TRUNK, _JOINT, _HEAD = 0.005, 0.018, 0.020, 0.008, 0.046
_HEAD_HALVES = 0.058, 0.075  # half the height of a head, at least and at most
_SLENDER = 0.14  # radius of a bone over its length, within those limits


def joint_body(joint: int) -> str:
    """The name of the stick figure's body for a joint; joints' own names may be anything, even ``world``."""
    return f"joint{joint}"


def stick_figure(clip: Clip) -> mujoco.MjSpec:
    """A model whose positions are a clip's: a free root, and a ball joint for every other joint."""
    skeleton = clip.skeleton
    spec = mujoco.MjSpec()
    spec.compiler.boundmass, spec.compiler.boundinertia = 1e-3, 1e-6  # it is drawn, never simulated
    bodies: list[mujoco.MjsBody] = []
    for joint, parent in enumerate(skeleton.parents):
        if parent < 0:
            bodies.append(spec.worldbody.add_body(name=joint_body(joint)))
            bodies[0].add_freejoint()
        else:
            bodies.append(bodies[parent].add_body(name=joint_body(joint), pos=skeleton.offsets[joint]))
            bodies[joint].add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
    _flesh_out(skeleton, body_parts(skeleton, clip.joint_positions_w[0]), bodies)
    return spec


def stick_positions(clip: Clip) -> Array:
    """(T, 7 + 4 (J - 1)) the clip as positions of its stick figure."""
    turned = clip.rotations[:, depth_first(clip.skeleton)]
    return np.concatenate([clip.root_positions, turned.reshape(clip.frame_count, -1)], axis=1)


def depth_first(skeleton: Skeleton) -> list[int]:
    """The joints in MuJoCo's order: each with all that hangs on it before the next one beside it."""
    order, waiting = [], [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += reversed(skeleton.children(joint))
    return order


@dataclass(frozen=True)
class _Bone:
    """From a joint ``owner`` along ``offset`` (3,) [m] to the joint ``further``, None at a limb's end."""

    owner: int
    further: int | None
    offset: Array


def _flesh_out(skeleton: Skeleton, parts: BodyParts, bodies: list[mujoco.MjsBody]) -> None:
    height = rest_size(skeleton)
    colours = [(*colour, 1.0) for colour in _colours(skeleton, parts)]
    head = parts.joints.get("head", parts.joints.get("neck"))
    if head:
        _add_head(bodies[head], _head_axis(skeleton, head), height, colours[head])
    thickness = np.full(len(skeleton), _JOINT * height / 1.12)
    for bone in _bones(skeleton):
        if np.linalg.norm(bone.offset) < _SHORTEST * height:
            continue
        if bone.further is None and bone.owner == head:
            continue
        radius = _radius(bone, skeleton, parts, height)
        bodies[bone.owner].add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            size=(radius, 0, 0),
            fromto=(0, 0, 0, *bone.offset),
            rgba=colours[bone.owner],
        )
        ends = [bone.owner] if bone.further is None else [bone.owner, bone.further]
        thickness[ends] = np.maximum(thickness[ends], radius)
    for body, radius, colour in zip(bodies, thickness, colours, strict=True):
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=(1.12 * radius, 0, 0), rgba=colour)


def _bones(skeleton: Skeleton) -> list[_Bone]:
    inner = [_Bone(int(p), j, skeleton.offsets[j]) for j, p in enumerate(skeleton.parents) if p >= 0]
    ends = [_Bone(int(p), None, way) for p, way in zip(skeleton.end_parents, skeleton.end_offsets, strict=True)]
    return [*inner, *ends]


def _radius(bone: _Bone, skeleton: Skeleton, parts: BodyParts, height: float) -> float:
    """Limbs by their length; the trunk as thick as a trunk, however many joints it has."""
    lowest, top = parts.joints.get("pelvis"), parts.joints.get("neck", parts.joints.get("head"))
    if lowest is not None and top is not None and bone.further is not None:
        chain = ancestors(skeleton, top)
        if bone.further in chain and bone.owner in chain and lowest in ancestors(skeleton, bone.further):
            return _TRUNK * height
    length = float(np.linalg.norm(bone.offset))
    return float(np.clip(_SLENDER * length, _THINNEST * height, _THICKEST * height))


def _head_axis(skeleton: Skeleton, head: int) -> Array:
    """(3,) from the head's joint to the crown [m]: to its limb end, else on along the neck."""
    ends = skeleton.end_offsets[skeleton.end_parents == head]
    return max(ends, key=np.linalg.norm, default=skeleton.offsets[head])


def _add_head(body: mujoco.MjsBody, axis: Array, height: float, colour: tuple[float, ...]) -> None:
    """An egg of a head's size below the crown, and a neck when the way up to there (3,) is longer than a head."""
    length, up = float(np.linalg.norm(axis)), rotations.normalize(axis)
    half = float(np.clip(0.5 * length, _HEAD_HALVES[0] * height, _HEAD_HALVES[1] * height))
    middle = max(length - half, 0.95 * half) * up
    size, turn = (_HEAD * height, _HEAD * height, half), rotations.between([0.0, 0.0, 1.0], up)
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_ELLIPSOID, size=size, pos=middle, quat=turn, rgba=colour)
    if length > 2.0 * half:
        radius = (_THINNEST + _THICKEST) * 0.5 * height
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=(radius, 0, 0), fromto=(0, 0, 0, *middle), rgba=colour)


def _colours(skeleton: Skeleton, parts: BodyParts) -> list[look.Colour]:
    """Each joint's colour: the side of the limb it is on, else of where it rests; left is +y."""
    sided = {joint: part.split("_")[0] for part, joint in parts.joints.items() if "_" in part}
    sideways = _rest_places(skeleton)[:, 1] / rest_size(skeleton)
    colours = []
    for joint in range(len(skeleton)):
        side = next((sided[j] for j in reversed(ancestors(skeleton, joint)) if j in sided), None)
        if side is None and not parts.is_human:
            side = "left" if sideways[joint] > 0.01 else "right" if sideways[joint] < -0.01 else None
        colours.append({"left": look.LEFT, "right": look.RIGHT, None: look.CENTRE}[side])
    return colours


def ancestors(skeleton: Skeleton, joint: int) -> list[int]:
    """The joints from the root to this one."""
    chain = [joint]
    while skeleton.parents[chain[0]] >= 0:
        chain.insert(0, int(skeleton.parents[chain[0]]))
    return chain


def _rest_places(skeleton: Skeleton) -> Array:
    """(J, 3) places of the joints at rest, from the root [m]."""
    places = np.zeros((len(skeleton), 3))
    for joint, parent in list(enumerate(skeleton.parents))[1:]:
        places[joint] = places[parent] + skeleton.offsets[joint]
    return places


def rest_size(skeleton: Skeleton) -> float:
    """The largest extent [m] of the rest pose, about a person's height; 1 for a lone joint."""
    places = _rest_places(skeleton)
    ends = places[skeleton.end_parents] + skeleton.end_offsets
    size = float(np.ptp(np.concatenate([places, ends]), axis=0).max())
    return size if size > 0.0 else 1.0
