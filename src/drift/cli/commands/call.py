"""`drift call`: any tool, with its arguments as JSON, from a file, from a pipe, or as key=value words."""

import argparse
from collections.abc import Sequence
from typing import Any, BinaryIO, Final

from drift.cli.calling import call_and_say
from drift.cli.coercion import coerce, coerce_all, read_json
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import UsageError
from drift.cli.tool_command import tool_commands
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.wire import camel
from drift.project.home import expand_home
from drift.registry import ServerName, Toolbox, ToolDefinition, consolidated_tools
from drift.registry.schema import Schema
from drift.tools import all_tools, tools_of

_MOST_BYTES: Final = 1_048_576  # the limit of a request over MCP


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", help="name of a tool; `drift tools` lists them")
    parser.add_argument("pairs", nargs="*", metavar="key=value", help="an argument of the tool")
    parser.add_argument(
        "--args", metavar="JSON|@FILE|-", help="arguments as a JSON object, in a file, or on standard input"
    )
    parser.add_argument(
        "--server",
        choices=[str(name) for name in ServerName],
        help="the server to ask; default: the tool's own",
    )
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    server = ServerName(arguments.server) if arguments.server else None
    name, home, schema = _find(arguments.tool, server)
    given = {} if arguments.args is None else read_arguments(arguments.args, console)
    given |= read_pairs(arguments.pairs, schema)
    return call_and_say(name, given, console, server=home, as_json=arguments.json)


def read_arguments(text: str, console: Console) -> dict[str, Any]:
    """The object in `--args`: JSON itself, `@file`, or `-` for standard input."""
    if text == "-":
        text = _read_bounded(console.stdin.buffer, "standard input")
    elif text.startswith("@"):
        path = console.cwd / expand_home(text[1:], console.environ)
        try:
            with path.open("rb") as stream:
                text = _read_bounded(stream, str(path))
        except (OSError, ValueError) as error:
            raise UsageError(f"args: {text[1:200]!r} cannot be read ({error})") from error
    value = read_json(text, "args")
    if not isinstance(value, dict):
        raise UsageError("args: must be a JSON object, such as '{\"depth\": 2}'")
    return value


def read_pairs(pairs: Sequence[str], schema: Schema) -> dict[str, Any]:
    """The arguments in `key=value` words, typed as the tool's schema says. Repeated keys make a list."""
    words: dict[str, list[str]] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"{pair[:60]!r} is no key=value pair", Recovery(hint="See: drift call --help"))
        words.setdefault(_wire_name(key, schema), []).append(value)
    return {key: _read_words(key, values, schema) for key, values in words.items()}


def _find(name: str, server: ServerName | None) -> tuple[str, ServerName, Schema]:
    """The tool's full name, the server that answers, and the schema of its arguments."""
    toolbox = all_tools() if server is None else tools_of(server)
    tool = _find_tool(name, toolbox)
    if tool is not None:
        return tool.name, tool.category.server, tool.input_schema
    if name in consolidated_tools():
        return name, *_find_action_style(name, server)
    toolbox.get(name)  # raises, with the names nearest to it
    raise AssertionError("a toolbox has what it finds")


def _find_action_style(name: str, server: ServerName | None) -> tuple[ServerName, Schema]:
    """The server that has most of the tools behind an action-style name, and the schema of them all."""
    group = consolidated_tools()[name]
    toolboxes = {home: tools_of(home) for home in ((server,) if server else ServerName)}
    home = max(toolboxes, key=lambda one: len(group.available(toolboxes[one])))
    if group.available(toolboxes[home]):
        return home, group.input_schema(toolboxes[home])
    # None of its tools is registered anywhere, which the answer to the call says.
    return server or ServerName.ANALYSIS, {"properties": {}}


def _find_tool(name: str, toolbox: Toolbox) -> ToolDefinition | None:
    by_command = tool_commands().get(name)
    return toolbox.find(name) or (toolbox.find(by_command.name) if by_command else None)


def _wire_name(key: str, schema: Schema) -> str:
    # An unknown key is passed on as it is: the pipeline says which arguments there are.
    spelled = camel(key.replace("-", "_"))
    return key if key in schema["properties"] else spelled if spelled in schema["properties"] else key


def _read_words(key: str, words: Sequence[str], schema: Schema) -> Any:
    wanted = schema["properties"].get(key, {})
    if wanted.get("type") == "array":
        return coerce_all(wanted, words, key)
    if len(words) > 1:
        raise UsageError(f"{key[:60]} is given twice")
    return coerce(wanted, words[0], key)


def _read_bounded(stream: BinaryIO, place: str) -> str:
    content = stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise DriftError(ErrorCode.TOO_LARGE, f"{place} has more than {_MOST_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"args: {place} is not UTF-8 (byte {error.start})") from error
