"""``understudy completion``: a script that completes verbs and flags in a shell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union

import tyro


@dataclass(frozen=True)
class Completion:
    """Print a completion script.

    For bash: understudy completion bash > ~/.local/share/bash-completion/completions/understudy
    """

    shell: tyro.conf.Positional[Literal["bash", "zsh", "tcsh"]] = "bash"
    """the shell to complete words in"""

    def run(self) -> int:
        try:
            tyro.cli(_tree(), prog="understudy", args=["--tyro-print-completion", self.shell])
        except SystemExit as stop:
            return int(stop.code or 0)
        return 0


def _tree() -> Any:
    """All verbs as one nested union, as tyro wants them to know every word."""
    from understudy.cli.dispatch import VERBS

    groups: dict[str, list[Any]] = {}
    for name, verb in VERBS.items():
        *group, word = name.split()
        named = Annotated[verb.load(), tyro.conf.subcommand(word, description=verb.about)]  # type: ignore[valid-type]
        groups.setdefault(" ".join(group), []).append(named)
    top = groups.pop("")
    for group_name, members in groups.items():
        top.append(Annotated[_any_of(members), tyro.conf.subcommand(group_name)])
    return _any_of(top)


def _any_of(members: list[Any]) -> Any:
    return Union.__getitem__(tuple(members))
