"""Methods that traits of a Rust project give to types outside it: `impl Digits for u32`, `impl Filter for [Attribute]`."""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_of
from drift.scan.link.keys import method_key
from drift.scan.link.languages.rust.standard_methods import OF_ITERATORS
from drift.scan.link.tables import FileTable
from drift.scan.link.unique_names import is_everyday
from drift.scan.link.values import BOUND, SYMBOL, Values, tagged_value

_LANGUAGE: Final = "rust"
_MOST_FILES: Final = 4  # with methods of one name: more of them is a name that says little
# What going through the texts and bytes of the library gives.
_ELEMENTS: Final = {
    "Bytes": "u8", "CharIndices": "char", "Chars": "char", "bytes": "u8", "char_indices": "char", "chars": "char",
}  # fmt: skip
# `u16::parse` names a function of a trait: these have none by everyday names of methods.
_PRIMITIVES: Final = frozenset(
    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize".split()  # noqa: SIM905  # as above
)
_LISTS: Final = ("[", "Vec")
_OF_NUMBERS: Final = ("checked_", "overflowing_", "saturating_", "wrapping_")  # their own, which come first
_PROVIDED: Final = ""  # for the type: a method with a body in its trait, which impls may leave as it is


def trait_method(
    analysis: Analysis, receiver: Expression, scope: int, *, name: str, otherwise: Values
) -> Values:
    """The method of a trait's impl for the type of the object, where that is one outside; else what was known."""
    table = analysis.program.table_of(scope)
    is_path = receiver is not None and receiver[0] == "name" and receiver[1] in _PRIMITIVES
    is_common = is_everyday(name) or name in OF_ITERATORS or name.startswith(_OF_NUMBERS)
    if is_common and not is_path and not table.facts.imports:
        return otherwise
    if name in analysis.program.semantics(table).root_members:
        return otherwise
    found: tuple[tuple[str, int], ...] = analysis.cached(("trait-methods", name), _find, name)
    if not found:
        return otherwise
    kinds = [_type_of(analysis, value) for value in analysis.evaluate(receiver, scope)]
    if not kinds or None in kinds:
        return otherwise
    chosen = [number for written, number in found if any(_is(written, kind) for kind in kinds if kind)]
    if not chosen and set(kinds) == {"list"} and all(written == _PROVIDED for written, _ in found):
        chosen = [number for _, number in found]  # of a trait that all iterators have
    if len(chosen) != 1 or (is_common and not is_path and not _is_imported(analysis, table, chosen[0])):
        return otherwise
    is_static = "static" in analysis.program.symbol(chosen[0]).modifiers
    return (tagged_value(chosen[0], (SYMBOL if is_static else BOUND)),)


def _is_imported(analysis: Analysis, table: FileTable, method: int) -> bool:
    """Whether a file imports the trait that a method is of, so that an everyday name means it before any other."""
    program = analysis.program
    bases = program.symbol(program.parent(method)).bases
    names = {base.text.partition("<")[0].rpartition("::")[2] for base in bases}
    return any(one.name in names for one in table.facts.imports)


def _find(analysis: Analysis, name: str) -> tuple[tuple[str, int], ...]:
    """The methods of that name that traits give to types outside, each with the type as its impl writes it."""
    program = analysis.program
    paths = program.providing(method_key(_LANGUAGE, name))
    found: list[tuple[str, int]] = []
    for table in program.tables_at(paths) if len(paths) <= _MOST_FILES else ():
        for number, symbol in enumerate(table.symbols):
            if symbol.name != name or symbol.kind != "method":
                continue
            method = table.first + number
            holder = program.symbol(program.parent(method))
            if holder.kind == "trait" and "abstract" not in program.symbol(method).modifiers:
                found.append((_PROVIDED, method))
            elif "impl" in holder.modifiers and class_of(analysis, method) is None:
                found.append((holder.name, method))
    return tuple(found)


def _type_of(analysis: Analysis, value: object) -> str | None:
    """The name of a type outside that a value is of, or is; None for what the project has or what is open."""
    if isinstance(value, str):
        parts = value.split(".")
        return next((_ELEMENTS[part] for part in parts if part in _ELEMENTS), parts[-1])
    if isinstance(value, tuple) and value[0] == "container":
        return analysis.containers[value[1]].kind
    return None


def _is(written: str, kind: str) -> bool:
    """Whether an impl for a type as written is one for a kind of value."""
    plain = written.lstrip("&").rpartition(" ")[2] if written.startswith("&") else written
    if kind == "list":
        return plain.startswith(_LISTS)
    return plain.rpartition("::")[2] == kind
