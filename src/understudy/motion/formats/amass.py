"""AMASS's layout: rotation vectors of the SMPL joints and the pelvis' place, without the body they belong to.

The body model may not be passed on, and needs none here: the skeleton is the house's own (``anthropometry``), with the
names and the order of SMPL's 22 body joints. In SMPL's own frames y is up and z forward; the world of AMASS has z up.
``trans`` is taken for the place of the pelvis, whose joint SMPL has a little above the hips. (Real files put the
model's own pelvis between the two, which is fixed: about -0.22 m along y and 0.03 m along z.) Fingers, jaw and eyes
are left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy import anthropometry, rotations
from understudy.errors import FileError
from understudy.files import read_npz, replacing
from understudy.motion.clip import Clip
from understudy.motion.recording import Axes, Guess, Reading, ReadSettings, Recording
from understudy.motion.settling import settled
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

_PARENTS: dict[str, str | None] = {
    "pelvis": None,
    "left_hip": "pelvis",
    "right_hip": "pelvis",
    "spine1": "pelvis",
    "left_knee": "left_hip",
    "right_knee": "right_hip",
    "spine2": "spine1",
    "left_ankle": "left_knee",
    "right_ankle": "right_knee",
    "spine3": "spine2",
    "left_foot": "left_ankle",
    "right_foot": "right_ankle",
    "neck": "spine3",
    "left_collar": "spine3",
    "right_collar": "spine3",
    "head": "neck",
    "left_shoulder": "left_collar",
    "right_shoulder": "right_collar",
    "left_elbow": "left_shoulder",
    "right_elbow": "right_shoulder",
    "left_wrist": "left_elbow",
    "right_wrist": "right_elbow",
}
JOINTS = tuple(_PARENTS)
_BODY_PARTS = {"spine1": "spine", "spine2": "chest"} | {
    f"{side}_{joint}": f"{side}_{part}"
    for side in ("left", "right")
    for joint, part in {
        "hip": "thigh",
        "knee": "shin",
        "ankle": "foot",
        "foot": "toes",
        "collar": "clavicle",
        "shoulder": "upper_arm",
        "elbow": "lower_arm",
        "wrist": "hand",
    }.items()
}
"""SMPL's joints to the house's parts, where names differ; spine3 has none, and lies a quarter up to the neck."""
_SMPL = Axes(up="y", forward="z")
_USUAL_STATURE_M, _STATURES_M = 1.7, (1.3, 2.1)
_SHIN_SHARE = 0.285 - 0.039  # of stature, in anthropometry
_PELVIS_RISE = 0.03  # of stature: SMPL's pelvis above ours, which lies between the hips
_RATES = ("mocap_framerate", "mocap_frame_rate")
_USUAL_HZ = 120.0
_POSES = 156  # numbers a frame of SMPL+H
_BIGGEST = 1e5


def recognises_amass(arrays: set[str]) -> bool:
    """Whether an npz with arrays of these names has the layout."""
    return "trans" in arrays and bool({"poses", "root_orient"} & arrays)


def read_amass(path: Path, settings: ReadSettings) -> Reading:
    """Read an npz in the layout of SMPL+H or of SMPL-X ("stageii")."""
    arrays = read_npz(path, only=("trans", "poses", "root_orient", "pose_body", "stature_m", *_RATES))
    positions, vectors = _motion(path, arrays)
    guesses = []
    rate_hz = next((_scalar(path, arrays, name) for name in _RATES if name in arrays), None)
    stature_m = settings.stature_m or (_scalar(path, arrays, "stature_m") if "stature_m" in arrays else None)
    turned = rotations.exp(vectors)
    if stature_m is None:
        stature_m, guess = _guess_stature(positions, turned)
        guesses.append(guess)
    recording = Recording(
        name=path.stem,
        skeleton=_in_smpl_axes(smpl_skeleton(stature_m)),
        root_positions=positions,
        rotations=turned,
        rate_hz=rate_hz,
        usual_rate_hz=_USUAL_HZ,
        rest_axes=_SMPL,
        usual_up="z",
        unit_m=1.0,
        guesses=tuple(guesses),
    )
    return settled(path, recording, settings)


def smpl_skeleton(stature_m: float) -> Skeleton:
    """The house's body of that height with SMPL's joints, in our axes."""
    places = anthropometry.joint_places(stature_m)
    places["pelvis"] = places["pelvis"] + np.array([0.0, 0.0, _PELVIS_RISE * stature_m])
    places["spine3"] = 0.75 * places["chest"] + 0.25 * places["neck"]
    ends = anthropometry.end_places(stature_m)
    at = {joint: places[_BODY_PARTS.get(joint, joint)] for joint in JOINTS}
    ending = {joint: ends[part] for joint in JOINTS if (part := _BODY_PARTS.get(joint, joint)) in ends}
    return Skeleton(
        names=JOINTS,
        parents=np.array([-1 if parent is None else JOINTS.index(parent) for parent in _PARENTS.values()]),
        offsets=np.array([at[joint] - (at[parent] if parent else at[joint]) for joint, parent in _PARENTS.items()]),
        end_parents=np.array([JOINTS.index(joint) for joint in ending]),
        end_offsets=np.array([place - at[joint] for joint, place in ending.items()]),
    )


def write_amass(clip: Clip, path: Path) -> None:
    """Write a clip of SMPL's joints, or of the house's body parts, in the layout of SMPL+H.

    Raises:
        FileError: when the clip's skeleton is neither; fit it first.
    """
    names = _names_in(clip, path)
    turned = np.tile(rotations.IDENTITY, (clip.frame_count, len(JOINTS), 1))
    for index, name in enumerate(names):
        if name is not None:
            turned[:, index] = clip.rotations[:, clip.skeleton.index(name)]
    vectors = rotations.log(turned) @ _SMPL.matrix  # L R L^T has the vector L r
    vectors[:, 0] = rotations.log(
        rotations.multiply(turned[:, 0], rotations.from_matrix(_SMPL.matrix))
    )  # W is the identity: W R L^T = ours
    poses = np.zeros((clip.frame_count, _POSES))
    poses[:, : 3 * len(JOINTS)] = vectors.reshape(clip.frame_count, -1)
    shin = clip.skeleton.offsets[clip.skeleton.index(names[JOINTS.index("left_ankle")] or "")]
    stature_m = float(np.linalg.norm(shin)) / _SHIN_SHARE
    positions = clip.root_positions
    if names != JOINTS:
        positions = positions + rotations.rotate(clip.rotations[:, 0], [0.0, 0.0, _PELVIS_RISE * stature_m])
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(
            file,
            trans=positions,
            gender=np.array("neutral"),
            mocap_framerate=np.array(clip.rate_hz),
            betas=np.zeros(16),
            poses=poses,
            stature_m=np.array(stature_m),  # a key of ours, by which the same bones are found again
        )


def _names_in(clip: Clip, path: Path) -> tuple[str | None, ...]:
    """For each of SMPL's joints the clip's joint that turns it."""
    names = set(clip.skeleton.names)
    if names == set(JOINTS):
        return JOINTS
    if names == set(anthropometry.PARENTS):
        return tuple(None if joint == "spine3" else _BODY_PARTS.get(joint, joint) for joint in JOINTS)
    missing = [joint for joint in JOINTS if joint not in names]
    raise FileError(
        path,
        f"the clip is not on SMPL's joints, which an AMASS layout needs (missing: {', '.join(missing[:5])}, ...)",
        hint="fit it to a body of the house first, or write BVH",
    )


def _motion(path: Path, arrays: dict[str, NDArray[Any]]) -> tuple[Array, Array]:
    """Pelvis places (T, 3) [m] and rotation vectors (T, 22, 3) [rad]."""
    positions = _table(path, arrays, "trans", 3)
    if "poses" in arrays:
        vectors = _table(path, arrays, "poses", 3 * len(JOINTS))
    else:
        parts = [_table(path, arrays, "root_orient", 3), _table(path, arrays, "pose_body", 3 * len(JOINTS) - 3)]
        if len(parts[0]) != len(parts[1]):
            raise FileError(path, f"'root_orient' has {len(parts[0])} frames, and 'pose_body' {len(parts[1])}")
        vectors = np.concatenate(parts, axis=1)
    if len(positions) != len(vectors) or len(positions) == 0:
        raise FileError(path, f"'trans' has {len(positions)} frames, and the poses {len(vectors)}")
    return positions, vectors.reshape(len(vectors), len(JOINTS), 3)


def _table(path: Path, arrays: dict[str, NDArray[Any]], name: str, columns: int) -> Array:
    """The first columns (T, columns) of an array of numbers."""
    if name not in arrays:
        raise FileError(path, f"has no array '{name}'", hint=f"there are: {', '.join(arrays) or 'none'}")
    array = arrays[name]
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8 or array.ndim != 2 or array.shape[1] < columns:
        raise FileError(
            path, f"array '{name}' is {array.dtype} {array.shape}", hint=f"it must be numbers (T, {columns})"
        )
    table = np.ascontiguousarray(array[:, :columns]).astype(float)
    bad = ~np.all(np.abs(table) < _BIGGEST, axis=1)
    if bad.any():
        raise FileError(path, f"array '{name}' has what is no sensible number in frame {np.argmax(bad)}")
    return table


def _scalar(path: Path, arrays: dict[str, NDArray[Any]], name: str) -> float:
    array = arrays[name]
    if (
        array.dtype.kind not in "fiu"
        or array.dtype.itemsize > 8
        or array.size != 1
        or not 1e-3 < float(array.reshape(())) < _BIGGEST
    ):
        raise FileError(path, f"array '{name}' is not one sensible number")
    return float(array.reshape(()))


def _guess_stature(positions: Array, turned: Array) -> tuple[float, Guess]:
    """The height of a body whose feet reach down to the floor from where the pelvis is."""
    frames = np.unique(np.linspace(0, len(positions) - 1, min(200, len(positions))).astype(int))
    usual = Clip(_in_smpl_axes(smpl_skeleton(_USUAL_STATURE_M)), 1.0, np.zeros((len(frames), 3)), turned[frames])
    lowest = np.minimum(usual.joint_positions_w[..., 2].min(axis=1), usual.end_positions_w[..., 2].min(axis=1))
    reach = -lowest  # below the pelvis, of a body of the usual height
    low = reach > 0.5 * reach.max()
    stature_m = _USUAL_STATURE_M * float(np.median(positions[frames, 2][low] / np.maximum(reach[low], 1e-6)))
    if not _STATURES_M[0] <= stature_m <= _STATURES_M[1]:
        return _USUAL_STATURE_M, Guess(
            "stature", f"{_USUAL_STATURE_M} m", "the file does not say; average", "--stature-m"
        )
    return stature_m, Guess("stature", f"{stature_m:.2f} m", "the feet then reach the floor", "--stature-m")


def _in_smpl_axes(skeleton: Skeleton) -> Skeleton:
    to_ours = _SMPL.matrix
    return Skeleton(
        skeleton.names,
        skeleton.parents,
        skeleton.offsets @ to_ours,
        skeleton.end_parents,
        skeleton.end_offsets @ to_ours,
    )
