"""Asynchronous functions and the calls in them that hold up everything else on their loop or thread.

What blocks is a list in the language's `profile.toml`, by full name. Also found are blocking calls of a plain function of
the project that an asynchronous one calls directly, one step away; what a function hands to a thread is no call of its own.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.analyses.language_profiles.rows import AsyncRow, LanguageData
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.ids import SymbolId
from drift.index.profile_queries import Declared
from drift.kernel.text import plural, shorten
from drift.languages.facts import CallTrait

_MOST_SHOWN: Final = 5


class _Blocking(NamedTuple):
    """A call that blocks, where it is told: in the asynchronous function."""

    function: SymbolId
    line: int
    text: str


def find_async(sources: Sources) -> Found:
    """Asynchronous functions, those that block first."""
    functions = {one.id: one for one in sources.facts.with_modifier(sources.ids, "async")}
    blocking: dict[SymbolId, list[_Blocking]] = defaultdict(list)
    for one in (*_direct(sources, functions), *_one_step(sources, functions)):
        blocking[one.function].append(one)
    awaits = _awaits(sources, functions)
    rows = [
        AsyncRow(
            one.qualname,
            sources.path(one.id),
            one.line,
            awaits[one.id],
            tuple(each.text for each in sorted(blocking[one.id], key=lambda each: each.line)[:_MOST_SHOWN]),
        )
        for one in functions.values()
    ]
    counts = {
        "asyncFunctions": len(rows),
        "awaits": awaits.total(),
        "blocking": sum(map(len, blocking.values())),
        **_more(sources, functions),
    }
    affected = sum(bool(row.blocking) for row in rows)
    told = (
        f"{plural(len(rows), 'asynchronous function')}, {plural(counts['awaits'], 'await')}; "
        f"{plural(affected, 'function')} with calls that block"
    )
    known = "what blocks is known by name; other calls may block, too"
    return Found(
        told,
        ranked(rows, lambda row: (-len(row.blocking), row.file, row.line, row.function)),
        lambda shown: LanguageData(counts=counts, functions=shown, reason=known),
    )


def _direct(sources: Sources, functions: dict[SymbolId, Declared]) -> Iterable[_Blocking]:
    for caller, line, text, instead in _known(sources):
        if caller in functions:
            yield _Blocking(caller, line, f"{text}:{line} ({instead})")
    for one in sources.facts.constructs(sources.ids, ("sync_wait",)):
        if one.symbol_id in functions and (one.detail or "").partition("<")[0].endswith("Async"):
            yield _Blocking(one.symbol_id, one.line, f".Result:{one.line} (await)")


def _one_step(sources: Sources, functions: dict[SymbolId, Declared]) -> Iterable[_Blocking]:
    """What plain functions do that asynchronous ones call by themselves."""
    blocked: dict[SymbolId, str] = {}
    for caller, line, text, _instead in _known(sources):
        if caller not in functions:
            blocked.setdefault(caller, f"{text} at {sources.path(caller)}:{line}")
    for lead in sources.facts.leads(functions):
        if lead.callee_id in blocked:
            yield _Blocking(
                lead.caller_id, lead.line, f"{lead.qualname}:{lead.line} runs {blocked[lead.callee_id]}"
            )


def _known(sources: Sources) -> list[tuple[SymbolId, int, str, str]]:
    """Calls that block, outside of whatever is awaited: a library may have both forms under one name."""
    return [
        (call.caller_id, call.line, shorten(call.text, 60), instead)
        for name, instead in sources.profile.blocking.items()
        for call in sources.facts.outside_calls((name,))
        if sources.has(call.caller_id) and not call.traits & CallTrait.AWAITED
    ]


def _awaits(sources: Sources, functions: dict[SymbolId, Declared]) -> Counter[SymbolId]:
    return Counter(sources.facts.awaiting(functions))


def _more(sources: Sources, functions: dict[SymbolId, Declared]) -> dict[str, int]:
    spawning = sources.profile.words.get("spawning")
    if spawning is None:
        return (
            {"asyncVoid": sum(one.return_text == "void" for one in functions.values())}
            if _voids(sources)
            else {}
        )
    calls = [one for one in sources.facts.outside_calls(spawning) if sources.has(one.caller_id)]
    return {"spawns": len(calls), "spawnsDropped": sum(bool(one.traits & CallTrait.DROPPED) for one in calls)}


def _voids(sources: Sources) -> bool:
    """Whether the language has functions that are asynchronous and return nothing, which nobody can await."""
    return "void_results" in sources.profile.words
