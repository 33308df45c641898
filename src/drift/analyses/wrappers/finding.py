"""Functions of a project that stand before a library: what they wrap, how deep, and who calls them.

A wrapper is a short function that others call and that does little but call a primitive, or another wrapper. What
answers requests, draws elements or is called in one place alone is none: that is where a library is used.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from drift.analyses.wrappers.primitives import Primitive, primitive_of
from drift.index import IndexReader, SymbolId
from drift.index.outside_queries import OutsideCall, UsedBy
from drift.index.records import SymbolRecord
from drift.languages.kinds import CODE_KINDS

_DEEPEST: Final = 10
_MOST_LINES: Final = 40
_LEAST_USERS: Final = 2
_LEAST_SHARE: Final = 0.25
_FEW_CALLS: Final = 4  # a function that makes no more has little room for anything else
_LEAST_CONFIDENCE: Final = 0.5
_INCIDENTAL: Final = frozenset({"logging", "error-handling"})
"""What any function does beside its work: one that stands before it does hardly anything else."""
_LEAST_INCIDENTAL: Final = 0.6
_COMPONENT_FILES: Final = (".tsx", ".jsx", ".vue", ".svelte")
_WRAPPING_KINDS: Final = frozenset({"function", "method"})


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A function that stands before primitives; `wrapped` are those and the wrappers it calls itself."""

    symbol: SymbolRecord
    depth: int
    direct: Mapping[str, int]
    """Full names of primitives, with how many calls of each stand in it."""
    through: tuple[SymbolId, ...]
    """Wrappers it calls."""
    reached: frozenset[str]
    """Primitives it comes to, directly or through others."""
    purpose: str
    users: tuple[UsedBy, ...]

    @property
    def user_files(self) -> int:
        return len({used.caller_id >> 16 for used in self.users})


@dataclass(slots=True)
class Wrappers:
    """All wrappers of a project, and the calls of primitives they were found by."""

    found: dict[SymbolId, Wrapper] = field(default_factory=dict)
    calls: dict[str, list[OutsideCall]] = field(default_factory=dict)
    """Calls of each primitive that is called anywhere, in wrappers and outside."""

    @property
    def primitives(self) -> dict[str, Primitive]:
        known = ((name, primitive_of(name)) for name in self.calls)
        return {name: primitive for name, primitive in known if primitive is not None}


def find_wrappers(reader: IndexReader) -> Wrappers:
    """The wrappers of product code, and those that only tests have for what tests are made with."""
    names = {number: name for number, name in reader.outside.names().items() if primitive_of(name)}
    wrappers = Wrappers()
    inside: dict[SymbolId, Counter[str]] = defaultdict(Counter)
    for call in reader.outside.calls(names.keys()):
        wrappers.calls.setdefault(names[call.name], []).append(call)
        inside[call.caller_id][names[call.name]] += 1
    entries = {entry.symbol_id for entry in reader.graph.product_entries()}
    candidates, through = set(inside), dict[SymbolId, Counter[SymbolId]]()
    for depth in range(1, _DEEPEST + 1):
        new = _wrappers_among(
            reader, candidates - entries, inside, through, depth=depth, known=wrappers.found
        )
        wrappers.found |= new
        if not new:
            break
        above: dict[SymbolId, Counter[SymbolId]] = defaultdict(Counter)
        for wrapper in new.values():
            for used in wrapper.users:
                above[used.caller_id][wrapper.symbol.id] += 1
        for caller, counts in above.items():
            through.setdefault(caller, Counter()).update(counts)
        candidates = set(above) - wrappers.found.keys()
    return wrappers


def _wrappers_among(
    reader: IndexReader,
    candidates: Collection[SymbolId],
    inside: Mapping[SymbolId, Counter[str]],
    through: Mapping[SymbolId, Counter[SymbolId]],
    *,
    depth: int,
    known: Mapping[SymbolId, Wrapper],
) -> dict[SymbolId, Wrapper]:
    short = _short_functions(reader, candidates)
    users = _users(reader, short)
    sizes = reader.outside.call_counts(users.keys())
    drawing = reader.outside.drawing(users.keys())
    found = {}
    for symbol_id, used in users.items():
        direct, others = inside.get(symbol_id, Counter()), through.get(symbol_id, Counter())
        wrapping, symbol = direct.total() + others.total(), short[symbol_id]
        reached = frozenset(direct).union(*(known[each].reached for each in others))
        purpose = _main_purpose(direct, (known[each] for each in others))
        if symbol_id in drawing or not _is_about(purpose, wrapping, of=sizes[symbol_id]):
            continue
        # What tests have to test with is theirs; what they have of anything else is use.
        if symbol.role == ("test" if purpose == "testing" else "source"):
            found[symbol_id] = Wrapper(
                symbol, depth, dict(direct), tuple(others), reached, purpose, tuple(used)
            )
    return found


def _short_functions(reader: IndexReader, candidates: Collection[SymbolId]) -> dict[SymbolId, SymbolRecord]:
    """Those that may be wrappers by their looks: one in another function is not what others have."""
    short = [
        symbol
        for symbol in reader.symbols.many(candidates)
        if symbol.kind in _WRAPPING_KINDS
        and symbol.end_line - symbol.line < _MOST_LINES
        and not _is_component(symbol)
    ]
    parents = reader.symbols.many({symbol.parent_id for symbol in short if symbol.parent_id is not None})
    bodies = {parent.id for parent in parents if parent.kind in CODE_KINDS}
    return {symbol.id: symbol for symbol in short if symbol.parent_id not in bodies}


def _is_component(symbol: SymbolRecord) -> bool:
    return symbol.path.endswith(_COMPONENT_FILES) and symbol.name[:1].isupper()


def _users(reader: IndexReader, symbols: Mapping[SymbolId, SymbolRecord]) -> dict[SymbolId, list[UsedBy]]:
    """The calls of those functions that more than one other calls, of which one stands in another file."""
    users: dict[SymbolId, list[UsedBy]] = defaultdict(list)
    for used in reader.outside.callers(symbols.keys(), min_confidence=_LEAST_CONFIDENCE):
        if used.caller_id != used.callee_id:
            users[used.callee_id].append(used)
    return {
        symbol: used
        for symbol, used in users.items()
        if len({one.caller_id for one in used}) >= _LEAST_USERS
        and any(one.caller_id >> 16 != symbol >> 16 for one in used)
    }


def _is_about(purpose: str, wrapping: int, *, of: int) -> bool:
    """Whether a function is there for the calls of what it wraps, among all that it makes."""
    if purpose in _INCIDENTAL:
        return wrapping >= _LEAST_INCIDENTAL * of
    return of <= _FEW_CALLS or wrapping >= _LEAST_SHARE * of


def _main_purpose(direct: Counter[str], others: Iterable[Wrapper]) -> str:
    counted: Counter[str] = Counter()
    for name, times in direct.items():
        primitive = primitive_of(name)
        if primitive is not None:
            counted[primitive.purpose] += times
    counted.update(wrapper.purpose for wrapper in others)
    return min(counted, key=lambda purpose: (-counted[purpose], purpose))
