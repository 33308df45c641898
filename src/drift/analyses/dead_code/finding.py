"""Code that nobody uses: what no call, reference, import, override or entry point leads to.

What it does: takes what no link leads to, leaves out what languages and frameworks call by themselves, and
weighs for the rest each reason why it may be alive all the same.
Why it matters: dead code is read, tested and migrated for nothing.
Example: a function whose last caller went with another change.
Known limits: names put together at run time, and frameworks that `unseen_calls.toml` does not know.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

from drift.analyses.callables import (
    CLASS_KINDS,
    FUNCTION_KINDS,
    UNMARKED_EXPORTS,
    call_target,
    public_evidence,
)
from drift.analyses.dead_code.evidence import FACTORS, Doubt, Evidence, called_by_framework
from drift.analyses.dead_code.families import Families
from drift.analyses.definitions import as_member, find_declaration, is_apart, is_declaration
from drift.analyses.function_expressions import Expressions
from drift.analyses.index_cache import PerQuestion
from drift.analyses.merging import adds_to_ambient
from drift.analyses.outside_parents import frameworks_used
from drift.analyses.unseen_calls import is_hook
from drift.analyses.usages.offering import Offering, read_offering
from drift.analyses.usages.texts import Texts, project_texts
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural


@dataclass(frozen=True, slots=True)
class DeadRow:
    """A symbol with no known use: how sure that is, how many lines would go, why it may be alive."""

    symbol: str
    kind: str
    file: str
    line: int
    lines: int
    confidence: float
    level: str
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadCodeData:
    """What nobody uses, the surest first. `by_level` counts all, `left_out_exports` what may be used from outside."""

    by_level: dict[str, int]
    lines: int
    left_out_exports: int
    symbols: tuple[DeadRow, ...]


Level = Literal["high", "medium", "low"]

_LEVELS: Final[tuple[Level, ...]] = ("high", "medium", "low")

_MOST_CONFIDENCE: Final = 0.95
_HIGH: Final = 0.75
_MEDIUM: Final = 0.4
_LITERAL_OWNERS: Final = FUNCTION_KINDS | {"variable", "constant", "field"}


class DeadSymbol(NamedTuple):
    """A symbol that nobody is seen to use. `doubts` are the reasons why it may be alive."""

    symbol: SymbolRecord
    confidence: float
    doubts: tuple[Doubt, ...]

    @property
    def level(self) -> Level:
        """The confidence as a word."""
        return "high" if self.confidence >= _HIGH else "medium" if self.confidence >= _MEDIUM else "low"

    @property
    def lines(self) -> int:
        """How many lines would go."""
        return self.symbol.end_line - self.symbol.line + 1


class DeadCode(NamedTuple):
    """What nobody uses, the surest first, and the exported symbols that were left out."""

    found: tuple[DeadSymbol, ...]
    left_out_exports: tuple[SymbolRecord, ...]


DEAD_SORTS: Final[Mapping[str, Sort[DeadSymbol]]] = {
    "confidence": Sort(
        lambda one: (-one.confidence, one.symbol.path, one.symbol.line, one.symbol.qualname), "desc"
    ),
    "lines": Sort(lambda one: (-one.lines,), "desc"),
    "file": Sort(lambda one: (one.symbol.path, one.symbol.line)),
}


class DeadList(NamedTuple):
    """The part of it that is asked for, and how much there is of each level."""

    symbols: tuple[DeadSymbol, ...]
    by_level: dict[str, int]
    left_out: int

    @property
    def lines(self) -> int:
        return sum(one.lines for one in self.symbols)

    @property
    def summary(self) -> str:
        return (
            f"{plural(len(self.symbols), 'symbol')} with no known use ({self.by_level['high']} high confidence), "
            f"{plural(self.lines, 'line')}; {plural(self.left_out, 'exported one')} left out"
        )

    def ranked(self) -> Ranked[DeadSymbol]:
        return Ranked(self.symbols, DEAD_SORTS)

    def data(self, shown: Iterable[DeadSymbol]) -> DeadCodeData:
        return DeadCodeData(self.by_level, self.lines, self.left_out, tuple(map(dead_row, shown)))


class Asked(NamedTuple):
    """What is looked for beside what nobody uses at all."""

    with_exports: bool = False
    with_test_only: bool = False


_looked_through: Final = PerQuestion[DeadCode]()


def look_through(
    reader: IndexReader, root: Path, asked: Asked, *, check_cancelled: Callable[[], None]
) -> DeadCode:
    """What nobody uses in the project at a root, whose texts and build files are read as they are now."""
    texts = project_texts(reader, root)
    return _looked_through.get(
        reader, (asked, texts.stamp()), lambda: _find_in(reader, texts, asked, check_cancelled)
    )


def _find_in(
    reader: IndexReader, texts: Texts, asked: Asked, check_cancelled: Callable[[], None]
) -> DeadCode:

    def read() -> Iterator[tuple[str, bytes]]:
        for one in texts:
            check_cancelled()
            yield one.path, one.content

    return find_dead_code(
        reader,
        read(),
        offering=read_offering(texts),
        with_exports=asked.with_exports,
        with_test_only=asked.with_test_only,
    )


def find_dead_code(
    reader: IndexReader,
    texts: Iterable[tuple[str, bytes]],
    *,
    offering: Offering | None = None,
    with_exports: bool = False,
    with_test_only: bool = False,
) -> DeadCode:
    """What nobody uses, the surest first. `texts` are the project's files, in which names are looked for."""
    untouched = {one.id for one in reader.unused.unused(even_by_tests=True)}
    candidates = reader.unused.unused(even_by_tests=not with_test_only)
    # What is only declared lives and dies with its definition, which is judged itself.
    own = [
        as_member(reader, one)
        for one in candidates
        if not (is_hook(one) or is_declaration(one) or adds_to_ambient(one) or _is_namespace(reader, one))
    ]
    named = _without_literals(reader, own)
    owners = {one.id if one.kind in CLASS_KINDS else one.parent_id for one in named} - {None}
    families = Families(reader, [one for one in owners if one is not None])
    kept = _without_live_classes(reader, named, _framework_calls(reader, named, families))
    exports = {
        one.id: () if offering and offering.is_application(one) else public_evidence(reader, one)
        for one in kept
    }
    left_out = [one for one in kept if not with_exports and _is_exported(one, exports[one.id])]
    hidden = {one.id for one in left_out}
    shown = [one for one in kept if one.id not in hidden]
    expressions = Expressions(shown)
    evidence = Evidence(reader, shown, expressions.watch(texts), families)
    found = [
        _judge(one, (*evidence.doubts(one), *_doubts_by_offer(one, exports[one.id], one.id in untouched)))
        for one in shown
        if one.id not in expressions.found
    ]
    order = sorted(
        found, key=lambda one: (-one.confidence, one.symbol.path, one.symbol.line, one.symbol.qualname)
    )
    return DeadCode(tuple(order), tuple(left_out))


