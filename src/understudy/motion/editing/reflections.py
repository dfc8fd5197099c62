"""How the axes of a skeleton's left and right joints are related: the reflections that ``mirroring`` needs.

A reflection here is an orthogonal matrix (3, 3) of determinant -1; A_j takes joint j's axes to those of its
counterpart m(j).
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from understudy import rotations
from understudy.motion.body_shape import rest_places
from understudy.motion.clip import Clip
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array, IntArray

_SYMMETRIC = 0.1  # a rest pose is symmetric when no joint is off by more than this share of the body's size
_ALIGNED = 0.995  # cosine within which a direction is taken for an axis
_MEAN_FRAMES = 1000  # as many frames tell how left and right axes are related
_SPREAD = 0.1  # bones spread over a plane when their second extent is this share of the first
_FITS = 0.2  # a reflection fits bones when they are off by less than this share of their length
_PERMUTATIONS = [
    np.eye(3)[list(order)] * signs for order in permutations(range(3)) for signs in product((1.0, -1.0), repeat=3)
]
_ALONG_AXES = [matrix for matrix in _PERMUTATIONS if np.linalg.det(matrix) < 0.0]
_KEEPING_AXES = [matrix for matrix in _ALONG_AXES if np.count_nonzero(np.diag(matrix)) == 3]


def reflections_at_rest(skeleton: Skeleton, other: IntArray) -> Array | None:
    """The reflections A (J, 3, 3) when the rest pose, whose frames all agree, is its own mirror image; else None.

    ``other`` (J,) holds the counterpart m(j) of each joint.
    """
    places = rest_places(skeleton)
    normal = _across_direction(places, other)
    if normal is None:
        return None
    reflection = np.eye(3) - 2.0 * np.outer(normal, normal)
    off = np.linalg.norm((places[other] - places[0]) @ reflection - (places - places[0]), axis=1)
    size = np.linalg.norm(places - places.mean(axis=0), axis=1).max()
    if off.max() > _SYMMETRIC * size:
        return None
    return np.broadcast_to(reflection, (len(skeleton), 3, 3))


def reflections_by_motion(clip: Clip, other: IntArray) -> Array:
    """The reflections A (J, 3, 3) of a skeleton whose rest pose says nothing.

    On average over a motion a body is symmetric about the plane across its hips, with normal n: A_j is the reflection
    that agrees best with the mean of R_m(j)^T (1 - 2 n n^T) R_j among those that take j's bones to m(j)'s. Rigs have
    their axes along the bones, so one that keeps the axes is taken if any fits, then one that permutes them, then any.
    Each of these choices comes out the same for the mirrored clip, so that mirroring twice gives the clip back.
    """
    skeleton, places = clip.skeleton, clip.joint_positions_w
    some = np.linspace(0, clip.frame_count - 1, min(clip.frame_count, _MEAN_FRAMES)).astype(int)
    turned = rotations.to_matrix(clip.joint_rotations_w[some])
    pair = _first_pair(clip, other)
    normal = rotations.normalize(places[some, pair] - places[some, other[pair]])
    across = np.eye(3) - 2.0 * normal[:, :, None] * normal[:, None, :]
    result = np.empty((len(skeleton), 3, 3))
    for joint, opposite in enumerate(other):
        if opposite < joint:
            result[joint] = result[opposite].T
            continue
        mean = np.mean(np.swapaxes(turned[:, opposite], 1, 2) @ across @ turned[:, joint], axis=0)
        bones, opposite_bones = _bones(skeleton, other, joint)
        result[joint] = _best_reflection(mean, bones, opposite_bones, central=opposite == joint)
    return result


def _across_direction(places: Array, other: IntArray) -> Array | None:
    """The unit vector that leads across the body, set on an axis when close to one; None when the sides coincide."""
    across = places - places[other]
    pairs = [j for j in range(len(other)) if other[j] > j and np.linalg.norm(across[j]) > 1e-6]
    if not pairs:
        return None
    along = across[pairs] * np.sign(across[pairs] @ across[pairs[0]])[:, None]
    normal = rotations.normalize(along.sum(axis=0))
    axis = np.eye(3)[np.argmax(np.abs(normal))]
    return axis if np.abs(normal @ axis) > _ALIGNED else normal


def _first_pair(clip: Clip, other: IntArray) -> int:
    """The joint nearest the root that lies apart from its counterpart: a hip, as a rule."""
    depth = np.zeros(len(other), int)
    for joint in range(1, len(other)):
        depth[joint] = depth[clip.skeleton.parents[joint]] + 1
    apart = np.linalg.norm(clip.joint_positions_w - clip.joint_positions_w[:, other], axis=-1).min(axis=0)
    pairs = [joint for joint in range(len(other)) if apart[joint] > 1e-6]
    return min(pairs, key=lambda joint: depth[joint]) if pairs else 0


def _bones(skeleton: Skeleton, other: IntArray, joint: int) -> tuple[Array, Array]:
    """Offsets (C, 3) of the joint's children, or its one limb end, and those of their counterparts."""
    children = [c for c in skeleton.children(joint) if skeleton.parents[other[c]] == other[joint]]
    ends, opposite = (np.flatnonzero(skeleton.end_parents == j) for j in (joint, other[joint]))
    if not children and len(ends) == len(opposite) == 1:
        return skeleton.end_offsets[ends], skeleton.end_offsets[opposite]
    return skeleton.offsets[children], skeleton.offsets[other[children]]


def _best_reflection(mean: Array, bones: Array, opposite_bones: Array, central: bool) -> Array:
    """The reflection nearest to ``mean`` that takes bones (C, 3) to the opposite ones; central, its own inverse."""
    size = max(float(np.linalg.norm(bones)), 1e-9)
    for family in (_KEEPING_AXES, _ALONG_AXES):
        fitting = [
            matrix
            for matrix in family
            if np.linalg.norm(bones @ matrix.T - opposite_bones) < _FITS * size
            and not (central and not np.array_equal(matrix, matrix.T))
        ]
        if fitting:
            return max(fitting, key=lambda matrix: float(np.sum(matrix * mean)))
    if np.linalg.norm(bones) < 1e-9:
        return _nearest_reflection(mean)
    spread, directions = np.linalg.svd(bones)[1:]
    if len(spread) > 1 and spread[1] > _SPREAD * spread[0]:
        return _nearest_reflection(opposite_bones.T @ bones)
    return _nearest_about(mean, directions[0], rotations.normalize(opposite_bones.T @ (bones @ directions[0])))


def _nearest_reflection(matrix: Array) -> Array:
    """The orthogonal matrix of determinant -1 nearest to a square one (Kabsch 1976, with the other sign)."""
    u, _, v = np.linalg.svd(matrix)
    signs = np.ones(len(matrix))
    signs[-1] = -np.sign(np.linalg.det(u @ v))
    return u @ np.diag(signs) @ v


def _nearest_about(matrix: Array, direction: Array, image: Array) -> Array:
    """The reflection nearest to a matrix among those that take ``direction`` (3,) exactly to ``image``."""
    turn = rotations.to_matrix(rotations.between(direction, image))
    plane = np.linalg.svd(direction[None])[2][1:].T  # (3, 2) two directions across
    image_plane = turn @ plane
    inner = _nearest_reflection(image_plane.T @ matrix @ plane)
    return np.outer(image, direction) + image_plane @ inner @ plane.T
