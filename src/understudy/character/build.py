"""A Character out of a table and a physique, through MjSpec."""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from understudy import rotations
from understudy.character.character import ROLES, Character, CharacterJoint
from understudy.character.physique import Physique, read_physique, shapes_from_rows
from understudy.character.proportions import reshaped
from understudy.character.rows import BodyRow, JointRow, Table
from understudy.character.self_contact import set_contact_bits
from understudy.character.servos import add_servo
from understudy.character.shape import Shape, add_shape
from understudy.character.standing import standing_pose
from understudy.character.table import sided, sides_of
from understudy.errors import FileError
from understudy.rotations import Array

_ALIKE = 0.01  # how far the sum of a table's masses may be from what it says


@dataclass(frozen=True)
class _Body:
    """A body row with what the physique adds: parent's name, and place and centre of mass in the rest pose [m]."""

    row: BodyRow
    parent: str
    place: Array
    centre: Array | None
    mass_kg: float
    shapes: tuple[Shape, ...]


def build(table: Table) -> Character:
    """The character a table describes; raises FileError naming the row that makes no sense."""
    physique = _physique(table)
    bodies = _bodies(table, physique)
    spec = mujoco.MjSpec()
    spec.modelname = table.name
    spec.compiler.degree = False
    made: dict[str, mujoco.MjsBody] = {}
    for body in bodies:
        made[body.row.name] = _add_body(spec, made, bodies, body, table)
    joints = tuple(_add_joint(spec, made[row.body], row, table) for row in table.joints)
    set_contact_bits(made, table.collisions)
    character = Character(
        name=table.name,
        source=table.source,
        xml=_xml(spec, table.path),
        joints=joints,
        roles={_role(body.row): body.row.name for body in bodies if _role(body.row)},
        end_effectors=table.end_effectors,
        physics=table.physics,
    )
    return _finished(character, table)


def _physique(table: Table) -> Physique:
    """The parts as long and as thick as the table wants them."""
    physique = read_physique(table.physique, table.path, table.height_m, table.colours)
    if not (table.stretch or table.girth):
        return physique
    return reshaped(physique, *(_factors(table, physique, key) for key in ("stretch", "girth")))


def _factors(table: Table, physique: Physique, key: str) -> dict[str, float]:
    """Part to factor, the starred ones spelt out."""
    listed: Mapping[str, float] = getattr(table, key)
    factors = {sided(name, side): factor for name, factor in listed.items() for side in sides_of(name)}
    for part, factor in factors.items():
        if part not in physique.places:
            raise FileError(table.path, f"{key}: no part '{part}'", hint=f"parts: {', '.join(physique.places)}")
        if not (math.isfinite(factor) and factor > 0.0):
            raise FileError(table.path, f"{key}: '{part}' can't be {factor:g} times what it is")
    return factors


def _bodies(table: Table, physique: Physique) -> list[_Body]:
    """The rows with their places and masses, in the table's order, which must list parents first."""
    owner = {part: row.name for row in table.bodies for part in row.parts}
    masses = _masses(table, physique)
    result: list[_Body] = []
    for row in table.bodies:
        where = f"bodies.{row.name}: "
        strangers = [part for part in row.parts if part not in physique.places]
        if strangers:
            raise FileError(table.path, f"{where}no part '{strangers[0]}'", hint=f"parts: {', '.join(physique.places)}")
        if not row.parts and len(row.place) != 3:
            raise FileError(table.path, f"{where}needs parts, or a place of three numbers")
        parent = row.parent or _parent(row, physique, owner)
        if result and parent not in [body.row.name for body in result]:
            raise FileError(table.path, f"{where}its parent '{parent}' must be a body listed before it")
        place = physique.scale * np.array(row.place) if row.place else physique.places[row.parts[0]]
        shapes = (
            shapes_from_rows(table.path, row.shapes, row.side, physique.colours, physique.scale)
            if row.shapes
            else physique.shapes_of(row.parts)
        )
        if not sum(shape.volume for shape in shapes) > 0.0:
            raise FileError(table.path, f"{where}has no shape that can be touched")
        result.append(_Body(row, parent, place, _centre(row, physique), masses[row.name], shapes))
    return result


def _parent(row: BodyRow, physique: Physique, owner: dict[str, str]) -> str:
    """The body that holds the nearest part up the tree which another body has."""
    part = physique.parents.get(row.parts[0]) if row.parts else None
    while part is not None and owner.get(part, row.name) == row.name:
        part = physique.parents.get(part)
    return owner[part] if part is not None else ""


