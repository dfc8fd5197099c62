"""Searches: the same seed the same bits, with any number of threads and after any interruption."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from reconstruction_samples import small

from understudy.character import fit
from understudy.cost import compare, track_of
from understudy.errors import FileError, ReconstructionError, UnknownNameError
from understudy.files import ArrayFile, read_arrays, write_arrays
from understudy.motion import crop, load_clip
from understudy.reconstruction import perform, plan_of, reconstruct
from understudy.reconstruction.planning import start_of
from understudy.simulation import Ground, ReferenceController, Scene, VaultBox, World, simulate

METHODS = ("guided", "samcon-2010")


def assert_same(a, b):
    """Everything a search decides and does, to the last bit."""
    for name in ("bounds", "offsets", "gain_scale", "rounds"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    np.testing.assert_array_equal(a.rollout.states, b.rollout.states)
    assert a.simulated == b.simulated
    for name, values in a.costs.items():
        np.testing.assert_array_equal(values, b.costs[name], err_msg=name)


@pytest.fixture
def interrupted(runs, tmp_path):
    """Makes the file of a search that was interrupted at one of its calls of its workers."""

    def at(settings, call):
        path = tmp_path / f"{settings.method}-{call}.unfinished"
        with pytest.raises(KeyboardInterrupt):
            runs.run(settings, runs.crew(settings, interrupted_at=call), unfinished=path)
        return path

    return at


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_bits_with_any_number_of_threads(runs, found, method):
    settings = small(method)
    again = runs.run(settings, runs.crew(settings, threads=2))
    assert_same(again, found(method))


@pytest.mark.parametrize("method", METHODS)
def test_another_seed_gives_another_performance(runs, found, method):
    other = runs.run(small(method, seed=1))
    assert not np.array_equal(other.offsets, found(method).offsets)
    assert not np.array_equal(other.rollout.states, found(method).rollout.states)
    np.testing.assert_array_equal(other.rollout.qpos[0], found(method).rollout.qpos[0])


@pytest.mark.parametrize(("method", "call"), [("guided", 5), ("guided", 12), ("guided", 20), ("samcon-2010", 9)])
def test_a_search_that_was_interrupted_goes_on_to_the_same_bits(runs, found, interrupted, method, call):
    settings = small(method)
    path = interrupted(settings, call)
    assert path.exists()
    crew = runs.crew(settings)
    resumed = runs.run(settings, crew, unfinished=path)
    assert_same(resumed, found(method))
    assert not path.exists(), "it is removed at the end"
    whole = runs.crew(settings)
    runs.run(settings, whole)
    assert crew.calls < whole.calls, "what was done is not done again"


@pytest.mark.parametrize("method", METHODS)
def test_a_search_may_be_interrupted_many_times(runs, found, tmp_path, method):
    settings, path = small(method), tmp_path / "walk.unfinished"
    for _ in range(20):
        try:
            resumed = runs.run(settings, runs.crew(settings, interrupted_at=9), unfinished=path)
            break
        except KeyboardInterrupt:
            continue
    assert_same(resumed, found(method))


def test_a_search_that_was_interrupted_at_once_begins_anew(runs, found, interrupted):
    path = interrupted(small("samcon-2010"), 1)
    assert_same(runs.run(small("samcon-2010"), unfinished=path), found("samcon-2010"))


def test_the_unfinished_file_is_there_while_the_search_is_under_way_alone(runs, tmp_path):
    path = tmp_path / "walk.unfinished"
    runs.run(small("samcon-2010"), unfinished=path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", METHODS)
def test_an_unfinished_file_that_is_kept_holds_the_whole_result(runs, found, tmp_path, method):
    path = tmp_path / "walk.unfinished"
    runs.run(small(method), unfinished=path, keep_unfinished=True)
    nothing_left = runs.crew(small(method))
    assert_same(runs.run(small(method), nothing_left, unfinished=path), found(method))
    assert nothing_left.calls == 0


@pytest.mark.parametrize("change", [{"seed": 1}, {"samples": 61}, {"window_scale": 1.1}, {"method": "guided"}])
def test_unfinished_work_of_other_settings_is_refused_and_kept(runs, interrupted, change):
    path = interrupted(small("samcon-2010"), 7)
    before = path.read_bytes()
    words = "another clip, character, scene or settings; remove it, or write elsewhere"
    with pytest.raises(FileError, match=words):
        runs.run(small(**{"method": "samcon-2010", **change}), unfinished=path)
    assert path.read_bytes() == before


def test_unfinished_work_in_another_scene_or_on_another_clip_is_refused(walking, interrupted):
    settings = small("samcon-2010")
    path = interrupted(settings, 7)
    with pytest.raises(FileError, match="another clip, character, scene"):
        reconstruct(walking, Scene("icy", friction=0.1), settings, unfinished=path)
    qpos = np.array(walking.qpos)
    qpos[5, 0] += 1e-9
    with pytest.raises(FileError, match="another clip, character, scene"):
        reconstruct(replace(walking, qpos=qpos), None, settings, unfinished=path)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-400])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def without_its_steps(path: Path) -> None:
    contents = read_arrays(path, "unfinished reconstruction", 1)
    kept = {name: array for name, array in contents.arrays.items() if not name.startswith("step1")}
    write_arrays(path, ArrayFile(contents.kind, contents.version, contents.header, kept))


def of_a_newer_format(path: Path) -> None:
    contents = read_arrays(path, "unfinished reconstruction", 1)
    write_arrays(path, ArrayFile(contents.kind, 2, contents.header, contents.arrays))


def of_another_kind(path: Path) -> None:
    contents = read_arrays(path, "unfinished reconstruction", 1)
    write_arrays(path, ArrayFile("rollout", 1, contents.header, contents.arrays))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (cut_short, "not a sound npz archive"),
        (emptied, "not a sound npz archive"),
        (without_its_steps, "is damaged .*; remove it to begin anew"),
        (of_a_newer_format, "format version 2 .* is not known here"),
        (of_another_kind, "holds a rollout, not an? unfinished reconstruction"),
    ],
)
def test_a_damaged_unfinished_file_is_refused(runs, interrupted, spoil, words):
    path = interrupted(small("samcon-2010"), 7)
    spoil(path)
    with pytest.raises(FileError, match=words):
        runs.run(small("samcon-2010"), unfinished=path)


def test_unfinished_files_are_arrays_with_a_header_and_no_pickles(interrupted):
    path = interrupted(small("guided"), 12)
    with np.load(path, allow_pickle=False) as archive:
        header = json.loads(str(archive["header"]))
        assert all(archive[name].dtype != object for name in archive.files)
    assert header["kind"] == "unfinished reconstruction"
    assert header["seconds"] > 0.0


@pytest.mark.parametrize("method", METHODS)
def test_progress_never_falls_and_ends_with_everything(runs, method):
    told = []
    runs.run(small(method), progress=lambda done, total: told.append((done, total)))
    done, totals = np.transpose(told)
    assert set(totals) == {8}
    assert (np.diff(done) >= 0).all()
    assert done[-1] == 8


@pytest.mark.parametrize("method", METHODS)
def test_a_performance_begins_in_the_first_pose_and_lasts_as_long_as_its_reference(found, walking, method):
    performance = found(method)
    start = start_of(plan_of(walking, Scene(), small(method)))
    rollout = performance.rollout
    np.testing.assert_array_equal(rollout.qpos[0], start.row[rollout.layout.qpos])
    assert rollout.tick_count == walking.tick_count
    assert rollout.seed == performance.settings.seed
    assert rollout.outcome == ""


def test_the_papers_method_begins_as_fast_as_the_reference(found, walking):
    np.testing.assert_array_equal(found("samcon-2010").rollout.qvel[0], walking.qvel[0])


@pytest.mark.parametrize("method", METHODS)
def test_fragments_are_sampled_in_as_many_rounds_as_asked_for(found, method):
    performance = found(method)
    fragments = len(performance.fragments)
    assert performance.rounds.min() >= 1
    assert performance.simulated >= 60 * fragments
    if method == "samcon-2010":
        assert set(performance.rounds) == {1}
        # a pass of 60, and the feedforward of the start and of 10 saved states for each fragment after
        assert performance.simulated == 60 * fragments + 1 + 10 * (fragments - 1)


@pytest.mark.parametrize("method", METHODS)
def test_a_real_walk_is_followed_nearer_than_by_the_servos_alone(mocap, human, method):
    reference = fit(crop(load_clip(mocap / "cmu_asfamc/07/07_01.amc"), 1.0, 1.5), human).reference
    settings = small(method, samples=150, saved=25, fragment_s=0.1)
    world = World(Scene(), human, 1, 1)
    start = start_of(plan_of(reference, Scene(), settings))
    world.set_states(replace(world.get_states(), rows=start.row[None]))
    servos = simulate(world, ReferenceController(reference, world.rate_hz), reference.tick_count - 1)
    alone_mm = compare(track_of(servos), track_of(reference)).global_mm
    followed_mm = reconstruct(reference, None, settings).comparison.global_mm
    assert followed_mm < {"guided": 0.3, "samcon-2010": 0.6}[method] * alone_mm


def test_what_can_not_be_searched_for_is_refused_before_anything_is_simulated(walking, runs):
    nobody = runs.crew(small())
    with pytest.raises(ReconstructionError, match=r"in scene 'narrow' .* starts inside 'vault_box'"):
        reconstruct(walking, Scene("narrow", (Ground(), VaultBox(x_m=-0.25))), small(), workers=lambda _: nobody)
    with pytest.raises(ReconstructionError, match="fit the clip without a rate of your own"):
        reconstruct(replace(walking, rate_hz=30.0), workers=lambda _: nobody)
    assert nobody.calls == 0


def test_an_unfinished_file_that_can_not_be_written_is_refused_before_anything_is_simulated(runs, tmp_path):
    nobody = runs.crew(small())
    with pytest.raises(FileError, match=r"the folder .* does not exist; make it first"):
        runs.run(small(), nobody, unfinished=tmp_path / "missing" / "walk.unfinished")
    assert nobody.calls == 0


def test_a_first_pose_in_the_floor_is_lifted_and_the_result_says_so(walking, clip):
    qpos = np.array(walking.qpos[:6])
    qpos[:, 2] -= 0.02
    sunk = replace(walking, qpos=qpos, qvel=walking.qvel[:6])
    notes = reconstruct(sunk, None, small("samcon-2010"), clip=clip).notes
    assert len(notes) == 1
    assert "the first pose was lifted by 2" in notes[0]


def test_workers_are_let_go_at_the_end(runs):
    settings = small("samcon-2010")
    crew = runs.crew(settings)
    runs.run(settings, crew)
    assert crew.closed


class Dying:
    """Workers of whose samples a share diverges."""

    def __init__(self, crew, share):
        self._crew, self._share, self._rng = crew, share, np.random.default_rng(0)

    def run(self, fragment, starts, offsets):
        offsets = offsets.copy()
        offsets[self._rng.random(len(offsets)) < self._share] = np.nan
        return self._crew.run(fragment, starts, offsets)

    def close(self): ...


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("share", [0.2, 0.7])
def test_samples_that_diverge_are_not_gone_on_from(runs, method, share):
    settings = small(method)
    performance = runs.run(settings, Dying(runs.crew(settings), share))
    assert np.isfinite(performance.offsets).all()
    assert performance.rollout.outcome == ""


@pytest.mark.parametrize("method", METHODS)
def test_when_every_sample_diverges_the_search_says_so(runs, method):
    settings = small(method)
    with pytest.raises(ReconstructionError, match="diverge"):
        runs.run(settings, Dying(runs.crew(settings), 1.0))


def test_one_call_fits_a_clip_and_performs_it(clip, found):
    performance = perform(clip, "human", "flat", small("samcon-2010"))
    assert_same(performance, found("samcon-2010"))
    assert performance.clip is clip


def test_a_clip_is_performed_in_the_scene_that_was_named(clip):
    with pytest.raises(UnknownNameError, match="no scene named 'flta'; did you mean flat"):
        perform(clip, "human", "flta")
    with pytest.raises(UnknownNameError, match="humane"):
        perform(clip, "humane")
