"""Memory of C and C++: asked for and given back by hand, or held by something that does that.

A `new` is said to be without a `delete` where neither the function nor the class around has one, it is not handed over at
once (given to a function or to a smart pointer), the function gives back no pointer, and so somebody must own it whom a
reader cannot see here.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from drift.analyses.language_profiles.rows import LanguageData, MemoryRow
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.ids import FileId, file_of_symbol
from drift.index.profile_queries import Stretch
from drift.kernel.text import plural, shorten

_NO_DELETE: Final = "no delete in the function or its class: who owns it is not seen here"
_NO_FREE: Final = "no free in the function or its class, and it may be handed over"
_ORDER: Final = {"new": 0, "malloc": 1, "delete": 2, "free": 3, "smart": 4}


def find_memory(sources: Sources) -> Found:
    """Places where memory is asked for and given back, those whose owner is not seen first."""
    releases = sources.facts.constructs(sources.ids, ("release",))
    freed = _calls(sources, "releasing")
    released = {_owner(one.qualname) for one in releases} | {_owner(name) for _, _, _, name in freed}
    functions = {one.symbol_id for one in releases} | {caller for caller, *_ in freed}
    rows = [
        *_news(sources, functions, released),
        *(
            MemoryRow(
                "malloc",
                shorten(text, 40),
                name,
                sources.path(caller),
                line,
                _unfreed(caller, name, functions, released),
            )
            for caller, line, text, name in _calls(sources, "allocating")
        ),
        *(MemoryRow("delete", "", one.qualname, sources.path(one.symbol_id), one.line) for one in releases),
        *(
            MemoryRow("free", shorten(text, 40), name, sources.path(caller), line)
            for caller, line, text, name in freed
        ),
        *(
            MemoryRow("smart", shorten(text, 60), name, sources.path(caller), line)
            for caller, line, text, name in _calls(sources, "smart")
        ),
    ]
    counts = {**Counter(row.way for row in rows), "smartFields": _smart_fields(sources)}
    problems = sum(row.problem is not None for row in rows)
    told = (
        f"{plural(counts.get('new', 0), 'new')}, {plural(counts.get('delete', 0), 'delete')}, "
        f"{counts.get('malloc', 0)} malloc, {counts.get('free', 0)} free, "
        f"{plural(counts.get('smart', 0), 'smart pointer')} made, {counts['smartFields']} kept in fields; "
        f"{problems} whose owner is not seen"
    )
    return Found(
        told,
        ranked(
            rows,
            lambda row: (row.problem is None, _ORDER[row.way], row.file, row.line, row.function, row.what),
        ),
        lambda shown: LanguageData(counts=counts, memory=shown),
    )


def _news(sources: Sources, functions: set[int], released: set[str]) -> Iterator[MemoryRow]:
    handed = {(one.symbol_id, one.line) for one in sources.facts.constructs(sources.ids, ("handed_over",))}
    smart = _smart_lines(sources)
    asked = sources.facts.constructs(sources.ids, ("allocate",))
    giving = {
        one.id
        for one in sources.reader.symbols.many({one.symbol_id for one in asked})
        if "*" in (one.return_text or "")
    }
    for one in asked:
        file = file_of_symbol(one.symbol_id)
        is_seen = (
            (one.symbol_id, one.line) in handed
            or one.line in smart[file]
            or one.symbol_id in functions
            or one.symbol_id in giving
            or _is_released(one, released)
        )
        yield MemoryRow(
            "new",
            shorten(one.detail or "", 40),
            one.qualname,
            sources.path(one.symbol_id),
            one.line,
            None if is_seen else _NO_DELETE,
        )


def _is_released(one: Stretch, released: set[str]) -> bool:
    owner = _owner(one.qualname)
    return bool(owner) and owner in released


def _unfreed(caller: int, name: str, functions: set[int], released: set[str]) -> str | None:
    owner = _owner(name)
    return None if caller in functions or (owner and owner in released) else _NO_FREE


def _owner(qualname: str) -> str:
    """The class that a method is of; empty for a function."""
    return qualname.rpartition(".")[0].rpartition(".")[2]


def _calls(sources: Sources, word: str) -> list[tuple[int, int, str, str]]:
    found = [
        one for one in sources.facts.outside_calls(sources.profile.words[word]) if sources.has(one.caller_id)
    ]
    names = {one.id: one.qualname for one in sources.reader.symbols.many({one.caller_id for one in found})}
    return [(one.caller_id, one.line, one.text, names.get(one.caller_id, "")) for one in found]


def _smart_lines(sources: Sources) -> dict[FileId, set[int]]:
    """Lines where a smart pointer is made, or given something else to hold."""
    patterns = [f"*{name}*" for name in sources.profile.words["smart_types"]]
    lines: dict[FileId, set[int]] = defaultdict(set)
    for one in sources.facts.calls_written(sources.ids, (*patterns, "*.reset", "*->reset")):
        lines[file_of_symbol(one.caller_id)].add(one.line)
    return lines


def _smart_fields(sources: Sources) -> int:
    smart = sources.profile.words["smart_types"]
    fields = sources.facts.of_kind(sources.ids, ("field",))
    return sum(any(name in one.signature for name in smart) for one in fields)
