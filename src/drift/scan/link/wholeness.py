"""Owners that are known whole: classes and modules of which all members are in sight.

Not so where a method answers for members nobody declared, where members are given under computed names, where a parent
or a decorator is out of sight, and where a name may stand for several classes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import METACLASS, Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.destinations import import_destination
from drift.scan.link.hierarchy import base_values, declared_members, line_of_descent, outside_members
from drift.scan.link.holders import ALL_MEMBERS
from drift.scan.link.partials import other_parts
from drift.scan.link.promised_members import giving_ancestors
from drift.scan.link.tables import FileTable
from drift.scan.link.values import FILE_SHIFT, INSTANCE, SYMBOL, SYMBOL_MASK, Value, symbol_of, tag_of

ANSWERING: Final = frozenset(
    {"__getattr__", "__getattribute__", "__call", "__callStatic", "__get", "method_missing"}
)
"""Methods that answer for members nobody declared."""
_ADDING_CALLS: Final = frozenset(
    {
        "setattr", "exec", "globals", "vars", "locals", "Object.assign", "Object.defineProperty",
        "Object.defineProperties",
    }
)  # fmt: skip
"""Calls that give members under names that are computed."""
_ADDING_TO_FIRST: Final = frozenset(
    {"setattr", "Object.assign", "Object.defineProperty", "Object.defineProperties"}
)
"""Those of them that give members to what comes first."""
_ADDING_ENDS: Final = ("__dict__.update", "__setattr__")
_HARMLESS_DECORATORS: Final = frozenset(
    {
        "dataclass", "dataclasses.dataclass", "final", "typing.final", "total_ordering", "functools.total_ordering",
        "runtime_checkable", "typing.runtime_checkable", "unique", "enum.unique",
    }
)  # fmt: skip
_HARMLESS_METACLASSES: Final = frozenset({"ABCMeta", "abc.ABCMeta"})


Outside = Callable[[str, str], Collection[str] | None]
"""The members of something outside, by language and name; None where they are not known."""


def is_whole(analysis: Analysis, value: Value, outside: Outside) -> bool:
    """Whether all members are known that a value has."""
    if isinstance(value, str):
        return False
    if isinstance(value, tuple):
        return value[0] == "package"
    owner = symbol_of(value)
    kind = analysis.program.symbol(owner).kind
    if kind in {"module", "namespace"}:
        return kind == "module" and _is_whole_module(analysis, owner, set())
    if kind == "enum" and analysis.program.semantics_at(owner).enum_members is None:
        return False
    if kind not in TYPE_KINDS or kind == "type" or tag_of(value) not in {SYMBOL, INSTANCE}:
        return False
    return bool(analysis.cached(("whole", owner), _is_whole_class, owner, outside))


def _is_whole_class(analysis: Analysis, owner: int, outside: Outside) -> bool:
    program = analysis.program
    semantics = program.semantics_at(owner)
    for ancestor in giving_ancestors(analysis, owner):
        if isinstance(ancestor, str):
            if ancestor in semantics.memberless or outside(semantics.language, ancestor) is not None:
                continue
            return False
        symbol, table = program.symbol(ancestor), program.table_of(ancestor)
        if not has_plain_bases(analysis, ancestor) or _may_have_unseen_part(analysis, ancestor):
            return False
        decorated = any(each.name not in _HARMLESS_DECORATORS for each in symbol.decorators)
        if decorated and program.semantics(table).has_remaking_decorators:
            return False
        if has_metaclass(analysis, ancestor) or _answers(analysis, ancestor) or is_remade(analysis, ancestor):
            return False
        if _gives_computed_members(table, ancestor) or _has_computed_names(table, ancestor):
            return False
    return True


def _has_computed_names(table: FileTable, owner: int) -> bool:
    """Whether a member has a name that stands for another: `[key]: string`."""
    return any(name.startswith("[") for name in table.names[owner & SYMBOL_MASK])


def _may_have_unseen_part(analysis: Analysis, owner: int) -> bool:
    """Whether a tool may write a part of a class: of one that is marked, or of which only one part is in sight."""
    symbol = analysis.program.symbol(owner)
    return "partial" in symbol.modifiers and (bool(symbol.decorators) or not other_parts(analysis, owner))


def is_remade(analysis: Analysis, owner: int, *, with_constructors: bool = False) -> bool:
    """Whether marks of a class or of its members let a tool write members into it, or constructors where those count."""
    table = analysis.program.table_of(owner)
    semantics = analysis.program.semantics(table)
    packages = semantics.remaking_packages
    if not packages:
        return False
    brought = {
        (each.name or each.module).rpartition(".")[2]
        for each in table.facts.imports
        if each.module.startswith(packages)
    }
    number = owner & SYMBOL_MASK
    marks = (
        mark.name
        for at, symbol in enumerate(table.symbols)
        if number in {at, symbol.parent}
        for mark in symbol.decorators
    )
    return any(
        (with_constructors or name.rpartition(".")[2] not in semantics.harmless_marks)
        and (name in brought or "*" in brought or name.startswith(packages))
        for name in marks
    )


def answers_any(analysis: Analysis, value: Value) -> bool:
    """Whether a class of the project answers for members nobody declared, or gives them computed names."""
    if not isinstance(value, int) or analysis.program.symbol(symbol_of(value)).kind not in TYPE_KINDS:
        return False
    line = line_of_descent(analysis, symbol_of(value))
    table_of = analysis.program.table_of
    return any(
        isinstance(one, int) and (_answers(analysis, one) or _gives_computed_members(table_of(one), one))
        for one in line
    )


def _answers(analysis: Analysis, owner: int) -> bool:
    return any(declared_members(analysis, owner, name) for name in ANSWERING)


def has_plain_line(analysis: Analysis, owner: int) -> bool:
    """Whether each parent of a class, and of those above it, is one thing and in sight."""
    line = line_of_descent(analysis, owner)
    return all(isinstance(ancestor, str) or has_plain_bases(analysis, ancestor) for ancestor in line)


def has_plain_bases(analysis: Analysis, owner: int) -> bool:
    """Whether each parent that a class names is one thing."""
    count = len(analysis.program.symbol(owner).bases)
    return all(len(base_values(analysis, owner, position)) == 1 for position in range(count))


def has_metaclass(analysis: Analysis, owner: int) -> bool:
    """Whether a class is made by something that may give it members."""
    program = analysis.program
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, int):
            table = program.table_of(ancestor)
            given = table.names[ancestor & SYMBOL_MASK].get(METACLASS, ())
            if any(_text_of(one.value) not in _HARMLESS_METACLASSES for one in given):
                return True
    return False


def _text_of(form: Expression) -> str:
    if form is None:
        return ""
    if form[0] == "name":
        return str(form[1])
    return f"{_text_of(form[1])}.{form[2]}" if form[0] == "member" else ""


def _gives_computed_members(table: FileTable, owner: int) -> bool:
    number = owner & SYMBOL_MASK
    if ALL_MEMBERS in table.fields.get(number, {}):
        return True
    return any(
        (call.text in _ADDING_CALLS or call.text.endswith(_ADDING_ENDS))
        and table.class_around(call.scope) == number
        and not _is_about_another(table, call)
        for call in table.facts.calls
    )


def _is_about_another(table: FileTable, call: Call) -> bool:
    """Whether a call gives members to something that has a name of its own, which is another object."""
    first = call.arguments[0][1] if call.arguments and call.text in _ADDING_TO_FIRST else None
    if first is None or first[0] != "name":
        return False
    symbol = table.symbols[call.scope]
    is_receiver = any(each.name == first[1] and each.kind == "receiver" for each in symbol.parameters)
    given = table.names[call.scope].get(first[1], ())
    return not is_receiver and not any(one.value == ("this",) for one in given)


def _is_whole_module(analysis: Analysis, module: int, seen: set[int]) -> bool:
    """Whether all names of a module are in sight: none is computed, and what it takes whole is of such modules."""
    if module in seen:
        return True
    seen.add(module)
    program = analysis.program
    table = program.table_of(module)
    if "__getattr__" in table.names[0] or table.path in program.faults:
        return False
    if any(call.text in _ADDING_CALLS or call.text.startswith("sys.modules") for call in table.facts.calls):
        return False
    for number in table.stars.get(0, ()):
        destination = import_destination(analysis, table, number)
        if destination.file is None or destination.file not in program.files:
            return False
        if not _is_whole_module(analysis, program.files[destination.file] << FILE_SHIFT, seen):
            return False
    return True


def has_definition(analysis: Analysis, value: Value, name: str, outside: Outside) -> bool:
    """Whether an owner declares a member of that name anywhere, whatever it is given."""
    program = analysis.program
    if not isinstance(value, int):
        return False
    owner = symbol_of(value)
    if program.symbol(owner).kind == "module":
        return program.table_of(owner).names[0].get(name) is not None
    language = program.semantics_at(owner).language
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, str):
            if name in (outside(language, ancestor) or ()):
                return True
            continue
        table, number = program.table_of(ancestor), ancestor & SYMBOL_MASK
        if (
            program.definitions(table, number, name) is not None
            or name in table.fields.get(number, ())
            or name in table.late_stores
            or name in outside_members(analysis, ancestor)
        ):
            return True
    semantics = program.semantics_at(owner)
    is_given = program.symbol(owner).kind == "enum" and name in (semantics.enum_members or ())
    return is_given or name in semantics.root_members


def members_of(analysis: Analysis, value: Value) -> Iterable[tuple[str, int]]:
    """The names that an owner has, each with a symbol of that name, as far as symbols have them."""
    program = analysis.program
    if not isinstance(value, int):
        return
    owner = symbol_of(value)
    line = line_of_descent(analysis, owner) if program.symbol(owner).kind in TYPE_KINDS else (owner,)
    for ancestor in line:
        if isinstance(ancestor, str):
            continue
        table, number = program.table_of(ancestor), ancestor & SYMBOL_MASK
        for name, definitions in table.names[number].items():
            for definition in definitions:
                if definition.kind == "symbol":
                    yield name, table.first + definition.number
        for name, methods in outside_members(analysis, ancestor).items():
            yield from ((name, method) for method in methods)
