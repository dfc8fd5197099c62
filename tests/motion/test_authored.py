"""Laws of the bundled clips: what a body under gravity on a floor could do."""

import numpy as np
import pytest
from authored_checks import acceleration, balls_of, centre_of_mass, mass_points
from scipy.spatial import ConvexHull

from understudy import rotations
from understudy.motion import AUTHORED, authored, authored_clip, contact_labels, mirror, neutral_skeleton
from understudy.motion.authoring.body import puppet
from understudy.motion.authoring.document import Document, read_score, read_table
from understudy.motion.authoring.dynamics import demand, nearest_in_hull
from understudy.motion.authoring.library import _DATA, _digest, _solved_poses, solved
from understudy.motion.authoring.score import within
from understudy.rotations import Array, BoolArray

GAITS = ("walk", "run", "crawl")
CYCLIC = (*GAITS, "idle_breathe")
FLIGHTS = {"run", "jump", "kip_up"}
WANTED = {
    "stand", "walk", "run", "turn_left", "turn_right", "jump", "squat", "kick", "punch", "forward_roll",
    "sideways_roll", "backward_roll", "get_up_front", "get_up_back", "cartwheel", "kip_up", "crawl", "hand_stand",
}  # fmt: skip


def planted(name: str) -> BoolArray:
    """(T, K) which balls are planted in which frame."""
    clip_and_contacts = authored(name)
    times = clip_and_contacts.clip.times_s
    body = puppet()
    result = np.zeros((len(times), len(body.ball_names)), bool)
    for contact in clip_and_contacts.contacts:
        rows = within(times, contact.from_s, contact.to_s, clip_and_contacts.period_s)
        for ball in contact.balls:
            result[:, body.ball(ball)] |= rows
    return result


def flying(name: str) -> BoolArray:
    """(T,) in which frames nothing touches the floor."""
    record = authored(name)
    free = ~planted(name).any(axis=1)
    for roll in record.rolls:
        free &= ~within(record.clip.times_s, roll.from_s, roll.to_s, None)
    return free


