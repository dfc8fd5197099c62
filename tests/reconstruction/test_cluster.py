"""Workers on Ray: the bits of the local ones, whatever happens to those who compute them."""

import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from reconstruction_samples import small

from understudy.errors import MissingPackageError, ReconstructionError
from understudy.reconstruction import LocalWorkers, plan_of
from understudy.reconstruction.cluster import RayWorkers, joining, ray_joined, ray_workers
from understudy.reconstruction.cluster.chunks import Chunks, rows_each
from understudy.reconstruction.cluster.packing import Packed
from understudy.reconstruction.cluster.parcel import Parcel
from understudy.reconstruction.cluster.passport import Passport, digest
from understudy.reconstruction.planning import start_of
from understudy.reconstruction.workers import Ends
from understudy.simulation import Scene, scene

pytest.importorskip("ray", reason="needs Ray: pip install 'understudy[cluster]'")

COUNT = 203


@pytest.fixture(scope="module")
def cluster():
    """Ray on this machine for three workers; all tests here belong to it."""
    with ray_joined("local", 3) as told:
        assert told == "Ray was started on this machine, for 3 workers"
        yield


@pytest.fixture(scope="module")
def pair(plan, cluster):  # noqa: ARG001
    """Two workers, who are shared."""
    with contextlib.closing(RayWorkers(plan, "local", n_workers=2)) as crew:
        yield crew


@pytest.fixture
def hired(plan, pair):  # noqa: ARG001
    """Further workers, let go after the test; the cluster has a processor left for one of them."""
    with contextlib.ExitStack() as stack:
        yield lambda **how: stack.enter_context(contextlib.closing(RayWorkers(plan, "local", **how)))


@pytest.fixture(scope="module")
def asked(plan):
    """Samples of the second fragment, each from a state of its own."""
    windows = plan.space.windows_rad
    offsets = np.random.default_rng(3).uniform(-1.0, 1.0, (COUNT, len(windows))) * windows
    starts = np.repeat(start_of(plan).row[None], COUNT, axis=0)
    return 1, LocalWorkers(plan, 2).run(0, starts, offsets).rows, offsets


@pytest.fixture(scope="module")
def local(plan, asked):
    return LocalWorkers(plan, 2).run(*asked)


def assert_same(a: Ends, b: Ends) -> None:
    """To the last bit."""
    np.testing.assert_array_equal(a.rows, b.rows)
    np.testing.assert_array_equal(a.alive, b.alive)
    assert digest(a) == digest(b)


def first(ends: Ends, count: int) -> Ends:
    return Ends(ends.rows[:count], ends.moments[:count], ends.alive[:count])


def pids(crew: RayWorkers) -> list[int]:
    """The processes of its workers."""
    ray = crew._ray
    return [ray.get(post.worker.__ray_call__.remote(lambda _: os.getpid())) for post in crew._posts]


def test_any_number_of_workers_gives_the_bits_of_the_local_ones(hired, pair, asked, local):
    fragment, starts, offsets = asked
    for crew in (pair, hired(n_workers=1)):
        assert_same(crew.run(*asked), local)
        assert_same(crew.run(fragment, starts[:3], offsets[:3]), first(local, 3))
        assert crew.replaced == 0


@pytest.mark.parametrize("rows", [1, 7, 64, 1000])
def test_the_chunks_that_samples_are_cut_into_do_not_matter(pair, asked, local, rows, monkeypatch):
    monkeypatch.setattr(ray_workers, "rows_each", lambda *_: rows)
    fragment, starts, offsets = asked
    assert_same(pair.run(fragment, starts[:40], offsets[:40]), first(local, 40))


def test_samples_that_diverge_are_marked_dead(pair, asked, local):
    fragment, starts, offsets = asked
    offsets = offsets.copy()
    offsets[50] = np.nan
    ends = pair.run(fragment, starts, offsets)
    assert not ends.alive[50]
    np.testing.assert_array_equal(np.delete(ends.rows, 50, axis=0), np.delete(local.rows, 50, axis=0))


def test_mistakes_in_the_worker_are_raised_here(pair, asked, local):
    with pytest.raises(IndexError):
        pair.run(99, *asked[1:])
    assert_same(pair.run(*asked), local)


def test_a_search_on_ray_finds_what_a_local_one_finds(runs, found, pair):  # noqa: ARG001
    on_ray = runs.run(small("guided"), RayWorkers(runs.crew(small("guided")).plan, "local", n_workers=1))
    np.testing.assert_array_equal(on_ray.offsets, found("guided").offsets)
    np.testing.assert_array_equal(on_ray.rollout.states, found("guided").rollout.states)
    assert on_ray.simulated == found("guided").simulated


