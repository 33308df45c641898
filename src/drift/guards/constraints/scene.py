"""What constraints are evaluated over: files, what they use, calls in order, routes with what stands before them.

All of a project, or some of its files: rows are read by file when first asked for, so that a change is looked at quickly.
"""

import re
from collections.abc import Collection, Iterable
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

from drift.guards.constraints.drafted import Drafted, DraftRoute, drafts_of
from drift.guards.constraints.form import fits_name
from drift.index.ids import CallId, FileId, SymbolId, file_of_symbol
from drift.index.site_queries import WHOLE

if TYPE_CHECKING:
    from drift.guards.constraints.form import Where
    from drift.guards.overlay import Overlay
    from drift.index import IndexReader
    from drift.index.records import EntryPointRecord
    from drift.index.site_records import (
        SiteBase,
        SiteClass,
        SiteComment,
        SiteFile,
        SiteHandling,
        SiteImport,
    )
    from drift.index.use_queries import FileLink, MadeCall, NamedPlace

SURE: Final = 0.5
"""A link that is rather so than not: candidates of one call share a confidence of 1."""
_MOST_SINGLE: Final = 64
_MOST_ROUTES: Final = 100_000
_TOKEN: Final = re.compile(r"[A-Za-z_][\w.:\\-]{0,119}")


class _OfFile(Protocol):
    @property
    def file_id(self) -> FileId: ...


T = TypeVar("T", bound=_OfFile)


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
    """A project, or those of its files that are looked at; with an overlay, as it would be with those texts."""

    def __init__(
        self, reader: "IndexReader", chosen: Collection[str] | None = None, overlay: "Overlay | None" = None
    ) -> None:
        self.reader = reader
        self._drafts = drafts_of(overlay) if overlay is not None else {}
        gone = overlay.gone if overlay is not None else ()
        every = {each.id: each for each in reader.sites.files() if each.path not in gone}
        self.every: dict[FileId, SiteFile] = every | {id_: each.file for id_, each in self._drafts.items()}
        """All files of the project."""
        self.is_whole = chosen is None
        self.files: dict[FileId, SiteFile] = {
            each.id: each
            for each in self.every.values()
            if each.role not in _STRANGE_ROLES and (chosen is None or each.path in chosen)
        }
        """Those that are looked at."""
        stored = [id_ for id_ in sorted(self.files) if id_ not in self._drafts]
        is_all = self.is_whole or len(stored) > _MOST_SINGLE
        self._runs = (WHOLE,) if is_all else tuple((id_, id_) for id_ in stored)
        self._calls: dict[FileId, dict[SymbolId, list[Call]]] = {}
        self._places: dict[SymbolId, NamedPlace] = {}
        for draft in self._drafts.values():
            self._places |= draft.places()

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
        found = [
            *(
                link
                for run in self._runs
                for link in self.reader.uses.links(run, min_confidence=SURE)
                if link.source not in self._drafts
            ),
            *(link for draft in self._drafts.values() for link in draft.file_links(SURE)),
        ]
        return [each for each in found if each.source in self.files and each.target in self.every]

    @cached_property
    def imports(self) -> list["SiteImport"]:
        stored = (each for run in self._runs for each in self.reader.sites.imports(run))
        return self._here(stored, (each for draft in self._drafts.values() for each in draft.imports()))

    @cached_property
    def handlings(self) -> list["SiteHandling"]:
        stored = (each for run in self._runs for each in self.reader.sites.handlings(run))
        return self._here(stored, (each for draft in self._drafts.values() for each in draft.handlings()))

    @cached_property
    def classes(self) -> list["SiteClass"]:
        """The types of the whole project."""
        found = [each for each in self.reader.sites.classes(WHOLE) if each.file_id in self.every]
        stored = [each for each in found if each.file_id not in self._drafts]
        return stored + [each for draft in self._drafts.values() for each in draft.classes()]

    @cached_property
    def bases(self) -> list["SiteBase"]:
        """The parents of all types."""
        stored = [each for each in self.reader.sites.bases(WHOLE) if each.symbol_id >> 16 not in self._drafts]
        return stored + [each for draft in self._drafts.values() for each in draft.bases()]

    @cached_property
    def class_decorators(self) -> list[tuple[int, str]]:
        stored = [
            each for each in self.reader.sites.class_decorators(WHOLE) if each[0] >> 16 not in self._drafts
        ]
        return stored + [each for draft in self._drafts.values() for each in draft.class_decorators()]

    def comments_with(self, mark: str) -> list["SiteComment"]:
        """The comments here with a text in them."""
        stored = (each for run in self._runs for each in self.reader.sites.comments_with(run, mark))
        return self._here(
            stored, (each for draft in self._drafts.values() for each in draft.comments_with(mark))
        )

    def _here(self, stored: "Iterable[T]", drafted: "Iterable[T]") -> "list[T]":
        kept = (each for each in stored if each.file_id not in self._drafts)
        return [each for each in (*kept, *drafted) if each.file_id in self.files]

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
        stored = [
            self._route(each)
            for each in entries
            if each.symbol.role != "test"
            and file_of_symbol(each.registered_at) not in self._drafts
            and not self.files.keys().isdisjoint(
                (file_of_symbol(each.registered_at), file_of_symbol(each.symbol.id))
            )
        ]
        return stored + [
            self._drafted_route(draft, each)
            for id_, draft in self._drafts.items()
            if id_ in self.files and draft.file.role != "test"
            for each in draft.routes()
        ]

    @cached_property
    def has_routes(self) -> bool:
        return bool(self.reader.facts.entry_points("http", limit=1)) or any(
            True for draft in self._drafts.values() for _ in draft.routes()
        )

    def _drafted_route(self, draft: Drafted, route: DraftRoute) -> Route:
        """A route of a text; what stands where its router is mounted is as the other routes of the router have it."""
        mounted = self.reader.uses.mounted_like(route.router, draft.file.id)
        found = [*draft.guards_of(route)]
        if route.handler not in draft.symbols:
            found += self.reader.facts.guards_at(route.handler)
        for parent in draft.parents_of(route.handler):
            found += self.reader.facts.guards_at(parent)
        guards = [
            *mounted.guards,
            *(
                each
                for guard in found
                if guard.how != _SKIPPED
                for each in _guard_names(guard.how, guard.text)
            ),
        ]
        method, _, path = route.entry.detail.partition(" ")
        place = self.place(route.handler)
        name = place.qualname if place is not None else ""
        return Route(
            draft.file.id, route.entry.line, route.handler, name, tuple(method.split(",")),
            f"{mounted.prefix}{path}", tuple(guards),
        )  # fmt: skip

    def _route(self, entry: "EntryPointRecord") -> Route:
        method, _, path = entry.detail.partition(" ")
        guards = tuple(
            name
            for each in self.reader.facts.guards_of(entry)
            if each.how != _SKIPPED
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
        made = [each for each in uses.calls(run) if each.caller >> 16 not in self._drafts]
        callees = dict(uses.callees(run, min_confidence=SURE))
        for id_, draft in self._drafts.items():
            if run[0] <= id_ <= run[1]:
                made += draft.calls()
                callees |= draft.callees(SURE)
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
_SKIPPED: Final = "skipped filter"
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
