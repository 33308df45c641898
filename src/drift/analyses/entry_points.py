"""Entry points of a project's product in all its languages: routes, commands, jobs and listeners, each with its handler.

What it does: lists what the outside world calls, by place, and what stands before each route and page.
Why it matters: it is the first thing to know of an application that somebody opens.
Example: `GET /orders/{id}` is answered by `OrderController.show`, behind `auth:api`.
Known limits: what frameworks are known to call is data (`languages/frameworks`); what is registered in another way is not seen.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from drift.analyses.prominence import is_showing
from drift.analyses.running.routes import NAMING_HANDLERS
from drift.index import IndexReader
from drift.index.ids import file_of_symbol
from drift.index.records import EntryPointRecord
from drift.kernel.ranking import Key, Ranked, Sort
from drift.kernel.text import plural, shorten
from drift.languages.marks import keeps_nobody_out

EntryKind = Literal["http", "page", "cli", "job", "event"]

_MOST_ENTRIES: Final = 100_000
_MOST_GUARDS: Final = 5
_MOST_GUARD_CHARACTERS: Final = 60
_NAMES: Final = {"http": "route", "page": "page", "cli": "command", "job": "job", "event": "listener"}


_ASKED_FOR: Final = frozenset({"http", "page"})
"""The kinds that somebody asks for by a path."""
_PAGE: Final = "page"
_NOT_FOUND: Final = "(not found)"
_BESIDE: Final = "USE "  # what stands before routes


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry point. `method` is null but for routes; `guards` is what stands before it, as written, null for nothing seen."""

    file: str
    line: int
    method: str | None
    path: str
    handler: str
    guards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class EntryPointsData:
    """Entry points of one kind, and how many there are of each kind before any filter."""

    entry_points: tuple[ListedEntry, ...]
    by_kind: dict[str, int]


class _Placed(NamedTuple):
    """A row, and the entry point it tells of."""

    row: ListedEntry
    entry: EntryPointRecord


class EntryPoints(NamedTuple):
    """Those of one kind that were asked for."""

    kind: EntryKind
    placed: tuple[_Placed, ...]
    by_kind: dict[str, int]
    reader: IndexReader

    @property
    def summary(self) -> str:
        """How many, in a line."""
        told = plural(len(self.placed), _NAMES[self.kind])
        others = ", ".join(
            plural(count, _NAMES[kind]) for kind, count in self.by_kind.items() if kind != self.kind
        )
        return f"{told}{f'; beside them {others}' if others else ''}"

    def ranked(self) -> Ranked[_Placed]:
        """By place, those of examples last, or by path."""
        return Ranked(self.placed, SORTS)

    def data(self, shown: tuple[_Placed, ...]) -> EntryPointsData:
        """What the answer shows; what stands before them is read for these rows alone."""
        rows = tuple(
            ListedEntry(
                one.row.file,
                one.row.line,
                one.row.method,
                one.row.path,
                one.row.handler,
                standing_before(self.reader, one.entry) if self.kind in _ASKED_FOR else None,
            )
            for one in shown
        )
        return EntryPointsData(rows, self.by_kind)


def _by_place(one: _Placed) -> Key:
    row = one.row
    return (is_showing(row.file), row.file, row.line, row.path, row.method or "", one.entry.registered_at)


def _by_path(one: _Placed) -> Key:
    return (one.row.path, one.row.method or "", *_by_place(one))


SORTS: Final = {"file": Sort(_by_place), "path": Sort(_by_path)}


def find_entry_points(
    reader: IndexReader, *, kind: EntryKind = "http", search: str = "", area: str = ""
) -> EntryPoints:
    """The entry points of a kind outside tests; `search` is a part of path, method or handler, `area` a file or folder."""
    of_kind = {name: _of_product(reader, name) for name in _NAMES}
    found = _told_apart([_Placed(_row(reader, each), each) for each in of_kind[kind]])
    wanted, below = search.lower(), area.rstrip("/")
    placed = tuple(
        one
        for one in found
        if wanted in f"{one.row.method or ''} {one.row.path} {one.row.handler}".lower()
        and (below in {"", ".", one.row.file} or one.row.file.startswith(f"{below}/"))
    )
    return EntryPoints(kind, placed, {name: len(all_) for name, all_ in of_kind.items() if all_}, reader)


def _of_product(reader: IndexReader, kind: str) -> list[EntryPointRecord]:
    found = [
        each
        for each in reader.facts.entry_points(kind, limit=_MOST_ENTRIES)
        if each.symbol.role != "test" and not each.detail.startswith(_BESIDE)
    ]
    return _each_page_once(found) if kind == _PAGE else found


def _told_apart(placed: list[_Placed]) -> list[_Placed]:
    """The rows, with the file of a handler that another file registers, where others of its name are registered, too."""
    named: dict[str, set[int]] = defaultdict(set)
    for one in placed:
        named[one.row.handler].add(one.entry.symbol.id)
    return [
        one._replace(row=replace(one.row, handler=f"{one.row.handler} {one.entry.symbol.path}"))
        if len(named[one.row.handler]) > 1
        and one.entry.symbol.path != one.row.file
        and one.entry.symbol.kind != "module"
        and "." not in one.row.handler
        else one
        for one in placed
    ]


def _each_page_once(entries: Iterable[EntryPointRecord]) -> list[EntryPointRecord]:
    """The pages by what each shows itself; the index has them, too, for what stands around it and runs before it."""
    first: dict[tuple[int, int, str], EntryPointRecord] = {}
    for each in entries:
        path = each.detail.partition(" -> ")[0]
        first.setdefault((file_of_symbol(each.registered_at), each.line, path), each)
    return list(first.values())


def _row(reader: IndexReader, entry: EntryPointRecord) -> ListedEntry:
    record = reader.files.get(file_of_symbol(entry.registered_at))
    file = record.path if record is not None else entry.symbol.path
    said, _, named = entry.detail.partition(" -> ")
    handler = entry.symbol.qualname
    if entry.symbol.kind == "module":  # a component that is a file, or what a file does as a whole
        handler = named or ("(file)" if entry.symbol.path == file else entry.symbol.path.rpartition("/")[2])
    if record is not None and record.language in NAMING_HANDLERS and _is_around(entry):
        handler = _NOT_FOUND
    method, _, path = said.partition(" ") if entry.kind in _ASKED_FOR else ("", "", said)
    return ListedEntry(file, entry.line, method or None, path, handler)


def _is_around(entry: EntryPointRecord) -> bool:
    """Whether a route has no more than the place where it is registered."""
    is_same = entry.kind == "http" and entry.symbol.id == entry.registered_at
    return is_same and (entry.symbol.kind == "module" or entry.symbol.line < entry.line)


def standing_before(reader: IndexReader, entry: EntryPointRecord) -> tuple[str, ...] | None:
    """What stands before a route and may keep a request from it, as written; without marks that only say what it is."""
    found = [
        shorten(guard.text, _MOST_GUARD_CHARACTERS)
        for guard in reader.facts.guards_of(entry)
        if guard.how != "decorator" or not keeps_nobody_out(guard.text, entry.symbol.language)
    ]
    return tuple(dict.fromkeys(found))[:_MOST_GUARDS] or None