def spans(flags: BoolArray) -> list[slice]:
    """The runs of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    return [slice(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def outside(point: Array, corners: Array) -> float:
    """How far [m] a point (2,) lies outside the hull of corners (C, 2)."""
    equations = ConvexHull(corners).equations
    return float(np.max(equations[:, :2] @ point + equations[:, 2]))


def test_the_clips_the_house_promises_are_there() -> None:
    assert set(AUTHORED) >= WANTED
    assert sum(name.startswith("idle") for name in AUTHORED) >= 2


@pytest.mark.parametrize("name", AUTHORED)
def test_a_clip_starts_over_the_origin_on_the_neutral_skeleton_and_says_what_it_is(name: str) -> None:
    record = authored(name)
    assert record.clip.name == name
    assert record.clip.rate_hz == 60.0
    assert record.clip.skeleton is neutral_skeleton()
    np.testing.assert_allclose(record.clip.root_positions[0, :2], 0.0, atol=1e-9)
    assert len(record.about) > 20
    assert record.source


@pytest.mark.parametrize("name", AUTHORED)
def test_nothing_goes_below_the_floor(name: str) -> None:
    assert balls_of(authored_clip(name)).clearance.min() > -0.01


@pytest.mark.parametrize("name", AUTHORED)
def test_what_is_planted_stays_where_it_is(name: str) -> None:
    balls, down = balls_of(authored_clip(name)), planted(name)
    assert np.abs(balls.clearance[down]).max(initial=0.0) < 0.01
    for ball in range(len(balls.names)):
        for span in spans(down[:, ball]):
            places = balls.places[span, ball, :2]
            assert np.linalg.norm(places - places.mean(axis=0), axis=1).max() < 0.01, balls.names[ball]


@pytest.mark.parametrize("name", AUTHORED)
def test_joints_move_smoothly(name: str) -> None:
    clip = authored_clip(name)
    speed = rotations.angular_velocity(clip.rotations, clip.rate_hz)
    assert np.linalg.norm(speed, axis=-1).max() < 25.0
    assert np.linalg.norm(np.diff(speed, axis=0), axis=-1).max() * clip.rate_hz < 350.0


@pytest.mark.parametrize("name", sorted(FLIGHTS))
def test_in_flight_the_centre_of_mass_falls_freely(name: str) -> None:
    clip = authored_clip(name)
    free = flying(name)
    fall = acceleration(centre_of_mass(clip), clip.rate_hz)[free[1:-1]]
    assert len(fall) >= 10
    np.testing.assert_allclose(fall[:, 2], -9.81, atol=1.5)
    np.testing.assert_allclose(fall[:, :2], 0.0, atol=1.5)


def test_only_runs_jumps_and_kip_ups_fly() -> None:
    assert {name for name in AUTHORED if flying(name).any()} == FLIGHTS


@pytest.mark.parametrize("name", AUTHORED)
def test_the_floor_never_needs_to_pull(name: str) -> None:
    clip = authored_clip(name)
    push = acceleration(centre_of_mass(clip), clip.rate_hz)[:, 2] + 9.81
    assert push.min() > -2.0
    assert push.max() < 4.5 * 9.81


@pytest.mark.parametrize("name", AUTHORED)
def test_the_force_of_the_floor_acts_within_what_touches_it(name: str) -> None:
    clip, body = authored_clip(name), puppet()
    balls = balls_of(clip)
    needs = demand(body, mass_points(clip), clip.rate_hz)
    touching = balls.clearance[1:-1] < 0.025
    miss = [
        np.linalg.norm(nearest_in_hull(point, balls.places[1 + frame, touching[frame], :2], 0.0) - point)
        for frame, point in enumerate(needs.point)
        if needs.force[frame, 2] > 2.0 and touching[frame].any()
    ]
    assert np.quantile(miss, 0.97) < 0.02


def test_a_jump_flies_half_a_second_and_a_quarter_of_a_metre_high() -> None:
    clip = authored_clip("jump")
    height = centre_of_mass(clip)[:, 2]
    (flight,) = spans(flying("jump"))
    assert (flight.stop - flight.start + 1) / clip.rate_hz == pytest.approx(0.5, abs=0.03)
    assert 0.2 < height[flight].max() - height[flight.start - 1] < 0.32


@pytest.mark.parametrize(("name", "speed"), [("walk", 1.3), ("run", 3.0), ("crawl", 0.31)])
def test_gaits_have_the_speed_they_say(name: str, speed: float) -> None:
    clip = authored_clip(name)
    travel = clip.root_positions[-1] - clip.root_positions[0]
    assert travel[0] / clip.duration_s == pytest.approx(speed, rel=0.02)
    np.testing.assert_allclose(travel[1:], 0.0, atol=1e-9)


@pytest.mark.parametrize("name", CYCLIC)
def test_cycles_close_exactly_and_smoothly(name: str) -> None:
    record = authored(name)
    clip = record.clip
    assert record.period_s
    np.testing.assert_allclose(rotations.angle_between(clip.rotations[0], clip.rotations[-1]), 0.0, atol=1e-6)
    period = round(record.period_s * clip.rate_hz)
    later = rotations.angle_between(clip.rotations[:-period], clip.rotations[period:])
    np.testing.assert_allclose(later, 0.0, atol=1e-6)
    joined = rotations.continuous(np.concatenate([clip.rotations[:-1], clip.rotations]))
    turning = np.diff(rotations.angular_velocity(joined, clip.rate_hz), axis=0) * clip.rate_hz
    seam = clip.frame_count - 1
    assert np.abs(turning[seam - 2 : seam + 2]).max() <= np.abs(turning[2 : seam - 2]).max() * 1.05


@pytest.mark.parametrize("name", GAITS)
def test_half_a_cycle_later_left_and_right_have_changed_places(name: str) -> None:
    record = authored(name)
    half = round(0.5 * record.period_s * record.clip.rate_hz)
    other = mirror(record.clip)
    apart = rotations.angle_between(record.clip.rotations[half:], other.rotations[:-half])
    assert np.degrees(apart.mean()) < 1.5
    assert np.degrees(apart.max()) < 10.0


def test_turns_are_a_quarter_and_mirror_each_other() -> None:
    left, right = authored_clip("turn_left"), authored_clip("turn_right")
    for clip, quarter in ((left, 90.0), (right, -90.0)):
        heading = np.degrees(rotations.heading(clip.rotations[:, 0]))
        assert heading[0] == pytest.approx(0.0, abs=2.0)
        assert heading[-1] == pytest.approx(quarter, abs=3.0)
    np.testing.assert_allclose(mirror(left).joint_positions_w, right.joint_positions_w, atol=1e-6)
    swapped = {"left_foot": "right_foot", "right_foot": "left_foot"}
    for one, other in swapped.items():
        mirrored = authored("turn_right").limb_contacts.of(other)
        np.testing.assert_array_equal(authored("turn_left").limb_contacts.of(one), mirrored)


@pytest.mark.parametrize("name", ["stand", "idle_breathe", "idle_shift", "idle_stretch", "squat"])
def test_who_stands_keeps_the_centre_of_mass_over_the_feet(name: str) -> None:
    clip = authored_clip(name)
    centre, balls, down = centre_of_mass(clip), balls_of(clip), planted(name)
    for frame in range(0, clip.frame_count, 5):
        assert outside(centre[frame, :2], balls.places[frame, down[frame], :2]) < 0.005


def test_a_held_handstand_is_balanced_on_the_hands() -> None:
    clip = authored_clip("hand_stand")
    centre, balls = centre_of_mass(clip), balls_of(clip)
    for frame in range(165, 205, 5):
        touching = balls.clearance[frame] < 0.01  # fingers, palms and the heels of the hands
        assert touching.sum() == 6
        assert outside(centre[frame, :2], balls.places[frame, touching, :2]) < 0.005
        assert rotations.rotate(clip.rotations[frame, 0], [0.0, 0.0, 1.0])[2] < -0.95


@pytest.mark.parametrize(
    ("name", "axis", "turn"),
    [("forward_roll", 1, 360.0), ("backward_roll", 1, -360.0), ("cartwheel", 0, -360.0), ("sideways_roll", 2, 360.0)],
)
def test_rolls_and_cartwheels_go_all_the_way_round(name: str, axis: int, turn: float) -> None:
    clip = authored_clip(name)
    speed = rotations.angular_velocity(clip.rotations[:, 0], clip.rate_hz)[:, axis]
    assert np.degrees(speed.sum() / clip.rate_hz) == pytest.approx(turn, abs=12.0)
    assert np.degrees(np.abs(speed).max()) < 600.0


def test_a_cartwheel_puts_down_left_hand_right_hand_right_foot_left_foot() -> None:
    labels = authored("cartwheel").limb_contacts
    upside_down = 80  # frames; by then the first steps are done
    landings = [(int(np.argmax(labels.of(f"{limb}"))), limb) for limb in ("left_hand", "right_hand")]
    for limb in ("right_foot", "left_foot"):
        down = labels.of(limb).copy()
        down[: upside_down + 20] = False
        landings.append((int(np.argmax(down)), limb))
    assert [limb for _, limb in sorted(landings)] == ["left_hand", "right_hand", "right_foot", "left_foot"]


@pytest.mark.parametrize("name", ["sideways_roll", "get_up_front", "get_up_back", "kip_up"])
def test_who_lies_lies_a_trunk_radius_high(name: str) -> None:
    assert 0.09 < authored_clip(name).root_positions[0, 2] < 0.15


@pytest.mark.parametrize("name", ["walk", "run", "jump", "kick", "cartwheel"])
def test_contact_labels_find_what_the_files_say_is_planted(name: str) -> None:
    record = authored(name)
    found, told = contact_labels(record.clip), record.limb_contacts
    for limb in told.names:
        assert np.mean(found.of(limb) == told.of(limb)) > 0.9


@pytest.mark.parametrize("name", ["squat", "run"])
def test_the_bundled_poses_are_what_the_files_solve_to(name: str) -> None:
    path, body = _DATA / f"{name}.toml", puppet()
    score = read_score(Document(path, body, read_table(path), read_table(_DATA / "poses.toml")), name)
    poses = solved(body, score)
    np.testing.assert_allclose(poses[:, :3], authored_clip(name).root_positions[: len(poses)], atol=2e-3)


def test_every_bundled_file_has_been_solved_as_it_is_now() -> None:
    originals = [path for path in _DATA.glob("*.toml") if "mirror_of" not in read_table(path) and path.stem != "poses"]
    unsolved = [path.name for path in originals if _digest(path) not in _solved_poses()]
    assert not unsolved, f"run 'python -m understudy.motion.authoring' for {unsolved}"
    assert len(_solved_poses()) == len(originals)
