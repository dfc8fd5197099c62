"""What of a fitted character touches the floor."""

import numpy as np
import pytest

from understudy import rotations
from understudy.character import Character, FloorSettings, Reference, floor_contacts
from understudy.errors import CharacterError, UnknownNameError

XML = """
<mujoco>
  <worldbody>
    <body name="trunk" pos="0 0 1">
      <freejoint/>
      <geom type="capsule" fromto="0 0 -.2 0 0 .2" size=".1"/>
      <body name="foot" pos="0 0 -.5">
        <joint name="ankle" type="hinge" axis="0 1 0"/>
        <geom type="box" pos="0 0 0" size=".2 .1 .05"/>
        <body name="toes" pos=".2 0 0">
          <joint name="ball" type="hinge" axis="0 1 0"/>
          <geom type="sphere" pos=".1 0 0" size=".05"/>
        </body>
      </body>
      <body name="ghost" pos="0 .3 0"><joint name="wave" type="hinge"/><inertial pos="0 0 0" mass="1" diaginertia="1 1
      1"/></body>
    </body>
  </worldbody>
</mujoco>
"""


def reference(qpos, end_effectors=("foot",)):
    character = Character("stool", "made up", XML, (), {}, end_effectors)
    return Reference(character, 100.0, qpos, np.zeros((len(qpos), character.model.nv)))


def upright(heights_m, ankle_rad=0.0):
    """The trunk at heights (T,) over the floor; with it at 0.55 m the flat foot's sole is at 0."""
    qpos = np.zeros((len(heights_m), 10))
    qpos[:, 2], qpos[:, 3], qpos[:, 7] = heights_m, 1.0, ankle_rad
    return qpos


def test_a_box_touches_with_its_sole():
    standing, above = reference(upright(np.full(10, 0.55))), reference(upright(np.full(10, 0.58)))
    assert floor_contacts(standing).of("foot").all()
    assert not floor_contacts(above).of("foot").any()


def test_a_turned_box_touches_with_its_edge():
    # turned by 0.5 rad its lowest edge is 0.2 sin + 0.05 cos = 0.1398 m below the ankle, which is 0.5 m below the
    # trunk; the sphere's centre is 0.3 sin = 0.1438 m below it, its lowest point 0.1938 m
    edge, ball = (0.5 + depth for depth in (0.1398, 0.1938))
    contacts = floor_contacts(reference(upright(np.full(10, edge), 0.5)), ("foot", "toes"))
    assert contacts.of("foot").all()
    assert contacts.of("toes").all()
    contacts = floor_contacts(reference(upright(np.full(10, ball), 0.5)), ("foot", "toes"))
    assert not contacts.of("foot").any()
    assert contacts.of("toes").all()
    # asked for the foot alone, its toes count for it
    assert floor_contacts(reference(upright(np.full(10, ball), 0.5))).of("foot").all()


def test_contact_begins_below_one_height_and_ends_above_the_other():
    # down by 2 mm a tick from 0.1 m over the floor, and up again: it is 0.02 m over it at ticks 40 and 60
    down = 0.55 + 0.002 * np.arange(50, -1, -1)
    qpos = upright(np.concatenate([down, down[-2::-1]]))
    labels = floor_contacts(reference(qpos), settings=FloorSettings(begin_m=0.011, end_m=0.021)).of("foot")
    assert np.flatnonzero(labels).tolist() == list(range(40, 61))
    # never below the height it begins at: no contact, however far below the other
    grazing = upright(np.full(30, 0.55 + 0.015))
    assert not floor_contacts(reference(grazing), settings=FloorSettings(0.01, 0.02)).labels.any()


def test_a_body_without_a_shape_never_touches():
    assert not floor_contacts(reference(upright(np.full(5, 0.0))), ("ghost",)).labels.any()


def test_a_lying_body_touches_with_its_trunk():
    qpos = upright(np.full(5, 0.1))
    qpos[:, 3:7] = rotations.from_axis_angle([0.0, 1.0, 0.0], np.pi / 2)
    assert floor_contacts(reference(qpos), ("trunk",)).of("trunk").all()


def test_unknown_bodies_and_senseless_settings_are_refused():
    with pytest.raises(UnknownNameError, match="no body named 'fot'; did you mean foot"):
        floor_contacts(reference(upright([0.55])), ("fot",))
    with pytest.raises(CharacterError, match="has no end effectors; name the bodies"):
        floor_contacts(reference(upright([0.55]), ()))
    with pytest.raises(CharacterError, match="no lower than it begins"):
        FloorSettings(begin_m=0.1, end_m=0.0)
