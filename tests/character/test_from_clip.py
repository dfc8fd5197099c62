"""Laws of characters with a clip's own skeleton."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from holding import hold

from understudy import rotations
from understudy.anthropometry import PARENTS, end_places, joint_places
from understudy.character import body_poses, character_from_clip, read_character, write_character
from understudy.errors import CharacterError
from understudy.motion import Clip, Skeleton, load_clip


def _adult(extra: tuple[tuple[str, str, tuple[float, float, float]], ...] = ()) -> Skeleton:
    """The house's adult, with further joints (name, parent, offset) behind."""
    places, ends = joint_places(1.7), end_places(1.7)
    names = [*PARENTS, *(name for name, _, _ in extra)]
    parents = [-1 if parent is None else names.index(parent) for parent in PARENTS.values()]
    offsets = [np.zeros(3) if parent is None else places[part] - places[parent] for part, parent in PARENTS.items()]
    return Skeleton(
        names=tuple(names),
        parents=np.array(parents + [names.index(parent) for _, parent, _ in extra]),
        offsets=np.array(offsets + [np.array(offset) for _, _, offset in extra]),
        end_parents=np.array([names.index(part) for part in ends]),
        end_offsets=np.array([place - places[part] for part, place in ends.items()]),
    )


def _clip(skeleton: Skeleton, still: tuple[str, ...] = (), seed: int = 0) -> Clip:
    """Small random turns of all joints but the still ones."""
    rng = np.random.default_rng(seed)
    turns = rotations.exp(0.1 * rng.normal(size=(5, len(skeleton), 3)))
    turns[:, [skeleton.index(name) for name in still]] = rotations.IDENTITY
    turns[:, 0] = rotations.IDENTITY
    return Clip(skeleton, 30.0, np.tile([0.0, 0.0, 0.9], (5, 1)), turns, "moves")


def _dog() -> Skeleton:
    rows = [
        ("hips", None, (0.0, 0.0, 0.0)),
        ("spine", "hips", (0.25, 0.0, 0.02)),
        ("chest", "spine", (0.25, 0.0, 0.0)),
        ("neck", "chest", (0.15, 0.0, 0.05)),
        ("head", "neck", (0.15, 0.0, 0.12)),
        ("tail", "hips", (-0.10, 0.0, 0.0)),
        ("tail_tip", "tail", (-0.20, 0.0, -0.05)),
    ]
    for side, y in (("left", 0.08), ("right", -0.08)):
        rows += [
            (f"{side}_thigh", "hips", (0.0, y, -0.05)),
            (f"{side}_shin", f"{side}_thigh", (0.06, 0.0, -0.20)),
            (f"{side}_foot", f"{side}_shin", (-0.10, 0.0, -0.18)),
            (f"{side}_upper_arm", "chest", (0.10, y, -0.12)),
            (f"{side}_lower_arm", f"{side}_upper_arm", (-0.04, 0.0, -0.16)),
            (f"{side}_hand", f"{side}_lower_arm", (0.02, 0.0, -0.17)),
        ]
    names = [name for name, _, _ in rows]
    paws = [f"{side}_{paw}" for side in ("left", "right") for paw in ("foot", "hand")]
    return Skeleton(
        names=tuple(names),
        parents=np.array([-1 if parent is None else names.index(parent) for _, parent, _ in rows]),
        offsets=np.array([offset for _, _, offset in rows]),
        end_parents=np.array([names.index(name) for name in (*paws, "head", "tail_tip")]),
        end_offsets=np.array([*([(0.05, 0.0, -0.05)] * 4), (0.15, 0.0, 0.0), (-0.15, 0.0, -0.02)]),
    )


def test_the_joints_are_the_clips_own() -> None:
    skeleton = _adult()
    character = character_from_clip(_clip(skeleton))
    assert {joint.name for joint in character.joints} == set(skeleton.names[1:])
    assert set(character.body_names) == set(skeleton.names)
    assert character.roles == {part: part for part in PARENTS}
    assert character.end_effectors == ("left_foot", "right_foot", "left_hand", "right_hand")


def test_the_rest_pose_is_the_skeletons_where_that_stands() -> None:
    skeleton = _adult()
    character = character_from_clip(_clip(skeleton))
    poses = body_poses(character.model, character.model.qpos0[None])
    wanted = skeleton.forward(np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, len(skeleton), 1)))[0][0]
    for name in character.body_names:
        place = poses.positions_w[0, character.body_index(name)] - poses.positions_w[0, 0]
        np.testing.assert_allclose(place, wanted[skeleton.index(name)], atol=1e-5)


def test_it_weighs_what_is_asked_and_a_healthy_index_otherwise() -> None:
    clip = _clip(_adult())
    assert character_from_clip(clip, mass_kg=80.0).mass_kg == pytest.approx(80.0, rel=1e-4)
    assert character_from_clip(clip).mass_kg == pytest.approx(22.0 * 1.7**2, rel=0.01)


def test_masses_are_de_levas() -> None:
    character = character_from_clip(_clip(_adult()), mass_kg=100.0)
    assert character.model.body("left_thigh").mass[0] == pytest.approx(14.16, rel=0.01)
    assert character.model.body("head").mass[0] == pytest.approx(5.90, rel=0.01)


