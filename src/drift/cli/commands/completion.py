"""`drift completion`: a script that completes commands, tools and options in bash, zsh or fish."""

import argparse
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from drift.cli.clients import CLIENTS
from drift.cli.commands import COMMANDS
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import Parser
from drift.cli.slots import ACTION, slots_of, takes_action_word
from drift.cli.tool_command import tool_commands
from drift.cli.tool_parser import build_tool_parser
from drift.registry import ServerName, ToolDefinition
from drift.tools import all_tools

Words = Mapping[str, list[str]]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=list(_WRITERS))


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    console.say(_WRITERS[arguments.shell](complete_words()))
    return Exit.OK


def complete_words() -> Words:
    """What may follow each command; what may stand first is under the empty name."""
    by_command = {each.name: _words_of_module(each.name, each.module) for each in COMMANDS if each.module}
    by_tool = {name: _words_of_tool(tool) for name, tool in tool_commands().items() if name not in by_command}
    words = {**by_command, **by_tool}
    return {"": sorted([*words, "help", "--help", "--version"]), **dict(sorted(words.items()))}


def _words_of_module(name: str, path: str) -> list[str]:
    module: Any = import_module(path)
    parser = Parser(f"drift {name}", "")
    module.configure(parser)
    return [*_FIRST_WORDS.get(name, list)(), *sorted(set(parser.option_words))]


def _words_of_tool(tool: ToolDefinition) -> list[str]:
    actions = [slot.choices for slot in slots_of(tool) if slot.wire == ACTION and takes_action_word(tool)]
    return [*(actions[0] if actions else []), *sorted(set(build_tool_parser(tool).option_words))]


def _tool_names() -> list[str]:
    return [tool.name for tool in all_tools()]


_FIRST_WORDS: Final[Mapping[str, Callable[[], list[str]]]] = {
    "call": _tool_names,
    "completion": lambda: list(_WRITERS),
    "install": lambda: [client.name for client in CLIENTS],
    "mcp": lambda: [str(name) for name in ServerName],
    "tools": _tool_names,
}


def _write_bash(words: Words) -> str:
    cases = "\n".join(f"        {name}) words='{' '.join(each)}' ;;" for name, each in words.items() if name)
    return f"""\
# Completion of drift for bash. Put it into your session with: eval "$(drift completion bash)"
_drift() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" words=''
    if [ "$COMP_CWORD" -eq 1 ]; then
        words='{" ".join(words[""])}'
    else
        case "${{COMP_WORDS[1]}}" in
{cases}
        esac
    fi
    COMPREPLY=()
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _drift drift"""


def _write_zsh(words: Words) -> str:
    cases = "\n".join(
        f"        {name}) compadd -- {' '.join(each)} ;;" for name, each in words.items() if name
    )
    return f"""\
#compdef drift
# Completion of drift for zsh. Put it into your session with: eval "$(drift completion zsh)"
_drift() {{
    if (( CURRENT == 2 )); then
        compadd -- {" ".join(words[""])}
        return
    fi
    case "${{words[2]}}" in
{cases}
    esac
    _files
}}
compdef _drift drift"""


def _write_fish(words: Words) -> str:
    lines = [
        "# Completion of drift for fish. Put it into your session with: drift completion fish | source",
        f"complete -c drift -n __fish_use_subcommand -f -a '{' '.join(words[''])}'",
    ]
    lines += [
        f"complete -c drift -n '__fish_seen_subcommand_from {name}' -a '{' '.join(each)}'"
        for name, each in words.items()
        if name
    ]
    return "\n".join(lines)


_WRITERS: Final[Mapping[str, Callable[[Words], str]]] = {
    "bash": _write_bash,
    "zsh": _write_zsh,
    "fish": _write_fish,
}
