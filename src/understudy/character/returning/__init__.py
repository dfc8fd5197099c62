"""From what a character performed back to a clip of the skeleton it was recorded on."""

from understudy.character.returning.stages import returned_clip

__all__ = ["returned_clip"]
