"""What is told of constants: how many there are of which sort, a list, one whole, and who uses it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.analyses.constants.catalogue import Category, Constant, ConstantRow, read_constants, shown_value
from drift.analyses.constants.dead import DeadConstantRow
from drift.analyses.constants.inconsistent import InconsistentRow
from drift.analyses.constants.magic import MagicRow
from drift.analyses.prominence import rank_place
from drift.analyses.secrets.findings import Secret
from drift.analyses.secrets.past import PastSecret
from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.similar import similar_names
from drift.kernel.text import plural

Action = Literal["status", "list", "get", "usages", "magic", "dead", "secrets", "inconsistent"]

CONSTANT_SORTS: Final = ("file", "name", "category")
_MOST_MEMBERS: Final = 100
_MOST_SIMILAR: Final = 5
_MOST_USES: Final = 1_000


@dataclass(frozen=True, slots=True)
class MemberRow:
    """An element of a list or table, or a member of an enumeration."""

    key: str | None
    value: str | None
    line: int


@dataclass(frozen=True, slots=True)
class ConstantDetail:
    """One constant whole. `uses` counts references and imports; `others` are constants of the same name."""

    constant: ConstantRow
    end_line: int
    signature: str
    doc: str | None
    decorators: tuple[str, ...]
    members: tuple[MemberRow, ...]
    uses: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UseRow:
    """A place that uses a constant: `how` is imports, or the kind of reference."""

    file: str
    line: int
    function: str | None
    how: str
    is_test: bool | None = None


@dataclass(frozen=True, slots=True)
class ConstantsStatus:
    """How many constants there are of each sort."""

    constants: int
    exported: int
    by_kind: dict[str, int]
    by_category: dict[str, int]
    by_language: dict[str, int]


@dataclass(frozen=True, slots=True)
class ConstantsData:
    """What the action found; the other fields are absent."""

    status: ConstantsStatus | None = None
    constants: tuple[ConstantRow, ...] | None = None
    constant: ConstantDetail | None = None
    usages: tuple[UseRow, ...] | None = None
    magic: tuple[MagicRow, ...] | None = None
    dead: tuple[DeadConstantRow, ...] | None = None
    secrets: tuple[Secret, ...] | None = None
    past: tuple[PastSecret, ...] | None = None
    inconsistent: tuple[InconsistentRow, ...] | None = None


class Wanted(NamedTuple):
    """Which constants a list is about."""

    category: Category | None = None
    language: str | None = None
    file: str | None = None
    search: str | None = None
    exported: bool | None = None

    def fits(self, one: Constant) -> bool:
        """Whether a constant is among them."""
        symbol = one.symbol
        return (
            (self.category is None or one.category == self.category)
            and (self.language is None or symbol.language == self.language)
            and (self.file is None or symbol.path == self.file)
            and (self.search is None or self.search.lower() in symbol.qualname.lower())
            and (self.exported is None or one.is_exported == self.exported)
        )


def count_constants(reader: IndexReader) -> tuple[str, ConstantsData]:
    """How many constants of the product there are of each sort, and a sentence on it."""
    every = read_constants(reader)
    places = {each.symbol.path: each.symbol.role for each in every}
    product = {path for path, role in places.items() if rank_place(path, role) == 0}
    found = [each for each in every if each.symbol.path in product]
    status = ConstantsStatus(
        len(found),
        sum(each.is_exported for each in found),
        dict(Counter(each.kind for each in found).most_common()),
        dict(Counter(each.category for each in found).most_common()),
        dict(Counter(each.symbol.language or "none" for each in found).most_common()),
    )
    files = len({each.symbol.path for each in found})
    summary = f"{plural(status.constants, 'constant')} in {plural(files, 'file')}, {status.exported} of them for other files"
    return summary, ConstantsData(status=status)


def list_constants(reader: IndexReader, wanted: Wanted) -> tuple[str, Ranked[Constant]]:
    """The constants that are wanted: the product's first. A value is looked through for secrets when it is shown."""
    found = [each for each in read_constants(reader) if wanted.fits(each)]
    places = {each.symbol.path: each.symbol.role for each in found}
    ranks = {path: rank_place(path, role) for path, role in places.items()}

    def place(one: Constant) -> tuple[str, str, int]:
        return one.symbol.qualname, one.symbol.path, one.symbol.line

    sorts: dict[str, Sort[Constant]] = {
        "file": Sort(
            lambda one: (ranks[one.symbol.path], one.symbol.path, one.symbol.line, one.symbol.qualname)
        ),
        "name": Sort(place),
        "category": Sort(lambda one: (one.category, *place(one))),
    }
    return plural(len(found), "constant"), Ranked(found, sorts)


