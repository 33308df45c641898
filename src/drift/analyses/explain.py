"""What a symbol or a file is, what it consists of, who uses it and what it uses: facts, no prose."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from drift.analyses.callables import CLASS_KINDS, call_target, enum_members
from drift.analyses.callees import standing_in
from drift.analyses.callers import find_direct_callers
from drift.analyses.definitions import find_declaration, visibility_of
from drift.analyses.file_listing import count_lines
from drift.analyses.file_standing import FileStanding
from drift.analyses.prominence import rank_place
from drift.analyses.signatures import first_paragraph, signature_text
from drift.analyses.test_titles import find_test_titles
from drift.index import IndexReader
from drift.index.caller_queries import CallSite
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.records import FileRecord, Neighbour, SymbolRecord
from drift.kernel.text import shorten

Depth = Literal["summary", "detailed", "comprehensive"]


ROWS: Final[dict[Depth, int]] = {"summary": 6, "detailed": 15, "comprehensive": 40}


_MOST_READ: Final = 1_000
_LONGEST_SIGNATURE: Final = 160


@dataclass(frozen=True, slots=True)
class PartRow:
    """Something that stands directly in the target."""

    name: str
    kind: str
    line: int
    signature: str


@dataclass(frozen=True, slots=True)
class UseRow:
    """A symbol at the other end of a use: `how` is call or the kind of reference, `reason` how it was found.

    `times` counts the places in that symbol, of which `line` is the first.
    """

    symbol: str
    file: str
    line: int
    how: str
    confidence: float
    reason: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class FileUseRow:
    """A file at the other end: imports, calls and other uses, such as of types, between the two."""

    file: str
    imports: int
    calls: int
    references: int


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A way the outside world calls in."""

    kind: str
    detail: str
    line: int


@dataclass(frozen=True, slots=True)
class ComplexityRow:
    """What was counted in the code."""

    cyclomatic: int
    cognitive: int
    max_nesting: int


@dataclass(frozen=True, slots=True)
class SymbolExplanation:
    """A symbol and its surroundings. Counts are of all; lists are cut. `unresolvedCalls` may lead anywhere.

    `heirs` name it as a parent, or fit it as an interface by what they have.
    """

    symbol: str
    kind: str
    file: str
    line: int
    end_line: int
    signature: str
    visibility: str
    role: str
    stands_in: str | None
    package: str | None
    doc: str | None
    caller_count: int
    calling_files: int
    reference_count: int
    test_users: int
    callee_count: int
    unresolved_calls: int
    complexity: ComplexityRow | None = None
    entry_points: tuple[EntryRow, ...] | None = None
    parts: tuple[PartRow, ...] | None = None
    part_count: int | None = None
    overrides: tuple[str, ...] | None = None
    overridden_by: tuple[str, ...] | None = None
    heirs: tuple[str, ...] | None = None
    heir_count: int | None = None
    used_by: tuple[UseRow, ...] | None = None
    uses: tuple[UseRow, ...] | None = None
    external_calls: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class FileExplanation:
    """A file and its surroundings. Counts are of all; lists are cut."""

    file: str
    language: str | None
    role: str
    package: str | None
    lines: int | None
    doc: str | None
    symbol_count: int
    using_files: int
    used_files: int
    problem: str | None = None
    entry_points: tuple[EntryRow, ...] | None = None
    entry_point_count: int | None = None
    parts: tuple[PartRow, ...] | None = None
    used_by: tuple[FileUseRow, ...] | None = None
    uses: tuple[FileUseRow, ...] | None = None
    packages: tuple[str, ...] | None = None


