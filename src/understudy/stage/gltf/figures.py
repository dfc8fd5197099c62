"""Figures: jointed trees as bones with one skinned mesh, which Blender makes an armature of."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from understudy.stage.gltf import axes
from understudy.stage.gltf.document import Document
from understudy.stage.gltf.meshes import add_skinned_mesh
from understudy.stage.gltf.motion import Motion
from understudy.stage.gltf.paint import Palette
from understudy.stage.gltf.parts import Part
from understudy.stage.gltf.trees import Tree


def add_skin(
    document: Document, palette: Palette, tree: Tree, nodes: dict[int, int], parts: Sequence[Part], rest: Motion
) -> None:
    """Hang a tree's parts on its nodes, bound as they are in the one frame of rest.

    The mesh is a node at the root of the scene: where a skinned mesh's own node is has no meaning.
    """
    bodies = list(tree.bodies)
    joints = {body: index for index, body in enumerate(bodies)}
    bound = [_placed(part, rest) for part in parts]
    inverse = axes.inverse_transforms(rest.positions_w[0, bodies], rest.rotations_w[0, bodies])
    skin = document.add(
        "skins",
        name=tree.name,
        joints=[nodes[body] for body in bodies],
        skeleton=nodes[bodies[0]],
        inverseBindMatrices=document.add_array(inverse),
    )
    mesh = add_skinned_mesh(document, palette, tree.name, bound, joints)
    document.add_node(name=f"{tree.name}_skin", mesh=mesh, skin=skin)


def _placed(part: Part, rest: Motion) -> Part:
    surface = part.surface.placed(rest.positions_w[0, part.body], rest.rotations_w[0, part.body])
    return dataclasses.replace(part, surface=surface)
