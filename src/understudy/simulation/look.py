"""How a scene looks: sky, light and materials. Nothing here touches the physics."""

from __future__ import annotations

import mujoco

from understudy.simulation.elements.element import MATERIAL_PREFIX

_SKY_ABOVE, _SKY_BELOW = (0.74, 0.82, 0.91), (0.97, 0.98, 0.99)
_MATERIALS: dict[str, tuple[float, float, float]] = {
    "stone": (0.74, 0.77, 0.80),
    "wood": (0.78, 0.66, 0.50),
    "mat": (0.38, 0.55, 0.71),
    "steel": (0.50, 0.53, 0.58),
    "prop": (0.88, 0.55, 0.33),
}
_TILE, _TILE_OTHER, _JOINT = (0.90, 0.91, 0.92), (0.86, 0.875, 0.89), (0.80, 0.82, 0.84)


def add_look(spec: mujoco.MjSpec, followed_body: str = "") -> None:
    """Give spec a light sky, a tiled floor, materials, and a sun that follows followed_body (or stays)."""
    _add_sky_and_materials(spec)
    _add_sun(spec, followed_body)
    spec.visual.headlight.ambient = [0.36, 0.36, 0.38]
    spec.visual.headlight.diffuse = [0.30, 0.30, 0.30]
    spec.visual.headlight.specular = [0.0, 0.0, 0.0]
    spec.visual.rgba.haze = [*_SKY_BELOW, 1.0]
    spec.visual.map.znear, spec.visual.map.zfar = 0.01, 60.0
    spec.visual.map.fogstart, spec.visual.map.fogend = 8.0, 30.0
    # the edge of the shadowed square flickers: kept 20 m away
    spec.visual.map.shadowclip, spec.visual.map.shadowscale = 10.0, 0.6
    spec.visual.quality.shadowsize, spec.visual.quality.offsamples = 2048, 4
    spec.visual.global_.offwidth, spec.visual.global_.offheight = 1920, 1080
    spec.stat.extent, spec.stat.center = 2.0, [0.0, 0.0, 0.9]


def _add_sky_and_materials(spec: mujoco.MjSpec) -> None:
    gradient, checker = mujoco.mjtBuiltin.mjBUILTIN_GRADIENT, mujoco.mjtBuiltin.mjBUILTIN_CHECKER
    spec.add_texture(
        name=MATERIAL_PREFIX + "sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=gradient,
        rgb1=_SKY_ABOVE,
        rgb2=_SKY_BELOW,
        width=256,
        height=1536,
    )
    spec.add_texture(
        name=MATERIAL_PREFIX + "tiles",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=checker,
        rgb1=_TILE,
        rgb2=_TILE_OTHER,
        mark=mujoco.mjtMark.mjMARK_EDGE,
        markrgb=_JOINT,
        width=512,
        height=512,
    )
    ground = spec.add_material(
        name=MATERIAL_PREFIX + "ground", texrepeat=[1.0, 1.0], texuniform=True, specular=0.0, shininess=0.0
    )
    ground.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = MATERIAL_PREFIX + "tiles"
    for name, colour in _MATERIALS.items():
        spec.add_material(name=MATERIAL_PREFIX + name, rgba=[*colour, 1.0], specular=0.1, shininess=0.2)


def _add_sun(spec: mujoco.MjSpec, followed_body: str) -> None:
    # from the front right, where the camera that looks along +y at a character walking to the right stands, too
    body = spec.body(followed_body) if followed_body else spec.worldbody
    mode = mujoco.mjtCamLight.mjCAMLIGHT_TRACK if followed_body else mujoco.mjtCamLight.mjCAMLIGHT_FIXED
    sun = body.add_light(
        name=MATERIAL_PREFIX + "sun", mode=mode, castshadow=True, pos=[1.4, -2.0, 4.0], dir=[-0.35, 0.5, -1.0]
    )
    sun.type = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    sun.diffuse, sun.ambient, sun.specular = [0.62, 0.61, 0.58], [0.0, 0.0, 0.0], [0.1, 0.1, 0.1]
