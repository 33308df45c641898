"""What the page may ask: calls of tools that read, with everything fixed but a few bounded words."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.registry import ServerName

# As much as a tool may be allowed: the page is read by a person, who pays for no tokens.
_ALL_TOKENS: Final = 100_000
_MOST_WORD_CHARS: Final = 500
_MOST_ROWS: Final = 100
_MOST_CURSOR_CHARS: Final = 20_000  # it holds the last row's title; the tool takes as much


class Word(NamedTuple):
    """A text in the address."""

    is_required: bool = False
    most_chars: int = _MOST_WORD_CHARS


class Number(NamedTuple):
    """A whole number in the address, from 0 or `least` to `most`."""

    usual: int
    most: int
    least: int = 0


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
class Browsing:
    """What an address may choose of pages that no tool gives."""

    takes: Mapping[str, Word | Number]


def read_address(question: Question | Browsing, pairs: Iterable[tuple[str, str]], *, now: datetime) -> Asked:
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


def _read_number(name: str, text: str | None, taken: Number) -> int:
    if text is None:
        return taken.usual
    # `isdecimal` alone would let digits of other scripts pass, which no page of ours sends.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(taken.most))
    if not is_number or not taken.least <= int(text) <= taken.most:
        raise invalid(name, f"got {text[:20]!r}; a whole number from {taken.least} to {taken.most}")
    return int(text)


def _search_memories(asked: Asked) -> dict[str, Any]:
    kind = asked.words.get("type")
    return {
        "query": asked.words["q"],
        "limit": asked.numbers["limit"],
        "detail": "snippets",
        "maxTokens": _ALL_TOKENS,
        **({"types": [kind]} if kind else {}),
    }


def _get_memory(asked: Asked) -> dict[str, Any]:
    # Asked for by its time, a memory is not counted as used: looking at the page must not keep it alive.
    return {
        "id": asked.words["id"],
        "asOf": asked.now.isoformat(timespec="milliseconds"),
        "maxTokens": _ALL_TOKENS,
    }


def _query_instructions(asked: Asked) -> dict[str, Any]:
    words = asked.words
    filters: dict[str, Any] = {}
    if "q" in words:
        filters["text"] = words["q"]
    if "status" in words:
        filters["status"] = [words["status"]]
    if "tier" in words:
        filters["priorityTiers"] = [words["tier"]]
    if asked.numbers["overdue"]:
        # As the catalog counts them: what no longer holds needs no review.
        filters["reviewDueBefore"] = asked.now.isoformat(timespec="milliseconds")
        filters["requirements"] = ["mandatory", "critical", "recommended", "optional"]
        filters.setdefault("status", ["draft", "review", "approved"])
    after = {"cursor": words["cursor"]} if "cursor" in words else {}
    return {"filters": filters, "limit": asked.numbers["limit"], "maxTokens": _ALL_TOKENS, **after}


_ROWS: Final = Number(usual=50, most=_MOST_ROWS, least=1)

QUESTIONS: Final[Mapping[str, Question]] = {
    "status": Question(ServerName.ANALYSIS, "drift_status", lambda _asked: {}),
    "packs": Question(
        ServerName.ANALYSIS, "drift_discover", lambda _asked: {"section": "packs", "maxTokens": _ALL_TOKENS}
    ),
    "memory": Question(ServerName.MEMORY, "drift_memory_status", lambda _asked: {}),
    "memory/search": Question(
        ServerName.MEMORY,
        "drift_memory_search",
        _search_memories,
        {"q": Word(is_required=True), "type": Word(), "limit": _ROWS},
    ),
    "memory/get": Question(
        ServerName.MEMORY, "drift_memory_get", _get_memory, {"id": Word(is_required=True)}
    ),
    "catalog": Question(ServerName.CATALOG, "instructions_health", lambda _asked: {}),
    "catalog/query": Question(
        ServerName.CATALOG,
        "instructions_query",
        _query_instructions,
        {
            "q": Word(),
            "status": Word(),
            "tier": Word(),
            "overdue": Number(usual=0, most=1),
            "limit": _ROWS,
            "cursor": Word(most_chars=_MOST_CURSOR_CHARS),
        },
    ),
}
"""Every question by its address under `/api/`."""

MEMORY_PAGES: Final = Browsing({"type": Word(), "after": Word(), "limit": _ROWS})
"""All memories by type, at `/api/memory/list`."""