def explain_symbol(reader: IndexReader, symbol: SymbolRecord, *, rows: int) -> SymbolExplanation:
    """What a symbol is and how it is connected, with up to `rows` of each kind of evidence."""
    record = reader.files.get(file_of_symbol(symbol.id))
    direct = find_direct_callers(reader, call_target(reader, symbol))
    users = _users(reader, symbol, reader.callers.sites(direct.places[:_MOST_READ]))
    owners = standing_in(reader, symbol)
    callees = [
        one
        for owner in owners
        for one in reader.calls.callees(owner, limit=_MOST_READ)
        if one.symbol.id not in owners
    ]
    calls = [one for owner in owners for one in reader.calls.calls_of(owner)]
    measured = reader.listings.complexity(symbol.id)
    user_rows = [row for row, _ in users]
    offered = find_declaration(reader, symbol)  # a class of C++ overrides by what its header declares
    places = dict.fromkeys((symbol.id, offered.id) if offered else (symbol.id,))
    heirs = _heirs(reader, symbol)
    members = reader.symbols.members(symbol.id)
    return SymbolExplanation(
        symbol=symbol.qualname,
        kind=symbol.kind,
        file=symbol.path,
        line=symbol.line,
        end_line=symbol.end_line,
        signature=signature_text(symbol),
        visibility=visibility_of(reader, symbol),
        role=symbol.role,
        stands_in=symbol.qualname.removesuffix(symbol.name).removesuffix(".") or None,
        package=record.package if record else None,
        doc=first_paragraph(symbol.doc) or None,
        caller_count=direct.counts.callers,
        calling_files=len({place.path for place in direct.places}),
        reference_count=sum(row.times for row in user_rows if row.how != "call"),
        test_users=len(_testing(users, with_types=symbol.kind in CLASS_KINDS)),
        callee_count=len({each.symbol.id for each in callees}),
        unresolved_calls=sum(each.outcome == "unknown" for each in calls),
        complexity=ComplexityRow(*measured) if measured else None,
        entry_points=_entries(reader, (symbol.id,)) or None,
        parts=part_rows(_weightiest(members, rows)) or None,
        part_count=len(members) if len(members) > rows else None,
        overrides=_names(reader, [each for one in places for each in reader.calls.overridden(one)], rows)
        or None,
        overridden_by=_names(reader, [each for one in places for each in reader.calls.overriders(one)], rows)
        or None,
        heirs=_names(reader, heirs, rows) or None,
        heir_count=len(heirs) or None,
        used_by=tuple(user_rows[:rows]) or None,
        uses=tuple(_callee_rows(callees)[:rows]) or None,
        external_calls=_most(each.external_name for each in calls if each.external_name)[:rows] or None,
    )


def explain_file(reader: IndexReader, record: FileRecord, *, rows: int) -> FileExplanation:
    """What a file holds and which files it is connected with, with up to `rows` of each."""
    symbols = reader.symbols.of_file(record.id)
    imports = reader.facts.imports_of(record.id)
    importers = Counter(
        each.path for each in reader.facts.importers_of_file(record.id) if each.path != record.path
    )
    imported = Counter(
        each.target_file_id
        for each in imports
        if each.target_file_id is not None and each.target_file_id != record.id
    )
    roles = {each.path: each.role for each in reader.files.stamps()}
    of = reader.listings
    into = _connected(importers, of.calling_files(record.id), of.referring_files(record.id), roles)
    out_of = _connected(
        _by_path(reader, imported), of.called_files(record.id), of.referred_files(record.id), roles
    )
    top = [each for each in symbols[1:] if each.parent_id == symbols[0].id]
    entries = _entries(reader, [each.id for each in symbols])
    return FileExplanation(
        file=record.path,
        language=record.language,
        role=record.role,
        package=record.package,
        lines=count_lines(record),
        doc=(first_paragraph(symbols[0].doc) or None) if symbols else None,
        symbol_count=max(0, len(symbols) - 1),
        using_files=len(into),
        used_files=len(out_of),
        problem=record.problem,
        entry_points=entries[:rows] or None,
        entry_point_count=len(entries) if len(entries) > rows else None,
        parts=part_rows(_weightiest(top, rows)) or None,
        used_by=tuple(into[:rows]) or None,
        uses=tuple(out_of[:rows]) or None,
        packages=_most(each.external_package for each in imports if each.external_package)[:rows] or None,
    )


def part_rows(symbols: Iterable[SymbolRecord]) -> tuple[PartRow, ...]:
    """Symbols as parts of what they stand in."""
    return tuple(
        PartRow(each.name, each.kind, each.line, shorten(each.signature or each.name, _LONGEST_SIGNATURE))
        for each in symbols
    )


def _users(reader: IndexReader, symbol: SymbolRecord, sites: Iterable[CallSite]) -> list[tuple[UseRow, str]]:
    """Calls and references with the role of what they stand in: product before tests, the surest first."""
    called = [(one.caller, one.line, "call", one.confidence, one.reason) for one in sites]
    named = (symbol.id, *enum_members(reader, symbol))
    references = [each for one in named for each in reader.facts.references_to(one)]
    holders = {each.id: each for each in reader.symbols.many({one.symbol_id for one in references})}
    referred = [
        (holder, one.line, one.kind, one.confidence, one.reason)
        for one in references
        if (holder := holders.get(one.symbol_id)) is not None
    ]
    exported = [
        (holder, one.line, "export", 1.0, "import")
        for one in reader.facts.importers_of_symbol(symbol.id)
        if one.is_reexport and one.name and (holder := reader.symbols.get(one.symbol_id)) is not None
    ]
    uses = sorted((*called, *referred, *exported), key=lambda use: (-use[3], use[1]))
    titles = find_test_titles(reader, [use[0] for use in uses])
    times = Counter((use[0].id, use[2]) for use in uses)
    first: dict[tuple[SymbolId, str], tuple[UseRow, str]] = {}
    for holder, line, how, confidence, reason in uses:
        role = "test" if holder.id in titles else holder.role
        name = holder.path if holder.kind == "module" else titles.get(holder.id, holder.qualname)
        row = UseRow(name, holder.path, line, how, confidence, reason, times[holder.id, how])
        first.setdefault((holder.id, how), (row, role))
    return sorted(
        first.values(),
        key=lambda use: (rank_place(use[0].file, use[1]), -use[0].confidence, use[0].file, use[0].line),
    )


