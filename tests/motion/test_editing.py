"""Laws of editing: what each edit keeps, what it undoes, and what it refuses."""

import numpy as np
import pytest
from motion_samples import PARTS, human_skeleton, same, wander

from understudy import rotations
from understudy.errors import ClipError
from understudy.motion import (
    Clip,
    Skeleton,
    along_x,
    at_times,
    blend,
    concatenate,
    crop,
    crop_frames,
    facing,
    load_clip,
    loop,
    low_pass,
    mirror,
    move,
    on_line,
    raise_ground,
    repeat,
    resample,
    retime,
    scale,
    to_origin,
    turn,
    warp,
)
from understudy.motion.editing import counterparts

EDITS = {
    "crop": lambda clip: crop(clip, 0.2, 1.0),
    "resample": lambda clip: resample(clip, 40.0),
    "retime": lambda clip: retime(clip, speed=1.3),
    "warp": lambda clip: warp(clip, (0.0, 1.0, 2.0), (0.0, 0.5, 2.0)),
    "mirror": mirror,
    "loop": lambda clip: loop(clip, 0.4),
    "blend": lambda clip: blend(clip, wander(seed=1), 0.3),
    "concatenate": lambda clip: concatenate([clip, wander(seed=1)]),
    "scale": lambda clip: scale(clip, 0.5),
    "raise_ground": lambda clip: raise_ground(clip, 0.1),
    "turn": lambda clip: turn(clip, 0.7),
    "move": lambda clip: move(clip, (1.0, 2.0, 3.0)),
    "to_origin": to_origin,
    "along_x": along_x,
    "on_line": on_line,
    "low_pass": lambda clip: low_pass(clip, 6.0),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_leaves_the_clip_it_was_given_alone(edit):
    clip = wander()
    before = clip.root_positions.copy(), clip.rotations.copy(), clip.skeleton.offsets.copy()
    result = edit(clip)
    assert isinstance(result, Clip)
    assert np.array_equal(before[0], clip.root_positions)
    assert np.array_equal(before[1], clip.rotations)
    assert np.array_equal(before[2], clip.skeleton.offsets)


# --- crop, resample, retime ---


def test_cropping_keeps_the_frames_between():
    clip = wander()  # 121 frames at 60 Hz
    piece = crop(clip, 0.5, 1.0)  # frames 30 to 60
    assert piece.frame_count == 31
    assert np.array_equal(piece.root_positions, clip.root_positions[30:61])
    assert same(crop(clip), clip)
    assert same(crop_frames(clip, 5, 5), crop(clip, 5 / 60, 5 / 60))


def test_cropping_twice_is_cropping_once():
    clip = wander()
    assert same(crop(crop(clip, 0.5, 1.5), 0.25, 0.5), crop(clip, 0.75, 1.0))


def test_resampling_to_a_multiple_and_back_changes_nothing():
    clip = wander()
    up = resample(clip, 240.0)
    assert up.frame_count == 481
    assert same(resample(up, 60.0), clip)


def test_resampling_keeps_places_in_time():
    clip = wander(rate_hz=100.0)
    slow = resample(clip, 30.0)
    assert slow.rate_hz == 30.0
    assert slow.duration_s == pytest.approx(2.0, abs=1e-9)
    # frame 3 of 30 Hz is frame 10 of 100 Hz
    assert np.allclose(slow.joint_positions_w[3], clip.joint_positions_w[10])


def test_between_frames_rotations_go_by_slerp():
    skeleton = Skeleton(("root",), [-1], [[0, 0, 0]])
    clip = Clip(skeleton, 1.0, np.zeros((2, 3)), rotations.about_z(np.array([[0.0], [1.0]])))
    quarter = at_times(clip, np.array([0.25]))
    assert rotations.heading(quarter.rotations[0, 0]) == pytest.approx(0.25)


def test_a_clip_at_double_speed_lasts_half_as_long_and_ends_where_it_did():
    clip = wander()
    fast = retime(clip, speed=2.0)
    assert fast.frame_count == 61
    assert same(fast, crop_every_second(clip))
    assert same(retime(retime(clip, duration_s=4.0), duration_s=2.0), clip)
    assert retime(clip, duration_s=0.5).duration_s == pytest.approx(0.5)


def crop_every_second(clip):
    return clip.with_(root_positions=clip.root_positions[::2], rotations=clip.rotations[::2])


def test_a_warp_puts_each_moment_where_it_was_asked():
    clip = wander()
    slow_start = warp(clip, (0.0, 0.5, 2.0), (0.0, 1.0, 2.5))
    assert slow_start.duration_s == pytest.approx(2.5)
    assert np.allclose(slow_start.joint_positions_w[60], clip.joint_positions_w[30])  # what was at 0.5 s is at 1 s
    straight = warp(clip, (0.0, 0.7, 2.0), (0.0, 0.7, 2.0))
    assert same(straight, clip)


def test_a_warp_runs_forwards_without_a_jump_in_speed():
    line = np.linspace(0.0, 1.0, 121)[:, None] * [1.0, 0.0, 0.0]
    clip = wander().with_(root_positions=line)
    x = warp(clip, (0.0, 1.0, 2.0), (0.0, 0.5, 3.0)).root_positions[:, 0]
    steps = np.diff(x)
    assert np.all(steps > 0.0)
    assert np.abs(np.diff(steps)).max() < 0.1 * steps.max()


# --- mirror ---


def rig(seed):
    """The neutral body with each joint's own axes turned at random, left and right in mirror image of each other."""
    plain = human_skeleton()
    draw = np.random.default_rng(seed)
    axes = rotations.exp(draw.normal(0.0, 1.0, (len(plain), 3)))
    flip = np.array([1.0, -1.0, 1.0, -1.0])
    for joint, part in enumerate(PARTS):
        if part.startswith("right_"):
            axes[joint] = axes[PARTS.index(part.replace("right_", "left_"))] * flip
        elif not part.startswith("left_"):
            axes[joint] = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), draw.normal())
    return axes


