"""Where the limbs of a fitted character turn back."""

import numpy as np

from understudy.character import Character, Reference, fit, limb_extremes, load_character
from understudy.motion import authored_clip, segment

XML = """
<mujoco>
  <worldbody>
    <body name="trunk" pos="0 0 2">
      <freejoint/>
      <geom type="capsule" fromto="0 0 -.2 0 0 .2" size=".1"/>
      <body name="leg">
        <joint name="hip" type="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.4" size=".05"/>
        <body name="foot" pos="0 0 -.4">
          <joint name="ankle" type="hinge" axis="0 1 0"/>
          <geom type="sphere" size=".05"/>
          <body name="toes" pos=".1 0 0"><geom type="sphere" size=".05"/></body>
        </body>
      </body>
      <body name="neck">
        <joint name="nod" type="hinge" axis="0 1 0"/>
        <geom type="sphere" pos="0 0 .3" size=".05"/>
        <body name="ear" pos="0 .2 .3">
          <joint name="flap" type="hinge" axis="1 0 0"/><geom type="sphere" pos="0 .1 0" size=".03"/>
        </body>
        <body name="horn" pos="0 -.2 .3"><geom type="sphere" pos="0 0 .2" size=".03"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
TICKS = np.arange(41)
WAVE = np.interp(TICKS, [0, 10, 20, 30, 40], [-0.7, 0.7, -0.7, 0.7, -0.7])
HIP, NOD, FLAP = 7, 9, 10


def beast(end_effectors, **angles):
    """The trunk turning over in the air, hinges by the number of their column at angles (T,)."""
    character = Character("beast", "made up", XML, (), {}, end_effectors)
    qpos = np.tile(character.model.qpos0, (len(TICKS), 1))
    qpos[:, 3], qpos[:, 5] = np.cos(0.1 * TICKS), np.sin(0.1 * TICKS)
    for column, values in angles.items():
        qpos[:, int(column[1:])] = values
    return Reference(character, 50.0, qpos, np.zeros((len(TICKS), character.model.nv)))


def test_a_limb_turns_back_where_its_swing_does_however_the_whole_turns():
    assert limb_extremes(beast(("toes", "ear"), _7=WAVE)) == {"toes": (10, 20, 30), "ear": ()}
    assert limb_extremes(beast(("toes", "ear"))) == {"toes": (), "ear": ()}


def test_a_foot_and_its_toes_are_one_limb():
    assert limb_extremes(beast(("foot", "toes", "ear"), _7=WAVE)) == {"toes": (10, 20, 30), "ear": ()}


def test_what_two_limbs_hang_on_is_part_of_neither():
    nodding = beast(("toes", "ear", "horn"), _9=WAVE)
    assert limb_extremes(nodding) == {"toes": (), "ear": (), "horn": ()}
    assert limb_extremes(beast(("toes", "ear"), _9=WAVE))["ear"] == (10, 20, 30), "with one ear, the neck is its limb's"


def test_a_limb_of_one_body_swings_by_its_centre_of_mass():
    assert limb_extremes(beast(("ear", "horn"), _10=WAVE))["ear"] == (10, 20, 30)


def test_a_root_that_is_an_end_effector_is_no_limb():
    assert limb_extremes(beast(("trunk",), _7=WAVE)) == {}


def test_a_fitted_walk_turns_back_where_its_clip_does():
    clip = authored_clip("walk")
    reference = fit(clip, load_character("human")).reference
    for limb, end in (("left_leg", "left_foot"), ("right_leg", "right_foot"), ("left_arm", "left_hand")):
        times_s = [point.frame / clip.rate_hz for point in segment(clip) if limb in point.parts]
        ticks = limb_extremes(reference)[end]
        assert len(ticks) == len(times_s)
        np.testing.assert_allclose(np.array(ticks) / reference.rate_hz, times_s, atol=0.08)
