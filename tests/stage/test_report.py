"""The report and the other files of a performance."""

from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from performances import QUICK, own_reference, performance, still, stood

from understudy.character import load_character
from understudy.errors import FileError, MissingPackageError
from understudy.motion import authored_clip, crop, read_clip
from understudy.reconstruction import Reconstruction, account_of, perform
from understudy.stage import open_pair, open_subject, open_track, picture, write_performance, write_report
from understudy.stage import performing as writing

HUMAN = load_character("human")


@pytest.fixture(scope="module")
def kicked() -> Reconstruction:
    """0.4 s of a kick, performed."""
    return perform(crop(authored_clip("kick"), 0.5, 0.9), HUMAN, settings=QUICK)


@pytest.fixture(scope="module")
def fallen() -> Reconstruction:
    """Pushed over while it should stand."""
    rollout = stood(HUMAN, 80, push_n=400.0)
    return performance(still(HUMAN, rollout.tick_count), rollout)


class Page(HTMLParser):
    """Collects what a page would load, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.tags: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data", "action")]

    def handle_data(self, data):
        self.words += data


def page_of(reconstruction, tmp_path, sheet=None) -> tuple[Page, str]:
    write_report(reconstruction, tmp_path / "report.html", sheet)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    return Page(text), text


def test_a_report_loads_nothing_from_anywhere(kicked, tmp_path):
    (tmp_path / "sheet.png").write_bytes(b"\x89PNG")
    page, text = page_of(kicked, tmp_path, tmp_path / "sheet.png")
    assert page.loads
    assert all(load.startswith("data:image/") for load in page.loads)
    assert not {"script", "link", "iframe"} & set(page.tags)
    assert "url(" not in text
    assert "@import" not in text
    assert "prefers-color-scheme: dark" in text


def test_a_report_says_how_it_went_and_shows_every_chart(kicked, tmp_path):
    page, _ = page_of(kicked, tmp_path)
    account = account_of(kicked)
    assert account.verdict in page.words
    assert f"{account.comparison.global_mm:.1f} mm" in page.words
    for title in (
        "Distance",
        "Heights",
        "Contacts",
        "Ground force",
        "Joint torques",
        "Cost",
        "Where the search worked",
    ):
        assert title in page.words


def test_the_report_of_a_failure_names_it_and_why(fallen, tmp_path):
    page, _ = page_of(fallen, tmp_path)
    assert "human does not follow still" in page.words
    assert "The character fell at" in page.words
    assert all(reason in page.words for reason in account_of(fallen).reasons)


def test_names_are_escaped(fallen, tmp_path):
    evil = replace(fallen, reference=replace(fallen.reference, name="<script>alert('&')</script>"))
    page, text = page_of(evil, tmp_path)
    assert "script" not in page.tags
    assert "<script>" not in text
    assert "alert('&')" in page.words


def test_a_run_that_diverged_at_once_has_a_report(tmp_path):
    rollout = stood(HUMAN, 0)
    diverged = replace(rollout, outcome="simulation 0 diverged in tick 0")
    costs = {"bodies": np.full(6, np.inf)}
    page, _ = page_of(performance(still(HUMAN, 31), diverged, costs=costs), tmp_path)
    assert "diverged in tick 0" in page.words


def test_the_same_performance_has_the_same_report(kicked, tmp_path):
    assert page_of(kicked, tmp_path)[1] == page_of(kicked, tmp_path)[1]


def test_the_bvh_is_of_the_clips_skeleton_frames_and_rate(kicked, tmp_path, gl):  # noqa: ARG001
    files = write_performance(kicked, tmp_path / "out", video=False, glb=True)
    names = ["reconstruction.npz", "performance.bvh", "sheet.png", "report.html", "performance.glb"]
    assert [file.name for file in files] == names
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(names)
    clip = read_clip(tmp_path / "out" / "performance.bvh").clip
    assert clip.skeleton.names == kicked.clip.skeleton.names
    assert clip.skeleton.parents.tolist() == kicked.clip.skeleton.parents.tolist()
    assert clip.frame_count == kicked.clip.frame_count
    assert clip.rate_hz == pytest.approx(kicked.clip.rate_hz)
    np.testing.assert_array_equal(Reconstruction.load(files[0]).rollout.states, kicked.rollout.states)


def test_what_is_missing_here_is_left_out_with_a_warning(fallen, tmp_path, monkeypatch):
    def no_ffmpeg(*_args, **_kwargs):
        raise MissingPackageError("writing .mp4 needs imageio-ffmpeg: pip install 'understudy[video]'")

    def no_opengl(*_args, **_kwargs):
        raise MissingPackageError("can't draw: no software OpenGL on this machine")

    monkeypatch.setattr(writing, "render_video", no_ffmpeg)
    monkeypatch.setattr(writing, "render_sheet", no_opengl)
    with pytest.warns(UserWarning, match=r"sheet\.png was not written|needs imageio-ffmpeg") as told:
        files = write_performance(fallen, tmp_path)
    assert len(told) == 2
    assert [file.name for file in files] == ["reconstruction.npz", "report.html"]  # no clip is known, so no BVH
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_made_is_told(fallen, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(FileError, match=r"file/out: the folder can't be made"):
        write_performance(fallen, tmp_path / "file" / "out", video=False)


def test_a_file_of_it_opens_as_its_rollout_with_the_reference_as_ghost(kicked, tmp_path):
    kicked.save(tmp_path / "a.npz")
    subject, ghost = open_pair(tmp_path / "a.npz")
    np.testing.assert_array_equal(subject.states, kicked.rollout.states)
    np.testing.assert_array_equal(ghost.qpos, kicked.reference.qpos)
    np.testing.assert_array_equal(open_subject(tmp_path / "a.npz").states, kicked.rollout.states)
    assert open_track(tmp_path / "a.npz").names == HUMAN.body_names
    assert open_pair("walk")[1] is None


def test_a_notebook_is_shown_a_picture_of_it(kicked, tmp_path, gl):  # noqa: ARG001
    shown = picture(kicked, frames=2)
    assert shown._repr_png_().startswith(b"\x89PNG")
    shown.save(tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes() == shown.png
    assert len(repr(shown)) < 60
    alone = picture(kicked.rollout, frames=2)
    assert alone.png != shown.png  # the ghost is in it


def test_characters_of_any_kind_have_a_report(tmp_path):
    cheetah = load_character("cheetah")
    rollout = stood(cheetah, 15)
    page, _ = page_of(performance(own_reference(cheetah, rollout), rollout), tmp_path)
    assert "cheetah follows stand" in page.words