def on_rig(clip, axes):
    """The same motion on a skeleton whose joint frames, at zero rotation, are turned by axes (J, 4)."""
    skeleton, turned = clip.skeleton, rotations.multiply(clip.joint_rotations_w, axes)
    above = axes[skeleton.parents[1:]]
    offsets = np.array(skeleton.offsets)
    offsets[1:] = rotations.rotate(rotations.conjugate(above), offsets[1:])
    ends = rotations.rotate(rotations.conjugate(axes[skeleton.end_parents]), skeleton.end_offsets)
    local = np.array(turned)
    local[:, 1:] = rotations.multiply(rotations.conjugate(turned[:, skeleton.parents[1:]]), turned[:, 1:])
    rigged = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.end_parents, ends)
    return clip.with_(skeleton=rigged, rotations=local)


def mirrored_places(clip):
    """Where a mirror in the x-z plane shows the joints, left called right."""
    swap = [clip.skeleton.names.index(other_side(name)) for name in clip.skeleton.names]
    return clip.joint_positions_w[:, swap] * [1.0, -1.0, 1.0]


def other_side(name):
    return name.replace("left", "RIGHT").replace("right", "left").replace("RIGHT", "right")


def test_mirroring_shows_the_motion_in_a_mirror():
    clip = wander()
    result = mirror(clip)
    assert np.allclose(result.joint_positions_w, mirrored_places(clip))
    assert np.array_equal(result.skeleton.offsets, clip.skeleton.offsets)


@pytest.mark.parametrize("seed", range(5))
def test_mirroring_twice_gives_the_clip_back(seed):
    clip = wander(seed=seed)
    assert same(mirror(mirror(clip)), clip)


@pytest.mark.parametrize("seed", range(4))
def test_mirroring_does_not_need_joint_frames_along_the_world(seed):
    clip = on_rig(wander(seconds=8.0), rig(seed))
    result = mirror(clip)
    assert np.allclose(result.joint_positions_w, mirrored_places(clip), atol=1e-6)
    assert same(mirror(result), clip)


def test_mirroring_a_rig_with_negated_axes_is_mirroring_the_body():
    # Rigs made by "behaviour" mirroring: the right side's axes are the left side's, all negated.
    turned = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.pi)
    side = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.pi)
    parts = [rotations.multiply(turned, side) if part.startswith("right") else rotations.IDENTITY for part in PARTS]
    clip = wander(seconds=8.0)
    rigged = on_rig(clip, np.array(parts))
    assert np.allclose(mirror(rigged).joint_positions_w, mirrored_places(clip), atol=1e-6)


