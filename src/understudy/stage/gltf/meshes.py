"""Meshes: parts put together by their paint; skinned ones hang on joints, each vertex on one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.rotations import Array, IntArray
from understudy.stage.gltf import axes
from understudy.stage.gltf.document import INDICES, VERTICES, Document
from understudy.stage.gltf.paint import Paint, Palette
from understudy.stage.gltf.parts import Part
from understudy.stage.gltf.surface import Surface, joined


def add_mesh(document: Document, palette: Palette, name: str, parts: Sequence[Part]) -> int:
    """A mesh of parts in one frame; its index."""
    primitives = [
        _primitive(document, joined([part.surface for part in group]), palette.material(paint))
        for paint, group in _by_paint(parts).items()
    ]
    return document.add("meshes", name=name, primitives=primitives)


def add_skinned_mesh(
    document: Document, palette: Palette, name: str, parts: Sequence[Part], joints: dict[int, int]
) -> int:
    """A mesh of parts, all placed as the figure is bound; joints tells a body's place in the skin. Its index."""
    primitives = []
    for paint, group in _by_paint(parts).items():
        primitive = _primitive(document, joined([part.surface for part in group]), palette.material(paint))
        owners = np.repeat([joints[part.body] for part in group], [len(part.surface.vertices) for part in group])
        primitive["attributes"] |= _weights(document, owners)
        primitives.append(primitive)
    return document.add("meshes", name=name, primitives=primitives)


def _by_paint(parts: Sequence[Part]) -> dict[Paint, list[Part]]:
    groups: dict[Paint, list[Part]] = {}
    for part in parts:
        groups.setdefault(part.paint, []).append(part)
    return groups


def _primitive(document: Document, surface: Surface, material: int) -> dict:
    def vertices(values: Array, *, bounds: bool = False) -> int:
        return document.add_array(values, target=VERTICES, bounds=bounds)

    attributes = {
        "POSITION": vertices(axes.vectors(surface.vertices), bounds=True),
        "NORMAL": vertices(axes.vectors(surface.normals)),
    }
    if surface.texels is not None:
        attributes["TEXCOORD_0"] = vertices(surface.texels)
    kind = np.uint16 if len(surface.vertices) < 2**16 else np.uint32  # the highest number means something else
    indices = document.add_array(surface.triangles.astype(kind).ravel(), target=INDICES)
    return {"attributes": attributes, "indices": indices, "material": material}


def _weights(document: Document, owners: IntArray) -> dict[str, int]:
    """Every vertex follows one joint; the format has room for four."""
    joints, weights = np.zeros((len(owners), 4), np.uint16), np.zeros((len(owners), 4), np.uint8)
    joints[:, 0], weights[:, 0] = owners, 255
    return {
        "JOINTS_0": document.add_array(joints, target=VERTICES),
        "WEIGHTS_0": document.add_array(weights, target=VERTICES, normalized=True),
    }
