"""Characters by name or by file."""

from __future__ import annotations

from pathlib import Path

from understudy.character.adopt import adopt
from understudy.character.build import build
from understudy.character.character import Character
from understudy.character.saving import KIND, read_character
from understudy.character.table import known_tables, read_table, table_path
from understudy.errors import FileError, UnknownNameError
from understudy.files import kind_of

CHARACTERS: tuple[str, ...] = known_tables()


def load_character(name_or_path: str | Path) -> Character:
    """A bundled character by its name, or one from a file.

    A file is a table of one's own (.toml, like the bundled ones), a saved character (.npz), or an MJCF (.xml), adopted.
    Raises UnknownNameError for neither a name nor a file, and FileError for files that are none of these.
    """
    name, path = str(name_or_path), Path(name_or_path)
    if name in CHARACTERS:
        return build(read_table(table_path(name)))
    if not path.is_file():
        if path.suffix:
            raise FileError(path, "there is no such file")
        raise UnknownNameError("character", name, CHARACTERS)
    if path.suffix == ".toml":
        return build(read_table(path))
    if path.suffix in (".xml", ".mjcf", ".urdf"):
        return adopt(path)
    if kind_of(path) == KIND:
        return read_character(path)
    raise FileError(
        path, "not a character", hint="it may be a table (.toml), a saved character (.npz) or an MJCF (.xml)"
    )
