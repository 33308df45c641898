"""A verb of a table as a command: its parser, and the call its words stand for."""

import argparse
from collections.abc import Sequence
from typing import Any, Final

from drift.cli.calling import call_and_say
from drift.cli.coercion import coerce, coerce_all
from drift.cli.console import Console
from drift.cli.examples import say_help_of
from drift.cli.exits import Exit
from drift.cli.intent_words import choose_intent
from drift.cli.parser import Parser, help_text, wants_help
from drift.cli.slots import Slot, slots_of
from drift.cli.tool_parser import add_flag
from drift.cli.verbs import Verb
from drift.registry import ToolDefinition

_JSON_DEST: Final = "print as JSON"  # not a name an argument can have
_FLAGGED: Final = "operand as a flag"
_INTENT: Final = "intent"


def run_verb_command(
    program: str, verb: Verb, tool: ToolDefinition, words: Sequence[str], *, console: Console
) -> Exit:
    """Run a verb with the words behind it; `program` is what help calls it."""
    parser = build_verb_parser(program, verb, tool, width=console.prose_width)
    if wants_help(words):
        say_help_of(parser, console)
        return Exit.OK
    given = vars(parser.read(words))
    flagged = given.pop(_FLAGGED, None)
    if flagged is not None and verb.operand is not None:
        given[verb.operand] = flagged
    _take_leading(verb, tool, given, parser)
    arguments = {**verb.usual, **verb.brings} | {
        slot.wire: _read(slot, value)
        for slot in slots_of(tool)
        if (value := given.get(slot.wire)) not in (None, [])
    }
    if verb.leading == _INTENT and _INTENT not in arguments:
        arguments[_INTENT] = choose_intent(str(arguments.get(verb.operand or "", "")))
        console.tell(f"Taken as {arguments[_INTENT]}; --intent chooses another.")
    return call_and_say(
        tool.name, arguments, console, server=tool.category.server, as_json=bool(given[_JSON_DEST])
    )


def build_verb_parser(program: str, verb: Verb, tool: ToolDefinition, *, width: int = 80) -> Parser:
    """The parser of a verb: its operand as words, every other argument as a flag, which overrides what it brings."""
    parser = Parser(program, tool.description, width=width)
    for slot in slots_of(tool):
        if slot.wire == verb.operand:
            parser.add_argument(slot.wire, nargs=_count(verb, slot), help=help_text(slot.about))
            if not slot.is_required:
                # By its own name, too: it is a flag of the tool's own command.
                parser.add_argument(
                    slot.flag, dest=_FLAGGED, metavar=slot.kind.upper(), help=argparse.SUPPRESS
                )
        elif slot.wire == verb.second:
            parser.add_argument(slot.wire, help=help_text(slot.about))
        else:
            add_flag(parser, slot)
    parser.add_argument("--json", dest=_JSON_DEST, action="store_true", help="print the whole answer as JSON")
    return parser


def _count(verb: Verb, slot: Slot) -> str | None:
    # Several words make one text, so that a question needs no quotes.
    if verb.joins or slot.is_repeatable:
        return "+" if verb.is_operand_needed else "*"
    return None if verb.is_operand_needed else "?"


def _take_leading(verb: Verb, tool: ToolDefinition, given: dict[str, Any], parser: Parser) -> None:
    """Move a choice that stands before the words to its argument."""
    words = given.get(verb.operand or "")
    leading = next((slot for slot in slots_of(tool) if slot.wire == verb.leading), None)
    if leading is None or not isinstance(words, list) or not words or words[0] not in leading.choices:
        return
    if len(words) == 1:
        parser.error(f"the following arguments are required: {verb.operand}")
    if given.get(leading.wire) is not None:
        parser.error(f"{leading.wire} is given twice")
    given[leading.wire] = words.pop(0)


def _read(slot: Slot, value: Any) -> Any:
    if slot.is_repeatable:
        return coerce_all(slot.schema, value if isinstance(value, list) else [value], slot.wire)
    text = " ".join(value) if isinstance(value, list) else value
    return coerce(slot.schema, text, slot.wire) if isinstance(text, str) else text
