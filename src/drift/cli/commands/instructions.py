"""`drift instructions`: the project's governed instructions. A group: each verb has options of its own."""

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from drift.cli.commands.instructions_action import Action
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.parser import Parser, UsageError, wants_help
from drift.kernel.errors import Recovery
from drift.kernel.similar import similar_names


class Verb(NamedTuple):
    """A verb: the module in whose `ACTIONS` it is, and what it is for."""

    module: str
    purpose: str


_READING: Final = "drift.cli.commands.instructions_reading"
_WRITING: Final = "drift.cli.commands.instructions_writing"
_CHECKING: Final = "drift.cli.commands.instructions_checking"
_ACCEPTING: Final = "drift.cli.commands.instructions_accepting"
_SYNC: Final = "drift.cli.commands.instructions_sync"

VERBS: Final[Mapping[str, Verb]] = {
    "list": Verb(_READING, "the instructions there are"),
    "show": Verb(_READING, "one instruction whole"),
    "search": Verb(_READING, "instructions with these words"),
    "export": Verb(_READING, "instructions as JSON, for import elsewhere"),
    "hash": Verb(_READING, "the hash of the catalog and that of its governance"),
    "add": Verb(_WRITING, "keep a new instruction, or replace one"),
    "import": Verb(_WRITING, "take instructions from a JSON file"),
    "remove": Verb(_WRITING, "delete instructions for good"),
    "groom": Verb(_WRITING, "tidy the catalog up; tells first what it would do"),
    "accept": Verb(_ACCEPTING, "approve, for this machine, what came with the repository"),
    "verify": Verb(_CHECKING, "check files, stored hashes and gates"),
    "review": Verb(_CHECKING, "look prompts over, and see what is due for review"),
    "sync": Verb(_SYNC, "AGENTS.md, CLAUDE.md and others, from the catalog or into it"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verb", nargs="?", help=", ".join(VERBS))
    parser.add_argument("words", nargs="*", help="what the verb takes; see: drift instructions VERB --help")
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    """Run what a parser has read already, as words."""
    words = [arguments.verb, *arguments.words] if arguments.verb else []
    return run_words([*words, *(["--json"] if arguments.json else [])], console)


def run_words(words: Sequence[str], console: Console) -> Exit:
    """Run a verb with the words behind it."""
    name = words[0] if words else "--help"
    if name in ("-h", "--help", "help"):
        from drift.cli.examples import say_examples  # needed here alone

        _say_verbs(console)
        say_examples("instructions", console)
        return Exit.OK
    if name not in VERBS:
        raise UsageError(
            f"drift instructions has no verb {name[:80]!r}",
            Recovery(hint="See: drift instructions --help", similar=similar_names(name, VERBS)),
        )
    module: Any = import_module(VERBS[name].module)
    purpose = VERBS[name].purpose
    parser = Parser(
        f"drift instructions {name}", purpose[:1].upper() + purpose[1:] + ".", width=console.prose_width
    )
    action: Action = module.ACTIONS[name]
    action.configure(parser)
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")
    if wants_help(words[1:]):
        console.say(parser.format_help().rstrip())
        return Exit.OK
    return action.run(parser.read(words[1:]), console)


def _say_verbs(console: Console) -> None:
    width = max(map(len, VERBS))
    console.say("usage: drift instructions VERB [ARGUMENTS] [--json]")
    console.say()
    console.say(console.paint("Verbs", Ink.BOLD))
    for name, verb in VERBS.items():
        console.say(f"  {name:<{width}}  {verb.purpose}")
    console.say()
    console.say("`drift instructions VERB --help` explains one.")
