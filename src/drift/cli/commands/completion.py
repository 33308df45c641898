"""`drift completion`: a script that completes commands, options, their values, symbols and files in bash, zsh or fish."""

import argparse
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

from drift.cli.clients import CLIENTS
from drift.cli.commands import COMMANDS, OWN_COMMANDS
from drift.cli.commands.instructions import VERBS as INSTRUCTION_VERBS
from drift.cli.commands.memory_verbs import verb_rows
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.memory_table import VERBS as MEMORY_VERBS
from drift.cli.parser import Parser
from drift.cli.questions import QUESTIONS, SYNONYMS, find_question
from drift.cli.slots import ACTION, command_name, slots_of
from drift.cli.tool_command import tool_commands
from drift.cli.tool_parser import build_tool_parser
from drift.cli.verb_command import build_verb_parser
from drift.registry import ServerName, ToolDefinition
from drift.tools import all_tools

Words = Mapping[str, list[str]]

# Arguments that name a symbol or a file of the index.
_INDEXED: Final = frozenset(
    {"area", "file", "files", "function", "location", "path", "symbol", "target", "type"}
)


class Completion(NamedTuple):
    """What may follow what.

    `words` follow a command or a verb of a group, those under the empty name nothing; `values` a command and one
    of its options. `indexed` are the commands after which symbols and files may stand.
    """

    words: Words
    values: Words
    indexed: list[str]


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=list(_WRITERS))


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    console.say(_WRITERS[arguments.shell](complete()))
    return Exit.OK


def complete() -> Completion:
    """Everything that can be known without a project."""
    parsers = _parsers()
    words = {name: _words(name, parser) for name, parser in sorted(parsers.items())}
    first = sorted({*(name for name in words if " " not in name), *SYNONYMS, "help", "--help", "--version"})
    values = {
        f"{name} {option}": choices
        for name, parser in sorted(parsers.items())
        for option, choices in _choices(name, parser).items()
    }
    indexed = [name for name, parser in parsers.items() if _is_indexed(name, parser)]
    return Completion({"": first, **words}, values, sorted(indexed))


def complete_words() -> Words:
    """What may follow each command; what may stand first is under the empty name."""
    return complete().words


def _parsers() -> dict[str, Parser]:
    """The parser of every command, of every synonym, and of the verbs of `drift memory`."""
    parsers = {command_name(tool.name): build_tool_parser(tool) for tool in all_tools()}
    for name in (*QUESTIONS, *SYNONYMS):
        verb = find_question(name)
        assert verb is not None, "the name is from the tables"
        parsers[name] = build_verb_parser(f"drift {name}", verb, all_tools().get(verb.tool))
    for command in COMMANDS:
        if command.module is not None:
            module: Any = import_module(command.module)
            parsers[command.name] = Parser(f"drift {command.name}", "")
            module.configure(parsers[command.name])
    for name, verb in MEMORY_VERBS.items():
        tool = all_tools().get(verb.tool)
        parsers[f"memory {name}"] = build_verb_parser(f"drift memory {name}", verb, tool)
    return parsers


def _words(name: str, parser: Parser) -> list[str]:
    return [*_FIRST_WORDS.get(name, lambda: _operand_choices(name))(), *sorted(set(parser.option_words))]


def _tool_of(name: str) -> ToolDefinition | None:
    group, _blank, last = name.rpartition(" ")
    verb = MEMORY_VERBS.get(last) if group else find_question(name)
    return all_tools().get(verb.tool) if verb is not None else tool_commands().get(name)


def _operand_choices(name: str) -> list[str]:
    """The words that may stand first after a command: actions, intents, servers, clients."""
    verb, tool = find_question(name), _tool_of(name)
    if tool is None:
        return []
    leading = verb.leading if verb is not None else ACTION
    slot = next((slot for slot in slots_of(tool) if slot.wire == leading), None)
    return slot.choices if slot is not None else []


def _choices(name: str, parser: Parser) -> dict[str, list[str]]:
    """The values of each option that takes one of a few."""
    tool = None if name in OWN_COMMANDS else _tool_of(name)
    of_tool = {} if tool is None else {slot.flag: slot.choices for slot in slots_of(tool) if slot.choices}
    own = {option: choices for option, choices in parser.choices.items() if option.startswith("--")}
    return {**own, **{flag: choices for flag, choices in of_tool.items() if flag in parser.option_words}}


