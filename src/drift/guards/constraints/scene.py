"""What constraints are evaluated over: files, what they use, calls in order, routes with what stands before them.

All of a project, or some of its files: rows are read by file when first asked for, so that a change is looked at quickly.
"""

import re
from collections.abc import Collection, Iterable
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.guards.constraints.form import fits_name
from drift.index.ids import CallId, FileId, SymbolId, file_of_symbol
from drift.index.site_queries import WHOLE

if TYPE_CHECKING:
    from drift.guards.constraints.form import Where
    from drift.index import IndexReader
    from drift.index.records import EntryPointRecord
    from drift.index.site_records import SiteFile, SiteHandling, SiteImport
    from drift.index.use_queries import FileLink, MadeCall, NamedPlace

SURE: Final = 0.5
"""A link that is rather so than not: candidates of one call share a confidence of 1."""
_MOST_SINGLE: Final = 64
_MOST_ROUTES: Final = 100_000
_TOKEN: Final = re.compile(r"[A-Za-z_][\w.:\\-]{0,119}")


class Call(NamedTuple):
    """A call. `names` are all that it goes by: its full name outside the project, what it leads to, as written."""

    file: FileId
    number: CallId
    caller: SymbolId
    line: int
    names: tuple[str, ...]
    traits: int
    literal: str | None
    callee: SymbolId | None


class Route(NamedTuple):
    """A route: what stands before its handler, as names, and the handler's own calls."""

    file: FileId
    line: int
    handler: SymbolId
    name: str
    methods: tuple[str, ...]
    path: str
    guards: tuple[str, ...]