def _masses(table: Table, physique: Physique) -> dict[str, float]:
    """Body to mass [kg]: the table's, the rest of the total shared out by the parts' fractions."""
    given = {row.name: row.mass_kg for row in table.bodies if row.mass_kg}
    shares = {
        row.name: sum(physique.mass_fractions.get(part, 0.0) for part in row.parts)
        for row in table.bodies
        if not row.mass_kg
    }
    rest = table.mass_kg - sum(given.values())
    if (not shares and abs(rest) > _ALIKE * table.mass_kg) or (shares and rest <= 0.0):
        raise FileError(table.path, f"its bodies weigh {sum(given.values()):.2f} kg, not {table.mass_kg} kg")
    massless = [name for name, share in shares.items() if share <= 0.0]
    if massless:
        raise FileError(table.path, f"bodies.{massless[0]}: needs a mass_kg, or parts whose mass is known")
    return given | {name: rest * share / sum(shares.values()) for name, share in shares.items()}


def _centre(row: BodyRow, physique: Physique) -> Array | None:
    known = [part for part in row.parts if part in physique.centres]
    if not known:
        return None
    weights = [physique.mass_fractions[part] for part in known]
    return np.average([physique.centres[part] for part in known], axis=0, weights=weights)


def _add_body(
    spec: mujoco.MjSpec, made: dict[str, mujoco.MjsBody], bodies: Sequence[_Body], body: _Body, table: Table
) -> mujoco.MjsBody:
    if not made:
        result = spec.worldbody.add_body(name=body.row.name, pos=body.place)
        result.add_freejoint(name="root")
    else:
        parent = next(b for b in bodies if b.row.name == body.parent)
        result = made[body.parent].add_body(name=body.row.name, pos=body.place - parent.place)
    volume = sum(shape.volume for shape in body.shapes)
    for i, shape in enumerate(body.shapes):
        name = body.row.name if i == 0 else f"{body.row.name}_{i + 1}"
        add_shape(result, name, shape, body.place, rotations.IDENTITY, body.mass_kg * shape.volume / volume)
    if body.row.inertia_kgm2:
        result.explicitinertial = True
        result.mass = body.mass_kg
        result.inertia = in_our_axes(table.axes, body.row.inertia_kgm2)
        centre = body.centre if body.centre is not None else _middle(body.shapes)
        result.ipos = centre - body.place
    return result


def in_our_axes(axes: Sequence[str], numbers: Sequence[float]) -> Array:
    """Numbers per axis, given in the order of ``axes``, in the order x, y, z."""
    return np.array([numbers[axes.index(axis)] for axis in "xyz"])


def _middle(shapes: Sequence[Shape]) -> Array:
    return np.average([s.centre for s in shapes], axis=0, weights=[s.volume for s in shapes])


def _add_joint(spec: mujoco.MjSpec, body: mujoco.MjsBody, row: JointRow, table: Table) -> CharacterJoint:
    limits = [math.radians(limit) for limit in row.range_deg]
    joint = body.add_joint(name=row.name, armature=table.armature_kgm2)
    if row.hinge:
        joint.type, joint.axis = mujoco.mjtJoint.mjJNT_HINGE, rotations.normalize(row.hinge)
        joint.range = limits or [0.0, 0.0]
    else:
        joint.type, joint.range = mujoco.mjtJoint.mjJNT_BALL, [0.0, *limits] if limits else [0.0, 0.0]

    def per_axis(numbers: Sequence[float], otherwise: float) -> Array:
        numbers = numbers or [otherwise] * row.axis_count
        return np.array(numbers, float) if row.hinge else in_our_axes(table.axes, numbers)

    result = CharacterJoint(
        name=row.name,
        body=row.body,
        mujoco_joints=(row.name,),
        kp=row.kp,
        kd=row.kd,
        strength=per_axis(row.strength, 1.0),
        window_rad=per_axis(row.window_rad, 0.0),
        contact_scale=row.contact_scale,
        torque_nm=per_axis(row.torque_nm, np.inf),
    )
    add_servo(spec, result, ball=not row.hinge, limited=row.limited, servo=table.ball_servo)
    return result


def _role(row: BodyRow) -> str:
    return row.role or (row.name if row.name in ROLES else row.parts[0] if row.parts else "")


def _xml(spec: mujoco.MjSpec, path: Path) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # MuJoCo warns of absurd sizes
            spec.compile()
            xml = str(spec.to_xml())
            mujoco.MjSpec.from_string(xml).compile()
    except (ValueError, UserWarning) as problem:
        raise FileError(path, f"MuJoCo can't build it: {' '.join(str(problem).split())}") from problem
    return xml


def _finished(character: Character, table: Table) -> Character:
    """The character with its joints in the order of the model, and its standing pose."""
    order = [character.model.joint(i).name for i in range(character.model.njnt)]
    joints = tuple(sorted(character.joints, key=lambda joint: order.index(joint.name)))
    angles = {name: [math.radians(a) for a in angles] for name, angles in table.standing_deg.items()}
    foot = character.end_effectors[0]
    return dataclasses.replace(character, joints=joints, standing=standing_pose(character.model, angles, foot))
