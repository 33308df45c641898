"""Code that nobody uses: what no call, reference, import, override or entry point leads to.

What it does: takes what no link leads to, leaves out what languages and frameworks call by themselves, and
weighs for the rest each reason why it may be alive all the same.
Why it matters: dead code is read, tested and migrated for nothing.
Example: a function whose last caller went with another change.
Known limits: names put together at run time, templates and other files Drift does not read.
"""

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple

from drift.analyses.callables import (
    CLASS_KINDS,
    FUNCTION_KINDS,
    UNMARKED_EXPORTS,
    call_target,
    public_evidence,
)
from drift.analyses.definitions import is_declaration
from drift.analyses.function_expressions import Expressions
from drift.analyses.markup import is_component
from drift.analyses.mentions import Mention, find_mentions
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
# By how much each reason to be alive makes death less likely.
_FACTORS: Final[Mapping[str, float]] = {
    "export": 0.6,
    "public-name": 0.75,
    "dynamic-call": 0.3,
    "mention": 0.55,
    "near-mention": 0.3,
    "markup": 0.3,
    "interface-impl": 0.4,
    "decorator": 0.3,
    "event-handler": 0.6,
    "serialization": 0.6,
    "dynamic-name": 0.7,
    "callback": 0.3,
    "test-only": 0.9,
}


_METHOD_OWNERS: Final = CLASS_KINDS | {"type", "namespace"}
_LITERAL_OWNERS: Final = FUNCTION_KINDS | {"variable", "constant", "field"}


class Doubt(NamedTuple):
    """A reason why code may be alive, and where that is seen."""

    kind: str
    evidence: str


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


def find_dead_code(
    reader: IndexReader,
    texts: Iterable[tuple[str, bytes]],
    *,
    with_exports: bool = False,
    with_test_only: bool = False,
) -> DeadCode:
    """What nobody uses, the surest first. `texts` are the project's files, in which names are looked for."""
    untouched = {one.id for one in reader.unused.unused(even_by_tests=True)}
    candidates = reader.unused.unused(even_by_tests=not with_test_only)
    # What is only declared lives and dies with its definition, which is judged itself.
    own = [one for one in candidates if not _is_hook(one) and not is_declaration(one)]
    named = _without_literals(reader, own)
    kept = _without_live_classes(reader, named)
    exports = {one.id: public_evidence(reader, one) for one in kept}
    left_out = [one for one in kept if not with_exports and _is_exported(one, exports[one.id])]
    hidden = {one.id for one in left_out}
    shown = [one for one in kept if one.id not in hidden]
    expressions = Expressions(shown)
    evidence = _Evidence(reader, shown, expressions.watch(texts), exports, untouched)
    found = [_judge(one, evidence) for one in shown if one.id not in expressions.found]
    order = sorted(
        found, key=lambda one: (-one.confidence, one.symbol.path, one.symbol.line, one.symbol.qualname)
    )
    return DeadCode(tuple(order), tuple(left_out))


def _judge(symbol: SymbolRecord, evidence: "_Evidence") -> DeadSymbol:
    doubts = tuple(evidence.doubts(symbol))
    confidence = _MOST_CONFIDENCE
    for kind in {doubt.kind for doubt in doubts}:
        confidence *= _FACTORS[kind]
    return DeadSymbol(symbol, round(confidence, 2), doubts)