class Scene:
    """A project, or those of its files that are looked at."""

    def __init__(self, reader: "IndexReader", chosen: Collection[str] | None = None) -> None:
        self.reader = reader
        every = {each.id: each for each in reader.sites.files()}
        self.every: dict[FileId, SiteFile] = every
        """All files of the project."""
        self.is_whole = chosen is None
        wanted = (
            every.values() if chosen is None else [each for each in every.values() if each.path in chosen]
        )
        self.files: dict[FileId, SiteFile] = {
            each.id: each for each in wanted if each.role not in _STRANGE_ROLES
        }
        """Those that are looked at."""
        self._runs = (
            (WHOLE,) if self.is_whole or len(self.files) > _MOST_SINGLE
            else tuple((id_, id_) for id_ in sorted(self.files))
        )  # fmt: skip
        self._calls: dict[FileId, dict[SymbolId, list[Call]]] = {}
        self._places: dict[SymbolId, NamedPlace] = {}

    def path(self, file: FileId) -> str:
        return self.every[file].path

    def is_about(self, where: "Where", file: FileId) -> bool:
        """Whether a constraint is about a file: one of the product, unless its patterns say other."""
        known = self.every[file]
        return (known.role == "source" or bool(where.files)) and where.covers(known.path, known.language)

    @cached_property
    def languages(self) -> frozenset[str]:
        return frozenset(each.language for each in self.every.values() if each.language)

    @cached_property
    def links(self) -> list["FileLink"]:
        """Which files the files here use."""
        found = (link for run in self._runs for link in self.reader.uses.links(run, min_confidence=SURE))
        return [each for each in found if each.source in self.files and each.target in self.every]

    @cached_property
    def imports(self) -> list["SiteImport"]:
        return [
            each
            for run in self._runs
            for each in self.reader.sites.imports(run)
            if each.file_id in self.files
        ]

    @cached_property
    def handlings(self) -> list["SiteHandling"]:
        return [
            each
            for run in self._runs
            for each in self.reader.sites.handlings(run)
            if each.file_id in self.files
        ]

    @cached_property
    def functions(self) -> list[tuple[SymbolId, list[Call]]]:
        """The functions here that call something, with their calls in the order of the text."""
        if self.is_whole:
            self._read_calls(WHOLE)
        return [one for file in sorted(self.files) for one in self.calls_in(file).items()]

    @cached_property
    def _by_name(self) -> dict[str, list[Call]]:
        found: dict[str, list[Call]] = {}
        for _, calls in self.functions:
            for call in calls:
                for name in call.names:
                    found.setdefault(name, []).append(call)
        return found

    def calls_of(self, patterns: tuple[str, ...]) -> list[Call]:
        """The calls here that go by a name that one of the patterns fits, in the order of files and text."""
        if not patterns:
            return []
        plain = [each for each in patterns if not any(mark in each for mark in "*?[")]
        names = set(plain) & self._by_name.keys()
        if len(plain) < len(patterns):
            names |= {name for name in self._by_name if fits_name(patterns, name)}
        found = {(call.file, call.number): call for name in names for call in self._by_name[name]}
        return [found[key] for key in sorted(found)]

    def calls_in(self, file: FileId) -> dict[SymbolId, list[Call]]:
        """The calls of a file, by the symbol they stand in; also of a file that is not looked at."""
        if file not in self._calls:
            self._read_calls((file, file))
        return self._calls.setdefault(file, {})

    def place(self, symbol: SymbolId) -> "NamedPlace | None":
        if symbol not in self._places:
            self._places |= self.reader.uses.places(frozenset({symbol}))
        return self._places.get(symbol)

    @cached_property
    def routes(self) -> list[Route]:
        """The routes that are registered or handled here."""
        entries = self.reader.facts.entry_points("http", limit=_MOST_ROUTES)
        return [
            self._route(each)
            for each in entries
            if each.symbol.role != "test"
            and not self.files.keys().isdisjoint(
                (file_of_symbol(each.registered_at), file_of_symbol(each.symbol.id))
            )
        ]

    @cached_property
    def has_routes(self) -> bool:
        return bool(self.reader.facts.entry_points("http", limit=1))

    def _route(self, entry: "EntryPointRecord") -> Route:
        method, _, path = entry.detail.partition(" ")
        guards = tuple(
            name
            for each in self.reader.facts.guards_of(entry)
            if each.how != "skipped filter"
            for name in _guard_names(each.how, each.text)
        )
        return Route(
            file_of_symbol(entry.registered_at),
            entry.line,
            entry.symbol.id,
            entry.symbol.qualname,
            tuple(method.split(",")),
            path,
            guards,
        )

    def _read_calls(self, run: tuple[int, int]) -> None:
        uses = self.reader.uses
        made = uses.calls(run)
        callees = dict(uses.callees(run, min_confidence=SURE))
        wanted = frozenset({*callees.values(), *(each.caller for each in made)}) - self._places.keys()
        self._places |= uses.places(wanted)
        for caller, calls in groupby(sorted(made, key=lambda each: (each.caller, each.id)), key=_caller):
            kept = [self._call(each, callees.get(each.id)) for each in calls]
            self._calls.setdefault(file_of_symbol(caller), {})[caller] = kept

    def _call(self, made: "MadeCall", callee: SymbolId | None) -> Call:
        place = self._places.get(callee) if callee is not None else None
        names: Iterable[str | None] = (made.external, made.text)
        if place is not None:
            names = (place.qualname, f"{self.path(file_of_symbol(place.id))}::{place.qualname}", made.text)
        return Call(
            file_of_symbol(made.caller),
            made.id,
            made.caller,
            made.line,
            tuple(dict.fromkeys(each for each in names if each)),
            made.traits,
            made.literal,
            callee,
        )


_HOLDERS: Final = frozenset(
    {"UseGuards", "Depends", "Security", "method_decorator", "permission_classes", "dispatch", "Middleware",
     "middleware", "before_request", "decorate", "UseMiddleware", "TypeFilter", "ServiceFilter", "Use", "authentication_classes"}
)  # fmt: skip
_STRANGE_ROLES: Final = frozenset({"generated", "vendored"})
"""What no person of the project writes keeps no rule of it."""


def _guard_names(how: str, text: str) -> list[str]:
    """The names that a guard goes by: its own and, where it only puts others there, theirs.

    What is given to a decorator is mostly a path or a description, and tells nothing of who may pass.
    """
    names = _TOKEN.findall(text)
    is_holder = how != "decorator" or (names and names[0].rpartition(".")[2] in _HOLDERS)
    return names if is_holder else names[:1]


def _caller(made: "MadeCall") -> SymbolId:
    return made.caller
