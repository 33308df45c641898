"""Error types of a project, where each is raised and caught, and handlers that do nothing."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import dirname
from typing import Final, NamedTuple

from drift.analyses.error_endings import find_endings
from drift.analyses.error_impls import settle_impls
from drift.analyses.error_names import ErrorNames, last_name
from drift.analyses.prominence import is_showing, rank_place
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.listing_queries import HandledTypes, PlacedHandling
from drift.index.records import SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Key, Ranked, Sort
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.languages.kinds import TYPE_KINDS
from drift.languages.table import language_of

_MOST_TYPES: Final = 5_000
_MOST_OUTSIDE: Final = 10
ERROR_SORTS: Final = ("relevance", "file")
_NO_THROWS: Final = frozenset({"go", "rust"})
# Only what descends from an error can be raised there, whatever it is called.
_RAISES_ERRORS_ALONE: Final = frozenset({"python", "java", "csharp", "php"})
# A handler there takes whatever is thrown: which types it is for, conditions in it say.
_CATCHES_ALL: Final = frozenset({"javascript", "typescript"})
_ENDINGS: Final = ("Error", "Exception", "Throwable", "Warning", "Exit", "Interrupt", "Iteration", "Fault")
_TYPES: Final = frozenset({"struct", "type", "interface"})
_SHAPES: Final = frozenset({"type", "interface"})  # that say what something looks like; nobody makes one
_CALLABLE: Final = frozenset({"function", "method"})
_BROAD: Final = frozenset({"Exception", "BaseException", "Throwable", "System.Exception", "..."})


@dataclass(frozen=True, slots=True)
class ErrorTypeRow:
    """An error type of the project and how many places name it.

    Null in languages that do not throw; `caught` also in scripts, where handlers name no types.
    """

    type: str
    file: str
    line: int
    extends: tuple[str, ...]
    raised: int | None
    caught: int | None
    is_test: bool | None = None


@dataclass(frozen=True, slots=True)
class OutsideErrorRow:
    """An error type from outside the project that code raises or catches; `caught` is null where scripts alone raise it."""

    type: str
    raised: int
    caught: int | None


@dataclass(frozen=True, slots=True)
class ErrorPlaceRow:
    """A place where an error is raised or ends.

    `does` is raises, catches, ignores (an empty handler), catchesParent (a handler of a type above it, which ends it
    where it stands around) or handles (a handler that a framework is told of, of it, a type above it or any).
    """

    file: str
    line: int
    function: str
    does: str
    types: tuple[str, ...]
    is_test: bool | None = None


@dataclass(frozen=True, slots=True)
class ErrorsData:
    """What was asked for; the other lists are absent."""

    types: tuple[ErrorTypeRow, ...] | None = None
    outside: tuple[OutsideErrorRow, ...] | None = None
    places: tuple[ErrorPlaceRow, ...] | None = None


class ErrorPlaces(NamedTuple):
    """Places of one kind, with what to say of them."""

    rows: tuple[ErrorPlaceRow, ...]
    summary: str
    sorts: Mapping[str, Sort[ErrorPlaceRow]]
    warnings: tuple[str, ...] = ()

    def ranked(self) -> Ranked[ErrorPlaceRow]:
        return Ranked(self.rows, self.sorts)


class ErrorTypes(NamedTuple):
    """The error types of the product, most raised first, those from outside, and how many tests and examples declare."""

    declared: tuple[ErrorTypeRow, ...]
    outside: tuple[OutsideErrorRow, ...]
    left_out: int

    @property
    def summary(self) -> str:
        beside = f" ({self.left_out} more in tests and examples)" if self.left_out else ""
        return f"{plural(len(self.declared), 'error type')} declared{beside}, {len(self.outside)} from outside in use"

    def ranked(self) -> Ranked[ErrorTypeRow]:
        by_place: Sort[ErrorTypeRow] = Sort(lambda row: (row.file, row.line))
        return Ranked(self.declared, dict(zip(ERROR_SORTS, (Sort(type_key, "desc"), by_place), strict=True)))

    def data(self, shown: tuple[ErrorTypeRow, ...]) -> ErrorsData:
        return ErrorsData(types=shown, outside=self.outside[:_MOST_OUTSIDE])

    def named_in(self, shown: Sequence[ErrorTypeRow]) -> str | None:
        """A type whose places are worth a look."""
        used = next((row.type for row in shown if row.raised or row.caught), None)
        return used or next((row.type for row in self.outside), None)


def find_error_types(reader: IndexReader, *, with_tests: bool = False) -> ErrorTypes:
    """Every error type, with how often it is raised and caught; those of tests and examples only where wanted."""
    handled = reader.listings.handled_types()
    in_use = {last_name(name) for each in handled for name in each.types}
    is_beside = _besides(reader)
    counted = [each for each in handled if with_tests or not is_beside(each.path, each.role)]
    named = reader.symbols.many(reader.listings.error_types())
    errors = [one.id for one in named if one.name in in_use or _may_be_raised(reader, one)]
    errors += _go_errors(reader)
    found = _with_descendants(reader, errors)
    settled = settle_impls(reader, [one for one in found if one.kind != "type" or "." not in one.qualname])
    names = ErrorNames(reader, [one for one, _ in settled])
    raised, caught = (_count(counted, names, is_throw=is_throw) for is_throw in (True, False))
    rows = [
        ErrorTypeRow(
            one.qualname,
            one.path,
            one.line,
            parents,
            raised[one.id] if one.language not in _NO_THROWS else None,
            caught[one.id] if one.language not in _NO_THROWS | _CATCHES_ALL else None,
            True if one.role == "test" else None,
        )
        for one, parents in settled
        if with_tests or not is_beside(one.path, one.role)
    ]
    elsewhere = {last_name(name) for each in counted if not _is_of_script(each) for name in each.types}
    outside = [
        OutsideErrorRow(name, raised[name], caught[name] if name in elsewhere else None)
        for name in {*raised, *caught}
        if isinstance(name, str) and not _is_function(reader, name)
    ]
    return ErrorTypes(
        tuple(sorted(rows, key=type_key)),
        tuple(sorted(outside, key=lambda row: (-row.raised - (row.caught or 0), row.type))),
        len(settled) - len(rows),
    )


def _is_of_script(handled: HandledTypes) -> bool:
    return language_of(handled.path.rpartition("/")[2]) in _CATCHES_ALL


def _besides(reader: IndexReader) -> Callable[[str, str], bool]:
    """Whether a file of this path and role is a test or an example; a project of examples alone has none."""
    has_product = any(not is_showing(one.path) for one in reader.files.stamps())
    return lambda path, role: role == "test" or (has_product and is_showing(path))


def find_error_places(reader: IndexReader, name: str) -> tuple[ErrorPlaceRow, ...]:
    """Where an error type is raised and caught by name, product code before tests."""
    last = last_name(name)
    own = [one for one in reader.symbols.named(last) if one.kind in TYPE_KINDS]
    names, asked = ErrorNames(reader, own), {one.id for one in own if one.qualname == name}
    found = [
        each
        for each in reader.listings.handlings_naming(last)
        if any(
            last_name(one) == last
            and (not asked or asked & {known.id for known in names.meant(one, each.path)})
            for one in each.handling.types
        )
    ]
    return _place_rows(reader, found)


def find_ignored(reader: IndexReader, *, with_tests: bool) -> tuple[ErrorPlaceRow, ...]:
    """Handlers that do nothing; those that catch everything first, for they hide most."""
    found = [each for each in reader.listings.empty_handlers() if with_tests or each.role != "test"]
    return tuple(sorted(_place_rows(reader, found), key=ignored_key))


def type_key(row: ErrorTypeRow) -> tuple[int, int, int, str, str, int]:
    """Where an error type stands in the list: product before tests before examples, most raised first."""
    rank = rank_place(row.file, "test" if row.is_test else "source")
    return rank, -(row.raised or 0), -(row.caught or 0), row.type, row.file, row.line


def place_key(row: ErrorPlaceRow) -> tuple[bool, str, int, str, str]:
    """Where a place stands in the list: product before tests, then by place."""
    return bool(row.is_test), row.file, row.line, row.does, row.function


def ignored_key(row: ErrorPlaceRow) -> tuple[bool, bool, str, int, str]:
    """Where an empty handler stands in the list: those that catch everything first."""
    return not is_broad(row.types), bool(row.is_test), row.file, row.line, row.function


def is_broad(types: Sequence[str]) -> bool:
    """Whether a handler catches whatever is raised."""
    return not types or not _BROAD.isdisjoint(name.lstrip("\\") for name in types)


def _may_be_raised(reader: IndexReader, symbol: SymbolRecord) -> bool:
    """Whether a type is an error and not only called one, as the test of an error is."""
    if symbol.language == "go":
        return any(base.text == "error" for base in reader.symbols.bases(symbol.id))
    is_shape = symbol.language in _CATCHES_ALL and symbol.kind in _SHAPES
    if symbol.language not in _RAISES_ERRORS_ALONE and not is_shape:
        return True
    return any(last_name(base.text).endswith(_ENDINGS) for base in reader.symbols.bases(symbol.id))


def _go_errors(reader: IndexReader) -> list[SymbolId]:
    """The types of Go with a method `Error() string`: that alone makes an error there, whatever the name."""
    methods = [
        one
        for one in reader.symbols.named("Error", limit=_MOST_TYPES)
        if one.language == "go" and one.kind == "method" and one.return_text == "string"
    ]
    # A method may stand in another file of the package than its type.
    wanted = {(dirname(one.path), one.qualname.rpartition(".")[0]) for one in methods}
    return [
        one.id
        for folder, name in sorted(wanted)
        for one in reader.symbols.named(name)
        if one.kind in _TYPES and one.language == "go" and dirname(one.path) == folder
    ]


def _is_function(reader: IndexReader, name: str) -> bool:
    """Whether the project has a function of this name, whose result is raised: `raise make_error()`.

    What is written like an error is one, though a component of pages may be called `Error`, too.
    """
    if name[:1].isupper() and name.endswith(_ENDINGS):
        return False
    return any(one.kind in _CALLABLE for one in reader.symbols.named(name))


def _count(handled: Iterable[HandledTypes], names: ErrorNames, *, is_throw: bool) -> Counter[SymbolId | str]:
    """How often each type of the project is named, and each name that means none of them."""
    counter: Counter[SymbolId | str] = Counter()
    for each in handled:
        if each.is_throw == is_throw:
            for name in each.types:
                meant: list[SymbolId | str] = [one.id for one in names.meant(name, each.path)]
                counter.update(dict.fromkeys(meant or [last_name(name)], each.times))
    return counter


def _with_descendants(reader: IndexReader, ids: Sequence[SymbolId]) -> list[SymbolRecord]:
    seen = set(ids)
    level = list(ids)
    while level and len(seen) < _MOST_TYPES:
        below = [child.id for parent in level for child in reader.symbols.derived(parent)]
        level = [child for child in dict.fromkeys(below) if child not in seen]
        seen.update(level)
    return reader.symbols.many(sorted(seen))


def _place_rows(reader: IndexReader, places: Sequence[PlacedHandling]) -> tuple[ErrorPlaceRow, ...]:
    holders = {one.id: one for one in reader.symbols.many({each.handling.symbol_id for each in places})}
    rows = []
    for each in places:
        handling = each.handling
        does = "raises" if handling.kind == "throw" else "ignores" if handling.is_empty else "catches"
        holder = holders.get(handling.symbol_id)
        function = holder.qualname if holder is not None and holder.kind != "module" else "(file)"
        is_test = True if each.role == "test" else None
        rows.append(ErrorPlaceRow(each.path, handling.line, function, does, handling.types, is_test))
    return tuple(sorted(rows, key=place_key))


def why_nowhere(reader: IndexReader, name: str) -> str:
    """What to say of a type that is declared and never raised; an error where there is none of that name."""
    declared = find_error_types(reader, with_tests=True).declared
    last = last_name(name)
    own = next((row for row in declared if last_name(row.type) == last), None)
    if own is None:
        raise DriftError(
            ErrorCode.SYMBOL_NOT_FOUND,
            f"No code raises or catches {name!r}.",
            Recovery(similar=similar_names(name, [row.type for row in declared])),
        )
    if own.raised is None:
        return (
            f"{own.type} at {own.file}:{own.line} is returned, not thrown: see drift_callers and drift_type"
        )
    return f"{own.type} at {own.file}:{own.line} is declared, and no code raises or catches it by name"


def list_ignored(reader: IndexReader, *, with_tests: bool) -> ErrorPlaces:
    """Handlers that do nothing, as an answer tells them."""
    found = find_ignored(reader, with_tests=with_tests)
    blind = sum(is_broad(row.types) for row in found)
    summary = f"{plural(len(found), 'empty handler')}, {blind} of them for whatever is raised"
    return ErrorPlaces(found, summary, _by_place(ignored_key))


def list_error_places(reader: IndexReader, name: str) -> ErrorPlaces:
    """Where a type is raised, caught and handled, as an answer tells it."""
    found = find_error_places(reader, name)
    raised = sum(row.does == "raises" for row in found)
    summary = f"{name}: raised in {plural(raised, 'place')}, caught in {len(found) - raised}"
    if not found:
        return ErrorPlaces(found, summary, _by_place(place_key), (why_nowhere(reader, name),))
    handles, above = _endings(reader, last_name(name))
    if above:
        summary += f", {plural(len(above), 'handler')} of a type above it"
    if handles:
        summary += f"; handled by {plural(len(handles), 'handler')} of a framework"
    warnings: tuple[str, ...] = ()
    if any((file := reader.files.at(row.file)) and file.language in _CATCHES_ALL for row in found):
        warnings = (f"handlers of scripts name no types: see drift_references for conditions on {name}",)
    return ErrorPlaces((*found, *handles, *above), summary, _by_place(place_key), warnings)


def _endings(reader: IndexReader, last: str) -> tuple[tuple[ErrorPlaceRow, ...], tuple[ErrorPlaceRow, ...]]:
    """Where an error ends that is not named there: handlers of frameworks, and those of types above it."""
    holders = {each.handling.symbol_id for each in reader.listings.handlings_naming(last)}
    languages = frozenset(one.language for one in reader.symbols.many(holders) if one.language)
    endings = find_endings(reader, last, languages)
    handles = [
        ErrorPlaceRow(one.file, one.line, one.name, "handles", one.types) for one in endings.boundaries
    ]
    above = [
        replace(row, does="catchesParent")
        for parent in endings.parents
        for row in find_error_places(reader, parent)
        if row.does != "raises" and last not in map(last_name, row.types)
    ]
    return tuple(dict.fromkeys(handles)), tuple(dict.fromkeys(above))


def _by_place(relevance: Callable[[ErrorPlaceRow], Key]) -> Mapping[str, Sort[ErrorPlaceRow]]:
    by_file: Sort[ErrorPlaceRow] = Sort(lambda row: (row.file, row.line))
    return dict(zip(ERROR_SORTS, (Sort(relevance, "desc"), by_file), strict=True))
