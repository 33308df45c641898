"""Calls written as the command lines a person would type."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

from drift.cli.commands import OWN_COMMANDS
from drift.cli.memory_table import short_name, speak_memory
from drift.cli.questions import QUESTIONS
from drift.cli.slots import ACTION, Slot, command_name, slots_of, takes_action_word
from drift.cli.verbs import Spoken, speak
from drift.registry import Toolbox, ToolDefinition


def command_line(name: str, arguments: Mapping[str, Any], toolbox: Toolbox) -> str:
    """The command line of a call; a call that only passes another on is written as that other."""
    tool = toolbox.find(name)
    if tool is None or not _has_own_command(tool, toolbox):
        return shlex.join(["drift", "call", name, *(["--args", json.dumps(arguments)] if arguments else [])])
    inner = arguments.get("name")
    if tool.is_relay and isinstance(inner, str) and toolbox.find(inner) is not None:
        return command_line(inner, arguments.get("args") or {}, toolbox)
    return shlex.join(["drift", *_words(tool, arguments)])


def _has_own_command(tool: ToolDefinition, toolbox: Toolbox) -> bool:
    """Whether the command that its name makes is this tool: another may have that name itself."""
    command = command_name(tool.name)
    named = toolbox.find(command.replace("-", "_"))
    return command not in OWN_COMMANDS and (named is None or named.name == tool.name)


def _words(tool: ToolDefinition, arguments: Mapping[str, Any]) -> list[str]:
    spoken = speak(tool.name, arguments, QUESTIONS)
    if spoken is not None:
        return _spoken_words(tool, spoken)
    return _memory_words(tool, arguments) or [command_name(tool.name), *command_words(tool, arguments)]


def _memory_words(tool: ToolDefinition, arguments: Mapping[str, Any]) -> list[str] | None:
    """The words of a memory tool, which people know as `drift memory VERB`; None for any other tool."""
    spoken = speak_memory(tool.name, arguments)
    if spoken is not None:
        return ["memory", *_spoken_words(tool, spoken)]
    short = short_name(tool.name)
    return ["memory", short, *command_words(tool, arguments)] if short is not None else None


def _spoken_words(tool: ToolDefinition, spoken: Spoken) -> list[str]:
    slots = {slot.wire: slot for slot in slots_of(tool)}
    flags = [word for wire, value in spoken.rest.items() for word in _write_flag(slots[wire], value)]
    return [spoken.verb, *spoken.operands, *flags]


def command_words(tool: ToolDefinition, arguments: Mapping[str, Any]) -> list[str]:
    """The words behind the command's name. The parser of the tool reads the same arguments from them."""
    given = [slot for slot in slots_of(tool) if arguments.get(slot.wire) is not None]
    has_action_word = takes_action_word(tool) and isinstance(arguments.get(ACTION), str)
    operands = [str(arguments[ACTION])] if has_action_word else []
    flags: list[str] = []
    for slot in given:
        value = arguments[slot.wire]
        if slot.is_required:
            operands.append(_write(slot, value))
        elif not (slot.wire == ACTION and has_action_word):
            flags += _write_flag(slot, value)
    if any(word.startswith("-") for word in operands):
        return [*flags, "--", *operands]
    return [*operands, *flags]


def _write_flag(slot: Slot, value: Any) -> list[str]:
    if isinstance(value, bool) and slot.kind == "boolean":
        return [slot.flag if value else slot.flag.replace("--", "--no-", 1)]
    word = _write(slot, value)
    # Joined, since a value that begins with a dash would read as another flag.
    return [f"{slot.flag}={word}"] if word.startswith("-") or not word else [slot.flag, word]


def _write(slot: Slot, value: Any) -> str:
    if isinstance(value, str) and slot.kind not in ("object", "array"):
        return value
    is_plain_list = isinstance(value, list) and value and all(_is_plain(item) for item in value)
    return ",".join(value) if is_plain_list else json.dumps(value)


def _is_plain(item: Any) -> bool:
    """Whether an item keeps its meaning between commas."""
    return isinstance(item, str) and item.strip() == item != "" and not {",", "["} & set(item)
