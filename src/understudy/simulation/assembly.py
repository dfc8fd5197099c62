"""Characters put into a scene: one MJCF text, its compiled model, and where everybody is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import mujoco

from understudy.character import Character, Physics
from understudy.errors import SimulationError
from understudy.simulation.actor import Actor, find_actor
from understudy.simulation.collisions import MOST_CHARACTERS, SelfCollision
from understudy.simulation.engine import apply_physics, compile_xml, model_hash
from understudy.simulation.look import add_look
from understudy.simulation.measures import Measure, add_sensors
from understudy.simulation.scene import Scene
from understudy.simulation.servos import move_limited_damping


@dataclass(frozen=True)
class Assembly:
    """A scene with its characters, compiled.

    Attributes:
        xml, assets: the whole model as text, and the files it names.
        model: compiled from the text.
        actors: the characters in it, in the order they were given.
        physics: how it is simulated.
    """

    xml: str
    assets: Mapping[str, bytes]
    model: mujoco.MjModel
    actors: tuple[Actor, ...]
    physics: Physics

    @cached_property
    def model_hash(self) -> str:
        return model_hash(self.xml, self.assets)


def assemble(
    scene: Scene,
    characters: Sequence[Character],
    physics: Physics | None = None,
    self_collision: SelfCollision | None = None,
    measures: Sequence[Measure] = (),
) -> Assembly:
    """Put characters into a scene and compile it.

    A single character keeps its names; of several, the first one's begin with ``a_``, the next with ``b_``.
    """
    if not 1 <= len(characters) <= MOST_CHARACTERS:
        raise SimulationError(f"a scene needs 1 to {MOST_CHARACTERS} characters, not {len(characters)}")
    physics = physics or _common_physics(characters)
    prefixes = [""] if len(characters) == 1 else [f"{chr(ord('a') + i)}_" for i in range(len(characters))]
    specs = [_prepared(character, i, self_collision or SelfCollision()) for i, character in enumerate(characters)]
    roots = [prefix + character.body_names[0] for prefix, character in zip(prefixes, characters, strict=True)]
    spec = _joined(specs, prefixes)
    apply_physics(spec, physics)
    move_limited_damping(spec)
    scene.add_to(spec)
    add_look(spec, roots[0])
    add_sensors(spec, measures, [_prefixed(p, c.body_names) for p, c in zip(prefixes, characters, strict=True)])
    spec.modelname = scene.name
    assets = _merged_assets(characters)
    try:
        spec.compile()
        xml = spec.to_xml()
    except ValueError as problem:
        raise SimulationError(f"MuJoCo refuses scene '{scene.name}' ({problem})") from problem
    model = compile_xml(xml, assets)
    actors = tuple(find_actor(model, c, prefix) for c, prefix in zip(characters, prefixes, strict=True))
    return Assembly(xml, assets, model, actors, physics)


def _common_physics(characters: Sequence[Character]) -> Physics:
    different = [c.name for c in characters if c.physics != characters[0].physics]
    if different:
        raise SimulationError(
            f"'{characters[0].name}' and '{different[0]}' are simulated with different settings; "
            "say which to use: World(..., physics=character.physics)"
        )
    return characters[0].physics


def _prepared(character: Character, index: int, self_collision: SelfCollision) -> mujoco.MjSpec:
    """The character's spec without what a scene has one of: lights, sky, key frames."""
    spec = character.spec()
    skies = [texture for texture in spec.textures if texture.type == mujoco.mjtTexture.mjTEXTURE_SKYBOX]
    for item in [*spec.lights, *skies, *spec.keys]:
        spec.delete(item)
    self_collision.apply(spec, index)
    return spec


def _joined(specs: Sequence[mujoco.MjSpec], prefixes: Sequence[str]) -> mujoco.MjSpec:
    if len(specs) == 1:
        return specs[0]
    joined = mujoco.MjSpec()
    for spec, prefix in zip(specs, prefixes, strict=True):
        joined.attach(spec, frame=joined.worldbody.add_frame(), prefix=prefix)
    return joined


def _merged_assets(characters: Sequence[Character]) -> dict[str, bytes]:
    merged: dict[str, bytes] = {}
    for character in characters:
        for name, contents in character.assets.items():
            if merged.setdefault(name, contents) != contents:
                raise SimulationError(f"two characters bring different files named '{name}'; rename one of them")
    return merged


def _prefixed(prefix: str, names: Sequence[str]) -> list[str]:
    return [prefix + name for name in names]