def test_a_worker_that_dies_at_work_is_replaced_and_its_samples_are_done_again(pair, asked, local, monkeypatch):
    pair.run(*asked)
    [victim, _], before, taken, hand_out = pids(pair), pair.replaced, [], pair._hand_out

    def hand_out_and_end_one(chunks):
        hand_out(chunks)
        if not taken:
            taken.extend(pair._posts[0].tasks.values())
            os.kill(victim, signal.SIGKILL)

    monkeypatch.setattr(pair, "_hand_out", hand_out_and_end_one)
    assert_same(pair.run(*asked), local)
    assert len(taken) == 2
    assert pair.replaced == before + 1


def test_all_workers_may_die_at_once(pair, asked, local):
    pair.run(*asked)
    before = pair.replaced
    for pid in pids(pair):
        os.kill(pid, signal.SIGKILL)
    assert_same(pair.run(*asked), local)
    assert pair.replaced == before + 2


def test_a_worker_for_whom_there_is_no_machine_is_given_up(pair, hired, asked):
    class Idler:
        """Takes up the processor that is left."""

        def here(self):
            return True

    ray = pair._ray
    idler = ray.remote(num_cpus=1)(Idler).remote()
    ray.get(idler.here.remote())
    words = (
        r"no Ray worker is left: each of 1 was looked for 2 times. The cluster has 3 processors, 0 of them free. "
        r"The last was lost: none of them answered for 0.5 s"
    )
    with pytest.raises(ReconstructionError, match=words):
        hired(n_workers=1, patience_s=0.5, tries=2).run(*asked)
    ray.kill(idler)


def test_workers_that_are_there_do_the_work_of_those_that_are_not(hired, asked, local):
    crew = hired(n_workers=3)  # of whom one finds a processor
    assert_same(crew.run(*asked), local)
    assert sum(post.ready for post in crew._posts) == 1


def test_workers_that_never_answer_are_given_up(hired, asked):
    crew = hired(n_workers=1, tries=1)
    crew.run(*asked)
    crew._patience_s = 0.5
    [pid] = pids(crew)
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(ReconstructionError, match=r"none of them answered for 0\.5 s"):
        crew.run(*asked)
    os.kill(pid, signal.SIGKILL)


def test_a_machine_with_other_packages_is_refused(hired, asked, monkeypatch):
    issued = Passport.issued
    ours = {**Passport().packages, "mujoco": "3.1.6"}
    monkeypatch.setattr(Passport, "issued", lambda *to: replace(issued(*to), packages=ours))
    words = r"of the Ray cluster has mujoco \d.*, this one has 3\.1\.6; install the same on all of them"
    with pytest.raises(ReconstructionError, match=words):
        hired(n_workers=1).run(*asked)


def test_the_cluster_stays_while_others_need_it(hired, pair, asked, local):
    crew = hired(n_workers=1)
    assert crew.about == "this process is in a Ray cluster already"
    crew.close()
    assert_same(pair.run(*asked), local)


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        ({"packages": {"understudy": "9.9"}}, "has understudy 9.9, this one has"),
        ({"packages": {"numpy": "1.0"}}, "has numpy 1.0, this one has"),
        ({"packages": {}}, "has understudy missing, this one has"),
        ({"model_hash": "0123456789abcdef"}, "builds another model .* .0123456789ab there, "),
        ({"sample_hash": "other"}, "simulates the same samples to other bits: its processor is of another kind"),
    ],
)
def test_a_machine_that_would_do_otherwise_is_refused_by_name(plan, theirs, words):
    ours = Passport.issued(plan, LocalWorkers(plan, 1))
    ours.check(replace(ours, machine="another"))
    if "packages" in theirs:
        theirs = {"packages": {**ours.packages, **theirs["packages"]} if theirs["packages"] else {}}
    with pytest.raises(ReconstructionError, match=f"machine 'there' of the Ray cluster {words}"):
        ours.check(replace(ours, machine="there", **theirs))


def test_samples_that_end_every_worker_are_given_up(asked):
    fragment, starts, offsets = asked
    chunks = Chunks(fragment, starts, offsets, 64)
    deadly = chunks.waiting[1]
    for _ in range(4):
        chunks.waiting.remove(deadly)
        chunks.lose(deadly, "it crashed")
        assert chunks.waiting[0] == deadly
    words = "64 samples of fragment 2 were lost with their worker 5 times; the last time: it crashed"
    with pytest.raises(ReconstructionError, match=words):
        chunks.lose(deadly, "it crashed")