def _testing(users: Iterable[tuple[UseRow, str]], *, with_types: bool) -> set[tuple[str, str]]:
    """The tests that call it; of a type also those that name it."""
    return {
        (row.file, row.symbol)
        for row, role in users
        if role == "test" and (row.how == "call" or (with_types and row.how != "import"))
    }


def _heirs(reader: IndexReader, symbol: SymbolRecord) -> list[SymbolId]:
    """The classes right below a class, and those whose methods run in the place of its own."""
    if symbol.kind not in CLASS_KINDS:
        return []
    found = {heir for heir, _ in reader.usages.heirs([symbol.id])}
    methods = {one.id for one in reader.symbols.members(symbol.id)} if symbol.kind == "interface" else set()
    below = reader.symbols.many({each for _, each in reader.graph.overrides_of(methods)} - methods)
    around = reader.symbols.many({one.parent_id for one in below if one.parent_id is not None})
    return sorted(found | {one.id for one in around if one.kind in CLASS_KINDS})


def _callee_rows(callees: Sequence[Neighbour]) -> list[UseRow]:
    """Each symbol that is called, once, with where it stands."""
    best: dict[SymbolId, Neighbour] = {}
    times = Counter(each.symbol.id for each in callees)
    for each in callees:
        known = best.get(each.symbol.id)
        if known is None or each.confidence > known.confidence:
            best[each.symbol.id] = each
    return [
        UseRow(
            one.symbol.qualname,
            one.symbol.path,
            one.symbol.line,
            "call",
            one.confidence,
            one.reason,
            times[one.symbol.id],
        )
        for one in sorted(best.values(), key=lambda one: (-one.confidence, one.line))
    ]


def _entries(reader: IndexReader, symbols: Iterable[SymbolId]) -> tuple[EntryRow, ...]:
    found = (each for symbol in symbols for each in reader.facts.entry_points_at(symbol))
    return tuple(EntryRow(each.kind, each.detail, each.line) for each in found)


def _names(reader: IndexReader, symbols: Sequence[SymbolId], rows: int) -> tuple[str, ...]:
    found = reader.symbols.many(symbols[:rows])
    return tuple(f"{each.qualname} {each.path}:{each.line}" for each in found)


def _most(names: Iterable[str]) -> tuple[str, ...]:
    """Names with how often they come, most first; once goes without saying."""
    counted = Counter(names).most_common()
    return tuple(name if count == 1 else f"{name} x{count}" for name, count in counted)


def _by_path(reader: IndexReader, files: Counter[FileId]) -> Counter[str]:
    found = {record.path: count for file, count in files.items() if (record := reader.files.get(file))}
    return Counter(found)


def _connected(
    imports: Counter[str],
    calls: Iterable[tuple[str, str, int]],
    references: Iterable[tuple[str, str, int]],
    roles: Mapping[str, str],
) -> list[FileUseRow]:
    """The files at the other end, product before tests before examples, the most connected first."""
    called = {path: count for path, _role, count in calls}
    named = {path: count for path, _role, count in references}
    rows = [
        FileUseRow(path, imports[path], called.get(path, 0), named.get(path, 0))
        for path in {*imports, *called, *named}
    ]
    return sorted(
        rows,
        key=lambda row: (
            rank_place(row.file, roles[row.file]),
            -row.imports - row.calls - row.references,
            row.file,
        ),
    )


def _weightiest(symbols: Sequence[SymbolRecord], rows: int) -> list[SymbolRecord]:
    """The longest symbols, in the order of the text: a long file's constants would hide its classes."""
    longest = sorted(symbols, key=lambda each: each.line - each.end_line)[:rows]
    return sorted(longest, key=lambda each: each.start_byte)


@dataclass(frozen=True, slots=True)
class ExplainData:
    """The one of the two that the target is; `others` are further symbols of the name that was asked about.

    `conventions` are of a file: what it follows, and where it does otherwise.
    """

    symbol: SymbolExplanation | None = None
    file: FileExplanation | None = None
    others: tuple[SymbolExplanation, ...] | None = None
    conventions: FileStanding | None = None
