"""Routes of a language's frameworks, each with its handler and what stands before it."""

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from drift.analyses.entry_points import standing_before
from drift.analyses.language_profiles.frameworks import frameworks_of_routes
from drift.analyses.language_profiles.rows import LanguageData, RouteRow
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.ids import SymbolId
from drift.index.profile_queries import RouteEntry
from drift.index.records import EntryPointRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Key
from drift.kernel.text import plural


class _Placed(NamedTuple):
    """A row and the route it tells of."""

    row: RouteRow
    entry: RouteEntry

    @property
    def file(self) -> str:
        return self.row.file


def find_routes(sources: Sources) -> Found:
    """The routes, by place, and how many there are of each framework."""
    wanted = _known_framework(sources)
    placed = [
        _Placed(_row(sources, entry, framework), entry)
        for entry, framework in routes_with_frameworks(sources)
        if wanted is None or framework == wanted
    ]
    by_framework = dict(Counter(one.row.framework or "not known" for one in placed).most_common())
    reason = None if placed else _why_none(sources)
    parts = ", ".join(f"{name} {count}" for name, count in by_framework.items())
    told = f"{plural(len(placed), 'route')}{f': {parts}' if parts else ''}"

    def data(shown: tuple[_Placed, ...]) -> LanguageData:
        rows = tuple(replace(one.row, guards=_guards(sources, one.entry)) for one in shown)
        return LanguageData(routes=rows, by_framework=by_framework, reason=reason)

    return Found(told if placed else f"No route seen: {reason}", ranked(placed, _key), data)


def routes_with_frameworks(sources: Sources) -> list[tuple[RouteEntry, str | None]]:
    """The routes that stand in the language's files, with their frameworks."""
    entries = [one for one in sources.facts.routes() if sources.has(one.registered_at)]
    frameworks = frameworks_of_routes(sources, entries)
    return [(one, frameworks[one]) for one in entries]


def _row(sources: Sources, entry: RouteEntry, framework: str | None) -> RouteRow:
    method, _, path = entry.detail.partition(" ")
    path = path.partition(" -> ")[0]
    handler = entry.handler if entry.kind != "module" else entry.detail.partition(" -> ")[2] or "(file)"
    return RouteRow(method, path, handler, framework, sources.path(entry.registered_at), entry.line)


def _key(one: _Placed) -> Key:
    return (
        one.row.file,
        one.row.line,
        one.row.path,
        one.row.method,
        one.entry.registered_at,
        one.entry.position,
    )


def _guards(sources: Sources, entry: RouteEntry) -> tuple[str, ...] | None:
    symbol = sources.reader.symbols.get(entry.handler_id)
    if symbol is None:
        return None
    record = EntryPointRecord(
        symbol, "http", entry.detail, entry.line, SymbolId(entry.registered_at), entry.position
    )
    return standing_before(sources.reader, record)


def _known_framework(sources: Sources) -> str | None:
    asked = sources.asked.framework
    if asked is None:
        return None
    names = [each.name for each in sources.profile.frameworks]
    found = next((name for name in names if name.lower() == asked.lower()), None)
    if found is None:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"framework: got {asked!r}; known are {', '.join(names)}",
            Recovery(details={"argument": "framework"}),
        )
    return found


def _why_none(sources: Sources) -> str:
    read = ", ".join(each.name for each in sources.profile.routed)
    return f"routes are read of {read}; those that are made in another way are not known"
