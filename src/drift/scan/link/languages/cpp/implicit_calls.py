"""What C++ runs where no call is written: constructors of variables, bases and fields, and operators of a class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from drift.languages.cpp.made_types import GIVEN_TYPES
from drift.languages.expressions import Expression, Known, last_name
from drift.languages.facts import (
    BASE_CONSTRUCTING,
    CONSTRUCTING,
    OF_FIELD,
    OF_POINTED,
    OF_RIGHT,
    UNARY,
    Access,
    Call,
    Symbol,
)
from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import bodies_of
from drift.scan.link.hierarchy import (
    base_values,
    class_of,
    constructors_of,
    declared_members,
    line_of_descent,
    method_around,
)
from drift.scan.link.inclusion import symbols_in_sight
from drift.scan.link.languages.cpp.constness import is_constant_object, methods_for
from drift.scan.link.languages.cpp.free_operators import operators_of_left, operators_of_right
from drift.scan.link.languages.cpp.pointer_aliases import named_pointer
from drift.scan.link.languages.cpp.template_makers import made_link
from drift.scan.link.links import CallLink, Target
from drift.scan.link.overloads import fitting_overloads, takes_count
from drift.scan.link.values import (
    INSTANCE,
    NOTHING,
    SYMBOL,
    SYMBOL_MASK,
    Values,
    is_instance,
    is_reference,
    is_symbol,
    symbol_of,
)

_CLASSES: Final = frozenset({"class", "struct"})
_WITH_FREE_OPERATORS: Final = _CLASSES | {"enum"}
_MOST_CANDIDATES: Final = 3  # of an operator: among more it is a guess which runs
# No class leaves the first to functions outside, and few the others, which are mostly those of the language.
_NEVER_FREE: Final = frozenset({"operator=", "operator&&", "operator||"})
_NO_OBJECT: Final = frozenset("*&[(,")
_INITIAL: Final = re.compile(r"=|\{")
_POINTING: Final = frozenset("*<")  # in the text of a result that is a pointer, or holds something


def access_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """What C++ runs where the text calls nothing; of several bases each has its constructor."""
    if access.name == GIVEN_TYPES:
        return made_link(analysis, access, scope)
    found: dict[int, float] = {}
    for candidates in _implicit_calls(analysis, access, scope):
        found.update((one, 1 / len(candidates)) for one in candidates)
    targets = tuple(Target(analysis.program.place(one), share, "implicit") for one, share in found.items())
    if not targets:
        return None
    is_certain = all(share == 1 for share in found.values())
    return CallLink("resolved" if is_certain else "ambiguous", targets, reason="implicit")


def _implicit_calls(analysis: Analysis, access: Access, scope: int) -> Iterator[tuple[int, ...]]:
    """The functions that an access runs, each with those that may run in its place."""
    if access.name == BASE_CONSTRUCTING:
        yield from _base_constructors(analysis, access, scope)
        return
    if access.name.startswith(CONSTRUCTING):
        found = _constructors(analysis, analysis.evaluate(access.receiver, scope), (), scope)
    else:
        found = _operators(analysis, access.receiver, scope)
    if found:
        yield found


def _constructors(
    analysis: Analysis, made: Values, given: tuple[Expression, ...], scope: int
) -> tuple[int, ...]:
    """The constructors of a class, or of those above one without, that take what is given."""
    program = analysis.program
    if named_pointer(analysis, made, SYMBOL) is not None:
        return ()
    owners = [symbol_of(value) for value in made if is_symbol(value)]
    owners = [owner for owner in owners if program.symbol(owner).kind in _CLASSES]
    return tuple(
        one
        for owner in symbols_in_sight(analysis, owners, scope)
        for one in _chosen(analysis, _of_line(analysis, owner), given, scope)
    )


def _of_line(analysis: Analysis, owner: int) -> list[int]:
    for ancestor in line_of_descent(analysis, owner):
        constructors = constructors_of(analysis, ancestor) if isinstance(ancestor, int) else []
        if constructors:
            return constructors
    return []


def _chosen(
    analysis: Analysis, functions: Iterable[int], given: tuple[Expression, ...], scope: int
) -> tuple[int, ...]:
    """The definitions of those functions that take what is given; none where none does."""
    program = analysis.program
    counted = tuple(one for one in functions if takes_count(program.symbol(one).parameters, len(given)))
    call = Call(scope & SYMBOL_MASK, 0, 0, None, "", tuple((None, value) for value in given))
    fitting = fitting_overloads(analysis, call, scope, symbols=counted)
    return tuple(dict.fromkeys(body for one in fitting for body in bodies_of(analysis, one)))


def _base_constructors(analysis: Analysis, access: Access, scope: int) -> Iterator[tuple[int, ...]]:
    """The constructor of each base: with what the constructor at hand gives it, else without anything."""
    owner = class_of(analysis, scope)
    if owner is None:
        return
    receiver = access.receiver
    assert receiver is not None
    assert receiver[0] == "dict"
    written = dict(receiver[1:])
    yield from _field_constructors(analysis, owner, written, scope)
    for position, base in enumerate(analysis.program.symbol(owner).bases):
        values = base_values(analysis, owner, position)
        name = base.text.partition("<")[0].rpartition("::")[2]
        if name in written and written[name] is None:
            continue  # a call of its own
        if found := _constructors(analysis, values, _elements(written.get(name)), scope):
            yield found


def _field_constructors(
    analysis: Analysis, owner: int, written: Mapping[str | None, Expression], scope: int
) -> Iterator[tuple[int, ...]]:
    """The constructor of each field that is an object: with what the constructor at hand gives it."""
    program = analysis.program
    table = program.table_of(owner)
    program.note_members(table, owner & SYMBOL_MASK)
    for name, definitions in table.names[owner & SYMBOL_MASK].items():
        numbers = [one.number for one in definitions if one.kind == "symbol"]
        field = program.symbol(table.first + numbers[0]) if numbers else None
        form = None if field is None or field.kind != "field" else _class_form(field)
        if field is None or form is None:
            continue
        if name not in written and _INITIAL.search(field.signature):
            continue  # what it is given there is a value of its own
        if found := _constructors(
            analysis, analysis.evaluate(form, owner), _elements(written.get(name)), scope
        ):
            yield found


def _elements(given: Expression) -> tuple[Expression, ...]:
    """What a constructor is given, by the list that says so; nothing without one."""
    return given[1:] if given is not None and given[0] == "list" else ()


def _class_form(field: Symbol) -> Expression:
    """The class of a field that is an object: no pointer, reference or array of some, and none that holds one."""
    declared = field.value_type
    form = declared[1] if declared is not None and declared[0] == "instance" else None
    if form is None or form[0] not in {"name", "member"} or "static" in field.modifiers:
        return None
    head = _INITIAL.split(field.signature, maxsplit=1)[0]
    plain, _, arguments = head.partition("<")
    rest = arguments.rpartition(">")[2] if arguments else plain
    is_named = not arguments or plain.rstrip().endswith(form[-1])
    return form if is_named and not _NO_OBJECT & set(rest) else None


def _operators(analysis: Analysis, receiver: Expression, scope: int) -> tuple[int, ...]:
    """The methods of an object's class that an operator runs. A pointer has the language's own operators."""
    assert receiver is not None
    assert receiver[0] == "operated"
    _, left, right, name, qualifier = receiver
    assert left is not None
    is_constant: bool | None
    if left[0] == "result" and not _gives_object(analysis, left[1], scope):
        return ()
    is_field = qualifier == OF_FIELD or (qualifier == OF_RIGHT and left[0] == "member")
    if is_field and not _is_object(analysis, left, scope):
        return ()
    if left[0] == "item" and not _is_object_inside(analysis, left[1], scope):
        return ()
    program = analysis.program
    values = [value for value in analysis.evaluate(left, scope) if isinstance(value, int)]
    if named_pointer(analysis, tuple(values), INSTANCE) is not None:
        return ()
    known = [symbol_of(value) for value in values if is_instance(value)]
    if qualifier == OF_RIGHT:
        return _operators_before(analysis, known, left, right, scope, name=name)
    owners = [owner for owner in known if program.symbol(owner).kind in _CLASSES]
    given = () if right == UNARY else (right,)
    found: dict[int, None] = {}
    for owner in symbols_in_sight(analysis, owners, scope):
        methods = [
            one
            for one in declared_members(analysis, owner, name)
            if program.symbol(one).kind in CODE_KINDS
            and "default"
            not in program.symbol(one).modifiers  # what the compiler writes has no code to go to
        ]
        found.update(dict.fromkeys(_chosen(analysis, methods, given, scope)))
    known = [one for one in known if program.symbol(one).kind in _WITH_FREE_OPERATORS]
    if not found and known and name not in _NEVER_FREE:
        free = operators_of_left(analysis, name, known, count=1 + len(given))
        found = dict.fromkeys(_chosen(analysis, free, (left, *given), scope))
    if qualifier in {OF_FIELD, OF_POINTED}:
        is_constant = is_constant_object(analysis, left, scope)
    elif left[0] == "name":
        is_constant = qualifier == "const"
    else:
        is_constant = is_constant_object(analysis, left, scope)
    chosen = methods_for(analysis, tuple(found), is_constant=is_constant)
    return chosen if len(chosen) <= _MOST_CANDIDATES else ()


def _operators_before(
    analysis: Analysis, owners: list[int], right: Known, first: Expression, scope: int, *, name: str
) -> tuple[int, ...]:
    """The function that an operator runs for the object behind it: `out << box`."""
    owners = [one for one in owners if analysis.program.symbol(one).kind in _WITH_FREE_OPERATORS]
    if not owners:
        return ()
    free = operators_of_right(analysis, name, owners, first=analysis.evaluate(first, scope))
    chosen = _chosen(analysis, free, (None, right), scope)
    return chosen if len(chosen) <= _MOST_CANDIDATES else ()


def _is_object(analysis: Analysis, named: Known, scope: int) -> bool:
    """Whether a field that is named bare, or behind the object it is of, is itself an object."""
    program = analysis.program
    if named[0] == "name":
        method = method_around(analysis, scope)
        owner = None if method is None else class_of(analysis, method)
        owners = [] if owner is None else [owner]
    else:
        values = analysis.evaluate(named[1], scope) if named[0] == "member" else NOTHING
        owners = [symbol_of(value) for value in values if is_instance(value)]
    fields = [
        program.symbol(one)
        for owner in owners
        if program.symbol(owner).kind in _CLASSES
        for one in declared_members(analysis, owner, last_name(named))
    ]
    return bool(fields) and all(one.kind == "field" and _class_form(one) is not None for one in fields)


def _is_object_inside(analysis: Analysis, indexed: Expression, scope: int) -> bool:
    """Whether an index gives an object: the operator of a class of the project says so."""
    program = analysis.program
    assert indexed is not None
    is_local = indexed[0] == "name" and (
        program.definitions(program.table_of(scope), scope & SYMBOL_MASK, indexed[1]) is not None
    )
    if indexed[0] in {"name", "member"} and not is_local and not _is_object(analysis, indexed, scope):
        return False
    values = [value for value in analysis.evaluate(indexed, scope) if isinstance(value, int)]
    owners = [symbol_of(value) for value in values if is_instance(value)]
    found = [
        program.symbol(one) for owner in owners for one in declared_members(analysis, owner, "operator[]")
    ]
    texts = [one.return_text for one in found]
    return bool(texts) and all(text is not None and not _POINTING & set(text) for text in texts)


def _gives_object(analysis: Analysis, number: int, scope: int) -> bool:
    """Whether a call makes an object or gives one back, rather than a pointer or what holds one."""
    program = analysis.program
    call = program.table_of(scope).facts.calls[number]
    values = [value for value in analysis.evaluate(call.callee, scope) if isinstance(value, int)]
    symbols = [program.symbol(symbol_of(value)) for value in values if is_reference(value)]
    return bool(symbols) and all(
        symbol.kind in _CLASSES
        or (symbol.return_text is not None and not _POINTING & set(symbol.return_text))
        for symbol in symbols
    )
