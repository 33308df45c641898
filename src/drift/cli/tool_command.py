"""Every registered tool as a command, made from its definition."""

from collections.abc import Mapping, Sequence

from drift.cli.calling import call_and_say
from drift.cli.command_lines import command_line
from drift.cli.commands import COMMANDS
from drift.cli.console import Console
from drift.cli.examples import say_help_of
from drift.cli.exits import Exit
from drift.cli.parser import UsageError, wants_help
from drift.cli.questions import SYNONYMS, find_question
from drift.cli.slots import command_name
from drift.cli.tool_parser import build_tool_parser, read_call
from drift.cli.verb_command import run_verb_command
from drift.kernel.errors import Recovery
from drift.kernel.similar import similar_names
from drift.registry import ToolDefinition
from drift.tools import all_tools


def run_tool_command(
    name: str, words: Sequence[str], console: Console, *, program: str | None = None
) -> Exit:
    """Run a question or a tool, or say which commands are like the one typed; `program` is what help calls it."""
    question = find_question(name)
    if question is not None:
        asked = all_tools().get(question.tool)
        return run_verb_command(program or f"drift {name}", question, asked, words, console=console)
    tool = tool_commands().get(name.replace("_", "-")) or all_tools().find(name)
    if tool is None:
        raise _unknown(name)
    parser = build_tool_parser(tool, width=console.prose_width, program=program)
    if wants_help(words):
        examples = [command_line(tool.name, each, all_tools()) for each in tool.examples]
        say_help_of(parser, console, examples)
        return Exit.OK
    arguments, as_json = read_call(tool, words, parser=parser)
    return call_and_say(tool.name, arguments, console, server=tool.category.server, as_json=as_json)


def tool_commands() -> Mapping[str, ToolDefinition]:
    """The tools by their commands' names."""
    return {command_name(tool.name): tool for tool in all_tools()}


def _unknown(name: str) -> UsageError:
    known = {command.name for command in COMMANDS} | set(SYNONYMS) | set(tool_commands())
    return UsageError(
        f"There is no command {name[:80]!r}",
        Recovery(hint="See: drift --help, or drift tools", similar=similar_names(name, known)),
    )
