"""`drift tools`: every tool of every server, or all about one."""

import argparse
from datetime import date
from itertools import groupby
from typing import Any

from drift.cli.command_lines import command_line
from drift.cli.commands import OWN_COMMANDS
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.slots import ACTION, Slot, command_name, slots_of, takes_action_word
from drift.cli.tables import format_table, wrap
from drift.cli.tool_command import tool_commands
from drift.cli.tool_parser import build_tool_parser
from drift.kernel.text import plural
from drift.kernel.wire import to_wire
from drift.registry import ToolDefinition, View, visible_tools
from drift.registry.summary import tool_detail
from drift.tools import all_tools


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="a tool or its command")
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    view = View(today=date.today())  # noqa: DTZ011 - deprecations go by the user's own calendar
    if arguments.name is not None:
        tool = tool_commands().get(arguments.name) or all_tools().get(arguments.name)
        _say_one(tool, view, console, as_json=arguments.json)
    elif arguments.json:
        console.say_json({"tools": [_row(tool) for tool in visible_tools(all_tools(), view)]})
    else:
        _say_all(visible_tools(all_tools(), view), console)
    return Exit.OK


def _row(tool: ToolDefinition) -> dict[str, Any]:
    return {
        "name": tool.name,
        "command": f"drift {command_name(tool.name)}",
        "title": tool.title,
        "purpose": tool.purpose,
        "category": tool.category.name,
        "server": str(tool.category.server),
        "effect": str(tool.effect),
        "tokens": list(tool.tokens),
    }


def _say_all(tools: list[ToolDefinition], console: Console) -> None:
    longest = max(len(tool.name) for tool in tools)
    for category, group in groupby(tools, key=lambda tool: tool.category):
        heading = f"{category.name} ({category.server} server): {category.purpose}"
        console.say(console.paint(heading, Ink.BOLD))
        # The names' column is as wide as the longest of all, so that the groups line up.
        rows = [(f"  {tool.name:<{longest}}", command_name(tool.name), tool.purpose) for tool in group]
        for line in format_table(("  tool", "command", "does"), rows, width=console.width):
            console.say(line)
        console.say()
    console.say(f"{plural(len(tools), 'tool')}. All about one: drift tools NAME")


def _say_one(tool: ToolDefinition, view: View, console: Console, *, as_json: bool) -> None:
    parser = build_tool_parser(tool, width=console.prose_width)
    usage = " ".join(parser.format_usage().split()).removeprefix("usage: ")
    if command_name(tool.name) in OWN_COMMANDS:
        usage = f"drift call {tool.name} [key=value ...]; see also: drift {command_name(tool.name)} --help"
    examples = [command_line(tool.name, example, all_tools()) for example in tool.examples]
    if as_json:
        detail = {**to_wire(tool_detail(tool, view, has_schemas=True)), "server": str(tool.category.server)}
        console.say_json({**detail, "usage": usage, "commands": examples})
        return
    console.say(console.paint(f"{tool.name}: {tool.title}", Ink.BOLD))
    for line in wrap(tool.description, console.prose_width):
        console.say(line)
    console.say()
    console.say(f"usage: {usage}")
    console.say()
    rows = [(slot.wire, _flag(tool, slot), slot.kind, slot.about) for slot in slots_of(tool)]
    for line in format_table(("argument", "flag", "type", "about"), rows, width=console.width):
        console.say(line)
    for example in examples:
        console.say(f"example: {console.paint(example, Ink.CYAN)}")
    least, most = tool.tokens
    console.say()
    console.say(
        f"{tool.category.name} on the {tool.category.server} server; {tool.effect}; {least} to {most} tokens; "
        f"scopes: {', '.join(sorted(tool.scopes)) or 'none'}"
    )


def _flag(tool: ToolDefinition, slot: Slot) -> str:
    if command_name(tool.name) in OWN_COMMANDS:
        return f"{slot.wire}="
    is_word = slot.is_required or (slot.wire == ACTION and takes_action_word(tool))
    return "(word)" if is_word else slot.flag
