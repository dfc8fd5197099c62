"""The Document: a glTF file being put together, JSON and one block of binary data in one .glb."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.errors import UnderstudyError

VERTICES, INDICES = 34962, 34963  # what a buffer view is for
_COMPONENTS = {"uint8": 5121, "uint16": 5123, "uint32": 5125, "float32": 5126}
_TYPES = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}
_JSON_CHUNK, _BINARY_CHUNK = 0x4E4F534A, 0x004E4942
_ALIGNMENT = 4  # bytes
_MOST_BYTES = 2**32 - 1  # a .glb tells its length in 32 bits


class Document:
    """Nodes, meshes and so on are the dictionaries of the glTF 2.0 specification; each is known by its index."""

    def __init__(self, generator: str) -> None:
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._asset = {"version": "2.0", "generator": generator}
        self._roots: list[int] = []
        self._binary = bytearray()

    def add(self, kind: str, **entry: Any) -> int:
        """Append to the list of that name (``nodes``, ``meshes``...); the index it got."""
        self._lists.setdefault(kind, []).append(entry)
        return len(self._lists[kind]) - 1

    def add_node(self, parent: int | None = None, **entry: Any) -> int:
        """Append a node, a child of parent or at the root of the scene; the index it got."""
        index = self.add("nodes", **entry)
        siblings = self._roots if parent is None else self._lists["nodes"][parent].setdefault("children", [])
        siblings.append(index)
        return index

    def add_array(
        self, array: NDArray[Any], *, target: int | None = None, bounds: bool = False, normalized: bool = False
    ) -> int:
        """Append an accessor of the N numbers, vectors or matrices of an array (N, ...); the index it got.

        Args:
            array: float64 is kept as float32; other kinds must be glTF's.
            target: VERTICES or INDICES.
            bounds: whether the least and greatest values are told.
            normalized: whether integers stand for 0 to 1.
        """
        array = array.astype(np.float32) if array.dtype == np.float64 else array
        entry: dict[str, Any] = {
            "bufferView": self.add_bytes(array.tobytes(), target),
            "componentType": _COMPONENTS[array.dtype.name],
            "count": len(array),
            "type": _TYPES[array.shape[1:]],
        }
        if bounds:
            rows = array.reshape(len(array), -1)
            entry |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        if normalized:
            entry["normalized"] = True
        return self.add("accessors", **entry)

    def add_bytes(self, data: bytes, target: int | None = None) -> int:
        """Append a buffer view of the data; the index it got."""
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self._binary), "byteLength": len(data)}
        self._binary += _padded(data, b"\0")
        return self.add("bufferViews", **view, **({} if target is None else {"target": target}))

    def to_bytes(self) -> bytes:
        """The whole file; its text comes first."""
        content = {"asset": self._asset, "scene": 0, "scenes": [{"nodes": self._roots}], **self._lists}
        if self._binary:
            content["buffers"] = [{"byteLength": len(self._binary)}]
        text = json.dumps(content, separators=(",", ":"), allow_nan=False)
        body = _chunk(_JSON_CHUNK, _padded(text.encode(), b" "))
        if self._binary:
            body += _chunk(_BINARY_CHUNK, bytes(self._binary))
        if 12 + len(body) > _MOST_BYTES:
            raise UnderstudyError(
                f"a .glb holds 4 GiB at most, this would be {len(body) / 2**30:.1f}; write less of it"
            )
        return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def _chunk(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", len(data), kind) + data


def _padded(data: bytes, filler: bytes) -> bytes:
    return data + filler * (-len(data) % _ALIGNMENT)
