"""What it means to call a symbol: which ids a call of it leads to, and who outside may call it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from drift.analyses.definitions import find_header_place
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord

CLASS_KINDS: Final = frozenset({"class", "interface", "trait", "struct", "enum"})
FUNCTION_KINDS: Final = frozenset({"function", "method", "constructor", "property", "macro"})
CALLABLE_KINDS: Final = FUNCTION_KINDS | CLASS_KINDS | {"type"}

UNMARKED_EXPORTS: Final = frozenset({"python", "php"})
"""Languages without a mark for what others may use: every name that is not private is public."""

_MOST_ANCESTORS: Final = 50


class CallTarget(NamedTuple):
    """The ids to which calls of a symbol lead; with `named` only the calls that are written with that name."""

    symbol: SymbolRecord
    ids: tuple[SymbolId, ...]
    named: str | None = None
    asked: tuple[SymbolRecord, ...] = ()
    """All that were asked about, where they are several."""

    @property
    def together(self) -> dict[SymbolId, str]:
        """Which of several that were asked about an id is of, by its place; empty for one."""
        return {one.id: f"{one.path}:{one.line}" for one in self.asked} if len(self.asked) > 1 else {}

    @property
    def note(self) -> str | None:
        """What a reader of the callers must know, if anything."""
        if self.named is None:
            return None
        return f"{self.named} inherits its constructor: its calls are told by the name they are written with"


def call_target(reader: IndexReader, symbol: SymbolRecord) -> CallTarget:
    """What a call of the symbol leads to: a class is called through its own or an inherited constructor."""
    if symbol.kind not in CLASS_KINDS:
        return CallTarget(symbol, (symbol.id,))
    own = _constructors(reader, symbol.id)
    if own:
        return CallTarget(symbol, (symbol.id, *own))
    inherited = _inherited_constructors(reader, symbol.id)
    if not inherited:
        return CallTarget(symbol, (symbol.id,))
    return CallTarget(symbol, (symbol.id, *inherited), symbol.name)


def call_targets(reader: IndexReader, symbols: Sequence[SymbolRecord]) -> CallTarget:
    """What calls of several symbols lead to, as if they were one."""
    targets = [call_target(reader, one) for one in symbols]
    if len(targets) == 1:
        return targets[0]._replace(asked=tuple(symbols))
    ids = dict.fromkeys(each for target in targets for each in target.ids)
    return CallTarget(symbols[0], tuple(ids), None, tuple(symbols))


def enum_members(reader: IndexReader, symbol: SymbolRecord) -> tuple[SymbolId, ...]:
    """The constants of an enum, each use of which names it, too; nothing for any other symbol."""
    if symbol.kind != "enum":
        return ()
    return tuple(one.id for one in reader.symbols.members(symbol.id) if one.kind == "constant")


def public_evidence(reader: IndexReader, symbol: SymbolRecord) -> tuple[str, ...]:
    """Why code outside the project may use the symbol; empty where nothing says so."""
    offered = find_header_place(reader, symbol)
    if offered is not None and symbol.role == "source":
        return (f"offered by a header at {offered.path}:{offered.line}",)
    chain = [symbol, *_enclosing(reader, symbol)]
    is_hidden = any(one.visibility in {"private", "package"} for one in chain)
    is_offered = "exported" in chain[-1].modifiers or symbol.language == "php"
    if is_hidden or symbol.role != "source" or not is_offered:
        return ()
    if any(one.kind in FUNCTION_KINDS for one in chain[1:]):
        return ()  # inside a function nobody outside can name it
    again = (one for one in reader.facts.importers_of_symbol(chain[-1].id) if one.is_reexport)
    outer = chain[-1]
    return (
        f"exported at {outer.path}:{outer.line}",
        *(f"re-exported at {one.path}:{one.line}" for one in list(again)[:3]),
    )


_MOST_ENTRIES: Final = 3


def entry_evidence(reader: IndexReader, symbol: SymbolRecord) -> tuple[str, ...]:
    """In which ways the world outside comes to a symbol without a call in the code: itself, or through its class."""
    own = reader.facts.entry_points_at(symbol.id)
    is_member = symbol.kind == "method" and symbol.parent_id is not None
    around = (
        reader.facts.entry_points_at(symbol.parent_id) if is_member and symbol.parent_id is not None else []
    )
    told = [
        *(f"{one.kind} {one.detail}".strip() for one in own),
        *(f"through its class: {one.kind} {one.detail}".strip() for one in around),
    ]
    return tuple(dict.fromkeys(told))[:_MOST_ENTRIES]


def _enclosing(reader: IndexReader, symbol: SymbolRecord) -> list[SymbolRecord]:
    """What the symbol stands in, innermost first, without the file."""
    found: list[SymbolRecord] = []
    parent = reader.symbols.get(symbol.parent_id) if symbol.parent_id is not None else None
    while parent is not None and parent.kind not in {"module", "namespace"}:
        found.append(parent)
        parent = reader.symbols.get(parent.parent_id) if parent.parent_id is not None else None
    return found


def _constructors(reader: IndexReader, owner: SymbolId) -> tuple[SymbolId, ...]:
    return tuple(one.id for one in reader.symbols.members(owner) if one.kind == "constructor")


def _inherited_constructors(reader: IndexReader, owner: SymbolId) -> tuple[SymbolId, ...]:
    seen, pending = {owner}, [owner]
    while pending and len(seen) < _MOST_ANCESTORS:
        bases = reader.symbols.bases(pending.pop(0))
        for base in (one.target_symbol_id for one in bases if one.target_symbol_id is not None):
            found = _constructors(reader, base)
            if found:
                return found
            if base not in seen:
                seen.add(base)
                pending.append(base)
    return ()
