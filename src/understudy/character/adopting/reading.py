"""A user's MJCF, checked and cut down to the one creature in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from understudy.character.muted import kept_warnings
from understudy.errors import FileError
from understudy.rotations import Array

LARGEST_BYTES = 64 << 20
_STANDING_KEYS = ("stand", "standing", "home", "default", "init", "initial", "rest", "neutral")
_USER_SIZES = ("actuator", "body", "cam", "geom", "jnt", "sensor", "site", "tendon")
_SIZES = ("memory", "nconmax", "nemax", "njmax", "nstack", "nuserdata", *(f"nuser_{kind}" for kind in _USER_SIZES))
_NUMBERS = ("body_pos", "body_quat", "body_mass", "body_inertia", "geom_pos", "geom_size", "jnt_axis", "qpos0")
_LINE = re.compile(r"[Ll]ine(?: number=)? ?(\d+)")


@dataclass(frozen=True)
class Creature:
    """A model that holds one tree of bodies on a free joint and nothing else.

    Attributes:
        path: the file.
        spec: the model, all bodies and joints named.
        assets: file name to contents of what it draws or collides with.
        key_qpos: (nq,) of a keyframe named as one to stand in, or empty.
        timestep_s: the step it was made for.
        elliptic: whether it was made for elliptic friction cones.
        guesses: what was left out, a line each.
    """

    path: Path
    spec: mujoco.MjSpec
    assets: dict[str, bytes]
    key_qpos: Array
    timestep_s: float
    elliptic: bool
    guesses: tuple[str, ...]

    def compile(self) -> mujoco.MjModel:
        """The compiled model; raises FileError with what MuJoCo says."""
        return _compiled(self.path, self.spec, self.assets)

    def noting(self, *lines: str) -> Creature:
        """The same with further guesses."""
        return replace(self, guesses=(*self.guesses, *lines))


def read_creature(path: Path) -> Creature:
    """Read an MJCF; raises FileError when it can't be read, holds no free root, or more than one."""
    spec = _parsed(path)
    model = _compiled(path, spec, {})
    if not all(np.isfinite(getattr(model, name)).all() for name in _NUMBERS):
        raise FileError(path, "places, sizes or masses in it are not numbers")
    root = _root(path, model)
    key = _standing_key(model)
    assets = _take_assets(path, spec)
    _name_all(spec)
    removed = _leave_out_surroundings(spec, root)
    lines = [f"left out: {', '.join(removed)}"] if removed else []
    if len(key):
        lines.append("stands as in the model's keyframe")
    step, elliptic = float(spec.option.timestep), spec.option.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    if _forget_options(spec):
        lines.append("options of the model (gravity, solver, air and the like) are the scene's to choose")
    return Creature(path, spec, assets, key, step, bool(elliptic), tuple(lines))


def _parsed(path: Path) -> mujoco.MjSpec:
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise FileError(path, f"too large for a model (over {LARGEST_BYTES >> 20} MiB)")
        with kept_warnings():
            return mujoco.MjSpec.from_file(str(path))
    except OSError as problem:
        raise FileError(path, f"can't be read ({problem.strerror or problem})") from problem
    except ValueError as problem:
        raise _refusal(path, problem) from problem


def _compiled(path: Path, spec: mujoco.MjSpec, assets: dict[str, bytes]) -> mujoco.MjModel:
    try:
        spec.assets = assets
        with kept_warnings():
            return spec.compile()
    except ValueError as problem:
        raise _refusal(path, problem) from problem


def _refusal(path: Path, problem: ValueError) -> FileError:
    """MuJoCo's message with its line as ours."""
    text = " ".join(str(problem).split())
    found = _LINE.search(text)
    line = int(found[1]) if found and int(found[1]) > 0 else None
    return FileError(path, f"MuJoCo refuses it: {text}", line=line)


def _root(path: Path, model: mujoco.MjModel) -> str:
    """The name of the one body on a free joint ('' when it has none); others that move are refused."""
    moving = [b for b in range(1, model.nbody) if model.body_parentid[b] == 0 and _dofs(model, b)]
    names = [f"'{model.body(b).name}'" for b in moving]
    if not moving:
        raise FileError(
            path, "nothing in it moves", hint="a character is a tree of bodies whose root has a <freejoint/>"
        )
    if len(moving) > 1:
        hint = "a character is one tree of bodies; keep one of them"
        raise FileError(path, f"it has several roots: {', '.join(names)}", hint=hint)
    first = int(model.body_jntadr[moving[0]])
    if first < 0 or model.jnt_type[first] != mujoco.mjtJoint.mjJNT_FREE:
        raise FileError(path, f"its root {names[0]} has no free joint", hint="put a <freejoint/> first in that body")
    if not np.any(model.jnt_type != mujoco.mjtJoint.mjJNT_FREE):
        raise FileError(path, "it has no joints to drive, only its free root")
    return str(model.body(moving[0]).name)


def _dofs(model: mujoco.MjModel, root: int) -> int:
    return int(model.body_dofnum[model.body_rootid == root].sum())


