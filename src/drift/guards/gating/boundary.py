"""Security boundaries: what is new does not go round the guards that stand before its neighbours.

What it does: names new routes without a guard where the routes beside them have one, and new accesses to protected
tables that a route without a guard comes to.
Why it matters: a route that was added in a hurry is the usual way in.
Known limits: guards that are set for all routes at start are not seen, nor are tables that only an object's class names.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from posixpath import dirname
from typing import Final

from drift.analyses.impact import find_impact
from drift.guards.changed_lines import Change
from drift.guards.gating.form import Found, Settings, Subject, new_ones, number, words
from drift.index import IndexReader
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import EntryPointRecord, SymbolRecord
from drift.kernel.text import plural, shorten
from drift.quality import Finding, finding
from drift.quality.gate import NotMeasurableError

BOUNDARY: Final = "security-boundary"
ROUTE_RULE: Final = "security/unguarded-route"
ACCESS_RULE: Final = "security/unguarded-access"
SETTINGS: Final[Settings] = {
    "tables": ("users", "payments", "credentials", "tokens"),
    "depth": 5,
    "auth": ("authenticate", "authorize", "checkAuth", "requireAuth"),
    "min_guarded": 0.9,
    "min_routes": 5,
    "new_access": False,
}
_MOST_ROUTES: Final = 100_000
_MOST_SHOWN: Final = 80
_TABLES: Final = re.compile(
    r"\b(?:from|join|into|update|table)\s{1,20}[`\"\[]?(?:\w{1,60}[`\"\]]?\.[`\"\[]?)?(\w{1,60})",
    re.IGNORECASE,
)
_QUERY: Final = re.compile(r"\s{0,20}(?:select|insert|update|delete|with|merge|replace)\b", re.IGNORECASE)


@cache
def _signs() -> Mapping[str, tuple[str, ...]]:
    text = files("drift.guards").joinpath("boundaries.toml").read_text("utf-8")
    return {name: tuple(found) for name, found in tomllib.loads(text).items()}


def check_boundary(subject: Subject, settings: Settings) -> Found:
    """The gate. Needs a change: what stood there before is the baseline of a boundary."""
    change = subject.change
    if change is None:
        raise NotMeasurableError("all code was asked for, and a boundary is crossed by something new")
    routes = _Routes(subject.reader, words(settings, "auth"))
    findings = [*_new_routes(routes, change, settings)]
    if not settings["new_access"]:
        findings += _new_accesses(subject, routes, change, settings)
    told = subject.told(findings)
    new = new_ones(told)
    message = f"{plural(len(routes.entries), 'route')}, {routes.guarded} with a guard; {plural(len(new), 'new way')} round one"
    return Found(not new, message, told, {"routes": len(routes.entries), "guarded": routes.guarded})


class _Routes:
    """The routes of a project's product, and whether a guard stands before each."""

    def __init__(self, reader: IndexReader, auth: tuple[str, ...]) -> None:
        self._reader = reader
        self._words = tuple(word.lower() for word in (*auth, *_signs()["guards"]))
        found = reader.facts.entry_points("http", limit=_MOST_ROUTES)
        self.entries = [each for each in found if each.symbol.role != "test"]
        self.is_guarded = cache(self._look)

    @property
    def guarded(self) -> int:
        return sum(map(self.is_guarded, self.entries))

    def place(self, entry: EntryPointRecord) -> str:
        """The file in which it is registered."""
        record = self._reader.files.get(file_of_symbol(entry.registered_at))
        return record.path if record is not None else entry.symbol.path

    def of_symbol(self, symbol: SymbolId) -> list[EntryPointRecord]:
        return [each for each in self.entries if symbol in (each.symbol.id, each.registered_at)]

    def _look(self, entry: EntryPointRecord) -> bool:
        texts = (each.text.lower() for each in self._reader.facts.guards_of(entry))
        return any(word in text for text in texts for word in self._words)


def _new_routes(routes: _Routes, change: Change, settings: Settings) -> Iterator[Finding]:
    for entry in routes.entries:
        place = routes.place(entry)
        is_new = change.has_line(place, entry.line)
        if not is_new or routes.is_guarded(entry) or _is_open(entry):
            continue
        others = _neighbours(routes, change, entry, int(number(settings, "min_routes")))
        guarded = sum(map(routes.is_guarded, others))
        if others and guarded / len(others) >= number(settings, "min_guarded"):
            yield finding(
                ROUTE_RULE,
                f"{shorten(entry.detail, _MOST_SHOWN)} has no guard; {guarded} of {len(others)} routes beside it have one",
                file=place,
                lines=(entry.line, entry.line),
                symbol=entry.symbol.qualname,
                snippet=entry.detail,
                evidence={"guarded": guarded, "routes": len(others)},
            )


def _neighbours(
    routes: _Routes, change: Change, entry: EntryPointRecord, least: int
) -> list[EntryPointRecord]:
    """Older routes of the same file, else of the same folder; none where there are too few to tell."""
    place = routes.place(entry)
    old = [
        (where, each)
        for each in routes.entries
        if not change.has_line(where := routes.place(each), each.line) and not _is_open(each)
    ]
    same_file = [each for where, each in old if where == place]
    same_folder = [each for where, each in old if dirname(where) == dirname(place)]
    return next((found for found in (same_file, same_folder) if len(found) >= least), [])


def _is_open(entry: EntryPointRecord) -> bool:
    """Whether a route is of a kind that everybody may call: signing in, health, what is public."""
    said = f"{entry.detail} {entry.symbol.name}".lower()
    return any(word in said for word in _signs()["open"])


def _new_accesses(subject: Subject, routes: _Routes, change: Change, settings: Settings) -> Iterator[Finding]:
    """Queries on new lines that name a protected table, and the route without a guard that comes to them."""
    protected = frozenset(each.lower() for each in words(settings, "tables"))
    for path in sorted(change.files):
        record = subject.reader.files.at(path)
        if record is None or record.role == "test":
            continue
        for constant in subject.reader.facts.constants_of(record.id):
            tables = sorted(protected & _tables(constant.value))
            if not tables or not change.has_line(path, constant.line):
                continue
            symbol = subject.reader.symbols.get(constant.symbol_id)
            way = _open_way(subject, routes, [symbol] if symbol else [], int(number(settings, "depth")))
            if symbol is not None and way is not None:
                yield finding(
                    ACCESS_RULE,
                    f"{symbol.qualname} uses {', '.join(tables)}, and {shorten(way.detail, _MOST_SHOWN)} comes to it without a guard",
                    file=path,
                    lines=(constant.line, constant.line),
                    symbol=symbol.qualname,
                    snippet=" ".join(tables),
                    evidence={"route": shorten(way.detail, _MOST_SHOWN)},
                )


def _tables(text: str) -> frozenset[str]:
    if not _QUERY.match(text):
        return frozenset()
    return frozenset(found.lower() for found in _TABLES.findall(text))


def _open_way(
    subject: Subject, routes: _Routes, symbols: Iterable[SymbolRecord], depth: int
) -> EntryPointRecord | None:
    """A route without a guard from which the symbols are run."""
    starts = list(symbols)
    found = find_impact(subject.reader, starts, max_depth=depth, with_members=False)
    reached = [*(each.id for each in starts), *(each.entry.symbol_id for each in found.entries)]
    ways = [entry for symbol in reached for entry in routes.of_symbol(symbol)]
    return next((each for each in ways if not routes.is_guarded(each) and not _is_open(each)), None)