def _is_indexed(name: str, parser: Parser) -> bool:
    tool = None if name in OWN_COMMANDS else _tool_of(name)
    if tool is None or tool.category.server is not ServerName.ANALYSIS:
        return False
    return bool(_INDEXED & set(parser.operand_names))


def _tool_names() -> list[str]:
    return [tool.name for tool in all_tools()]


_FIRST_WORDS: Final[Mapping[str, Callable[[], list[str]]]] = {
    "call": _tool_names,
    "completion": lambda: list(_WRITERS),
    "install": lambda: [client.name for client in CLIENTS],
    "instructions": lambda: list(INSTRUCTION_VERBS),
    "mcp": lambda: [str(name) for name in ServerName],
    "memory": lambda: list(verb_rows()),
    "tools": _tool_names,
}


def _cases(table: Words, form: str) -> str:
    return "\n".join(form.format(name=name, words=" ".join(each)) for name, each in table.items() if name)


def _write_bash(found: Completion) -> str:
    verbs = {name: each for name, each in found.words.items() if " " in name}
    commands = {name: each for name, each in found.words.items() if " " not in name}
    return f"""\
# Completion of drift for bash. Put it into your session with: eval "$(drift completion bash)"
_drift() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words='' word
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words='{" ".join(found.words[""])}'
    else
        case "${{COMP_WORDS[1]}}" in
{_cases(commands, "        {name}) words='{words}' ;;")}
        esac
        if [ "$COMP_CWORD" -gt 2 ]; then
            case "${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}" in
{_cases(verbs, "            '{name}') words='{words}' ;;")}
            esac
        fi
        case "${{COMP_WORDS[1]}} $before" in
{_cases(found.values, "        '{name}') words='{words}' ;;")}
        esac
        case "${{COMP_WORDS[1]}}" in
        {"|".join(found.indexed)})
            case "$current" in
            -*|'') ;;
            *) while IFS= read -r word; do COMPREPLY+=("$word"); done < <(drift __complete -- "$current" 2>/dev/null) ;;
            esac ;;
        esac
    fi
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _drift drift"""


def _write_zsh(found: Completion) -> str:
    verbs = {name: each for name, each in found.words.items() if " " in name}
    commands = {name: each for name, each in found.words.items() if " " not in name}
    return f"""\
#compdef drift
# Completion of drift for zsh. Put it into your session with: eval "$(drift completion zsh)"
_drift() {{
    if (( CURRENT == 2 )); then
        compadd -- {" ".join(found.words[""])}
        return
    fi
    case "${{words[2]}} ${{words[CURRENT-1]}}" in
{_cases(found.values, "        '{name}') compadd -- {words}; return ;;")}
    esac
    if (( CURRENT > 3 )); then
        case "${{words[2]}} ${{words[3]}}" in
{_cases(verbs, "            '{name}') compadd -- {words}; return ;;")}
        esac
    fi
    case "${{words[2]}}" in
        {"|".join(found.indexed)})
            if [[ -n "${{words[CURRENT]}}" && "${{words[CURRENT]}}" != -* ]]; then
                compadd -- ${{(f)"$(drift __complete -- "${{words[CURRENT]}}" 2>/dev/null)"}}
            fi ;;
    esac
    case "${{words[2]}}" in
{_cases(commands, "        {name}) compadd -- {words} ;;")}
    esac
    _files
}}
compdef _drift drift"""


def _write_fish(found: Completion) -> str:
    lines = [
        "# Completion of drift for fish. Put it into your session with: drift completion fish | source",
        f"complete -c drift -n __fish_use_subcommand -f -a '{' '.join(found.words[''])}'",
    ]
    for name, each in found.words.items():
        if name:
            seen = " ".join(f"__fish_seen_subcommand_from {word};" for word in name.split()).rstrip(";")
            lines.append(f"complete -c drift -n '{seen.replace('; ', '; and ')}' -a '{' '.join(each)}'")
    for name, each in found.values.items():
        command, _blank, option = name.rpartition(" ")
        last = command.split()[-1]
        lines.append(
            f"complete -c drift -n '__fish_seen_subcommand_from {last}' -l {option[2:]} -x -a '{' '.join(each)}'"
        )
    lines.append(
        f"complete -c drift -n '__fish_seen_subcommand_from {' '.join(found.indexed)}' "
        "-a '(drift __complete -- (commandline -ct) 2>/dev/null)'"
    )
    return "\n".join(lines)


_WRITERS: Final[Mapping[str, Callable[[Completion], str]]] = {
    "bash": _write_bash,
    "zsh": _write_zsh,
    "fish": _write_fish,
}
