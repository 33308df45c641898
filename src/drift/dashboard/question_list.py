"""The calls of tools that the page may make."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from drift.dashboard.questions import ROWS, Asked, Number, Question, Word
from drift.registry import ServerName

# As much as a tool may be allowed: the page is read by a person, who pays for no tokens.
_ALL_TOKENS: Final = 100_000
_MOST_CURSOR_CHARS: Final = 20_000  # it holds the last row's title; the tool takes as much
_MOST_PATH_CHARS: Final = 4_096
_YEAR: Final = 365
_FEW: Final = 20


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


def _about(argument: str, **more: object) -> Callable[[Asked], dict[str, Any]]:
    """The place that was asked about as an argument, beside what is fixed."""
    return lambda asked: {argument: asked.words["at"], "maxTokens": _ALL_TOKENS, **more}


def _fixed(**arguments: object) -> Callable[[Asked], dict[str, Any]]:
    return lambda _asked: {"maxTokens": _ALL_TOKENS, **arguments}


def _list_conventions(asked: Asked) -> dict[str, Any]:
    after = {"cursor": asked.words["cursor"]} if "cursor" in asked.words else {}
    return {"limit": 100, "sort": "id", "maxTokens": _ALL_TOKENS, **after}


_CURSOR: Final = Word(most_chars=_MOST_CURSOR_CHARS)
_AT: Final = {"at": Word(is_required=True, most_chars=_MOST_PATH_CHARS)}
_CODE, _MEMORY, _CATALOG = ServerName.ANALYSIS, ServerName.MEMORY, ServerName.CATALOG

QUESTIONS: Final[Mapping[str, Question]] = {
    "status": Question(_CODE, "drift_status", lambda _asked: {}),
    "packs": Question(_CODE, "drift_discover", lambda _asked: {"section": "packs", "maxTokens": _ALL_TOKENS}),
    "memory": Question(_MEMORY, "drift_memory_status", lambda _asked: {}),
    "memory/search": Question(
        _MEMORY,
        "drift_memory_search",
        _search_memories,
        {"q": Word(is_required=True), "type": Word(), "limit": ROWS},
    ),
    "memory/get": Question(_MEMORY, "drift_memory_get", _get_memory, {"id": Word(is_required=True)}),
    "catalog": Question(_CATALOG, "instructions_health", lambda _asked: {}),
    "catalog/query": Question(
        _CATALOG,
        "instructions_query",
        _query_instructions,
        {
            "q": Word(),
            "status": Word(),
            "tier": Word(),
            "overdue": Number(usual=0, most=1),
            "limit": ROWS,
            "cursor": _CURSOR,
        },
    ),
    "explain": Question(_CODE, "drift_explain", _about("target", depth="comprehensive"), _AT),
    "function": Question(_CODE, "drift_analyze_function", _about("function"), _AT),
    "impact": Question(_CODE, "drift_impact_analysis", _about("target", limit=_FEW), _AT),
    "history": Question(_CODE, "drift_recent", _about("area", days=_YEAR, limit=_FEW), _AT),
    "file/conventions": Question(_CODE, "drift_file_patterns", _about("file"), _AT),
    "module": Question(
        _CODE,
        "drift_coupling",
        lambda asked: {
            "action": "analyze",
            "module": asked.words["at"],
            "level": asked.words.get("level", "file"),
            "maxTokens": _ALL_TOKENS,
        },
        {**_AT, "level": Word()},
    ),
    "cycles": Question(
        _CODE,
        "drift_coupling",
        lambda asked: {
            "action": "cycles",
            "level": asked.words.get("level", "file"),
            "limit": _FEW,
            "maxTokens": _ALL_TOKENS,
        },
        {"level": Word()},
    ),
    "central": Question(_CODE, "drift_graph", _fixed(action="central", limit=30)),
    "conventions": Question(_CODE, "drift_patterns_list", _list_conventions, {"cursor": _CURSOR}),
    "convention": Question(_CODE, "drift_pattern_get", _about("id"), _AT),
    "convention/examples": Question(_CODE, "drift_code_examples", _about("pattern", contextLines=4), _AT),
    "convention/trends": Question(_CODE, "drift_trends", _fixed(period="90d")),
    "health": Question(_CODE, "analyze_health", _fixed()),
    "debt": Question(_CODE, "analyze_tdg", _fixed(limit=_FEW)),
    "duplicates": Question(_CODE, "analyze_duplicates", _fixed(limit=_FEW)),
    "admitted": Question(_CODE, "analyze_satd", _fixed(limit=_FEW, include_tests=False)),
    "security": Question(_CODE, "drift_security_summary", _fixed()),
    "security/flows": Question(_CODE, "drift_taint", _fixed(limit=_FEW)),
    "memory/health": Question(_MEMORY, "drift_memory_health", _fixed(detailed=True)),
    "memory/conflicts": Question(_MEMORY, "drift_memory_conflicts", _fixed(limit=_FEW)),
    "memory/links": Question(_MEMORY, "drift_memory_graph", _fixed(limit=40)),
}
"""Every question by its address under `/api/`."""
