"""The Subject: what can be looked at, made into a Performance."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import mujoco
import numpy as np

from understudy.character import Character, Reference, floor_contacts
from understudy.errors import ClipError
from understudy.motion import BodyParts, Clip, Skeleton, body_parts, contact_labels
from understudy.rotations import Array, BoolArray, IntArray
from understudy.simulation import Rollout
from understudy.stage.performance import Forces, Performance, Touches, box_corners
from understudy.stage.stickfigure import ancestors, joint_body, rest_size, stick_figure, stick_positions

Subject = Clip | Character | Reference | Rollout
"""What can be looked at."""

_TOUCH_HEIGHT = 0.02  # of the figure's size: what is this near to the ground, or to a limb's lowest point, touches it


def name_of(subject: Subject) -> str:
    """What to call it in captions."""
    if isinstance(subject, Rollout):
        names = ", ".join(subject.character_names)
        return f"{names} (ended early: {subject.outcome})" if subject.outcome else names
    return subject.name


def performance_of(subject: Subject) -> Performance:
    """A Clip as its skeleton, a Character as it stands, a Reference as its character moving, a Rollout as it was."""
    if isinstance(subject, Clip):
        return _of_clip(subject)
    if isinstance(subject, Character):
        return Performance(subject.name, subject.spec, 1.0, subject.standing_qpos[None], hips=_hips(subject))
    if isinstance(subject, Reference):
        return _of_reference(subject)
    return _of_rollout(subject)


def without_marks(performance: Performance) -> Performance:
    """The same with no contacts or forces to draw."""
    return dataclasses.replace(performance, touches=None)


def _of_clip(clip: Clip) -> Performance:
    parts = body_parts(clip.skeleton, clip.joint_positions_w[0])
    hips = tuple(joint_body(parts[f"{side}_thigh"]) for side in ("left", "right") if f"{side}_thigh" in parts)
    return Performance(
        clip.name,
        lambda: stick_figure(clip),
        clip.rate_hz,
        stick_positions(clip),
        touches=_touches_of_clip(clip),
        hips=hips if len(hips) == 2 else (),
    )


def _touches_of_clip(clip: Clip) -> Callable[[int], Touches] | None:
    """On the ground below each joint and end of a standing foot or hand that is about as low as its lowest."""
    try:
        contacts = contact_labels(clip)
    except ClipError:  # no feet or hands could be told
        return None
    skeleton = clip.skeleton
    parts = body_parts(skeleton, clip.joint_positions_w[0])
    everything = np.concatenate([clip.joint_positions_w, clip.end_positions_w], axis=1)
    limbs = [_points_of_limb(skeleton, parts, name) for name in contacts.names]
    near = _TOUCH_HEIGHT * rest_size(skeleton)

    def touches(frame: int) -> Touches:
        places = [np.zeros((0, 3))]
        for limb, label in zip(limbs, contacts.labels[frame], strict=True):
            points = everything[frame, limb]
            if label and len(limb):
                places.append(points[points[:, 2] < points[:, 2].min() + near])
        return Touches(np.concatenate(places) * [1.0, 1.0, 0.0])

    return touches


def _points_of_limb(skeleton: Skeleton, parts: BodyParts, name: str) -> IntArray:
    """Joints and, counted on, limb ends of a foot or hand; where it has no joint, the ends of the limb it is on."""
    own = name in parts
    joint = parts[name if own else name.replace("foot", "shin").replace("hand", "lower_arm")]
    owners = np.concatenate([np.arange(len(skeleton)), skeleton.end_parents])
    inside = np.array([joint in ancestors(skeleton, int(owner)) for owner in owners])
    return np.flatnonzero(inside & (own | (np.arange(len(owners)) >= len(skeleton))))


def _of_reference(reference: Reference) -> Performance:
    character = reference.character
    return Performance(
        reference.name,
        character.spec,
        reference.rate_hz,
        reference.qpos,
        touches=_touches_of_reference(reference),
        hips=_hips(character),
    )


def _touches_of_reference(reference: Reference) -> Callable[[int], Touches] | None:
    """Around each end effector that is on the floor, at the corners of what is low of it and of what hangs on it."""
    character = reference.character
    if not character.end_effectors:
        return None
    contacts, model = floor_contacts(reference), character.model
    data = mujoco.MjData(model)
    limbs = [_geoms_at_or_below(model, model.body(name).id) for name in contacts.names]
    near = _TOUCH_HEIGHT * float(np.ptp(reference.bodies.positions_w[0], axis=0).max())

    def touches(frame: int) -> Touches:
        data.qpos[:] = reference.qpos[frame]
        mujoco.mj_kinematics(model, data)
        places = []
        for geoms in (limb for limb, label in zip(limbs, contacts.labels[frame], strict=True) if label and limb.any()):
            corners = box_corners(model, data, geoms)
            places.append(_outermost(corners[corners[:, 2] < max(corners[:, 2].min(), 0.0) + near]))
        return Touches(np.concatenate([np.zeros((0, 3)), *places]))

    return touches


def _outermost(places: Array) -> Array:
    """Those of places (N, 3) that lie farthest along the diagonals, on z = 0."""
    diagonals = np.stack([places[:, 0] + places[:, 1], places[:, 0] - places[:, 1]])
    chosen = np.unique([*diagonals.argmin(axis=1), *diagonals.argmax(axis=1)])
    return places[chosen] * [1.0, 1.0, 0.0]


def _geoms_at_or_below(model: mujoco.MjModel, body: int) -> BoolArray:
    """(G,) the geoms of a body and of all that hangs on it."""
    below = np.zeros(model.nbody, bool)
    for other in range(1, model.nbody):
        below[other] = other == body or below[model.body_parentid[other]]
    result: BoolArray = below[model.geom_bodyid]
    return result


def _of_rollout(rollout: Rollout) -> Performance:
    def make_spec() -> mujoco.MjSpec:
        return mujoco.MjSpec.from_string(rollout.scene_xml, assets=dict(rollout.assets))

    def touches(tick: int) -> Touches:
        return Touches(rollout.contacts[tick].positions_w, _loads(rollout, tick), _pushes(rollout, tick))

    return Performance(
        name_of(rollout),
        make_spec,
        rollout.rate_hz,
        rollout.qpos,
        has_ground=True,
        touches=touches,
        figure_count=len(rollout.character_names),
    )


def _loads(rollout: Rollout, tick: int) -> Forces:
    """For each body that bears on something else, the sum of its contact forces at the middle of their places."""
    contacts = rollout.contacts[tick]
    firsts = np.array([pair[0] for pair in contacts.bodies])
    sizes = np.linalg.norm(contacts.forces_w, axis=1) + 1e-9
    places, forces = [], []
    for body in dict.fromkeys(firsts):
        own = firsts == body
        places.append(np.average(contacts.positions_w[own], axis=0, weights=sizes[own]))
        forces.append(contacts.forces_w[own].sum(axis=0))
    return Forces(np.array(places).reshape(-1, 3), np.array(forces).reshape(-1, 3))


def _pushes(rollout: Rollout, tick: int) -> Forces:
    """The pushes that last at that tick, at the middles of the pushed bodies."""
    model, row = rollout.model, rollout.states[tick]
    pushed = np.flatnonzero(rollout.push_steps[tick] > 0)
    if not len(pushed):
        return Forces(np.zeros((0, 3)), np.zeros((0, 3)))
    data = mujoco.MjData(model)
    data.qpos[:] = row[rollout.layout.qpos]
    mujoco.mj_kinematics(model, data)
    wrenches = row[rollout.layout.xfrc_applied].reshape(model.nbody, 6)
    return Forces(data.xipos[pushed], wrenches[pushed, :3])


def _hips(character: Character) -> tuple[str, ...]:
    hips = tuple(character.roles[f"{side}_thigh"] for side in ("left", "right") if f"{side}_thigh" in character.roles)
    return hips if len(hips) == 2 else ()