class _Evidence:
    """What was gathered once for all candidates: names in texts and strings, decorators, parents."""

    def __init__(
        self,
        reader: IndexReader,
        symbols: list[SymbolRecord],
        texts: Iterable[tuple[str, bytes]],
        exports: Mapping[SymbolId, tuple[str, ...]],
        untouched: set[SymbolId],
    ) -> None:
        homes: dict[str, set[str]] = defaultdict(set)
        for one in symbols:
            homes[one.name].add(one.path)
        names = sorted(homes)
        self._exports, self._untouched = exports, untouched
        self._mentions = find_mentions(homes, texts)
        self._strings = reader.unused.strings_equal_to(json.dumps(names))
        self._unresolved = reader.unresolved.by_name()
        # Only a function of the module itself has so short a whole name.
        answering = reader.symbols.named("__getattr__", limit=-1)
        self._answering = {one.path: one.line for one in answering if one.qualname == one.name}
        self._definitions = _definitions(reader, names)
        owners = sorted({one.parent_id for one in symbols if one.parent_id is not None})
        self._classes = {one.id for one in reader.symbols.many(owners) if one.kind in _METHOD_OWNERS}
        self._promised = _promised_names(reader, names)
        self._decorators = {
            symbol: name
            for symbol, name in reader.unused.decorators_of([one.id for one in symbols])
            if not _fits(name, _rules()["decorators"]["harmless"])
        }
        self._foreign = {
            one.symbol_id: one.external_name or one.text
            for one in reader.unused.parents_of(owners)
            if one.target_id is None
        }

    def doubts(self, symbol: SymbolRecord) -> Iterable[Doubt]:
        """Why the symbol may be alive."""
        yield from self._doubts_by_name(symbol)
        if symbol.id in self._decorators:
            yield Doubt("decorator", f"@{self._decorators[symbol.id]} may register it")
        if symbol.parent_id in self._foreign and symbol.kind in {"method", "property"}:
            parent = self._foreign[symbol.parent_id]
            yield Doubt("interface-impl", f"its class extends {parent}, which may call it")
        elif symbol.kind == "method" and symbol.name in self._promised:
            yield Doubt("interface-impl", f"{self._promised[symbol.name]} has a method of this name")
        if symbol.kind == "method" and symbol.parent_id not in self._classes:
            yield Doubt("callback", "who gets the object it is in may call it")
        if symbol.id not in self._untouched:
            yield Doubt("test-only", "only tests use it")
        exports = self._exports[symbol.id]
        if _is_exported(symbol, exports):
            yield Doubt("export", "; ".join(exports))
        elif exports:
            yield Doubt("public-name", "its name is public, so other projects may use it")

    def _doubts_by_name(self, symbol: SymbolRecord) -> Iterable[Doubt]:
        name, rules = symbol.name, _rules()
        place = self._strings.get(name)
        unresolved = self._unresolved.get(name)
        if unresolved is not None:
            open_call = unresolved.examples[0]
            yield Doubt(
                "dynamic-call", f"unresolved call {open_call.text} at {open_call.path}:{open_call.line}"
            )
        elif place is not None:
            yield Doubt("dynamic-call", f"named in a string at {place[0]}:{place[1]}")
        elif symbol.path in self._answering and symbol.qualname == name:
            line = self._answering[symbol.path]
            yield Doubt("dynamic-call", f"__getattr__ at {symbol.path}:{line} may give it under another name")
        else:
            mention = self._mention(symbol)
            if mention is not None:
                # In its own file the name hardly means something else.
                kind = "near-mention" if mention.path == symbol.path else "mention"
                kind = "markup" if is_component(mention.path) else kind
                yield Doubt(kind, f"the name stands at {mention.path}:{mention.line}")
        if _fits(name, rules["dynamic"]["events"]):
            yield Doubt("event-handler", "named like an event handler")
        elif _fits(name, rules["dynamic"]["serializers"]):
            yield Doubt("serialization", "named like a serializer")
        elif name.startswith(tuple(rules["dynamic"]["prefixes"])) and symbol.kind == "method":
            yield Doubt("dynamic-name", "such names are often put together at run time")

    def _mention(self, symbol: SymbolRecord) -> Mention | None:
        """A place of the name outside the symbol itself that does not define another of that name."""
        definitions = self._definitions.get(symbol.name, ())
        places = sorted(
            self._mentions.get(symbol.name, ()),
            # A page has the name of the code behind it: List.razor of List.razor.cs.
            key=lambda one: (
                not is_component(one.path),
                not symbol.path.startswith(one.path),
                one.path != symbol.path,
            ),
        )
        for one in places:
            is_inside = one.path == symbol.path and symbol.start_byte <= one.offset < symbol.end_byte
            if not is_inside and (one.path, one.line) not in definitions:
                return one
        return None


def _definitions(reader: IndexReader, names: list[str]) -> dict[str, set[tuple[str, int]]]:
    return {name: {(one.path, one.line) for one in reader.symbols.named(name)} for name in names}


def _promised_names(reader: IndexReader, names: list[str]) -> dict[str, str]:
    """The names that a method of an interface has, and which: what looks like it may stand in for it."""
    methods = [one for name in names for one in reader.symbols.named(name) if one.kind == "method"]
    owners = {one.id: one for one in reader.symbols.many({one.parent_id for one in methods if one.parent_id})}
    found = {}
    for one in methods:
        owner = owners.get(one.parent_id) if one.parent_id is not None else None
        if owner is not None and owner.kind in {"interface", "trait"}:
            found[one.name] = owner.qualname
    return found


def _is_exported(symbol: SymbolRecord, evidence: tuple[str, ...]) -> bool:
    """Whether it is offered on purpose. Where every plain name is public, only a re-export says more."""
    return bool(evidence) and (symbol.language not in UNMARKED_EXPORTS or len(evidence) > 1)


def _without_literals(reader: IndexReader, symbols: list[SymbolRecord]) -> list[SymbolRecord]:
    """The symbols without functions that are written where they are used, and so have no name of their own."""
    owners = {one.parent_id for one in symbols if one.parent_id is not None}
    in_functions = {one.id for one in reader.symbols.many(owners) if one.kind in _LITERAL_OWNERS}
    return [
        one
        for one in symbols
        if one.name.isidentifier() and (one.parent_id not in in_functions or one.name in one.signature)
    ]


def _without_live_classes(reader: IndexReader, symbols: list[SymbolRecord]) -> list[SymbolRecord]:
    """The symbols without classes that are used through members, and without what stands in dead ones."""
    classes = [one.id for one in symbols if one.kind in CLASS_KINDS]
    alive = set(reader.unused.used_through_members(classes)) | _made_by_name(reader, symbols)
    dead = set(classes) - alive
    inside = set(reader.graph.inside(sorted(dead))) - dead
    return [one for one in symbols if one.id not in alive and one.id not in inside]


def _made_by_name(reader: IndexReader, symbols: list[SymbolRecord]) -> set[SymbolId]:
    """Classes that inherit their constructor: the graph shows who makes them as callers of the parent."""
    targets = [call_target(reader, one) for one in symbols if one.kind in CLASS_KINDS]
    named = [target for target in targets if target.named is not None]
    return {one.symbol.id for one in named if reader.callers.places(one.ids, named=one.named)}


def _is_hook(symbol: SymbolRecord) -> bool:
    hooks = _rules()["hooks"]
    patterns = (*hooks["any"], *hooks.get(symbol.language or "", ()))
    return "test" in symbol.modifiers or "abstract" in symbol.modifiers or _fits(symbol.name, patterns)


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@cache
def _rules() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("drift.analyses").joinpath("alive.toml").read_text(encoding="utf-8"))


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