def test_a_symmetric_pose_is_its_own_mirror_image():
    skeleton = human_skeleton()
    still = np.tile(rotations.IDENTITY, (3, len(skeleton), 1))
    walk = np.array([[0.0, 0.0, 0.9], [0.5, 0.0, 0.9], [1.0, 0.0, 0.9]])
    clip = Clip(skeleton, 30.0, walk, still)
    assert same(mirror(clip), clip)


def test_mirroring_swaps_left_turns_for_right_turns():
    clip = to_origin(wander())
    angles, others = np.unwrap(facing(clip)), np.unwrap(facing(mirror(clip)))
    assert np.allclose(angles, -others, atol=1e-9)


def test_a_body_without_names_is_mirrored_by_its_shape():
    plain = wander(seed=3)
    hidden = plain.with_(skeleton=human_skeleton([f"joint{i}" for i in range(len(PARTS))]))
    assert same(mirror(plain), mirror(hidden).with_(skeleton=plain.skeleton))


REAL = (
    "cmu_bvh/49_06.bvh",  # joint axes along the world
    "cmu_asfamc/11/11_01.amc",  # a rest pose of its own
    "lafan1/dance1_subject2_first10frames.bvh",  # all bones along x
    "misc/animated_drawings/rokoko_jesse_dance.bvh",  # rest pose not symmetric
    "misc/bandai_namco/dataset-1_kick_normal_001.bvh",  # right axes are the left ones negated
    "misc/bvh_python/test_freebvh.bvh",
    "misc/makehuman/walk1.bvh",
    "deepmimic/humanoid3d_spinkick.txt",
    "misc/reconstructed_malformed/37_duplicate_joint_names.bvh",
)


@pytest.mark.parametrize("path", REAL)
def test_real_clips_show_their_mirror_image_whatever_their_rig(mocap, path):
    clip = load_clip(mocap / path)
    swap, result = counterparts(clip.skeleton), mirror(clip)
    off = np.linalg.norm(result.joint_positions_w - clip.joint_positions_w[:, swap] * [1.0, -1.0, 1.0], axis=-1)
    assert off.max() < 0.04  # people's left and right bones differ by that much, down to the fingertips
    assert same(mirror(result), clip)


def test_what_has_no_sides_is_not_mirrored():
    chain = Skeleton(("base", "middle", "tip"), [-1, 0, 1], np.ones((3, 3)))
    clip = Clip(chain, 30.0, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, 3, 1)))
    with pytest.raises(ClipError, match="no joint of base, middle, tip is named left or right"):
        mirror(clip)


# --- place and size ---


def test_turning_turns_about_the_start_and_back():
    clip = wander()
    turned = turn(clip, np.pi / 2)
    assert np.allclose(turned.root_positions[0], clip.root_positions[0])
    step, was = (c.root_positions[-1] - c.root_positions[0] for c in (turned, clip))
    assert np.allclose(step, [-was[1], was[0], was[2]])  # a quarter to the left: x becomes y
    assert same(turn(turned, -np.pi / 2), clip)


def test_moving_moves_every_joint_alike():
    clip = wander()
    assert np.allclose(move(clip, (1.0, -2.0, 0.5)).joint_positions_w - clip.joint_positions_w, [1.0, -2.0, 0.5])
    assert np.allclose(raise_ground(clip, 0.3).joint_positions_w[..., 2], clip.joint_positions_w[..., 2] - 0.3)


def test_aligned_to_the_origin_a_clip_starts_there_and_faces_x():
    clip = move(turn(wander(), 2.0), (5.0, 5.0, 0.0))
    result = to_origin(clip)
    assert np.allclose(result.root_positions[0, :2], 0.0)
    assert facing(result)[0] == pytest.approx(0.0, abs=1e-9)
    assert np.allclose(result.root_positions[:, 2], clip.root_positions[:, 2])
    assert same(to_origin(result), result)


def test_where_a_body_faces_does_not_depend_on_its_joints_axes():
    clip = wander()
    assert np.allclose(facing(on_rig(clip, rig(1))), facing(clip))


