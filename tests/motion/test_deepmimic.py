"""DeepMimic's text: the humanoid and the dog, there and back."""

import json

import numpy as np
import pytest
from motion_samples import wander

from understudy import rotations
from understudy.errors import FileError
from understudy.motion import ReadSettings, load_clip, read_clip, write_clip
from understudy.motion.formats.deepmimic_bodies import AXES, DOG, HUMANOID

ONE = [1.0, 0.0, 0.0, 0.0]


def humanoid_frame(step=1 / 30, place=(0.0, 0.9, 0.0), root=ONE, knee=0.0):
    ball = [*ONE]
    return [step, *place, *root, *ball, *ball, *ball, knee, *ball, *ball, 0.0, *ball, 0.0, *ball, *ball, 0.0]


def saved(tmp_path, frames, name="clip.txt"):
    path = tmp_path / name
    path.write_text(json.dumps({"Loop": "wrap", "Frames": frames}))
    return path


def test_a_frame_has_44_numbers_for_the_humanoid_and_84_for_the_dog():
    assert (HUMANOID.frame_size, DOG.frame_size) == (44, 84)
    assert len(DOG.hinges) == len(HUMANOID.hinges) == 4


def test_x_is_forward_y_up_and_z_to_the_right(tmp_path):
    clip = load_clip(saved(tmp_path, [humanoid_frame(place=(1.0, 0.9, 2.0))] * 3))
    assert np.allclose(clip.root_positions, [1.0, -2.0, 0.9])
    place = dict(zip(clip.skeleton.names, clip.joint_positions_w[0], strict=True))
    assert np.allclose(place["right_hip"] - place["left_hip"], [0.0, -2 * 0.084887, 0.0])
    assert place["neck"][2] > place["root"][2] + 0.4


def test_a_knee_with_a_negative_angle_bends_backwards(tmp_path):
    clip = load_clip(saved(tmp_path, [humanoid_frame(knee=-np.pi / 2)] * 3))
    knee, ankle = (clip.skeleton.index(name) for name in ("right_knee", "right_ankle"))
    shin = clip.joint_positions_w[0, ankle] - clip.joint_positions_w[0, knee]
    assert np.allclose(shin, [-0.40987, 0.0, 0.0], atol=1e-6)


def test_a_rate_is_the_whole_one_it_is_rounded_from(tmp_path):
    for step, rate_hz in ((0.016666, 60.0), (0.033332, 30.0), (0.041667, 24.0), (0.0625, 16.0), (0.008333, 120.0)):
        assert load_clip(saved(tmp_path, [humanoid_frame(step)] * 3)).rate_hz == rate_hz


def test_uneven_frames_are_spaced_evenly_and_told(tmp_path):
    steps, places = (0.1, 0.1, 0.3, 0.1, 0.0), (0.0, 1.0, 2.0, 5.0, 6.0)
    frames = [humanoid_frame(step, (place, 0.9, 0.0)) for step, place in zip(steps, places, strict=True)]
    reading = read_clip(saved(tmp_path, frames))
    assert reading.clip.rate_hz == 10.0
    assert np.allclose(reading.clip.root_positions[:, 0], np.arange(7.0))  # at an even 1 m in 0.1 s
    assert [guess.what for guess in reading.guesses] == ["frame rate"]
    faster = read_clip(saved(tmp_path, frames), ReadSettings(rate_hz=20.0)).clip
    assert np.allclose(faster.root_positions[:, 0], np.arange(0.0, 6.1, 0.5))


@pytest.mark.parametrize("body", [HUMANOID, DOG], ids=["humanoid", "dog"])
def test_a_clip_comes_back_the_same(tmp_path, body):
    turn = AXES.matrix.T
    from understudy.motion import Skeleton

    old = body.skeleton
    skeleton = Skeleton(old.names, old.parents, old.offsets @ turn, old.end_parents, old.end_offsets @ turn)
    clip = wander(skeleton=skeleton)
    turned = clip.rotations.copy()
    for name in body.hinges:  # about the body's right, which is our -y
        turned[:, skeleton.index(name)] = rotations.from_axis_angle([0.0, -1.0, 0.0], np.sin(clip.times_s))
    clip = clip.with_(rotations=turned)
    write_clip(clip, tmp_path / "clip.txt")
    back = read_clip(tmp_path / "clip.txt").clip
    assert np.abs(back.joint_positions_w - clip.joint_positions_w).max() < 1e-4
    assert rotations.angle_between(back.rotations, clip.rotations).max() < 1e-4
    assert back.rate_hz == clip.rate_hz


