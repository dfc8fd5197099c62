"""Clips that fall faster than anything can."""

from dataclasses import replace

import numpy as np
import pytest

from understudy.character import fit, load_character
from understudy.motion import authored_clip, retime
from understudy.reconstruction.planning import natural_speed


@pytest.fixture(scope="module")
def jumping():
    return lambda speed: fit(retime(authored_clip("jump"), speed=speed), load_character("human")).reference


def test_a_jump_at_its_own_speed_is_natural(jumping):
    assert natural_speed(jumping(1.0), 9.81) is None


def test_a_slowed_jump_is_left_alone(jumping):
    assert natural_speed(jumping(0.6), 9.81) is None


def test_a_jump_at_twice_its_speed_is_to_be_halved(jumping):
    assert natural_speed(jumping(2.0), 9.81) == 0.5


def test_a_jump_at_another_speed_is_told_as_it_is(jumping):
    assert natural_speed(jumping(1.3), 9.81) == pytest.approx(1.0 / 1.3, rel=0.05)


def test_what_is_too_fast_here_may_be_natural_where_gravity_is_stronger(jumping):
    assert natural_speed(jumping(2.0), 4.0 * 9.81) is None


def test_a_reference_of_a_few_ticks_tells_nothing(jumping):
    reference = jumping(2.0)
    assert (
        natural_speed(replace(reference, qpos=reference.qpos[:3], qvel=np.zeros_like(reference.qvel[:3])), 9.81) is None
    )


def test_there_is_no_doubt_about_twice_the_speed_but_about_a_third_more(jumping):
    assert natural_speed(jumping(2.0), 9.81, doubtless=True) == 0.5
    assert natural_speed(jumping(1.3), 9.81, doubtless=True) is None


@pytest.mark.parametrize("height_m", [0.05, 0.2])
def test_a_marker_that_jumps_leaves_a_doubt(jumping, height_m):
    reference = jumping(1.0)
    qpos = reference.qpos.copy()
    qpos[20, 2] += height_m
    assert natural_speed(replace(reference, qpos=qpos), 9.81, doubtless=True) is None