def test_scaling_scales_places_about_the_origin_and_keeps_rotations():
    clip = wander()
    double = scale(clip, 2.0)
    assert np.allclose(double.joint_positions_w, 2.0 * clip.joint_positions_w)
    assert np.allclose(double.end_positions_w, 2.0 * clip.end_positions_w)
    assert np.array_equal(double.rotations, clip.rotations)
    assert same(scale(double, 0.5), clip)


# --- blend, concatenate, loop, repeat ---


def test_blending_with_weight_zero_and_one_gives_the_two_clips():
    a, b = wander(seed=1), turn(wander(seconds=3.0, seed=2), 1.0)
    assert same(blend(a, b, 0.0), a)
    assert same(to_root(blend(a, b, 1.0)), to_root(b), 1e-8)
    assert blend(a, b, 0.5).duration_s == pytest.approx(2.5)


def to_root(clip):
    """The clip with its first root pose above the origin, at heading zero of the root's own rotation."""
    swing = rotations.log(rotations.twist(clip.rotations[0, 0], np.array([0.0, 0.0, 1.0])))[2]
    turned = turn(clip, -swing)
    return move(turned, -turned.root_positions[0] * [1.0, 1.0, 0.0])


def test_blending_a_clip_with_itself_moved_elsewhere_changes_nothing():
    clip = wander()
    assert same(blend(clip, move(turn(clip, 1.0), (3.0, 1.0, 0.0)), 0.4), clip, 1e-7)


def test_weights_over_time_lead_from_one_clip_to_the_other():
    a, b = wander(seed=1), wander(seed=2)
    mixed = blend(a, b, [0.0, 1.0])
    assert same(crop_frames(mixed, 0, 0), crop_frames(a, 0, 0))
    assert np.allclose(rotations.angle_between(mixed.rotations[-1, 1:], b.rotations[-1, 1:]), 0.0, atol=1e-7)


def greatest_jumps(clip):
    """The largest change of velocity from one frame to the next, of places [m/s] and of rotations [rad/s]."""
    turns = rotations.log(rotations.multiply(rotations.conjugate(clip.rotations[:-1]), clip.rotations[1:]))
    return (
        np.abs(np.diff(clip.root_positions, axis=0, n=2)).max() * clip.rate_hz,
        np.abs(np.diff(turns, axis=0)).max() * clip.rate_hz,
    )


def test_a_clip_goes_on_where_the_one_before_ended():
    a, b = wander(seed=1, rate_hz=120.0), wander(seed=2, rate_hz=120.0)
    both = concatenate([a, b], blend_s=0.4)
    assert both.duration_s == pytest.approx(a.duration_s + b.duration_s - 0.4 + 1 / 120.0, abs=1e-9)
    smooth = np.max([greatest_jumps(a), greatest_jumps(b)], axis=0)
    assert np.all(np.array(greatest_jumps(both)) < 3.0 * smooth + 0.05)
    tail = crop_frames(both, both.frame_count - 100, both.frame_count - 1)
    assert same(to_root(tail), to_root(crop_frames(b, b.frame_count - 100, b.frame_count - 1)), 1e-8)


def test_a_clip_cut_in_two_and_put_together_is_whole_again():
    clip = wander()
    parts = [crop_frames(clip, 0, 50), crop_frames(clip, 50, clip.frame_count - 1)]
    assert same(concatenate(parts, blend_s=0.0), clip, 1e-8)
    overlapping = [crop_frames(clip, 0, 69), crop_frames(clip, 50, clip.frame_count - 1)]
    assert same(concatenate(overlapping, blend_s=20 / 60), clip, 1e-8)


def test_putting_together_takes_clips_of_other_rates():
    both = concatenate([wander(), wander(rate_hz=100.0)], blend_s=0.0)
    assert both.rate_hz == 60.0
    assert both.duration_s == pytest.approx(4.0)


@pytest.mark.parametrize("seed", range(3))
def test_a_loop_ends_in_its_first_pose_and_keeps_its_way_over_the_ground(seed):
    clip = wander(seed=seed)
    closed = loop(clip, 0.5)
    assert np.allclose(rotations.angle_between(closed.rotations[-1, 1:], closed.rotations[0, 1:]), 0.0, atol=1e-7)
    assert closed.root_positions[-1, 2] == pytest.approx(closed.root_positions[0, 2])
    assert np.allclose(closed.root_positions[-1, :2], clip.root_positions[-1, :2])
    start = clip.frame_count - 31
    assert same(crop_frames(closed, 0, start), crop_frames(clip, 0, start))


