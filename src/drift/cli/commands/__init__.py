"""The commands, in the order help shows them. A new one is a module here and a row below.

A module has `configure(parser)`, which declares options, and `run(arguments, console)`, which does the work
and returns the exit code. It is imported when its command is wanted. Rows without a module are registered
tools, which are commands by themselves; the ones people type daily stand here so that help can name them.
"""

from typing import Final, NamedTuple


class Command(NamedTuple):
    """One row of the help page."""

    name: str
    group: str
    purpose: str
    module: str | None = None


COMMANDS: Final = (
    Command("init", "Start", "set up Drift in a project", "drift.cli.commands.init"),
    Command("scan", "Start", "read the project's code into its index", "drift.cli.commands.scan"),
    Command("watch", "Start", "keep the index current while files change", "drift.cli.commands.watch"),
    Command(
        "install", "Start", "connect Claude Code, Cursor, VS Code and others", "drift.cli.commands.install"
    ),
    Command("doctor", "Start", "check this machine, the project and the server", "drift.cli.commands.doctor"),
    Command("status", "Ask", "how the project, its index and the server stand"),
    Command("projects", "Ask", "list, add, remove, switch or rename projects"),
    Command("tools", "Ask", "every tool there is, or all about one", "drift.cli.commands.tools"),
    Command("export", "Ask", "the graph or the symbols, for other programs", "drift.cli.commands.export"),
    Command("memory", "Ask", "save, find and look after what was learned", "drift.cli.commands.memory"),
    Command(
        "instructions",
        "Ask",
        "the project's governed instructions, and the files made of them",
        "drift.cli.commands.instructions",
    ),
    Command("call", "Ask", "call any tool with JSON or key=value arguments", "drift.cli.commands.call"),
    Command("mcp", "Serve", "serve one MCP client over standard input and output", "drift.cli.commands.mcp"),
    Command("serve", "Serve", "serve MCP over HTTP", "drift.cli.commands.serve"),
    Command("dashboard", "Serve", "a read-only web page about the project", "drift.cli.commands.dashboard"),
    Command("version", "About", "which Drift this is", "drift.cli.commands.version"),
    Command("completion", "About", "completion for bash, zsh or fish", "drift.cli.commands.completion"),
)

OWN_COMMANDS: Final = frozenset(command.name for command in COMMANDS if command.module)
"""Names with options of their own; a tool of the same name is called through `drift call`."""

__all__ = ["COMMANDS", "OWN_COMMANDS", "Command"]