def test_what_the_format_cannot_hold_is_refused(tmp_path):
    with pytest.raises(FileError, match="joints are not DeepMimic's"):
        write_clip(wander(0.1), tmp_path / "clip.txt")
    clip = load_clip(saved(tmp_path, [humanoid_frame()] * 3))
    turned = clip.rotations.copy()
    turned[1, clip.skeleton.index("left_knee")] = rotations.about_z(0.3)
    with pytest.raises(FileError, match=r"left_knee turns 0\.300 rad off its one axis in frame 1"):
        write_clip(clip.with_(rotations=turned), tmp_path / "out.txt")
    longer = clip.with_(
        skeleton=type(clip.skeleton)(clip.skeleton.names, clip.skeleton.parents, 1.1 * clip.skeleton.offsets)
    )
    with pytest.raises(FileError, match="bones differ"):
        write_clip(longer, tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"Frames": [[1, 2], [3]]}', "frame 1 is not a list of as many numbers"),
        (
            '{"Frames": [[1, 2, 3]]}',
            "frames of 3 numbers are of no body known here; known: 44 of a humanoid and 84 of a dog",
        ),
        ('{"Frames": []}', "'Frames' is not a list with frames"),
        ('{"Frames": 7}', "'Frames' is not a list with frames"),
        ('{"Loop": "wrap"}', "is JSON; a DeepMimic motion has a list 'Frames'"),
        ('{"Skeleton": {}}', "is a DeepMimic character, not a motion"),
        ('{"Frames": [[1, 2,\n"a"]]}', "frame 0 holds what is no sensible number"),
        ('{"Frames": [[1, 2,\nNaN]]}', "frame 0 holds what is no sensible number"),
        ('{"Frames": [[1, 2],\n [1 2]]}', r"clip\.txt:2: not sound JSON"),
        ("{" + "[" * 100_000, "nested too deeply|not sound JSON"),
        ('{"Frames": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"a": ' + "9" * 10_000 + "}", "is JSON"),
    ],
)
def test_text_that_is_wrong_is_refused(tmp_path, text, message):
    (tmp_path / "clip.txt").write_text(text)
    with pytest.raises(FileError, match=message):
        read_clip(tmp_path / "clip.txt")


def test_times_that_cannot_be_are_refused(tmp_path):
    for step in (0.0, -0.1):
        with pytest.raises(FileError, match="frame 1 lasts"):
            read_clip(saved(tmp_path, [humanoid_frame(), humanoid_frame(step), humanoid_frame(), humanoid_frame()]))
    with pytest.raises(FileError, match="frame 1 lasts 9000 s"):
        read_clip(saved(tmp_path, [humanoid_frame(), humanoid_frame(9000.0), humanoid_frame(), humanoid_frame()]))


def test_one_frame_is_a_clip_of_a_guessed_rate(tmp_path):
    reading = read_clip(saved(tmp_path, [humanoid_frame(0.0)]))
    assert reading.clip.frame_count == 1
    assert "frame rate" in {guess.what for guess in reading.guesses}


# real files


def test_every_real_humanoid_stands_on_its_feet_at_some_time(mocap):
    paths = sorted((mocap / "deepmimic").glob("humanoid3d_*.txt"))
    assert len(paths) > 15
    for path in paths:
        clip = load_clip(path)
        lowest = np.minimum(clip.joint_positions_w[..., 2].min(axis=1), clip.end_positions_w[..., 2].min(axis=1))
        assert np.abs(lowest).min() < 0.06, path.name
        assert 0.0 < clip.duration_s < 5.0


def test_the_dog_trots_forward_on_four_legs(mocap):
    clip = load_clip(mocap / "deepmimic" / "dog3d_trot.txt")
    assert clip.root_positions[-1, 0] > 1.0
    place = dict(zip(clip.skeleton.names, np.moveaxis(clip.joint_positions_w, 1, 0), strict=True))
    assert np.all(place["head"][:, 0] > place["root"][:, 0] + 0.4)
    assert np.all(place["left_shoulder"][:, 1] > place["right_shoulder"][:, 1])
    for foot in ("left_finger", "right_finger", "left_toe", "right_toe"):
        assert place[foot][:, 2].min() < 0.1


def test_the_roll_with_uneven_steps_keeps_its_duration(mocap):
    reading = read_clip(mocap / "deepmimic" / "humanoid3d_roll.txt")
    assert reading.clip.rate_hz == 60.0
    assert reading.clip.duration_s == pytest.approx(2.02, abs=0.025)
    assert "frame rate" in {guess.what for guess in reading.guesses}