def test_a_missing_parts_mass_goes_to_what_it_would_hang_on() -> None:
    skeleton = _adult()
    kept = [i for i, name in enumerate(skeleton.names) if "toes" not in name and "clavicle" not in name]
    moved = {old: new for new, old in enumerate(kept)}
    parents = [int(skeleton.parents[i]) for i in kept]
    parents = [parent if parent in moved or parent < 0 else int(skeleton.parents[parent]) for parent in parents]
    smaller = Skeleton(
        tuple(skeleton.names[i] for i in kept), np.array([moved.get(p, -1) for p in parents]), skeleton.offsets[kept]
    )
    character = character_from_clip(_clip(smaller), mass_kg=100.0)
    assert character.model.body("left_foot").mass[0] == pytest.approx(1.37, rel=0.01)
    assert character.model.body("chest").mass[0] == pytest.approx(24.18 + 2.0, rel=0.01)


def test_fingers_dummies_and_small_branches_are_merged() -> None:
    extra = (
        ("thumb", "left_hand", (0.03, 0.02, 0.0)),
        ("thumb_tip", "thumb", (0.03, 0.02, 0.0)),
        ("left_hip_dummy", "pelvis", (0.0, 0.0, 0.0)),
        ("badge", "chest", (0.1, 0.05, 0.05)),
        ("rod", "chest", (-0.2, 0.0, 0.0)),
        ("rod_tip", "rod", (-0.8, 0.0, 0.4)),
    )
    character = character_from_clip(_clip(_adult(extra)))
    merged = {"thumb", "thumb_tip", "left_hip_dummy", "badge", "rod_tip"}
    assert merged.isdisjoint(character.body_names)
    assert "rod" in character.body_names
    assert any("merged" in line and "thumb_tip" in line for line in character.guesses)


def test_a_joint_that_never_turns_is_merged_unless_it_is_a_body_part() -> None:
    extra = (("pole", "chest", (-0.2, 0.0, 0.0)), ("pole_tip", "pole", (-0.8, 0.0, 0.4)))
    character = character_from_clip(_clip(_adult(extra), still=("pole", "pole_tip", "left_foot")))
    assert "pole" not in character.body_names
    assert "left_foot" in character.body_names


def test_a_human_stands() -> None:
    character = character_from_clip(_clip(_adult()))
    held = hold(character)
    assert np.abs(held.heights - 1.0).max() < 0.02
    assert held.tilts_deg.max() < 5.0


def test_a_quadruped_stands() -> None:
    character = character_from_clip(_clip(_dog()))
    assert character.end_effectors == ("left_foot", "right_foot", "left_hand", "right_hand")
    assert {"tail", "head"} <= set(character.body_names)
    held = hold(character)
    assert np.abs(held.heights - 1.0).max() < 0.05
    assert held.tilts_deg.max() < 5.0


def test_it_does_not_touch_itself_at_rest_or_at_ease() -> None:
    character = character_from_clip(_clip(_adult()))
    data = mujoco.MjData(character.model)
    for qpos in (character.model.qpos0, character.standing_qpos):
        data.qpos[:] = qpos
        mujoco.mj_forward(character.model, data)
        assert data.ncon == 0


def test_odd_joint_names_survive_saving(tmp_path: Path) -> None:
    skeleton = _adult()
    names = tuple(f'mixamorig:{name} "ü" <{i}>' for i, name in enumerate(skeleton.names))
    clip = _clip(Skeleton(names, skeleton.parents, skeleton.offsets, skeleton.end_parents, skeleton.end_offsets))
    character = character_from_clip(clip)
    write_character(character, tmp_path / "odd.npz")
    assert read_character(tmp_path / "odd.npz").body_names == character.body_names


@pytest.mark.parametrize("mass", [0.0, -3.0, float("nan"), float("inf")])
def test_a_mass_that_makes_no_sense_is_refused(mass: float) -> None:
    with pytest.raises(CharacterError, match="mass"):
        character_from_clip(_clip(_adult()), mass_kg=mass)


def test_a_skeleton_of_one_point_is_refused() -> None:
    clip = Clip(
        Skeleton(("dot",), np.array([-1]), np.zeros((1, 3))), 30.0, np.zeros((1, 3)), np.array([[[1.0, 0, 0, 0]]])
    )
    with pytest.raises(CharacterError, match="0 mm tall"):
        character_from_clip(clip)


@pytest.mark.parametrize(
    "file",
    [
        "cmu_bvh/02_01.bvh",
        "deepmimic/dog3d_trot.txt",
        "deepmimic/humanoid3d_walk.txt",
        "lafan1/dance1_subject2_first10frames.bvh",
        "misc/makehuman/tpose.bvh",
        "misc/animated_drawings/fair1_dab.bvh",
    ],
)
def test_real_skeletons_stand(mocap: Path, file: str) -> None:
    held = hold(character_from_clip(load_clip(mocap / file)))
    assert np.abs(held.heights - 1.0).max() < 0.03
    assert held.tilts_deg.max() < 5.0
