"""Memory of C and C++: asked for and given back by hand, or held by something that does that.

A `new` is said to be without a `delete` where neither the function nor the class around has one, it is not handed over
(given to a function, to a smart pointer or to another variable, at once or later; of Qt to a parent), the function gives back
no pointer, and so somebody must own it whom a reader cannot see here.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from drift.analyses.language_profiles.rows import LanguageData, MemoryRow
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.analyses.source_text import read_symbol_text
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.profile_queries import Stretch
from drift.kernel.text import plural, shorten

_NO_DELETE: Final = "no delete in the function or its class: who owns it is not seen here"
_NO_FREE: Final = "no free in the function or its class, and it may be handed over"
_MOST_BODY: Final = 40_000  # characters of a function that are looked at
_ASSIGNED: Final = re.compile(r"(\w{1,80})\s{0,9}=[^=]{0,200}$")
_ARGUMENTS: Final = re.compile(r"\(([^;]{0,400})\)|\{([^;]{0,400})\}")
_SELF: Final = re.compile(r"\bthis\b")
_ORDER: Final = {"new": 0, "malloc": 1, "delete": 2, "free": 3, "smart": 4}


def find_memory(sources: Sources) -> Found:
    """Places where memory is asked for and given back, those whose owner is not seen first."""
    releases = sources.facts.constructs(sources.ids, ("release",))
    freed = _calls(sources, "releasing")
    released = {_owner(one.qualname) for one in releases} | {_owner(name) for _, _, _, name in freed}
    functions = {one.symbol_id for one in releases} | {caller for caller, *_ in freed}
    bodies = _Bodies(sources)
    rows = [
        *_news(sources, functions, released, bodies),
        *_mallocs(sources, functions, released, bodies),
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


class _Bodies:
    """The texts of functions, to see what becomes of a pointer."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._texts: dict[SymbolId, tuple[int, str]] = {}
        self._parents = re.compile("|".join(sources.profile.words["owned_by_parents"]))
        self._smart = re.compile(rf"\b(?:{'|'.join(sources.profile.words['smart_types'])})\b")

    def is_handed_over(self, function: SymbolId, line: int, *, word: str, what: str) -> bool:
        """Whether a function gives what it asked for to somebody else: at once, by its variable, or to a parent."""
        text, start = self._from_line(function, line)
        asked = re.compile(rf"\b{re.escape(word)}\b").search(text, start)
        if asked is None:
            return False
        at = asked.start()
        before = re.split(r"[;}]", text[:at])[-1]
        given = _ARGUMENTS.search(text, at)
        arguments = (given[1] or given[2] or "") if given is not None else ""
        if self._smart.search(before) or _SELF.search(arguments):
            return True
        if arguments.strip() and self._parents.match(what):
            return True
        named = _ASSIGNED.search(before)
        return named is not None and _passed_on(named[1]).search(text, at) is not None

    def _from_line(self, function: SymbolId, line: int) -> tuple[str, int]:
        """The text of a function, and where in it a line begins."""
        if function not in self._texts:
            symbol = self._sources.reader.symbols.get(function)
            found = (
                read_symbol_text(self._sources.reader, self._sources.root, symbol, max_characters=_MOST_BODY)
                if symbol is not None
                else None
            )
            self._texts[function] = (symbol.line if symbol else 0, (found.text if found else "") or "")
        first, text = self._texts[function]
        return text, sum(len(each) for each in text.splitlines(keepends=True)[: max(line - first, 0)])


def _passed_on(name: str) -> re.Pattern[str]:
    """Where a variable is an argument, the value of another, or what is given back."""
    return re.compile(rf"(?:[(,{{]|[^=!<>]=|\breturn\b)\s*[*&]?{re.escape(name)}\s*[,;)}}]")


def _mallocs(
    sources: Sources, functions: set[int], released: set[str], bodies: _Bodies
) -> Iterator[MemoryRow]:
    calls = _calls(sources, "allocating")
    giving = _giving(sources, {caller for caller, *_ in calls})
    for caller, line, text, name in calls:
        problem = _unfreed(caller, name, functions, released)
        word = re.split(r"[.:>]", text)[-1]
        if problem is not None and (
            caller in giving or bodies.is_handed_over(SymbolId(caller), line, word=word, what="")
        ):
            problem = None
        yield MemoryRow("malloc", shorten(text, 40), name, sources.path(caller), line, problem)


def _giving(sources: Sources, functions: Iterable[int]) -> set[int]:
    """The functions that give back a pointer."""
    wanted = {SymbolId(one) for one in functions}
    return {one.id for one in sources.reader.symbols.many(wanted) if "*" in (one.return_text or "")}


def _news(sources: Sources, functions: set[int], released: set[str], bodies: _Bodies) -> Iterator[MemoryRow]:
    handed = {(one.symbol_id, one.line) for one in sources.facts.constructs(sources.ids, ("handed_over",))}
    smart = _smart_lines(sources)
    asked = sources.facts.constructs(sources.ids, ("allocate",))
    giving = _giving(sources, {one.symbol_id for one in asked})
    for one in asked:
        file = file_of_symbol(one.symbol_id)
        is_seen = (
            (one.symbol_id, one.line) in handed
            or one.line in smart[file]
            or one.symbol_id in functions
            or one.symbol_id in giving
            or _is_released(one, released)
            or bodies.is_handed_over(one.symbol_id, one.line, word="new", what=one.detail or "")
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
