"""Who else knows a symbol by its name and will not follow a rename: what it overrides, frameworks, tables and columns."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.data_access import data_of
from drift.analyses.merging import find_merging
from drift.analyses.outside_parents import hooking_caller, naming_folder
from drift.analyses.source_text import read_lines
from drift.analyses.usages.family import Family
from drift.index import SymbolId, SymbolRecord
from drift.languages.frameworks import load_frameworks

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_SHOWN: Final = 5
_MEMBERS: Final = frozenset({"method", "property", "field"})
_ROOTS: Final = frozenset({"object", "builtins.object", "java.lang.Object"})
_MARK: Final = "override"  # as a modifier, an annotation or a decorator, whatever its case
_IMPL: Final = re.compile(r"^[ \t]*(?:unsafe[ \t]+)?impl\b([^{;]*)")
_OF_TRAIT: Final = re.compile(r"(?<![\w:])([\w:]++)(?:<[^\n]{0,300}>)?\s++for\b")
_BELOW_HEAD: Final = frozenset({"{", "where"})  # of an implementation that says bounds
_MOST_LINES_ABOVE: Final = 2_000
_SCRIPTS: Final = frozenset({"javascript", "typescript"})
_ASSOCIATION: Final = re.compile(r"(\w+)[ (]+:")


class Keeper(NamedTuple):
    """What keeps the old name, and whether the project cannot be right after a rename."""

    message: str
    is_certain: bool = False


def find_keepers(reader: "IndexReader", root: Path, family: Family) -> Iterator[Keeper]:
    """All that knows the symbol by its name, the certain first."""
    symbol = family.symbol
    if _is_named_by_language(symbol):
        yield Keeper(f"the language calls it by this name: {symbol.name}", is_certain=True)
        return
    if (framework := naming_folder(reader, symbol)) is not None:
        yield Keeper(f"{framework} looks for it by this name in {symbol.path}", is_certain=True)
    if (merging := find_merging(reader, symbol)) is not None:
        told = "it adds" if merging.is_sure else "it is declared for all files, and may add"
        yield Keeper(f"{told} to {merging.added_to}, which keeps its name", is_certain=merging.is_sure)
    certain = [*_overridden_outside(reader, family), *_traits_outside(reader, root, family)]
    yield from (Keeper(message, is_certain=True) for message in certain)
    if not certain and symbol.kind in _MEMBERS and (message := _parents_outside(reader, family)):
        yield Keeper(message)
    yield from map(Keeper, _associations(symbol))
    yield from map(Keeper, _keys(reader, symbol))
    yield from map(Keeper, _stored(reader, root, symbol))


def _is_named_by_language(symbol: SymbolRecord) -> bool:
    """Whether it is a constructor, where these have a name of their own, or what only the language calls."""
    is_magic = symbol.name.startswith("__") and (symbol.language == "php" or symbol.name.endswith("__"))
    has_own_name = symbol.name in {"__construct", "__init__", "constructor", "initialize"}
    return (is_magic and symbol.kind in {*_MEMBERS, "constructor"}) or (
        symbol.kind == "constructor" and has_own_name
    )


def _overridden_outside(reader: "IndexReader", family: Family) -> Iterator[str]:
    """Members that are marked as overriding something, of which nothing in the project is that."""
    by_name: defaultdict[str, list[SymbolRecord]] = defaultdict(list)
    for one in (*family.same, *family.related):
        by_name[one.qualname].append(one)  # a declaration stands apart from its definition
    for parts in by_name.values():
        marked = next((one for one in parts if _is_marked(reader, one)), None)
        if marked is not None and not any(reader.calls.overridden(one.id) for one in parts):
            place = f"{marked.path}:{marked.line}"
            yield f"{place} overrides something that is not of the project, and that keeps its name"


def _is_marked(reader: "IndexReader", symbol: SymbolRecord) -> bool:
    if symbol.kind not in _MEMBERS:
        return False
    names = (*symbol.modifiers, *(one.name for one in reader.symbols.decorators(symbol.id)))
    return any(name.rpartition(".")[2].lower() == _MARK for name in names)


def _traits_outside(reader: "IndexReader", root: Path, family: Family) -> Iterator[str]:
    """Methods in the implementation of a trait that the project does not declare."""
    for one in (*family.same, *family.related):
        if one.language != "rust" or one.kind != "method":
            continue
        trait = _implemented(root, one)
        name = (trait or "").rpartition("::")[2]
        if trait is not None and not any(each.kind == "trait" for each in reader.symbols.named(name)):
            yield f"{one.path}:{one.line} implements {trait}, which is not of the project and keeps its name"


def _implemented(root: Path, method: SymbolRecord) -> str | None:
    """The trait whose implementation a method stands in: what the nearest line that begins further left is."""
    first = max(method.line - _MOST_LINES_ABOVE, 1)
    *lines, own = [*read_lines(root, method.path, first=first, count=method.line - first + 1)] or [""]
    inner = len(own) - len(own.lstrip())
    around = (line for line in reversed(lines) if line.strip() and len(line) - len(line.lstrip()) < inner)
    head = next((line for line in around if line.strip() not in _BELOW_HEAD), "")
    found = _IMPL.match(head)
    trait = _OF_TRAIT.search(found[1]) if found is not None else None
    return trait[1] if trait is not None else None


def _parents_outside(reader: "IndexReader", family: Family) -> str | None:
    """What the classes extend that is not of the project, with the one of it that calls such a member."""
    caller = hooking_caller(reader, family.symbol)
    if caller is not None:
        return f"{caller}: it is called by this name, and would be no longer"
    outside = {
        base.external_name
        for owner in family.owners
        for base in reader.symbols.bases(owner)
        if base.external_name and base.target_symbol_id is None
    } - _ROOTS
    some = ", ".join(sorted(outside)[:_MOST_SHOWN])
    return f"its class extends {some}, which may know it by this name" if some else None


def _keys(reader: "IndexReader", symbol: SymbolRecord) -> Iterator[str]:
    """Functions in objects that stand in a function of a script: what gets such an object reads it by this key."""
    parent = reader.symbols.get(symbol.parent_id) if symbol.parent_id is not None else None
    is_inner = parent is not None and parent.kind in {"function", "method", "constructor"}
    if is_inner and symbol.kind == "method" and symbol.language in _SCRIPTS:
        yield "it is a key of an object, and what the object is handed to may read it by this name"


def _associations(symbol: SymbolRecord) -> Iterator[str]:
    """Members from whose names a framework makes those of a class and a column: `belongs_to :user`."""
    found = _ASSOCIATION.match(symbol.signature) if symbol.language == "ruby" else None
    words = load_frameworks("ruby")
    if found is None or found[1] not in words.texts("associations", "macros"):
        return
    macro, one = found[1], symbol.name
    column = f" and the column {one}_id" if macro == "belongs_to" else ""
    yield (
        f"{macro} takes the class{column} from this name: a rename has to say them "
        f"(class_name:, foreign_key:) or to move them, too"
    )


def _stored(reader: "IndexReader", root: Path, symbol: SymbolRecord) -> Iterator[str]:
    """Tables and columns that are named after a class and its fields."""
    is_model = symbol.kind in CLASS_KINDS
    owner: SymbolId | None = symbol.id if is_model else symbol.parent_id
    if owner is None or (not is_model and symbol.kind not in _MEMBERS):
        return
    for model in data_of(reader, root).models:
        if model.symbol_id != owner:
            continue
        if is_model and not model.is_table_said:
            yield f"{model.framework} names the table {model.table} after it: say that name, or migrate it"
        if not is_model and any(one.name == symbol.name and not one.column for one in model.fields):
            yield f"{model.framework} names a column after it: say the old name there, or migrate it"