def test_a_repeated_loop_has_no_seam():
    clip = wander(rate_hz=120.0)
    closed = loop(clip, 0.5)
    thrice = repeat(closed, 3)
    assert thrice.frame_count == 3 * (clip.frame_count - 1) + 1
    assert np.all(np.array(greatest_jumps(thrice)) <= 1.05 * np.array(greatest_jumps(closed)) + 0.02)


def test_every_cycle_goes_on_by_the_same_way_and_turn():
    closed = loop(wander(), 0.5)
    thrice = repeat(closed, 3)
    period = closed.frame_count - 1
    cycles = [to_root(crop_frames(thrice, k * period, (k + 1) * period)) for k in range(3)]
    assert same(cycles[0], cycles[1], 1e-7)
    assert same(cycles[1], cycles[2], 1e-7)
    assert same(repeat(closed, 1), closed)


def test_a_loop_of_a_cycle_that_closes_already_changes_nothing():
    times = np.arange(61) / 60.0
    vectors = 0.3 * np.sin(2.0 * np.pi * times)[:, None, None] * np.ones((1, len(PARTS), 3))
    way = np.stack([1.2 * times, 0.0 * times, 0.9 + 0.02 * np.cos(4.0 * np.pi * times)], axis=1)
    clip = Clip(human_skeleton(), 60.0, way, rotations.exp(vectors))
    closed = loop(clip, 0.3)
    # What changes is the curvature over one frame: the step after the seam differs from the one before it.
    assert np.abs(closed.joint_positions_w - clip.joint_positions_w).max() < 3e-3


# --- smoothing ---


def gain(frequency_hz, cutoff_hz=5.0, rate_hz=100.0):
    times = np.arange(1001) / rate_hz
    wave = np.sin(2.0 * np.pi * frequency_hz * times)
    vectors = np.zeros((1001, 1, 3))
    vectors[:, 0, 0] = 0.01 * wave
    skeleton = Skeleton(("root",), [-1], [[0, 0, 0]])
    result = low_pass(Clip(skeleton, rate_hz, wave[:, None] * [0, 0, 1.0], rotations.exp(vectors)), cutoff_hz)
    middle = slice(300, 700)
    heights = result.root_positions[middle, 2]
    angles = rotations.log(result.rotations[middle, 0])[:, 0] / 0.01
    return [float(values @ wave[middle] / (wave[middle] @ wave[middle])) for values in (heights, angles)]


def test_the_filter_halves_the_power_at_its_cutoff_and_does_not_shift():
    # |H|^2 = 1/2 at the cutoff; projected on the undelayed wave, so a phase shift would show too
    assert np.allclose(gain(5.0), 1.0 / np.sqrt(2.0), atol=2e-3)
    assert np.allclose(gain(0.5), 1.0, atol=1e-3)
    assert np.all(np.abs(gain(30.0)) < 0.01)


def test_filtering_does_not_depend_on_the_axes_chosen():
    clip = wander()
    draw = np.random.default_rng(5)
    left, right = rotations.exp(draw.normal(size=(2, 3)))
    turned = rotations.multiply(rotations.multiply(left, clip.rotations), right)
    wanted = rotations.multiply(rotations.multiply(left, low_pass(clip, 4.0).rotations), right)
    assert np.allclose(
        rotations.angle_between(low_pass(clip.with_(rotations=turned), 4.0).rotations, wanted), 0, atol=1e-7
    )


def test_a_steady_spin_passes_the_filter_whatever_the_signs_of_its_quaternions():
    times = np.arange(301) / 100.0
    spin = rotations.exp(np.array([0.3, 0.1, 1.0]) * (2.0 * np.pi * times)[:, None, None])
    spin[::3] *= -1.0
    clip = Clip(Skeleton(("root",), [-1], [[0, 0, 0]]), 100.0, np.zeros((301, 3)), spin)
    off = rotations.angle_between(low_pass(clip, 8.0).rotations, clip.rotations)
    assert off[60:-60].max() < 1e-6


