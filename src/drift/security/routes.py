"""Routes of a project's product: whether a guard stands before each, and which have none where those beside them do.

What it does: tells guarded routes from others by what stands before their handlers.
Why it matters: a route that was added in a hurry is the usual way in.
Example: of six routes of a file five have `login_required`; the sixth is told.
Known limits: what is set for all routes at start guards no single one here, so only what differs from its neighbours is told;
`all_route_guards` says where such a thing may be set.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from posixpath import dirname
from typing import Final, NamedTuple

from drift.analyses.middleware import find_middleware
from drift.index import IndexReader
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import EntryPointRecord, GuardRecord
from drift.languages.marks import keeps_nobody_out, names_in_mark

_MOST_ROUTES: Final = 100_000
_MANY_PER_OPEN: Final = 20


class _Signs(NamedTuple):
    """The lists of `route_signs.toml`."""

    guards: tuple[str, ...]
    open: tuple[str, ...]
    free: tuple[str, ...]
    everywhere: Mapping[str, tuple[str, ...]]


@cache
def _signs() -> _Signs:
    found = tomllib.loads(files("drift.security").joinpath("route_signs.toml").read_text("utf-8"))
    everywhere = {name: tuple(names) for name, names in found.pop("everywhere").items()}
    return _Signs(**{name: tuple(words) for name, words in found.items()}, everywhere=everywhere)


class OpenRoute(NamedTuple):
    """A route without a guard, and how many of those beside it have one."""

    entry: EntryPointRecord
    place: str
    guarded: int
    beside: int


class Routes:
    """The routes of the product. `auth` are names of guards beside those that are known."""

    def __init__(self, reader: IndexReader, auth: Iterable[str] = ()) -> None:
        self._reader = reader
        self._words = tuple(word.lower() for word in (*auth, *_signs().guards))
        found = reader.facts.entry_points("http", limit=_MOST_ROUTES)
        self.entries = [
            each for each in found if each.symbol.role != "test" and not each.detail.startswith("USE ")
        ]
        self._by_symbol: dict[SymbolId, list[EntryPointRecord]] = {}
        for each in self.entries:
            for symbol in {each.symbol.id, each.registered_at}:
                self._by_symbol.setdefault(symbol, []).append(each)
        self._by_detail: dict[str, EntryPointRecord] = {}
        for each in self.entries:
            self._by_detail.setdefault(each.detail, each)
        self._stands_before = cache(self._find_before)
        self.place = cache(self._find_place)

    @property
    def guarded(self) -> int:
        return sum(map(self.is_guarded, self.entries))

    def of_symbol(self, symbol: SymbolId) -> list[EntryPointRecord]:
        """The routes that lead to a symbol or are registered at it."""
        return self._by_symbol.get(symbol, [])

    def detailed(self, detail: str) -> EntryPointRecord | None:
        """The route of a method and a path."""
        return self._by_detail.get(detail)

    def guards_of(self, entry: EntryPointRecord) -> tuple[str, ...]:
        """What guards a route, as written."""
        return (
            ()
            if self.is_free(entry)
            else tuple(one.text for one in self._stands_before(entry) if self._is_guard(one))
        )

    def is_guarded(self, entry: EntryPointRecord) -> bool:
        """Whether something stands before a route that may keep a caller from it."""
        return bool(self.guards_of(entry))

    def is_free(self, entry: EntryPointRecord) -> bool:
        """Whether a route says itself that everybody may call it."""
        return any(_says_free(one.text.lower()) for one in self._stands_before(entry))

    def open_beside_guarded(
        self, *, min_routes: int, min_guarded: float, is_new: Callable[[str, int], bool] | None = None
    ) -> list[OpenRoute]:
        """Routes without a guard where most beside them have one; `is_new` chooses, and leaves its choice out beside."""
        wanted = [
            each
            for each in self.entries
            if (is_new is None or is_new(self.place(each), each.line))
            and not self.is_guarded(each)
            and not is_open(each)
        ]
        found = []
        for entry in wanted:
            beside = self._neighbours(entry, min_routes, is_new)
            guarded = sum(map(self.is_guarded, beside))
            # Where several are open in code that stands for long, that is what somebody wanted.
            is_lone = is_new is not None or len(beside) - guarded < max(1, guarded // _MANY_PER_OPEN)
            if beside and is_lone and guarded / len(beside) >= min_guarded:
                found.append(OpenRoute(entry, self.place(entry), guarded, len(beside)))
        return found

    def _neighbours(
        self, entry: EntryPointRecord, least: int, is_new: Callable[[str, int], bool] | None
    ) -> list[EntryPointRecord]:
        """Other routes that the same file answers, else of the same file, of the same folder; none where they are too few."""
        place = self.place(entry)
        others = [
            each
            for each in self.entries
            if each is not entry
            and not is_open(each)
            and not (is_new is not None and is_new(self.place(each), each.line))
        ]
        same_handlers = [each for each in others if each.symbol.path == entry.symbol.path]
        if entry.symbol.path != place and len(same_handlers) >= least:
            return same_handlers
        same_file = [each for each in others if self.place(each) == place]
        if len(same_file) >= least:
            return same_file
        same_folder = [each for each in others if dirname(self.place(each)) == dirname(place)]
        return same_folder if len(same_folder) >= least else []

    def _find_place(self, entry: EntryPointRecord) -> str:
        """The file in which a route is registered."""
        record = self._reader.files.get(file_of_symbol(entry.registered_at))
        return record.path if record is not None else entry.symbol.path

    def _find_before(self, entry: EntryPointRecord) -> tuple[GuardRecord, ...]:
        """What stands before a route, each text once, without the marks that make or document it."""
        found = {each.text: each for each in reversed(self._reader.facts.guards_of(entry))}
        return tuple(
            one
            for one in reversed(found.values())
            if one.how != "decorator" or not keeps_nobody_out(one.text, entry.symbol.language)
        )

    def _is_guard(self, guard: GuardRecord) -> bool:
        said = (names_in_mark(guard.text) if guard.how == "decorator" else guard.text).lower()
        return any(word in said for word in self._words)


def all_route_guards(reader: IndexReader) -> tuple[str, ...]:
    """What may guard all routes at once, with its places: settings of frameworks, and middleware named like a guard."""
    said = [
        (f"{one.text.rpartition('.')[2]} ({one.path}:{one.line})")
        for one in reader.guards.said(**_signs().everywhere)
    ]
    named = [
        f"{one.name} ({one.file}:{one.line})"
        for one in find_middleware(reader)
        if any(word in one.name.lower() for word in _signs().guards)
    ]
    return tuple(dict.fromkeys([*said, *named]))


def _says_free(text: str) -> bool:
    # What is optionally required is required wherever the settings ask for it; what is optional is not.
    return any(sign in text.replace("optionally", "") for sign in _signs().free)


def is_open(entry: EntryPointRecord) -> bool:
    """Whether a route is of a kind that everybody may call: signing in, health, what is public."""
    said = f"{entry.detail} {entry.symbol.name}".lower()
    return any(word in said for word in _signs().open)
