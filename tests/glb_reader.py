"""Reads a .glb back, as any program that knows the specification would."""

import json
import struct
from dataclasses import dataclass
from functools import cached_property

import numpy as np

KINDS = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
SHAPES = {"SCALAR": (), "VEC2": (2,), "VEC3": (3,), "VEC4": (4,), "MAT4": (4, 4)}


@dataclass(frozen=True)
class Glb:
    """Its JSON text, read, and its binary data."""

    json: dict
    binary: bytes

    def array(self, index):
        """The values of an accessor."""
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        shape = (accessor["count"], *SHAPES[accessor["type"]])
        kind = KINDS[accessor["componentType"]]
        assert view["byteLength"] == np.prod(shape, dtype=int) * np.dtype(kind).itemsize
        return np.frombuffer(self.binary, kind, int(np.prod(shape)), view["byteOffset"]).reshape(shape)

    @cached_property
    def parents(self):
        return {c: p for p, node in enumerate(self.json["nodes"]) for c in node.get("children", [])}

    @cached_property
    def channels(self):
        """(node, path): times and values, of the one animation."""
        result = {}
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                assert sampler["interpolation"] == "LINEAR"
                key = channel["target"]["node"], channel["target"]["path"]
                result[key] = self.array(sampler["input"]), self.array(sampler["output"])
        return result

    def node(self, name):
        """The number of the only node of that name."""
        (index,) = [i for i, node in enumerate(self.json["nodes"]) if node["name"] == name]
        return index

    def world(self, index, key):
        """(4, 4) the world transform of a node at a key of the animation."""
        node = self.json["nodes"][index]
        place, turn = np.array(node.get("translation", [0, 0, 0.0])), np.array(node.get("rotation", [0, 0, 0, 1.0]))
        place = self.channels[index, "translation"][1][key] if (index, "translation") in self.channels else place
        turn = self.channels[index, "rotation"][1][key] if (index, "rotation") in self.channels else turn
        local = np.eye(4)
        local[:3, :3], local[:3, 3] = matrix(turn), place
        return self.world(self.parents[index], key) @ local if index in self.parents else local

    def skinned(self, index, key):
        """Per primitive of a skinned node's mesh: the joint of each vertex, and where it is at a key (V, 3)."""
        node = self.json["nodes"][index]
        skin = self.json["skins"][node["skin"]]
        bind = self.array(skin["inverseBindMatrices"]).astype(float).transpose(0, 2, 1)  # stored column after column
        moves = np.array([self.world(joint, key) @ back for joint, back in zip(skin["joints"], bind, strict=True)])
        result = []
        for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
            attributes = primitive["attributes"]
            owners = self.array(attributes["JOINTS_0"])[:, 0]
            places = np.insert(self.array(attributes["POSITION"]).astype(float), 3, 1.0, axis=1)
            result.append((owners, np.einsum("vij,vj->vi", moves[owners], places)[:, :3]))
        return result


def read_glb(path):
    """The two chunks of the file, whose lengths must add up."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    assert size % 4 == 0
    content = json.loads(data[20 : 20 + size])
    if 20 + size == len(data):
        return Glb(content, b"")
    rest, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0"
    assert rest % 4 == 0
    assert 28 + size + rest == len(data)
    return Glb(content, data[28 + size :])


def matrix(turn):
    """(3, 3) of a quaternion (4,), w last, as the specification has it."""
    x, y, z, w = np.asarray(turn, float)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