def constant_rows(shown: Iterable[Constant]) -> ConstantsData:
    """The constants of a page as they are told."""
    return ConstantsData(constants=tuple(each.row() for each in shown))


def choose_constant(reader: IndexReader, named: str) -> tuple[Constant, tuple[Constant, ...]]:
    """The constant of an id or a name, and the others of that name; raises SYMBOL_NOT_FOUND with names alike."""
    every = read_constants(reader)
    found = [each for each in every if named in {each.id, each.symbol.qualname, each.symbol.name}]
    if not found:
        known = sorted({each.symbol.name for each in every})
        raise DriftError(
            ErrorCode.SYMBOL_NOT_FOUND,
            f"No constant is called {named!r}",
            Recovery(similar=tuple(similar_names(named, known)), alternative_tools=("drift_constants",)),
        )
    found.sort(key=lambda each: rank_place(each.symbol.path, each.symbol.role))
    return found[0], tuple(found[1:])


def describe_constant(reader: IndexReader, named: str) -> tuple[str, ConstantsData]:
    """One constant whole."""
    one, others = choose_constant(reader, named)
    symbol = one.symbol
    detail = ConstantDetail(
        one.row(),
        symbol.end_line,
        shown_value("", symbol.signature) or symbol.name,
        symbol.doc or None,
        tuple(each.text for each in reader.symbols.decorators(symbol.id)),
        _members(reader, one),
        len(find_uses(reader, one)),
        tuple(each.id for each in others[:_MOST_SIMILAR]),
    )
    beside = f"; {plural(len(others), 'other')} of that name" if others else ""
    value = f" = {one.shown}" if one.shown else ""
    return (
        f"{symbol.qualname}{value} ({one.kind}, {one.category}), {plural(detail.uses, 'use')}{beside}",
        ConstantsData(constant=detail),
    )


def _members(reader: IndexReader, one: Constant) -> tuple[MemberRow, ...]:
    if one.kind == "enum":
        return tuple(
            MemberRow(each.name, shown_value(each.name, each.signature), each.line)
            for each in reader.symbols.members(one.symbol.id)[:_MOST_MEMBERS]
        )
    held = reader.facts.members_of(one.symbol.id)[:_MOST_MEMBERS]
    return tuple(MemberRow(each.key, shown_value(each.key or "", each.value), each.line) for each in held)


def find_uses(reader: IndexReader, one: Constant) -> Sequence[UseRow]:
    """Where a constant is used: references, then imports."""
    symbol = one.symbol.id
    references = reader.facts.references_to(symbol, limit=_MOST_USES)
    imports = reader.facts.importers_of_symbol(symbol, limit=_MOST_USES)
    users = {each.symbol_id for each in references} | {each.symbol_id for each in imports}
    holders = {each.id: each for each in reader.symbols.many(sorted(users))}
    told: list[UseRow] = []
    for symbol_id, path, line, how in (
        *((each.symbol_id, each.path, each.line, each.kind) for each in references),
        *((each.symbol_id, each.path, each.line, "imports") for each in imports),
    ):
        holder = holders.get(symbol_id)
        function = holder.qualname if holder is not None and holder.kind != "module" else None
        is_test = holder is not None and holder.role == "test"
        told.append(UseRow(path, line, function, how, is_test or None))
    return told


def list_uses(reader: IndexReader, named: str) -> tuple[str, Ranked[UseRow]]:
    """Where a constant is used, the product's places first."""
    one, _ = choose_constant(reader, named)
    uses = find_uses(reader, one)
    files = len({each.file for each in uses})
    by_place: Sort[UseRow] = Sort(lambda row: (bool(row.is_test), row.file, row.line, row.how))
    return (
        f"{one.symbol.qualname} in {one.symbol.path}: {plural(len(uses), 'use')} in {plural(files, 'file')}",
        Ranked(uses, {"file": by_place}),
    )