def _standing_key(model: mujoco.MjModel) -> Array:
    names = [model.key(i).name.lower() for i in range(model.nkey)]
    for wanted in _STANDING_KEYS:
        if wanted in names:
            return np.array(model.key_qpos[names.index(wanted)])
    return np.zeros(0)


def _take_assets(path: Path, spec: mujoco.MjSpec) -> dict[str, bytes]:
    """Read the files of meshes, textures, height fields and skins, and give them names without folders."""
    for texture in list(spec.textures):
        if texture.type == mujoco.mjtTexture.mjTEXTURE_SKYBOX:
            spec.delete(texture)
    folder = Path(spec.modelfiledir or path.parent)
    kinds: tuple[tuple[Iterable[Any], str], ...] = (
        (spec.meshes, spec.compiler.meshdir),
        (spec.textures, spec.compiler.texturedir),
        (spec.hfields, spec.compiler.meshdir),
        (spec.skins, spec.compiler.meshdir),
    )
    assets: dict[str, bytes] = {}
    for elements, own_folder in kinds:
        for element in elements:
            if element.file:
                name = f"{len(assets)}_{Path(element.file).name}"
                assets[name] = _asset(path, folder / own_folder / element.file)
                element.file = name
    spec.compiler.meshdir = spec.compiler.texturedir = ""
    return assets


def _asset(path: Path, file: Path) -> bytes:
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise FileError(path, f"its file {file.name} is too large (over {LARGEST_BYTES >> 20} MiB)")
        return file.read_bytes()
    except OSError as problem:
        raise FileError(path, f"its file {file.name} can't be read ({problem.strerror})") from problem


def _name_all(spec: mujoco.MjSpec) -> None:
    """Give names to bodies and joints without one."""
    bodies, joints = {b.name for b in spec.bodies}, {j.name for j in spec.joints}
    for i, body in enumerate(spec.bodies[1:], start=1):
        body.name = body.name or _new(f"body_{i}", bodies)
        for joint in body.joints:
            joint.name = joint.name or _new(f"{body.name}_joint", joints)


def _new(name: str, taken: set[str]) -> str:
    wanted, count = name, 1
    while wanted in taken:
        count += 1
        wanted = f"{name}_{count}"
    taken.add(wanted)
    return wanted


def _leave_out_surroundings(spec: mujoco.MjSpec, root: str) -> list[str]:
    """Delete floor, lights, cameras and what else stands around, with what refers to it; returns what to tell."""
    geoms = [g.name for g in spec.worldbody.geoms]
    bodies = [b.name for b in spec.worldbody.bodies if not b.joints and b.name != root and not _joints_below(b)]
    for body in [b for b in spec.worldbody.bodies if b.name in bodies]:
        geoms += [g.name for g in _all_geoms(body)]
        spec.delete(body)
    for element in [*spec.worldbody.geoms, *spec.worldbody.cameras, *spec.lights, *spec.keys]:
        spec.delete(element)
    for pair in list(spec.pairs):
        if {pair.geomname1, pair.geomname2} & set(geoms):
            spec.delete(pair)
    for exclude in list(spec.excludes):
        if {exclude.bodyname1, exclude.bodyname2} & {"world", *bodies}:
            spec.delete(exclude)
    for sensor in list(spec.sensors):
        if sensor.objtype == mujoco.mjtObj.mjOBJ_ACTUATOR or sensor.objname in {*geoms, *bodies} - {""}:
            spec.delete(sensor)
    unnamed = ["unnamed surroundings"] if "" in (*geoms, *bodies) else []
    return [name for name in dict.fromkeys((*geoms, *bodies)) if name] + unnamed


def _forget_options(spec: mujoco.MjSpec) -> bool:
    """Set options, looks and sizes, a scene's to choose, to MuJoCo's defaults; whether an option changed."""
    usual = mujoco.MjSpec()
    changed = _reset(spec.option, usual.option)
    for name in _fields(usual.visual):
        _reset(getattr(spec.visual, name), getattr(usual.visual, name))
    for name in _SIZES:
        setattr(spec, name, getattr(usual, name))
    return bool(changed - {"timestep", "cone", "integrator"})


def _reset(settings: Any, usual: Any) -> set[str]:
    """Give settings the usual values; the names of those that had others."""
    changed = {name for name in _fields(usual) if not np.array_equal(getattr(settings, name), getattr(usual, name))}
    for name in changed:
        setattr(settings, name, getattr(usual, name))
    return changed


def _fields(settings: Any) -> list[str]:
    return [name for name in dir(settings) if not name.startswith("_") and not callable(getattr(settings, name))]


def _joints_below(body: mujoco.MjsBody) -> bool:
    return any(child.joints or _joints_below(child) for child in body.bodies)


def _all_geoms(body: mujoco.MjsBody) -> list[mujoco.MjsGeom]:
    return [*body.geoms, *(geom for child in body.bodies for geom in _all_geoms(child))]
