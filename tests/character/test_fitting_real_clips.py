"""Real clips of every kind fit without a hand-written map."""

from pathlib import Path

import pytest

from understudy.character import fit, load_character
from understudy.errors import CharacterError
from understudy.motion import crop, load_clip

_ONE_OF_EACH = [
    "cmu_bvh/49_06.bvh",
    "cmu_asfamc/07/07_01.amc",
    "cmu_asfamc/endorphin/walking.amc",
    "amass/cmu_88_01_backflip_stageii.npz",
    "lafan1/dance1_subject2_first10frames.bvh",
    "lafan1/Geno_stance.bvh",
    "deepmimic/humanoid3d_spinkick.txt",
    "misc/animated_drawings/fair1_jumping.bvh",
    "misc/animated_drawings/rokoko_jesse_dance.bvh",
    "misc/bandai_namco/dataset-1_kick_normal_001.bvh",
    "misc/bvh_python/test_freebvh.bvh",
    "misc/bvh_python/test_mocapbank.bvh",
    "misc/bvh_toolbox/walk01.bvh",
    "misc/bvhio/example.bvh",
    "misc/games105/run_forward.bvh",
    "misc/games105/motion.bvh",
    "misc/makehuman/walk1.bvh",
    "misc/makehuman/old_10_01.bvh",
    "misc/pybvh/bvh_test1.bvh",
    "misc/pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh",
    "misc/scadiver/amass_hierarchy.bvh",
    "misc/xia/strutting_01_000.bvh",
]


@pytest.mark.parametrize("name", _ONE_OF_EACH)
def test_a_human_clip_fits_the_human(mocap: Path, name: str) -> None:
    clip = load_clip(mocap / name)
    clip = crop(clip, 0.0, min(clip.duration_s, 1.5))
    report = fit(clip, load_character("human")).report
    matched = {match.part for match in report.matched}
    assert {"pelvis", "chest", "left_thigh", "right_foot", "left_upper_arm", "right_lower_arm"} <= matched
    assert 0.5 < report.scale < 2.0
    assert report.floor.worst_penetration_mm < 10.0
    assert report.floor.foot_slide_mm_s < 80.0


def test_clips_told_by_their_motion_are_those_whose_rest_pose_is_no_stance(mocap: Path) -> None:
    human = load_character("human")
    for name, told in (("lafan1/dance1_subject2_first10frames.bvh", "motion"), ("lafan1/Geno_stance.bvh", "rest pose")):
        assert fit(load_clip(mocap / name), human).report.posed_by == told


def test_feet_that_a_recording_turns_over_are_told(mocap: Path) -> None:
    report = fit(crop(load_clip(mocap / "cmu_bvh/90_11.bvh"), 0.0, 1.0), load_character("human")).report
    assert report.turned_over["right_foot"] > 0.5
    assert "right_foot: turned over in" in str(report)


def test_a_dog_fits_the_cheetah_and_no_human(mocap: Path) -> None:
    dog = load_clip(mocap / "deepmimic/dog3d_trot.txt")
    report = fit(dog, load_character("cheetah")).report
    assert len(report.matched) >= 18
    assert report.floor.worst_penetration_mm < 10.0
    with pytest.raises(CharacterError, match="stands on four legs, 'human' on two"):
        fit(dog, load_character("human"))
