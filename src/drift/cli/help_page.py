"""`drift --help`: the questions first, then every other command on one screen, and how commands end."""

from itertools import groupby
from typing import Final

from drift.cli.commands import COMMANDS
from drift.cli.console import Console, Ink
from drift.cli.exits import MEANINGS
from drift.cli.tables import wrap

_PROMISE: Final = "Codebase intelligence for AI coding agents, over MCP and on the command line."


def say_help(console: Console) -> None:
    """Write the help page."""
    console.say("usage: drift COMMAND [ARGUMENTS] [--json]")
    console.say()
    console.say(_PROMISE)
    console.say("Ask right away: the first question reads the code, each later one what changed.")
    width = max(len(command.name) for command in COMMANDS)
    for group, commands in groupby(COMMANDS, key=lambda command: command.group):
        console.say()
        console.say(console.paint(group, Ink.BOLD))
        for command in commands:
            name = console.paint(command.name, Ink.CYAN)
            console.say(f"  {name}{' ' * (width - len(command.name))}  {command.purpose}")
    console.say()
    console.say(
        "Every tool is a command, too: `drift tools` lists them, `drift COMMAND --help` explains one."
    )
    codes = "; ".join(f"{code.value} {meaning}" for code, meaning in MEANINGS.items())
    for line in wrap(f"Exit codes: {codes}.", console.prose_width):
        console.say(line)
