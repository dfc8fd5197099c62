"""What a character table lists: bodies and joints, left and right spelt out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from understudy.character.character import Physics
from understudy.character.self_contact import CollisionRow
from understudy.character.servos import BallServo
from understudy.character.shape import ShapeRow


@dataclass(frozen=True)
class BodyRow:
    """One rigid body.

    Attributes:
        name: of the MuJoCo body.
        parts: body parts it is made of; it turns about the near end of the first.
        role: the part it stands for when clips are matched; its own name when that is a part, else its first part.
        parent: the body it hangs on; found from the parts when left out.
        place: (3,) its joint in the rest pose, in the physique's units; that of its first part when left out.
        shapes: in place of those of its parts.
        mass_kg: its share by anthropometry when left out.
        inertia_kgm2: about its centre of mass and the table's axes; from its shapes when left out.
        side: ``left_`` or ``right_`` when it is one of a starred pair.
    """

    name: str
    parts: tuple[str, ...] = ()
    role: str = ""
    parent: str = ""
    place: tuple[float, ...] = ()
    shapes: tuple[ShapeRow, ...] = ()
    mass_kg: float = 0.0
    inertia_kgm2: tuple[float, ...] = ()
    side: str = ""


@dataclass(frozen=True)
class JointRow:
    """One joint: a ball, or a hinge when it has an axis.

    Attributes:
        name: of the joint and the MuJoCo joint.
        body: the body it moves.
        kp, kd: gains [N m/rad, N m s/rad].
        hinge: (3,) axis in x forward, y left, z up, positive when the joint bends as usual; mirrored on the right.
        range_deg: limits of a hinge, or the cone of a ball, when it has any.
        strength, window_rad: per axis in the table's order, as CharacterJoint has them.
        contact_scale: as CharacterJoint has it.
        torque_nm: per axis in the table's order, the strength of its motor; none when left out.
        limited: whether that strength is also the most its servo may exert.
    """

    name: str
    body: str
    kp: float
    kd: float
    hinge: tuple[float, ...] = ()
    range_deg: tuple[float, ...] = ()
    strength: tuple[float, ...] = ()
    window_rad: tuple[float, ...] = ()
    contact_scale: float = 1.0
    torque_nm: tuple[float, ...] = ()
    limited: bool = False

    @property
    def axis_count(self) -> int:
        return 1 if self.hinge else 3


@dataclass(frozen=True)
class Table:
    """A character as its file lists it, left and right spelt out.

    Attributes:
        name: the file's name without its ending.
        source: where the numbers come from.
        physique: whose shapes and places its parts have.
        height_m: stature; what one physique's height is scaled to.
        mass_kg: what the bodies' masses must sum to.
        stretch, girth: part to how many times as long, and as thick, it is as the physique's.
        axes: which of our axes the three numbers per axis belong to, in their order.
        bodies, joints: the rows, parents before children.
        end_effectors: bodies that touch the world, feet first.
        standing_deg: joint to rotation vector or angle [deg] of the standing pose, where it differs from the rest pose.
        collisions: rows of two groups of bodies: those of the first collide with those of the second; no others do.
        armature_kgm2: added inertia of every joint.
        ball_servo: what drives a ball joint; ``axes`` has each axis's strength exactly (see ``servos``).
        physics: how it is simulated.
        colours: in place of the physique's of the same name; red, green, blue from 0 to 1.
    """

    name: str
    path: Path
    source: str
    physique: str
    height_m: float
    mass_kg: float
    bodies: tuple[BodyRow, ...]
    joints: tuple[JointRow, ...]
    axes: tuple[str, ...] = ("x", "y", "z")
    end_effectors: tuple[str, ...] = ()
    standing_deg: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    collisions: tuple[CollisionRow, ...] = ()
    armature_kgm2: float = 0.0
    ball_servo: BallServo = "orientation"
    physics: Physics = field(default_factory=Physics)
    colours: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    stretch: Mapping[str, float] = field(default_factory=dict)
    girth: Mapping[str, float] = field(default_factory=dict)
