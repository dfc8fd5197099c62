"""Writing BVH as Blender, Motion Builder and the rest read it: y up, z forward, degrees, a frame on a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from understudy import rotations
from understudy.errors import FileError
from understudy.files import replacing
from understudy.motion.clip import Clip
from understudy.motion.recording import Axes
from understudy.motion.skeleton import Skeleton
from understudy.rotations import Array

_AXES = Axes(up="y", forward="z")
_ORDER = "ZXY"
_ROWS = 2048


def write_bvh(clip: Clip, path: Path, unit_m: float = 0.01) -> None:
    """Write a clip as BVH: six channels on the root, three on the others, an End Site on every limb end."""
    order = _depth_first(clip.skeleton)
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.write("HIERARCHY\n" + "\n".join(_hierarchy(path, clip.skeleton, unit_m)) + "\n")
        file.write(f"MOTION\nFrames: {clip.frame_count}\nFrame Time: {1.0 / clip.rate_hz:.12g}\n")
        for first in range(0, clip.frame_count, _ROWS):
            block = slice(first, first + _ROWS)
            rows = _rows(clip.root_positions[block], clip.rotations[block][:, order], unit_m)
            form = " ".join(["%.6f"] * rows.shape[1]) + "\n"
            file.writelines(form % tuple(row) for row in rows.tolist())


def _hierarchy(path: Path, skeleton: Skeleton, unit_m: float) -> Iterator[str]:
    """The lines of all joints, each indented as deep as it hangs."""
    offsets, ends = (places @ _AXES.matrix / unit_m for places in (skeleton.offsets, skeleton.end_offsets))
    waiting: list[tuple[int, int]] = [(0, 0)]  # joint, or -1 for a closing brace, and depth
    while waiting:
        joint, depth = waiting.pop()
        indent = "\t" * depth
        if joint < 0:
            yield indent + "}"
            continue
        name = " ".join(skeleton.names[joint].split())
        if not name or set(name) & set("{}"):
            raise FileError(path, f"joint '{name}' has a name that can't stand in BVH", hint="rename it")
        yield f"{indent}{'JOINT' if depth else 'ROOT'} {name}"
        yield indent + "{"
        yield f"{indent}\tOFFSET {_three(offsets[joint] if depth else np.zeros(3))}"
        turns = " ".join(f"{letter}rotation" for letter in _ORDER)
        yield f"{indent}\tCHANNELS " + (f"3 {turns}" if depth else f"6 Xposition Yposition Zposition {turns}")
        children = skeleton.children(joint)
        own_ends = ends[skeleton.end_parents == joint]
        if not children and not len(own_ends):
            own_ends = np.zeros((1, 3))  # without an End Site some programs do not open the file
        for end in own_ends:
            yield from (f"{indent}\tEnd Site", indent + "\t{", f"{indent}\t\tOFFSET {_three(end)}", indent + "\t}")
        waiting.append((-1, depth))
        waiting += [(child, depth + 1) for child in reversed(children)]


def _depth_first(skeleton: Skeleton) -> list[int]:
    """The joints in the order of the lines of the hierarchy, which is that of the numbers in a row."""
    waiting, order = [0], []
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(skeleton.children(order[-1]))
    return order


def _three(place: Array) -> str:
    return " ".join(f"{value:.8f}" for value in place)


def _rows(positions: Array, turned: Array, unit_m: float) -> Array:
    """(T, 3 + 3 J) numbers of frames: the root's place, then every joint's angles in degrees."""
    in_file = turned.copy()
    in_file[..., 1:] = in_file[..., 1:] @ _AXES.matrix
    degrees = np.rad2deg(rotations.to_euler(_ORDER, in_file)).reshape(len(turned), -1)
    return np.hstack([positions @ _AXES.matrix / unit_m, degrees])