@pytest.mark.parametrize("where", [Scene(), scene("pebbles"), scene("ramp", slope_deg=10.0)])
def test_a_plan_that_was_sent_is_the_same_plan(walking, where):
    plan = plan_of(walking, where, small(window_scale=0.7))
    plan.space, plan.reference.bodies  # noqa: B018 - computed before it is sent
    again = Parcel.of(plan).plan()
    assert Passport.issued(again, LocalWorkers(again, 1)) == Passport.issued(plan, LocalWorkers(plan, 1))
    np.testing.assert_array_equal(again.space.windows_rad, plan.space.windows_rad)
    assert again.reference.character.model is not plan.reference.character.model


def test_what_is_sent_holds_no_model_and_is_small(plan):
    sent = pickle.dumps(Parcel.of(plan))
    assert len(sent) < 40_000
    assert b"MjModel" not in sent


def sent_one_by_one(chunks: Chunks, workers: LocalWorkers) -> Ends:
    """What comes of chunks that are done in the wrong order."""
    for chunk in reversed(chunks.waiting):
        fragment, starts, which, offsets = chunks.task(chunk)
        chunks.finish(chunk, workers.run(fragment, starts[which], offsets))
    return chunks.ends()


def test_a_start_that_samples_share_is_sent_once_and_their_order_stays(plan, asked):
    fragment, starts, offsets = asked
    starts = starts[np.arange(COUNT) % 10]
    chunks = Chunks(fragment, starts, offsets, 40)
    assert sum(len(chunks.task(chunk)[1]) for chunk in chunks.waiting) <= 10 + 6
    workers = LocalWorkers(plan, 2)
    assert_same(sent_one_by_one(chunks, workers), workers.run(fragment, starts, offsets))


def test_ends_that_were_sent_are_the_same_ends(local):
    spoilt = local.rows.copy()
    spoilt[3, 5], spoilt[4, 5], spoilt[5, 5] = np.nan, -0.0, 0.0
    for ends in (local, first(local, 1), Ends(spoilt, local.moments, np.arange(COUNT) != 3)):
        packed = Packed.of(ends)
        assert packed.columns.nbytes < 0.55 * (ends.rows.nbytes + sum(a.nbytes for a in vars(ends.moments).values()))
        assert_same(packed.ends(), ends)


@pytest.mark.parametrize(
    ("count", "workers", "rows"),
    [(500, 2, 63), (1400, 2, 175), (1400, 80, 38), (1400, 1000, 38), (20_000, 80, 142), (20_000, 2, 512), (1, 2, 1)],
)
def test_chunks_are_as_large_as_lets_everybody_work(count, workers, rows):
    assert rows_each(count, workers) == rows


def test_without_the_package_it_is_told_how_to_install_it(plan, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'understudy\[cluster\]'"):
        RayWorkers(plan)


def test_ray_is_loaded_by_nobody_who_does_not_use_it():
    code = "import sys, understudy.cli.performances, understudy.reconstruction.cluster; sys.exit('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("address", ["nonsense", "host:port", ":6379", "host:99999"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ReconstructionError, match="is no Ray address; give auto, local or HOST:PORT"):
        joining._cluster_at(address)


def test_an_address_where_no_cluster_answers_is_refused_soon(monkeypatch):
    words = "no Ray cluster answers at 127.0.0.1:9; begin one there with ray start --head, or use --ray local"
    with pytest.raises(ReconstructionError, match=words):
        joining._cluster_at("127.0.0.1:9")
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:9")
    with pytest.raises(ReconstructionError, match=words):
        joining._cluster_at("auto")


def test_auto_joins_the_cluster_that_answers_and_else_starts_one(tmp_path, monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    assert joining._cluster_at("auto") is None
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        (tmp_path / "ray").mkdir()
        (tmp_path / "ray" / "ray_current_cluster").write_text(address)
        assert joining._cluster_at("auto") == address
        assert joining._cluster_at(address) == address
    assert joining._cluster_at("auto") is None, "one that has ended is not waited for"
    assert joining._cluster_at("local") is None


def test_a_number_of_workers_below_one_is_refused(plan):
    with pytest.raises(ReconstructionError, match="n_workers must be at least 1, not 0"):
        RayWorkers(plan, n_workers=0)