def test_filtering_a_mirrored_clip_is_mirroring_a_filtered_one():
    clip = wander()
    assert same(mirror(low_pass(clip, 5.0)), low_pass(mirror(clip), 5.0), 1e-8)


# --- what makes no sense ---

NONSENSE = {
    "crop backwards": (lambda c: crop(c, 1.0, 0.5), "from 1 s to 0.5 s: it lasts from 0 to 2 s"),
    "crop outside": (lambda c: crop(c, 0.0, 3.0), "lasts from 0 to 2 s"),
    "crop nan": (lambda c: crop(c, float("nan")), "can't be cropped"),
    "frames outside": (lambda c: crop_frames(c, 5, 500), "it has frames 0 to 120"),
    "no rate": (lambda c: resample(c, 0.0), "a rate is above 0"),
    "endless rate": (lambda c: resample(c, 1e9), "2e.09 frames; the most is"),
    "infinite rate": (lambda c: resample(c, float("inf")), "a rate is above 0"),
    "no speed": (lambda c: retime(c), "either a speed or a duration"),
    "both": (lambda c: retime(c, speed=1.0, duration_s=2.0), "not both"),
    "backwards": (lambda c: retime(c, speed=-1.0), "above 0, not -1"),
    "for ever": (lambda c: retime(c, speed=1e-9), "frames; the most is"),
    "warp back": (lambda c: warp(c, (0.0, 1.0, 0.5), (0.0, 1.0, 2.0)), "each later than the one before"),
    "warp outside": (lambda c: warp(c, (0.0, 9.0), (0.0, 1.0)), "is outside"),
    "short loop": (lambda c: loop(c, 0.0), "at least two frames"),
    "long loop": (lambda c: loop(c, 5.0), "at most the whole clip"),
    "open repeat": (lambda c: repeat(c, 2), "does not end as it begins: joint .* close it with loop"),
    "no cycles": (lambda c: repeat(loop(c), 0), "once is the least"),
    "endless cycles": (lambda c: repeat(loop(c), 10**9), "frames; the most is"),
    "nothing to join": (lambda _: concatenate([]), "no clips"),
    "long overlap": (lambda c: concatenate([c, c], 5.0), "the duration of the shorter, 2 s"),
    "negative overlap": (lambda c: concatenate([c, c], -0.1), "can't overlap by -0.1 s"),
    "weight": (lambda c: blend(c, c, 1.5), "weights from 0 to 1"),
    "nan weight": (lambda c: blend(c, c, float("nan")), "weights from 0 to 1"),
    "scale": (lambda c: scale(c, 0.0), "a factor is above 0"),
    "move": (lambda c: move(c, (1.0, 2.0)), "three numbers"),
    "move nan": (lambda c: move(c, (1.0, np.nan, 0.0)), "not a number"),
    "turn": (lambda c: turn(c, float("inf")), "not a number"),
    "cutoff": (lambda c: low_pass(c, 30.0), "below 30 Hz, not at 30 Hz"),
    "no cutoff": (lambda c: low_pass(c, 0.0), "not at 0 Hz"),
    "other size": (lambda c: blend(c, scale(c, 1.2), 0.5), "different sizes .joint .* fit both to one character"),
    "other names": (
        lambda c: concatenate([c, wander(skeleton=human_skeleton(["hip", *PARTS[1:]]))]),
        "joints in one alone: hip, pelvis",
    ),
}


@pytest.mark.parametrize(("edit", "words"), NONSENSE.values(), ids=NONSENSE)
def test_an_edit_that_makes_no_sense_is_refused_with_what_would(edit, words):
    with pytest.raises(ClipError, match=words):
        edit(wander())


def test_a_clip_of_one_frame_can_be_edited_where_that_makes_sense():
    clip = crop_frames(wander(), 7, 7)
    for edit in (mirror, to_origin, lambda c: resample(c, 30.0), lambda c: low_pass(c, 3.0), lambda c: scale(c, 2.0)):
        assert edit(clip).frame_count == 1
    assert same(low_pass(clip, 3.0), clip)
    for edit in (loop, lambda c: blend(c, c, 0.5)):
        with pytest.raises(ClipError):
            edit(clip)
