"""What things are painted with: colours, and textures where the surface knows its place in them."""

from __future__ import annotations

import io
from dataclasses import dataclass

import mujoco
import numpy as np
from PIL import Image

from understudy.rotations import Array
from understudy.stage.gltf.document import Document

_ROUGHNESS = 0.7
_REPEAT, _LINEAR, _MIPMAPPED = 10497, 9729, 9987  # OpenGL's names of samplers' ways
_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)


@dataclass(frozen=True)
class Paint:
    """A material.

    Attributes:
        name: what to call it.
        rgba: red, green, blue as screens show them, and opacity, 0 to 1.
        texture: the model's texture it is multiplied with, or None.
        repeat: how often that texture is repeated over a unit of the surface's texels.
    """

    name: str
    rgba: tuple[float, float, float, float]
    texture: int | None = None
    repeat: tuple[float, float] = (1.0, 1.0)


def geom_paint(model: mujoco.MjModel, geom: int, rgba: Array, *, has_texels: bool) -> Paint:
    """What a geom is painted with, rgba (4,) being its colour.

    A texture that can't be laid on as MuJoCo does, which projects it onto primitive shapes, becomes its mean colour.
    """
    material = int(model.geom_matid[geom])
    texture = int(model.mat_texid[material, _RGB]) if material >= 0 else -1
    name = model.material(material).name.removeprefix("understudy/") if material >= 0 else ""
    is_plane = model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_PLANE
    laid_on = texture >= 0 and has_texels and model.tex_type[texture] == mujoco.mjtTexture.mjTEXTURE_2D
    if laid_on and (model.mat_texuniform[material] or not is_plane):
        repeat = tuple(model.mat_texrepeat[material].tolist()) if is_plane else (1.0, 1.0)
        return Paint(name, _rgba(rgba), texture, repeat)
    if texture >= 0:
        pixels = _pixels(model, texture).reshape(-1, model.tex_nchannel[texture])
        mean = np.broadcast_to(pixels[:, :3].mean(axis=0) / 255.0, 3)
        rgba = rgba * np.append(mean, 1.0)
    return Paint(name, _rgba(rgba))


class Palette:
    """Writes each Paint into a document once."""

    def __init__(self, document: Document, model: mujoco.MjModel) -> None:
        self._document, self._model = document, model
        self._materials: dict[Paint, int] = {}
        self._textures: dict[int, int] = {}

    def material(self, paint: Paint) -> int:
        """The index of its material."""
        if paint not in self._materials:
            self._materials[paint] = self._add(paint)
        return self._materials[paint]

    def _add(self, paint: Paint) -> int:
        surface = {"baseColorFactor": _linear(paint.rgba), "metallicFactor": 0.0, "roughnessFactor": _ROUGHNESS}
        if paint.texture is not None:
            surface["baseColorTexture"] = {"index": self._texture(paint.texture)}
        see_through = {"alphaMode": "BLEND"} if paint.rgba[3] < 1.0 else {}
        return self._document.add(
            "materials", name=paint.name or _hex(paint), pbrMetallicRoughness=surface, **see_through
        )

    def _texture(self, texture: int) -> int:
        if texture not in self._textures:
            add = self._document.add
            image = add("images", bufferView=self._document.add_bytes(_png(self._model, texture)), mimeType="image/png")
            sampler = add("samplers", wrapS=_REPEAT, wrapT=_REPEAT, magFilter=_LINEAR, minFilter=_MIPMAPPED)
            self._textures[texture] = add("textures", source=image, sampler=sampler)
        return self._textures[texture]


def _pixels(model: mujoco.MjModel, texture: int) -> np.ndarray:
    """(height, width, channels) bytes."""
    shape = model.tex_height[texture], model.tex_width[texture], model.tex_nchannel[texture]
    first = model.tex_adr[texture]
    return np.asarray(model.tex_data[first : first + int(np.prod(shape))]).reshape(shape)


def _png(model: mujoco.MjModel, texture: int) -> bytes:
    pixels, stream = _pixels(model, texture), io.BytesIO()
    Image.fromarray(pixels[..., 0] if pixels.shape[2] == 1 else pixels).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _rgba(rgba: Array) -> tuple[float, float, float, float]:
    red, green, blue, alpha = np.clip(np.round(rgba, 6), 0.0, 1.0).tolist()
    return red, green, blue, alpha


def _linear(rgba: tuple[float, float, float, float]) -> list[float]:
    """glTF's colour factors are amounts of light, not what screens are told (IEC 61966-2-1)."""
    colour = np.array(rgba[:3])
    light = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return [*np.round(light, 6).tolist(), rgba[3]]


def _hex(paint: Paint) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in paint.rgba[:3])
