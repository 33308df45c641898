"""The commands, in the order help shows them. A new one is a module here and a row below.

A module has `configure(parser)`, which declares options, and `run(arguments, console)`, which does the work
and returns the exit code; a group's has `run_words(words, console)`, since each of its verbs has options of its
own. It is imported when its command is wanted. Rows without a module are questions and tools, which are commands
by themselves.
"""

from typing import Final, NamedTuple

from drift.cli.questions import QUESTIONS


class Command(NamedTuple):
    """One row of the help page."""

    name: str
    group: str
    purpose: str
    module: str | None = None
    is_group: bool = False


_QUESTIONS: Final = tuple(Command(name, "Ask", verb.purpose) for name, verb in QUESTIONS.items())

COMMANDS: Final = (
    *_QUESTIONS,
    Command(
        "memory",
        "Ask",
        "save, find and look after what was learned",
        "drift.cli.commands.memory",
        is_group=True,
    ),
    Command(
        "instructions",
        "Ask",
        "the project's governed instructions, and the files made of them",
        "drift.cli.commands.instructions",
        is_group=True,
    ),
    Command("check", "Ask", "whether what changed may go in; for hooks and CI", "drift.cli.commands.check"),
    Command("conventions", "Ask", "what the project decides how", "drift.cli.commands.conventions"),
    Command("report", "Ask", "the project's quality as one HTML file", "drift.cli.commands.report"),
    Command(
        "install", "Set up", "connect Claude Code, Cursor, VS Code and others", "drift.cli.commands.install"
    ),
    Command("init", "Set up", "settings and shared files for a project; optional", "drift.cli.commands.init"),
    Command(
        "scan", "Set up", "read the code into the index now; questions do it, too", "drift.cli.commands.scan"
    ),
    Command(
        "template",
        "Set up",
        "a new project, or one file of it, from a template",
        "drift.cli.commands.template",
    ),
    Command("watch", "Set up", "keep the index current while files change", "drift.cli.commands.watch"),
    Command(
        "index",
        "Set up",
        "publish the index for others, or start from a published one",
        "drift.cli.commands.index",
    ),
    Command("fleet", "Set up", "keep the indexes of many repositories", "drift.cli.commands.fleet"),
    Command("status", "Set up", "how the project, its index and the server stand"),
    Command("projects", "Set up", "list, add, remove, switch or rename projects"),
    Command(
        "doctor", "Set up", "check this machine, the project and the server", "drift.cli.commands.doctor"
    ),
    Command("mcp", "Serve", "serve one MCP client over standard input and output", "drift.cli.commands.mcp"),
    Command("serve", "Serve", "serve MCP over HTTP", "drift.cli.commands.serve"),
    Command("dashboard", "Serve", "a read-only web page about the project", "drift.cli.commands.dashboard"),
    Command(
        "admin", "Serve", "take what is kept into a team's database, or back", "drift.cli.commands.admin"
    ),
    Command("tools", "More", "every tool there is, or all about one", "drift.cli.commands.tools"),
    Command("call", "More", "call any tool with JSON or key=value arguments", "drift.cli.commands.call"),
    Command(
        "export",
        "More",
        "the graph, the symbols or the uses, for other programs",
        "drift.cli.commands.export",
    ),
    Command("completion", "More", "completion for bash, zsh or fish", "drift.cli.commands.completion"),
    Command("version", "More", "which Drift this is", "drift.cli.commands.version"),
)

HIDDEN: Final = (
    Command("__complete", "", "names that begin with a word, for shells", "drift.cli.commands.complete"),
)
"""For scripts of ours; help leaves them out."""

OWN_COMMANDS: Final = frozenset(command.name for command in COMMANDS if command.module)
"""Names with options of their own; a tool of the same name is called through `drift call`."""

__all__ = ["COMMANDS", "HIDDEN", "OWN_COMMANDS", "Command"]