def _is_namespace(reader: IndexReader, symbol: SymbolRecord) -> bool:
    """Whether a type only gives others a place: they are judged themselves."""
    if symbol.kind not in CLASS_KINDS:
        return False
    kinds = {one.kind for one in reader.symbols.members(symbol.id)}
    return not kinds.isdisjoint(CLASS_KINDS) and kinds.isdisjoint(FUNCTION_KINDS)


def _judge(symbol: SymbolRecord, doubts: tuple[Doubt, ...]) -> DeadSymbol:
    confidence = _MOST_CONFIDENCE
    for kind in {doubt.kind for doubt in doubts}:
        confidence *= FACTORS[kind]
    return DeadSymbol(symbol, round(confidence, 2), doubts)


def _doubts_by_offer(symbol: SymbolRecord, exports: tuple[str, ...], is_untouched: bool) -> Iterable[Doubt]:  # noqa: FBT001 - one use
    if not is_untouched:
        yield Doubt("test-only", "only tests use it")
    if _is_exported(symbol, exports):
        yield Doubt("export", "; ".join(exports))
    elif exports:
        yield Doubt("public-name", "its name is public, so other projects may use it")


def _framework_calls(reader: IndexReader, symbols: list[SymbolRecord], families: Families) -> set[SymbolId]:
    """Those of the symbols that a framework calls or finds for sure."""
    decorators: dict[SymbolId, list[str]] = defaultdict(list)
    for symbol, name in reader.unused.decorators_of([one.id for one in symbols]):
        decorators[symbol].append(name)
    used = frameworks_used(reader)
    called = {one.id for one in symbols if called_by_framework(one, families, decorators[one.id], used)}
    # What overrides nothing of the project overrides something outside, which is called there.
    written = {one.id for one in symbols if "override" in one.modifiers}
    here = {below for _, below in reader.graph.overrides_of(sorted(written - called))}
    return called | (written - here) | _overriding_apart(reader, symbols)


