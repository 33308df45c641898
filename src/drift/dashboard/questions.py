"""What the page may ask: calls of tools that read, with everything fixed but a few bounded words."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.project import Project
from drift.registry import ServerName

_MOST_WORD_CHARS: Final = 500
_MOST_ROWS: Final = 100
_DECISIONS: Final = ("approve", "ignore")


class Word(NamedTuple):
    """A text in the address."""

    is_required: bool = False
    most_chars: int = _MOST_WORD_CHARS


class Number(NamedTuple):
    """A whole number in the address, from 0 or `least` to `most`."""

    usual: int
    most: int
    least: int = 0


ROWS: Final = Number(usual=50, most=_MOST_ROWS, least=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """What stood in the address, checked, and when it was asked."""

    words: Mapping[str, str]
    numbers: Mapping[str, int]
    now: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A reading call. `arguments` fills in what the address may choose, and nothing else can be chosen."""

    server: ServerName
    tool: str
    arguments: Callable[[Asked], dict[str, Any]]
    takes: Mapping[str, Word | Number] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Look:
    """A page that no tool gives, made by a function of the project; `server` is the one it is a part of."""

    server: ServerName
    make: Callable[[Project, Asked], object]
    takes: Mapping[str, Word | Number] = field(default_factory=dict)


def read_address(question: Question | Look, pairs: Iterable[tuple[str, str]], *, now: datetime) -> Asked:
    """What the address asks for; INVALID_ARGUMENT for anything the question does not take."""
    given: dict[str, str] = {}
    for name, text in pairs:
        if name not in question.takes:
            raise invalid(name[:60], f"not known here; allowed: {', '.join(question.takes) or 'nothing'}")
        if name in given:
            raise invalid(name, "is there twice")
        taken = question.takes[name]
        if isinstance(taken, Word) and len(text) > taken.most_chars:
            raise invalid(name, f"is longer than {taken.most_chars} characters")
        given[name] = text
    words, numbers = {}, {}
    for name, taken in question.takes.items():
        if isinstance(taken, Number):
            numbers[name] = _read_number(name, given.get(name), taken)
        elif given.get(name, "").strip():
            words[name] = given[name].strip()
        elif taken.is_required:
            raise DriftError(
                ErrorCode.MISSING_REQUIRED_PARAM, f"{name}: is empty", Recovery(details={"argument": name})
            )
    return Asked(words, numbers, now)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided about a convention, with what they showed for it."""

    action: str
    convention: str
    evidence: Mapping[str, Any]


def read_decision(body: bytes) -> Decision:
    """The decision in a request; INVALID_ARGUMENT for anything else."""
    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise invalid("body", "is no JSON, or too long") from error
    if not isinstance(given, dict) or set(given) != {"action", "patternId", "evidence"}:
        raise invalid("body", "must have action, patternId and evidence")
    if given["action"] not in _DECISIONS or not isinstance(given["patternId"], str):
        raise invalid("action", f"must be one of {', '.join(_DECISIONS)}, and patternId a text")
    if not isinstance(given["evidence"], dict):
        raise invalid("evidence", "must be an object")
    return Decision(given["action"], given["patternId"], given["evidence"])


def _read_number(name: str, text: str | None, taken: Number) -> int:
    if text is None:
        return taken.usual
    # `isdecimal` alone would let digits of other scripts pass, which no page of ours sends.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(taken.most))
    if not is_number or not taken.least <= int(text) <= taken.most:
        raise invalid(name, f"got {text[:20]!r}; a whole number from {taken.least} to {taken.most}")
    return int(text)
