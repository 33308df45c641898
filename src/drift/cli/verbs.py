"""Verbs: short commands for calls people make often, as rows of a table."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Verb(NamedTuple):
    """A verb: its tool, the argument that its words make up, arguments it brings along, and what people usually want.

    `brings` is what tells the verb from others of its tool, `usual` is not; flags override both. `joins` says whether several words
    make one text. `leading` is an argument that may stand before the words, where the first of them is one
    of its choices. `second` is an argument that stands behind the first.
    """

    tool: str
    purpose: str
    operand: str | None = None
    brings: Mapping[str, Any] = MappingProxyType({})
    is_operand_needed: bool = True
    usual: Mapping[str, Any] = MappingProxyType({})
    joins: bool = True
    leading: str | None = None
    second: str | None = None


Verbs = Mapping[str, Verb]


class Spoken(NamedTuple):
    """A call as a verb: its name, the words behind it, and the arguments that stay to be written as flags."""

    verb: str
    operands: tuple[str, ...]
    rest: Mapping[str, Any]


def speak(tool: str, arguments: Mapping[str, Any], verbs: Verbs) -> Spoken | None:
    """How a person would say the call; None for one that no verb of the table stands for."""
    given = {name: value for name, value in arguments.items() if value is not None}
    fitting = [(name, verb) for name, verb in verbs.items() if verb.tool == tool and _means(verb, given)]
    if not fitting:
        return None
    name, verb = max(fitting, key=lambda one: len(one[1].brings))
    operands = _operands(given.get(verb.operand or ""))
    if verb.operand is not None and verb.is_operand_needed and not operands:
        return None
    leading = _operands(given.get(verb.leading or "")) if operands else ()
    second = _operands(given.get(verb.second or "")) if operands else ()
    if verb.second is not None and not second:
        return None
    said = {
        *([verb.second] if verb.second else []),
        *verb.brings,
        *([verb.operand] if operands else []),
        *([verb.leading] if leading else []),
    }
    rest = {key: value for key, value in given.items() if key not in said}
    return Spoken(name, (*leading, *operands, *second), rest)


def _means(verb: Verb, given: Mapping[str, Any]) -> bool:
    """Whether the call is what the verb comes to: it brings what was given, and adds nothing else."""
    if not all(given.get(name) == value for name, value in verb.brings.items()):
        return False
    return all(name in given or name == verb.operand for name in verb.usual)


def _operands(value: Any) -> tuple[str, ...]:
    words = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else ()
    # A word that begins with a dash would be read as a flag.
    is_plain = all(isinstance(word, str) and word and not word.startswith("-") for word in words)
    return words if is_plain else ()
