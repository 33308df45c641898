"""The parser of one tool's command, and the arguments of a call read from its words."""

import argparse
from collections.abc import Sequence
from typing import Any

from drift.cli.coercion import coerce, coerce_all
from drift.cli.parser import Parser, UsageError, help_text
from drift.cli.slots import ACTION, OPERANDS, SPOKEN, Slot, command_name, slots_of, takes_action_word
from drift.kernel.errors import Recovery
from drift.kernel.similar import similar_names
from drift.registry import ToolDefinition

_OPERANDS_DEST = "operands of the action"  # not a name an argument can have
_JSON_DEST = "print as JSON"


def build_tool_parser(tool: ToolDefinition, *, width: int = 80, program: str | None = None) -> Parser:
    """The parser of a tool's command; `program` is what was typed, where it is not the command's own name."""
    parser = Parser(program or f"drift {command_name(tool.name)}", tool.description, width=width)
    slots = slots_of(tool)
    required = [slot for slot in slots if slot.is_required]
    for slot in required:
        is_open_ended = slot.is_repeatable and slot is required[-1]
        parser.add_argument(slot.wire, nargs="+" if is_open_ended else None, help=help_text(slot.about))
    if takes_action_word(tool):
        _add_action(parser, tool, next(slot for slot in slots if slot.wire == ACTION))
    for slot in slots:
        if not slot.is_required and not (slot.wire == ACTION and takes_action_word(tool)):
            add_flag(parser, slot)
    parser.add_argument("--json", dest=_JSON_DEST, action="store_true", help="print the whole answer as JSON")
    return parser


def read_call(tool: ToolDefinition, words: Sequence[str], *, parser: Parser) -> tuple[dict[str, Any], bool]:
    """The arguments of a call on the wire, and whether the answer is wanted as JSON."""
    given = vars(parser.read(words))
    arguments: dict[str, Any] = {}
    for slot in slots_of(tool):
        value = given.get(slot.wire)
        if value is not None:
            arguments[slot.wire] = _read(slot, value)
    words = given.get(_OPERANDS_DEST) or []
    if tool.name in SPOKEN and arguments.get(ACTION) not in (None, *_actions(tool)):
        arguments[SPOKEN[tool.name]] = " ".join([arguments.pop(ACTION), *words])
        words = []
    _check_action(tool, arguments, parser)
    arguments |= _read_operands(tool, arguments, words, parser=parser)
    return arguments, bool(given[_JSON_DEST])


def _add_action(parser: Parser, tool: ToolDefinition, slot: Slot) -> None:
    parser.add_argument(ACTION, nargs="?", help=help_text(slot.about))
    operands = OPERANDS.get(tool.name)
    if operands:
        forms = ", ".join(f"{action} {' '.join(names)}" for action, names in sorted(operands.items()))
        parser.add_argument(_OPERANDS_DEST, nargs="*", metavar="operand", help=help_text(f"as in: {forms}"))
    elif tool.name in SPOKEN:
        spoken = SPOKEN[tool.name]
        parser.add_argument(_OPERANDS_DEST, nargs="*", metavar="word", help=f"or words instead: the {spoken}")


def add_flag(parser: Parser, slot: Slot) -> None:
    """Give a parser the option of an argument; where it chooses whose memories, `--user` is short for one's own."""
    about = help_text(slot.about)
    if slot.wire == "scope" and "user" in slot.choices:
        parser.add_argument(
            "--user",
            dest=slot.wire,
            action="store_const",
            const="user",
            help="your own memories, for all projects",
        )
    if slot.kind == "boolean":
        parser.add_argument(slot.flag, dest=slot.wire, action=argparse.BooleanOptionalAction, help=about)
    else:
        parser.add_argument(
            slot.flag,
            dest=slot.wire,
            action="append" if slot.is_repeatable else "store",
            metavar=slot.kind.upper(),
            help=about,
        )


def _read(slot: Slot, value: Any) -> Any:
    if isinstance(value, list):
        return coerce_all(slot.schema, value, slot.wire)
    return coerce(slot.schema, value, slot.wire) if isinstance(value, str) else value


def _actions(tool: ToolDefinition) -> list[str]:
    return next(slot.choices for slot in slots_of(tool) if slot.wire == ACTION)


def _check_action(tool: ToolDefinition, arguments: dict[str, Any], parser: Parser) -> None:
    action = arguments.get(ACTION)
    if action is None or not takes_action_word(tool):
        return
    choices = _actions(tool)
    if action not in choices:
        raise UsageError(
            f"action: got {action[:60]!r}; allowed: {', '.join(choices)}",
            Recovery(hint=f"See: {parser.prog} --help", similar=similar_names(action, choices)),
        )


def _read_operands(
    tool: ToolDefinition, arguments: dict[str, Any], words: Sequence[str], *, parser: Parser
) -> dict[str, Any]:
    names = OPERANDS.get(tool.name, {}).get(arguments.get(ACTION, ""), ())
    if len(words) > len(names):
        parser.error(f"unexpected {words[len(names)][:60]!r}")
    found: dict[str, Any] = {}
    for name, word in zip(names, words, strict=False):
        if name in arguments:
            parser.error(f"{name} is given twice")
        slot = next(slot for slot in slots_of(tool) if slot.wire == name)
        found[name] = _read(slot, word)
    return found
