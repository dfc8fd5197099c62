"""Reconstructions: performed again to the last bit, written down, and read again."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from understudy.cost import global_error_mm, match, track_of
from understudy.errors import FileError, UnderstudyError
from understudy.files import ArrayFile, read_arrays, write_arrays
from understudy.reconstruction import Reconstruction
from understudy.simulation import Scene, World, replay, simulate

METHODS = ("guided", "samcon-2010")


@pytest.fixture(params=METHODS)
def performance(request, found):
    return found(request.param)


@pytest.fixture(scope="module")
def written(found, tmp_path_factory):
    """The file of the guided one, to be read or spoilt by who copies it."""
    path = tmp_path_factory.mktemp("written") / "walk.npz"
    found("guided").save(path)
    return path


def world_at_the_start(performance, simulations=1):
    """A world of the same scene, where the performance begins."""
    world = World(Scene(), performance.reference.character, simulations, 1)
    row = performance.rollout.states[:1]
    world.set_states(replace(world.get_states(), rows=np.repeat(row, simulations, axis=0)))
    return world


def test_the_performance_replays_to_the_last_bit(performance):
    np.testing.assert_array_equal(replay(performance.rollout), performance.rollout.states)


def test_its_controller_performs_it_again_to_the_last_bit(performance):
    controller = performance.controller()
    assert controller.tick_count == performance.rollout.tick_count - 1
    again = simulate(world_at_the_start(performance), controller, controller.tick_count)
    np.testing.assert_array_equal(again.states, performance.rollout.states)


def test_its_controller_performs_it_among_others_just_so(performance):
    controller = performance.controller()
    again = simulate(world_at_the_start(performance, 3), controller, controller.tick_count, simulation=2)
    np.testing.assert_array_equal(again.states, performance.rollout.states)


def test_its_controller_holds_the_last_pose_when_it_is_through(performance):
    controller = performance.controller()
    state = world_at_the_start(performance).get_states()
    last, later = (controller.act(state, tick).positions for tick in (controller.tick_count - 1, 10**6))
    np.testing.assert_array_equal(last, later)


def test_fragments_follow_each_other_and_hold_their_own_rows(performance):
    fragments = performance.fragments
    assert fragments[0].begin == 0
    assert fragments[-1].end == performance.reference.tick_count - 1
    for k, fragment in enumerate(fragments):
        np.testing.assert_array_equal(fragment.offsets, performance.offsets[k])
        np.testing.assert_array_equal(fragment.gain_scale, performance.gain_scale[k])
        assert len(fragment.offsets) == len(performance.offset_names)
    assert all(one.end == other.begin for one, other in pairwise(fragments))


def test_its_comparison_is_of_all_bodies_at_30_hz(performance):
    comparison = performance.comparison
    assert comparison.rate_hz == 30.0
    assert comparison.bodies == performance.reference.character.body_names
    pair = match(*(track_of(of).at_rate(30.0) for of in (performance.rollout, performance.reference)))
    assert comparison.global_mm == pytest.approx(global_error_mm(pair.motion, pair.reference))


def test_what_was_saved_is_what_is_loaded(performance, tmp_path):
    path = tmp_path / "walk.npz"
    performance.save(path)
    loaded = Reconstruction.load(path)
    for name in ("bounds", "offsets", "gain_scale", "rounds"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(performance, name), err_msg=name)
    assert dict(loaded.costs).keys() == dict(performance.costs).keys()
    for name, values in performance.costs.items():
        np.testing.assert_array_equal(loaded.costs[name], values, err_msg=name)
    for name in ("settings", "simulated", "seconds", "notes", "offset_names"):
        assert getattr(loaded, name) == getattr(performance, name), name
    np.testing.assert_array_equal(loaded.reference.qpos, performance.reference.qpos)
    assert loaded.reference.character.name == "human"
    assert loaded.clip is not None
    np.testing.assert_array_equal(loaded.clip.rotations, performance.clip.rotations)
    np.testing.assert_array_equal(replay(loaded.rollout), performance.rollout.states)
    again = simulate(world_at_the_start(loaded), loaded.controller(), loaded.controller().tick_count)
    np.testing.assert_array_equal(again.states, performance.rollout.states)


def test_saving_what_was_loaded_writes_the_same_file(written, tmp_path):
    path = tmp_path / "again.npz"
    Reconstruction.load(written).save(path)
    assert path.read_bytes() == written.read_bytes()


def test_a_reconstruction_without_a_clip_is_loaded_without_one(found, tmp_path):
    path = tmp_path / "walk.npz"
    replace(found("samcon-2010"), clip=None).save(path)
    assert Reconstruction.load(path).clip is None


def test_its_file_is_read_by_numpy_alone(written, found):
    with np.load(written, allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["offsets"], found("guided").offsets)
        np.testing.assert_array_equal(archive["rollout_states"], found("guided").rollout.states)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_a_file_cut_short_is_refused(written, tmp_path, share):
    path = tmp_path / "short.npz"
    whole = written.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(FileError, match=r"short\.npz: not a sound npz archive"):
        Reconstruction.load(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"none\.npz: can't be read"):
        Reconstruction.load(tmp_path / "none.npz")


def test_a_file_of_another_kind_is_refused(found, tmp_path):
    path = tmp_path / "run.npz"
    found("guided").rollout.save(path)
    with pytest.raises(FileError, match="holds a rollout, not a reconstruction"):
        Reconstruction.load(path)


def spoilt(written, path, change=None, header=None, version=1, without=""):
    """The file with arrays or header fields changed, or one left out."""
    contents = read_arrays(written, "reconstruction", 1)
    arrays = {name: a for name, a in {**contents.arrays, **(change or {})}.items() if name != without}
    fields = {name: h for name, h in {**contents.header, **(header or {})}.items() if name != without}
    write_arrays(path, ArrayFile("reconstruction", version, fields, arrays))
    return path


def test_a_file_of_a_newer_format_is_refused(written, tmp_path):
    path = spoilt(written, tmp_path / "newer.npz", version=2)
    with pytest.raises(
        FileError, match=r"format version 2 of a reconstruction is not known here.*a newer one wrote it"
    ):
        Reconstruction.load(path)


@pytest.mark.parametrize("part", ["rollout", "reference", "clip"])
def test_a_file_that_holds_a_part_of_a_newer_format_is_refused(written, tmp_path, part):
    header = read_arrays(written, "reconstruction", 1).header
    path = spoilt(written, tmp_path / "newer.npz", header={part: {**header[part], "format_version": 99}})
    with pytest.raises(FileError, match=f"format version 99 of a {part} is not known here"):
        Reconstruction.load(path)


@pytest.mark.parametrize("name", ["bounds", "offsets", "gain_scale", "rounds", "cost_pose", "settings", "costs"])
def test_a_file_that_lacks_something_is_refused(written, tmp_path, name):
    with pytest.raises(FileError, match="a damaged reconstruction"):
        Reconstruction.load(spoilt(written, tmp_path / "less.npz", without=name))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"offsets": np.zeros((8, 3))}, r"damaged reconstruction .*offsets must be \(8, \d+\), not \(8, 3\)"),
        ({"gain_scale": np.ones((8, 2))}, r"damaged reconstruction .*gain_scale must be \(8, 16\), not \(8, 2\)"),
        ({"rounds": np.ones(3, int)}, r"damaged reconstruction .*rounds must be \(8,\), not \(3,\)"),
        ({"cost_pose": np.ones(1)}, r"damaged reconstruction .*cost 'pose' must be \(8,\), not \(1,\)"),
    ],
)
def test_a_file_whose_parts_do_not_fit_each_other_is_refused(written, tmp_path, change, words):
    with pytest.raises(FileError, match=words):
        Reconstruction.load(spoilt(written, tmp_path / "odd.npz", change))


@pytest.mark.parametrize(
    "settings", [{"method": "guided"}, {"samples": 0}, {"luck": 1}, {"cost": {"bodies": -1.0}}, {"terms": {"pos": 1.0}}]
)
def test_a_file_of_senseless_settings_is_refused(written, tmp_path, settings):
    whole = read_arrays(written, "reconstruction", 1).header["settings"]
    header = settings if "method" in settings else {**whole, **settings}
    with pytest.raises(FileError, match="a damaged reconstruction"):
        Reconstruction.load(spoilt(written, tmp_path / "odd.npz", header={"settings": header}))


@pytest.mark.parametrize("change", [{"bounds": np.arange(9)[::-1]}, {"offsets": np.nan}])
def test_a_file_of_senseless_numbers_is_refused(written, tmp_path, change):
    known = read_arrays(written, "reconstruction", 1).arrays
    arrays = {name: np.full_like(known[name], value) if np.isscalar(value) else value for name, value in change.items()}
    with pytest.raises(FileError, match="a damaged reconstruction"):
        Reconstruction.load(spoilt(written, tmp_path / "odd.npz", arrays))


def test_arrays_that_do_not_fit_each_other_are_refused(performance):
    with pytest.raises(UnderstudyError, match=r"a reconstruction of 8 fragments: rounds must be \(8,\), not \(2,\)"):
        replace(performance, rounds=np.ones(2, int))


def test_a_reconstruction_keeps_its_own_arrays(performance):
    offsets = np.array(performance.offsets)
    kept = replace(performance, offsets=offsets)
    offsets += 1.0
    np.testing.assert_array_equal(kept.offsets, performance.offsets)
    with pytest.raises(ValueError, match="read-only"):
        kept.offsets[0] = 0.0
