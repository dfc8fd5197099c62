"""The command line: one file per verb, each a dataclass whose fields are its flags; no logic of its own."""

from understudy.cli.dispatch import main

__all__ = ["main"]
