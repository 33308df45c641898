"""`drift --help`: every command on one screen, and how commands end."""

from itertools import groupby

from drift.cli.commands import COMMANDS
from drift.cli.console import Console, Ink
from drift.cli.exits import MEANINGS

_PROMISE = "Codebase intelligence for AI coding agents, over MCP and on the command line."


def say_help(console: Console) -> None:
    """Write the help page."""
    console.say("usage: drift COMMAND [ARGUMENTS] [--json]")
    console.say()
    console.say(_PROMISE)
    width = max(len(command.name) for command in COMMANDS)
    for group, commands in groupby(COMMANDS, key=lambda command: command.group):
        console.say()
        console.say(console.paint(group, Ink.BOLD))
        for command in commands:
            console.say(f"  {command.name:<{width}}  {command.purpose}")
    console.say()
    console.say(
        "Every tool is a command, too: `drift tools` lists them, `drift COMMAND --help` explains one."
    )
    console.say()
    console.say(console.paint("Exit codes", Ink.BOLD))
    for code, meaning in MEANINGS.items():
        console.say(f"  {code.value:>{width}}  {meaning}")
