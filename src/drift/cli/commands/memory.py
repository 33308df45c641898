"""`drift memory`: save, find and look after what was learned. A group: each verb has options of its own."""

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import Parser, wants_help


class _OwnVerb(NamedTuple):
    module: str
    reads_words: bool = False  # `run_words` takes them unread
    takes_operands: bool = True  # else words without a dash mean the tool of the same name


# Verbs that are no tools. They are looked for first and alone: a hook has no time to import every tool.
_OWN_VERBS: Final[Mapping[str, _OwnVerb]] = {
    "hook": _OwnVerb("drift.cli.commands.memory_hook", reads_words=True),
    "accept": _OwnVerb("drift.cli.commands.memory_accept"),
    "restore": _OwnVerb("drift.cli.commands.memory_restore", takes_operands=False),
    "salvage": _OwnVerb("drift.cli.commands.memory_salvage"),
    "sync": _OwnVerb("drift.cli.commands.memory_sync"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("verb", nargs="?", help="add, search, show, list, recall, timeline and others")
    parser.add_argument("words", nargs="*", help="what the verb takes; see: drift memory VERB --help")
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    """Run what a parser has read already, as words."""
    words = [arguments.verb, *arguments.words] if arguments.verb else []
    return run_words([*words, *(["--json"] if arguments.json else [])], console)


def run_words(words: Sequence[str], console: Console) -> Exit:
    """Run a verb with the words behind it."""
    verb = words[0] if words else "--help"
    if verb in _OWN_VERBS and (_OWN_VERBS[verb].takes_operands or not _has_operand(words[1:])):
        return _run_own(verb, words[1:], console)
    from drift.cli.commands.memory_verbs import run_verb, say_verbs  # imports every tool
    from drift.cli.examples import say_examples  # needed here alone

    if verb in ("-h", "--help", "help"):
        say_verbs(console)
        say_examples("memory", console)
        return Exit.OK
    return run_verb(verb, words[1:], console)


def _has_operand(words: Sequence[str]) -> bool:
    return bool(words) and not words[0].startswith("-")


def _run_own(verb: str, words: Sequence[str], console: Console) -> Exit:
    module: Any = import_module(_OWN_VERBS[verb].module)
    if _OWN_VERBS[verb].reads_words and not wants_help(words):
        own_code: Exit = module.run_words(words, console)
        return own_code
    parser = Parser(f"drift memory {verb}", module.__doc__ or "", width=console.prose_width)
    module.configure(parser)
    if wants_help(words):
        console.say(parser.format_help().rstrip())
        return Exit.OK
    code: Exit = module.run(parser.read(words), console)
    return code