def _overriding_apart(reader: IndexReader, symbols: list[SymbolRecord]) -> set[SymbolId]:
    """Methods of C++ whose declarations, apart from them, override others of the project."""
    declared = {one.id: find_declaration(reader, one) for one in symbols if is_apart(one)}
    places = {each.id for each in declared.values() if each is not None}
    here = {below for _, below in reader.graph.overrides_of(sorted(places))}
    return {one for one, each in declared.items() if each is not None and each.id in here}


def _is_exported(symbol: SymbolRecord, evidence: tuple[str, ...]) -> bool:
    """Whether it is offered on purpose. Where every plain name is public, only a re-export says more."""
    return bool(evidence) and (symbol.language not in UNMARKED_EXPORTS or len(evidence) > 1)


def _without_literals(reader: IndexReader, symbols: list[SymbolRecord]) -> list[SymbolRecord]:
    """The symbols without functions that are written where they are used, and so have no name of their own."""
    owners = {one.parent_id for one in symbols if one.parent_id is not None}
    known = reader.symbols.many(owners)
    in_functions = {one.id for one in known if one.kind in _LITERAL_OWNERS}
    # `declare module "vue" { interface X }` adds to what another package has.
    in_declared = {one.id for one in known if "declared" in one.modifiers}
    return [
        one
        for one in symbols
        if one.name.isidentifier()
        and one.parent_id not in in_declared
        and (one.parent_id not in in_functions or one.name in one.signature)
    ]


def _without_live_classes(
    reader: IndexReader, symbols: list[SymbolRecord], called: set[SymbolId]
) -> list[SymbolRecord]:
    """The symbols without classes that are used through members, and without what stands in dead ones."""
    classes = [one.id for one in symbols if one.kind in CLASS_KINDS]
    alive = set(reader.unused.used_through_members(classes)) | _made_by_name(reader, symbols) | called
    alive |= {one.parent_id for one in symbols if one.id in called and one.parent_id is not None}
    dead = set(classes) - alive
    inside = set(reader.graph.inside(sorted(dead))) - dead
    return [one for one in symbols if one.id not in alive and one.id not in inside]


def _made_by_name(reader: IndexReader, symbols: list[SymbolRecord]) -> set[SymbolId]:
    """Classes that inherit their constructor: the graph shows who makes them as callers of the parent."""
    targets = [call_target(reader, one) for one in symbols if one.kind in CLASS_KINDS]
    named = [target for target in targets if target.named is not None]
    return {one.symbol.id for one in named if reader.callers.places(one.ids, named=one.named)}


def dead_row(one: DeadSymbol) -> DeadRow:
    symbol = one.symbol
    return DeadRow(
        symbol.qualname,
        symbol.kind,
        symbol.path,
        symbol.line,
        one.lines,
        one.confidence,
        one.level,
        tuple(f"{doubt.kind}: {doubt.evidence}" for doubt in one.doubts),
    )


def list_dead_code(found: DeadCode, *, path: str | None, min_level: Level) -> DeadList:
    """What was found in files that begin so, down to a confidence."""
    beginning = path_beginning(path)
    wanted = [one for one in found.found if one.symbol.path.startswith(beginning)]
    levels = _LEVELS[: _LEVELS.index(min_level) + 1]
    return DeadList(
        tuple(one for one in wanted if one.level in levels),
        {level: sum(one.level == level for one in wanted) for level in _LEVELS},
        sum(one.path.startswith(beginning) for one in found.left_out_exports),
    )


def path_beginning(path: str | None) -> str:
    return "" if path == "." else (path or "").removeprefix("./")
