"""Help with examples: what to type, below the options of a command."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from drift.cli.console import Console, Ink
from drift.cli.parser import Parser


@cache
def examples_by_command() -> Mapping[str, Sequence[str]]:
    """Lines to type by the command they begin with."""
    text = files("drift.cli").joinpath("examples.toml").read_text("utf-8")
    return tomllib.loads(text)


def say_help_of(parser: Parser, console: Console, examples: Sequence[str] = ()) -> None:
    """Write the help of a command; its own examples go before those that come with a tool."""
    console.say(parser.format_help().rstrip())
    say_examples(parser.prog.removeprefix("drift "), console, examples)


def say_examples(command: str, console: Console, others: Sequence[str] = ()) -> None:
    """Write what to type for a command, or the others where it has no examples of its own."""
    lines = examples_by_command().get(command) or others
    if not lines:
        return
    console.say()
    console.say("examples:")
    for line in lines:
        typed, mark, purpose = line.partition("  # ")
        told = f"  {console.paint(f'# {purpose}', Ink.DIM)}" if mark else ""
        console.say(f"  {console.paint(typed, Ink.CYAN)}{told}")
