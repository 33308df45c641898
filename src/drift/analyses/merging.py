"""Declarations of TypeScript that add to what stands elsewhere under the same name, and so have it from there.

What it does: tells what `declare global`, `declare module "x"` and files of declarations alone say of the names of the language,
of browsers and of packages.
Why it matters: the name of such a declaration is what makes it one; nobody of the project has to name it.
Example: `declare global { interface Window { stat?: () => void } }`, which makes `window.stat` known.
Known limits: whether a package declares a name is not looked up.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.unseen_calls import rules

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_MERGED: Final = frozenset(
    {"interface", "namespace", "class", "enum", "function", "variable", "constant", "type"}
)
_SHAPES: Final = frozenset({"interface", "namespace"})
_GLOBAL: Final = "global"
_DECLARED: Final = "declared"
_ENDINGS: Final = (".d.ts", ".d.mts", ".d.cts")
_MODULE: Final = 'module "'
_SCRIPT: Final = "typescript"


class Merging(NamedTuple):
    """What a declaration adds to, and whether that is surely there."""

    added_to: str
    is_sure: bool


def find_merging(reader: "IndexReader", symbol: "SymbolRecord") -> Merging | None:
    """What stands elsewhere that a declaration adds to; None where it is one of its own."""
    if symbol.language != _SCRIPT or symbol.kind not in _MERGED:
        return None
    if _GLOBAL in symbol.modifiers:
        is_known = symbol.kind in _SHAPES and symbol.name in rules().ambient
        return Merging(f"the global {symbol.name}", is_known)
    if adds_to_ambient(symbol):
        return Merging(f"the global {symbol.name}", is_sure=True)
    owner = reader.symbols.get(symbol.parent_id) if symbol.parent_id is not None else None
    if owner is None or owner.kind != "namespace":
        return None
    if owner.name in rules().spaces and {_GLOBAL, _DECLARED} & set(owner.modifiers):
        return Merging(f"{owner.name}.{symbol.name}", is_sure=True)
    if _DECLARED in owner.modifiers and owner.signature.startswith(_MODULE):
        is_outside = not owner.name.startswith(".")
        return Merging(
            f"{symbol.name} of the module {owner.name}", is_sure=is_outside and symbol.kind in _SHAPES
        )
    return None


def adds_to_ambient(symbol: "SymbolRecord") -> bool:
    """Whether a file of declarations alone adds to a type of the language or a browser."""
    return (
        symbol.kind in _SHAPES
        and symbol.name in rules().ambient
        and symbol.name == symbol.qualname
        and symbol.path.endswith(_ENDINGS)
    )
