"""Animated glTF: what is staged, as one file for Blender, game engines and browsers."""

from understudy.stage.gltf.writing import write_glb

__all__ = ["write_glb"]
