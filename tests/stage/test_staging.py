"""What is staged stands where it should."""

import dataclasses

import numpy as np
import pytest
from motion_samples import wander
from stage_samples import moved, stroll

from understudy.character import Reference, load_character, velocities
from understudy.motion import Clip, Skeleton, load_clip
from understudy.stage.staging import Staging
from understudy.stage.stickfigure import joint_body
from understudy.stage.subject import performance_of

SIZE = (64, 36)


def reordered(clip, order):
    """The same clip with its joints listed in another order."""
    skeleton = clip.skeleton
    place = {joint: k for k, joint in enumerate(order)}
    parents = [-1 if skeleton.parents[j] < 0 else place[int(skeleton.parents[j])] for j in order]
    ends = [place[int(j)] for j in skeleton.end_parents]
    names = [skeleton.names[j] for j in order]
    again = Skeleton(names, parents, skeleton.offsets[order], ends, skeleton.end_offsets)
    return Clip(again, clip.rate_hz, clip.root_positions, clip.rotations[:, order], clip.name)


def depth(skeleton, joint):
    return 0 if skeleton.parents[joint] < 0 else 1 + depth(skeleton, int(skeleton.parents[joint]))


def staged_places(staging, clip):
    return np.array([staging.data.body(joint_body(j)).xpos for j in range(len(clip.skeleton))])


def check_places(clip, frames):
    staging = Staging(performance_of(clip), None, SIZE)
    shift = np.round(clip.root_positions[0, :2])  # it is brought near to the origin by whole pairs of tiles
    for frame in frames:
        staging.pose(frame / clip.rate_hz)
        expected = clip.joint_positions_w[frame] - [*shift, 0.0]
        np.testing.assert_allclose(staged_places(staging, clip), expected, atol=1e-9)


@pytest.mark.parametrize("breadth_first", [False, True])
def test_joints_are_where_the_clip_has_them_however_they_are_listed(breadth_first):
    clip = wander()
    if breadth_first:
        clip = reordered(clip, sorted(range(len(clip.skeleton)), key=lambda j: depth(clip.skeleton, j)))
    check_places(clip, (0, 7, clip.frame_count - 1))


def test_joints_of_real_clips_are_where_the_clips_have_them(mocap):
    for name in ("cmu_bvh/07_01.bvh", "deepmimic/humanoid3d_walk.txt", "amass/cmu_07_01_walk_poses.npz"):
        clip = load_clip(mocap / name)
        check_places(clip, (0, clip.frame_count // 2))


def test_between_frames_the_figure_is_between_its_places():
    clip = wander()
    staging = Staging(performance_of(clip), None, SIZE)
    places = []
    for frame in (10.0, 10.5, 11.0):
        staging.pose(frame / clip.rate_hz)
        places.append(staged_places(staging, clip))
    np.testing.assert_allclose(places[1], 0.5 * (places[0] + places[2]), atol=2e-3)


def test_before_the_begin_and_after_the_end_it_stands_still():
    performance = performance_of(stroll(seconds=1.0))
    np.testing.assert_array_equal(performance.at(-3.0), performance.qpos[0])
    np.testing.assert_array_equal(performance.at(9.0), performance.qpos[-1])


def test_the_ghost_stands_beside_as_far_as_it_is_away():
    clip = moved(stroll(), [7.0, 3.0, 0.0])
    staging = Staging(performance_of(clip), performance_of(moved(clip, [0.25, 0.5, 0.1])), SIZE)
    staging.pose(0.8)
    own, ghost = (staging.corners(geoms) for geoms in (staging.figure_geoms, staging.ghost_geoms))
    np.testing.assert_allclose(ghost - own, np.tile([0.25, 0.5, 0.1], (len(own), 1)), atol=1e-9)


def test_a_ghost_of_another_body_stands_on_the_same_ground():
    human = load_character("human")
    qpos = np.tile(human.standing_qpos, (3, 1))
    reference = Reference(human, 1.0, qpos, velocities(human.model, qpos, 1.0))
    staging = Staging(performance_of(stroll()), performance_of(reference), SIZE)
    staging.pose(1.0)
    assert abs(staging.corners(staging.ghost_geoms)[:, 2].min()) < 0.04  # boxes reach lower than what is round in them


def test_a_character_stands_on_the_ground():
    for name in ("human", "robot"):
        staging = Staging(performance_of(load_character(name)), None, SIZE)
        staging.pose(0.0)
        assert abs(staging.corners(staging.figure_geoms)[:, 2].min()) < 0.04


def test_contacts_of_a_clip_are_under_its_feet():
    clip = stroll(speed_m_s=0.0, height_m=0.83)
    still = clip.with_(rotations=np.tile(clip.rotations[:1], (clip.frame_count, 1, 1)))
    low = still.with_(root_positions=still.root_positions - [0.0, 0.0, still.end_positions_w[..., 2].min()])
    touches = performance_of(low).touches_at(1.0)
    feet = low.joint_positions_w[30, [low.skeleton.index("left_foot"), low.skeleton.index("right_foot")], :2]
    assert len(touches.places_w) >= 2
    assert (touches.places_w[:, 2] == 0.0).all()
    away = np.linalg.norm(touches.places_w[:, None, :2] - feet, axis=-1).min(axis=1)
    assert away.max() < 0.25


def test_contacts_of_a_reference_are_around_what_is_on_the_floor():
    human = load_character("human")
    qpos = np.tile(human.standing_qpos, (20, 1))
    qpos[10:, 2] += 0.5
    touches = performance_of(Reference(human, 20.0, qpos, velocities(human.model, qpos, 20.0))).touches_at
    on_ground, in_air = touches(0.1).places_w, touches(0.9).places_w
    assert len(in_air) == 0
    assert (on_ground[:, 2] == 0.0).all()
    assert (on_ground[:, 1] > 0.0).any()  # both feet
    assert (on_ground[:, 1] < 0.0).any()
    assert np.ptp(on_ground[:, 0]) > 0.15  # heel and toe


def test_facing_is_across_the_hips_whatever_the_root_does():
    clip = stroll(speed_m_s=0.0)
    staging = Staging(performance_of(clip), None, SIZE)
    staging.pose(0.0)
    np.testing.assert_allclose(staging.forward(), [1.0, 0.0, 0.0], atol=1e-6)
    rootless = dataclasses.replace(performance_of(clip), hips=())
    staging = Staging(rootless, None, SIZE)
    staging.pose(0.0)
    np.testing.assert_allclose(staging.forward(), [1.0, 0.0, 0.0], atol=1e-6)
