"""Settings: what makes no sense is refused at once, by name."""

import json
from dataclasses import replace

import numpy as np
import pytest

from understudy.character import load_character
from understudy.cost import TermCost, TrackingCost
from understudy.errors import ReconstructionError, UnknownNameError
from understudy.reconstruction import ReconstructionSettings
from understudy.reconstruction.planning import OffsetSpace


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"samples": 0}, "samples must be a whole number of at least 20, not 0"),
        ({"samples": 60.5}, "samples must be a whole number of at least 20, not 60.5"),
        ({"samples": -5}, "samples must be a whole number of at least 20, not -5"),
        ({"saved": 0}, "saved must be a whole number of at least 1, not 0"),
        ({"samples": 30, "saved": 31}, "saved must be at most samples, 30, not 31"),
        ({"rounds": 0}, "rounds must be a whole number of at least 1, not 0"),
        ({"fragment_s": 0.01}, "fragment_s must be between 0.05 and 0.2 s, not 0.01"),
        ({"fragment_s": 0.5}, "fragment_s must be between 0.05 and 0.2 s, not 0.5"),
        ({"fragment_s": np.nan}, "fragment_s must be between 0.05 and 0.2 s, not nan"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"window_scale": np.nan}, "window_scale must be 0 or more, not nan"),
        ({"window_scale": -1.0}, "window_scale must be 0 or more, not -1"),
        ({"least_window_rad": np.inf}, "least_window_rad must be 0 or more, not inf"),
        ({"least_window_rad": -0.1}, "least_window_rad must be 0 or more, not -0.1"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(change, words):
    with pytest.raises(ReconstructionError, match=words):
        ReconstructionSettings(**change)


@pytest.mark.parametrize("change", [{"method": "samcon"}, {"cut": "evenly"}])
def test_an_unknown_method_or_cut_is_refused(change):
    with pytest.raises(UnknownNameError):
        ReconstructionSettings(**change)


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({}, 70),
        ({"samples": 5000}, 70),
        ({"samples": 210}, 70),
        ({"samples": 100}, 33),
        ({"samples": 20}, 6),
        ({"samples": 30, "saved": 30}, 30),
    ],
)
def test_as_many_go_on_as_asked_or_else_70_or_a_third(change, kept):
    assert ReconstructionSettings(**change).kept == kept


@pytest.mark.parametrize(
    "settings",
    [
        ReconstructionSettings(),
        ReconstructionSettings(
            method="samcon-2010",
            samples=1400,
            saved=200,
            fragment_s=0.08,
            cut="contacts",
            rounds=2,
            seed=9,
            window_scale=1.5,
            least_window_rad=0.02,
            contact_gains=False,
            cost=TrackingCost(bodies=7.0, effort=0.0),
            terms=TermCost({"pose": 1.0, "balance": 0.0}),
        ),
    ],
)
def test_settings_are_the_same_after_they_were_written_down(settings):
    header = json.loads(json.dumps(settings.as_header()))
    again = ReconstructionSettings.of_header(header)
    assert again.as_header() == settings.as_header()
    assert again == settings


def test_settings_that_a_file_has_too_much_or_too_little_of_are_refused():
    header = ReconstructionSettings().as_header()
    with pytest.raises(TypeError, match="luck"):
        ReconstructionSettings.of_header({**header, "luck": 1.0})
    with pytest.raises(KeyError, match="terms"):
        ReconstructionSettings.of_header({name: value for name, value in header.items() if name != "terms"})


def test_every_joint_is_sampled_but_by_the_papers_method():
    human = load_character("human")
    ours, theirs = (ReconstructionSettings(method=method) for method in ("guided", "samcon-2010"))
    assert OffsetSpace(human, least_rad=ours.narrowest_rad).windows_rad.min() == 0.1
    assert len(OffsetSpace(human, least_rad=ours.narrowest_rad)) == human.model.nv - 6
    assert not [name for name in OffsetSpace(human, least_rad=theirs.narrowest_rad).names if "elbow" in name]
    assert replace(theirs, least_window_rad=0.3).narrowest_rad == 0.3
