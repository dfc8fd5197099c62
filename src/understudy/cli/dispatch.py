"""Finds the verb, hands its words to tyro, and turns our errors into a line and an exit code.

Only the chosen verb's file is imported, so that help is quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from understudy import __version__
from understudy.errors import UnderstudyError


class Runs(Protocol):
    """What a verb's dataclass offers."""

    def run(self) -> int | None:
        """Do it; the exit code, None for 0."""


@dataclass(frozen=True)
class Verb:
    """Where a verb's dataclass is, and what it does in a few words."""

    module: str
    name: str
    about: str

    def load(self) -> type[Runs]:
        """The verb's dataclass."""
        verb: type[Runs] = getattr(import_module(f"understudy.cli.{self.module}"), self.name)
        return verb


VERBS: dict[str, Verb] = {
    "demo": Verb("demo", "Demo", "let a character perform a bundled clip"),
    "clip info": Verb("clip_info", "ClipInfo", "say what clips hold, in a table or a plot"),
    "clip convert": Verb("clip_convert", "ClipConvert", "write a clip in another format"),
    "clip edit": Verb("clip_edit", "ClipEdit", "crop, resample, mirror, loop, smooth, move a clip"),
    "clip list": Verb("clip_list", "ClipList", "list the bundled clips"),
    "character list": Verb("character_list", "CharacterList", "list the bundled characters"),
    "character from-clip": Verb("character_from_clip", "CharacterFromClip", "make a character with a clip's skeleton"),
    "character adopt": Verb("character_adopt", "CharacterAdopt", "make a character of any MJCF model"),
    "fit": Verb("fit", "Fit", "fit a clip to a character"),
    "perform": Verb("perform", "Perform", "let a character perform clips, physically"),
    "show": Verb("show", "Show", "look at a clip, character, reference, rollout or reconstruction"),
    "compare": Verb("compare", "Compare", "measure how far one motion is from another"),
    "completion": Verb("completion", "Completion", "print a script that completes words in your shell"),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """The console script ``understudy``; exits with 0, 1 (a mistake in the input) or 2 (in the words)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        sys.exit(_run(words))
    except UnderstudyError as problem:
        print(f"understudy: {problem}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt as stop:
        print(f"understudy: {str(stop) or 'interrupted'}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # the reader of our output, head(1) as a rule, has gone
        sys.stderr.close()
        sys.exit(0)


def _run(words: list[str]) -> int:
    if words in (["--version"], ["-V"]):
        print(f"understudy {__version__}")
        return 0
    name, rest = _split(words)
    if name in VERBS:
        import tyro

        verb = tyro.cli(
            VERBS[name].load(),
            prog=f"understudy {name}",
            args=rest,
        )
        return verb.run() or 0
    asked = not rest or rest[0] in ("-h", "--help")
    print(_overview(name), file=sys.stdout if asked else sys.stderr)
    if asked:
        return 0
    print(_wrong_word(name, rest[0]), file=sys.stderr)
    return 2


def _split(words: list[str]) -> tuple[str, list[str]]:
    """The longest start of the words that names a verb or a group of verbs, and the rest."""
    groups = {name.split()[0] for name in VERBS}
    for count in (2, 1):
        name = " ".join(words[:count])
        if len(words) >= count and (name in VERBS or (count == 1 and name in groups)):
            return name, words[count:]
    return "", words


def _overview(group: str) -> str:
    names = {name: verb.about for name, verb in VERBS.items() if not group or name.startswith(group + " ")}
    width = max(map(len, names))
    lines = [f"  understudy {name:<{width}}  {about}" for name, about in names.items()]
    first = "Understudy: motion capture becomes physics.\n" if not group else ""
    return f"{first}\nverbs (each takes --help):\n" + "\n".join(lines)


def _wrong_word(group: str, word: str) -> str:
    import difflib

    known = [name.removeprefix(group).strip() for name in VERBS if name.startswith(group)]
    near = difflib.get_close_matches(word, [w.split()[0] for w in known] + known, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"\nunderstudy: no verb '{f'{group} {word}'.strip()}'{hint}"
