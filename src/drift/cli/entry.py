"""Where a command line is read, its command run, and whatever goes wrong becomes a message and an exit code."""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from drift.cli.commands import COMMANDS, HIDDEN, Command
from drift.cli.console import Console, open_console
from drift.cli.exits import Exit, exit_for
from drift.cli.failures import say_failure
from drift.cli.parser import Parser, UsageError, wants_help, wants_json
from drift.kernel.errors import DriftError, ErrorCode, Recovery

_OWN: Final[Mapping[str, Command]] = {
    each.name: each for each in (*COMMANDS, *HIDDEN) if each.module is not None
}

_OPEN: Final = "--open"


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line; returns its exit code."""
    return run(sys.argv[1:] if words is None else words, open_console())


def main_mcp(words: Sequence[str] | None = None) -> int:
    """Run one command line of `drift-mcp`, which is `drift mcp`."""
    return main(["mcp", *(sys.argv[1:] if words is None else words)])


def run(words: Sequence[str], console: Console) -> int:
    """Run one command line on a given console. Never raises for what a person can cause."""
    try:
        code = _run_or_report(list(words), console)
        console.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return Exit.OK
    except KeyboardInterrupt:
        console.tell("")
        return Exit.INTERRUPTED
    return code


def _run_or_report(words: list[str], console: Console) -> int:
    try:
        return _dispatch(words, console)
    except BrokenPipeError:
        raise
    except DriftError as error:
        failure = error
    except Exception as error:  # noqa: BLE001 - the outermost border: a fault of ours becomes a message, too
        failure = _own_fault(error, console)
    # A client of `drift mcp` reads standard output as protocol, whatever was wrong with the options.
    say_failure(failure.as_wire(), console, as_json=wants_json(words) and words[0] != "mcp")
    return Exit.USAGE if isinstance(failure, UsageError) else exit_for(failure.code)


def _discard_output() -> None:
    # The reader is gone, which is its right (`drift tools | head`); the interpreter flushes once more at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(words: list[str], console: Console) -> int:
    if not words:
        from drift.cli.overview import say_overview  # reads the project, which other commands may not need

        return say_overview(console)
    name, *rest = words
    if name in ("-h", "--help") or (name == "help" and not rest):
        from drift.cli.help_page import say_help  # needed here alone

        say_help(console)
        return Exit.OK
    if name == "help":
        return _dispatch([rest[0], "--help"], console)
    if name in ("-V", "--version"):
        return _dispatch(["version", *rest], console)
    if name.startswith("-"):
        raise UsageError(f"{name} is no option of drift itself", Recovery(hint="See: drift --help"))
    if name == "graph" and _OPEN in rest:
        shown = next((word for word in rest if not word.startswith("-")), "")
        return _run_module(_OWN["dashboard"], ["--view", _graph_view(shown)], console)
    if name in _OWN:
        return _run_module(_OWN[name], rest, console)
    from drift.cli.tool_command import run_tool_command  # imports every tool: a third of a second

    return run_tool_command(name, rest, console)


def _graph_view(shown: str) -> str:
    """The page's address of the whole graph, or of what is around a file or a place in one."""
    if not shown:
        return "graph"
    return f"graph/{shown}?level={'symbol' if shown.rpartition(':')[2].isdecimal() else 'file'}"


def _run_module(command: Command, words: list[str], console: Console) -> int:
    module: Any = import_module(str(command.module))
    if command.is_group:
        group_code: int = module.run_words(words, console)
        return group_code
    purpose = command.purpose
    parser = Parser(
        f"drift {command.name}", purpose[:1].upper() + purpose[1:] + ".", width=console.prose_width
    )
    module.configure(parser)
    if wants_help(words):
        from drift.cli.examples import say_help_of  # needed here alone

        say_help_of(parser, console)
        return Exit.OK
    code: int = module.run(parser.read(words), console)
    return code


def _own_fault(error: Exception, console: Console) -> DriftError:
    # Imported here: only a fault of ours needs them.
    import traceback

    if "debug" in console.environ.get("DRIFT_LOG", ""):
        console.tell("".join(traceback.format_exception(error)).rstrip())
    return DriftError(
        ErrorCode.INTERNAL_ERROR,
        f"Drift failed: {type(error).__name__}: {error}",
        Recovery(hint="Set DRIFT_LOG=debug to see where; `drift doctor` checks the surroundings."),
    )
