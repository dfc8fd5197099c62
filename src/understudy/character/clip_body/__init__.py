"""The pieces of ``character_from_clip``: a clip's skeleton posed, cut into segments, and given shapes."""
