"""Writing what is staged as an animated, binary glTF 2.0 file.

Blender, game engines and browsers read it. The format is simple enough to be written with numpy alone: a package for it
would hold the same dictionaries in classes, while the work is in the geometry and the motion.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from understudy import __version__
from understudy.errors import FileError, UnderstudyError
from understudy.files import replacing
from understudy.rotations import Array
from understudy.stage.gltf import axes
from understudy.stage.gltf.document import Document
from understudy.stage.gltf.figures import add_skin
from understudy.stage.gltf.keyframes import Keyframes
from understudy.stage.gltf.meshes import add_mesh
from understudy.stage.gltf.motion import local_motion, motion_of
from understudy.stage.gltf.paint import Palette
from understudy.stage.gltf.parts import Part, visible_parts
from understudy.stage.gltf.trees import Tree, trees
from understudy.stage.staging import Staging
from understudy.stage.subject import Subject, performance_of

_NO_PICTURE = (16, 16)  # pixels; nothing is drawn


def write_glb(subject: Subject, path: str | Path, ghost: Subject | None = None) -> None:
    """Write a subject, and the scene it is in, as an animated .glb.

    Every body is a node of its name; a character's are the bones of a skinned mesh, and what is loose or stands still
    carries its own mesh. Motion is a key per frame at the subject's rate. Lengths are metres, y is up, and what faces x
    here faces z there. A subject that does not move has no animation.

    Args:
        subject: what to write.
        path: the file, ``.glb``.
        ghost: another motion, translucent, at the same times.
    """
    path = Path(path)
    if path.suffix.lower() != ".glb":
        raise FileError(path, "not the ending of a binary glTF", hint="use .glb")
    for given in (subject, ghost):
        if given is not None and not isinstance(given, Subject):
            raise UnderstudyError(
                f"a .glb is written of a clip, character, reference or rollout, not of a {type(given).__name__}; "
                "open_subject opens files"
            )
    with replacing(path) as temporary:
        temporary.write_bytes(_document(subject, ghost).to_bytes())


def _document(subject: Subject, ghost: Subject | None) -> Document:
    performance = performance_of(subject)
    staging = Staging(performance, None if ghost is None else performance_of(ghost), _NO_PICTURE)
    everything = trees(staging, subject, ghost)
    writer = _Writer(staging, visible_parts(staging, _places(everything)))
    for tree in everything:
        writer.add(tree)
    return writer.finish(performance.name)


def _places(everything: list[Tree]) -> Array:
    """(N, 3) where all that moves ever is [m]."""
    moving = [tree.motion.positions_w[:, list(tree.bodies)].reshape(-1, 3) for tree in everything if tree.moves]
    return np.concatenate([np.zeros((0, 3)), *moving]) if moving else np.zeros((1, 3))


class _Writer:
    """Puts the trees of a staging into a document, one after the other."""

    def __init__(self, staging: Staging, parts: list[Part]) -> None:
        self._model = staging.model
        self._document = Document(f"Understudy {__version__}")
        self._palette = Palette(self._document, self._model)
        self._keyframes = Keyframes(self._document)
        self._rest = motion_of(self._model, self._model.qpos0[None], 1.0)
        self._parts: dict[int, list[Part]] = {}
        for part in parts:
            self._parts.setdefault(part.body, []).append(part)
        self._world = self._add_world()

    def add(self, tree: Tree) -> None:
        """A tree: what stands still in the world, what is loose by itself, what is jointed as a figure."""
        if not tree.moves:
            self._add_nodes(tree, self._world, with_meshes=True)
        elif len(tree.bodies) == 1:
            self._add_nodes(tree, None, with_meshes=True)
        else:
            nodes = self._add_nodes(tree, self._document.add_node(name=tree.name), with_meshes=False)
            parts = [part for body in tree.bodies for part in self._parts.get(body, [])]
            if parts:
                add_skin(self._document, self._palette, tree, nodes, parts, self._rest)

    def finish(self, name: str) -> Document:
        """The document, whose animation has that name."""
        self._keyframes.finish(name)
        return self._document

    def _add_world(self) -> int:
        """The node of the world, and one for each thing that is fixed to it."""
        world = self._document.add_node(name="world")
        for part in self._parts.get(0, []):
            mesh = add_mesh(self._document, self._palette, part.name, [part])
            self._document.add_node(world, name=part.name, mesh=mesh)
        return world

    def _add_nodes(self, tree: Tree, parent: int | None, *, with_meshes: bool) -> dict[int, int]:
        """The nodes of a tree's bodies, by body, as they are in the first frame, and their animation."""
        nodes: dict[int, int] = {}
        for body, name in tree.bodies.items():
            above = int(self._model.body_parentid[body])
            places, turned = local_motion(tree.motion, body, above)
            own = self._parts.get(body, []) if with_meshes else []
            mesh = {"mesh": add_mesh(self._document, self._palette, name, own)} if own else {}
            nodes[body] = self._document.add_node(
                nodes.get(above, parent),
                name=name,
                translation=axes.vectors(places[0]).tolist(),
                rotation=axes.quaternions(turned[0]).tolist(),
                **mesh,
            )
            if tree.moves:
                self._keyframes.add(nodes[body], tree.motion.times_s, places, turned, always=above == 0)
        return nodes
