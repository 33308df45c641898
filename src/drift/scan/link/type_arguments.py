"""Type arguments of the project's own generic classes: what `get` of a `Box<Order>` gives is an `Order`.

Values carry no type arguments, so they are asked for where a member is declared by a type variable of its class, and
then read from what is written: of a class below it (`class Orders extends Box<Order>`), else where its object comes
from: the type of a parameter, a field or a result, or what makes it (`new Box<Order>()`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import Expression, MemberForm, library_shape
from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.function_variables import Written, held_type, under_keys, with_variables
from drift.scan.link.hierarchy import base_values, class_around, class_of, declared_members, line_of_descent
from drift.scan.link.tables import Definition
from drift.scan.link.type_counts import arguments_of, split_arguments
from drift.scan.link.type_reading import value_of_type
from drift.scan.link.values import (
    CALL_SHIFT,
    FILE_SHIFT,
    NOTHING,
    SYMBOL_MASK,
    Values,
    as_instance,
    is_instance,
    is_internal,
    is_reference,
    is_symbol,
    merge,
    symbol_of,
)

_WITH_TEXT: Final = 2  # parts of a form, of which one more is the text of a type
_MOST_STEPS: Final = 5  # from an object to the text that says of what type it is
_MOST_SOURCES: Final = 3  # of one name or field that are looked at: each may lead to others
_MOST_GENERATIONS: Final = 12
_WORD: Final = re.compile(r"\w+")
_VARIABLE: Final = re.compile(r"(?:(?:in|out|const|reified)\s+)?([A-Za-z_]\w*)")
_PATH: Final = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*")
_MARKS: Final = " &*?\"'"  # references, pointers, what may be missing, texts
_NO_OBJECT: Final = re.compile(r"=>|->|\(|\bfn\b")  # in the type of a function


def member_objects(analysis: Analysis, member: int, receiver: Expression, scope: int) -> Values | None:
    """What a member gives that is declared by a type variable of its class; None where nothing says what that is."""
    symbol = analysis.program.symbol(member)
    is_code = symbol.kind in CODE_KINDS
    text = symbol.return_text if is_code and symbol.return_text is not None else symbol.signature
    if not text:
        return None
    owner = class_of(analysis, member)
    if owner is None or not (variables := member_variables(analysis, member, owner)):
        return None
    declared = symbol.return_type if symbol.return_type is not None else symbol.value_type
    under = under_keys(text, declared, variables)
    if under is not None and not analysis.program.semantics_at(member).puts_types_together:
        argument = argument_of(analysis, (owner, under), receiver, scope, steps=_MOST_STEPS)
        return None if argument is None else _holder(analysis, argument, "dict")
    used = [place for place, one in enumerate(variables) if one in _WORD.findall(text)]
    rules = analysis.program.semantics_at(member)
    if used and rules.puts_types_together:
        bare = text if is_code else rules.field_type(text, symbol.name)
        return _put_together(analysis, bare, owner, (variables, used), receiver, scope)
    if len(used) != 1:
        return None
    name = "" if is_code and symbol.return_text is not None else symbol.name
    is_many = holds_many(text, declared, variables[used[0]], name)
    if is_many is None:
        return None
    argument = argument_of(analysis, (owner, used[0]), receiver, scope, steps=_MOST_STEPS)
    return None if argument is None else objects_of(analysis, argument, is_many=is_many)


def _put_together(
    analysis: Analysis,
    text: str,
    owner: int,
    variables: tuple[tuple[str, ...], list[int]],
    receiver: Expression,
    scope: int,
) -> Values | None:
    """What a type gives in which the variables of a class stand, with what is written for them."""
    names, used = variables
    given: dict[str, str] = {}
    written_at = scope
    for place in used:
        argument = argument_of(analysis, (owner, place), receiver, scope, steps=_MOST_STEPS)
        if argument is not None:
            given[names[place]], written_at = argument.text, argument.scope
    if not given:
        return None
    form = analysis.program.semantics_at(owner).type_given(text, given)
    found = analysis.evaluate(value_of_type(form), written_at)
    return found if any(is_internal(one) or isinstance(one, tuple) for one in found) else None


def field_objects(analysis: Analysis, owners: Values, read: MemberForm, scope: int) -> Values:
    """What a field of some objects holds that is declared by a type variable of its class."""
    members: set[int] = set()
    for owner in owners:  # for most there is nothing to look at
        if is_instance(owner):
            members.update(declared_members(analysis, symbol_of(owner), read[2]))
    if not members:
        return NOTHING
    found = (
        member_objects(analysis, member, read[1], scope)
        for member in sorted(members)
        if analysis.program.symbol(member).kind in {"field", "property"}
    )
    return merge(one for one in found if one)


def holds_many(text: str, declared: Expression, variable: str, name: str) -> bool | None:
    """Whether a declared type is of things that hold objects of the variable; None where it is neither that nor one."""
    words = [one for one in _WORD.findall(text) if one != name]
    is_bare = text.strip(_MARKS) == variable or (bool(name) and not set(text) & set("<[(="))
    if is_bare and words and variable in (words[0], words[-1]):
        return False
    shape = library_shape(declared)
    if shape is not None and shape[0] == "list":
        return True
    if shape is None:
        return None if _NO_OBJECT.search(text) else False
    return False if _is_variable(shape, variable) else None


def _is_variable(form: Expression, variable: str) -> bool:
    """Whether a type is the variable, or that or nothing."""
    if form is None or form == ("literal", "none"):
        return True
    if form[0] == "either":
        return all(_is_variable(part, variable) for part in form[1:])
    return form == ("instance", ("name", variable))


def objects_of(analysis: Analysis, argument: Written, *, is_many: bool) -> Values | None:
    """The objects that a type argument stands for, or something that holds them."""
    form, scope = _form_of(argument)
    found = [one for one in analysis.evaluate(form, scope) if not is_symbol(one)]
    objects = tuple(as_instance(one) if isinstance(one, int) else one for one in found)
    if not any(map(is_internal, objects)):
        inner = held_type(analysis, argument)
        if inner is None or is_many:
            return None
        held, kind = inner
        found_inside = objects_of(analysis, held, is_many=False)
        return found_inside if kind is None or found_inside is None else _holder(analysis, held, kind)
    return _holder(analysis, argument, "list") if is_many else objects


def _form_of(argument: Written) -> tuple[Expression, int]:
    bare = argument.text.strip(_MARKS)
    told = next(((form, at) for name, form, at in argument.known if name == bare), None)
    return told or (("instance", _named(argument.text)), argument.scope)


def _holder(analysis: Analysis, argument: Written, kind: str) -> Values:
    form, scope = _form_of(argument)
    holder, made = analysis.container(("type argument", argument), kind, argument.scope)
    if made is not None:
        made.entries.append((None, form, scope))
    return (holder,)


def _named(text: str) -> Expression:
    """The class that a type argument names; nothing where it is a list or a function of such."""
    bare = text.strip(_MARKS)
    path = _PATH.match(bare)
    if path is None or bare.endswith("[]"):
        return None
    first, *rest = re.split(r"\.|::", path[0])
    form: Expression = ("name", first)
    for part in rest:
        form = ("member", form, part)
    return form


def member_variables(analysis: Analysis, member: int, owner: int) -> tuple[str, ...]:
    """The type variables of a class as one of its members calls them: some languages name them anew for each."""
    variables: tuple[str, ...] = analysis.cached(("variables", owner), _find_variables, owner)
    parameters = analysis.program.symbol(member).parameters
    if not variables or not parameters or parameters[0].kind != "receiver":
        return variables
    written = arguments_of(parameters[0].type_text or "", analysis.program.symbol(owner).name)
    return tuple(written) if len(written) == len(variables) else variables


def _find_variables(analysis: Analysis, owner: int) -> tuple[str, ...]:
    symbol = analysis.program.symbol(owner)
    declared = analysis.program.semantics_at(owner).type_variables(symbol)
    if analysis.program.semantics_at(owner).puts_types_together:
        return tuple(declared)
    bases = analysis.program.semantics_at(owner).generic_bases
    if not declared and bases:
        given = [base.text for base in symbol.bases if "[" in base.text]
        generic = [text for text in given if text.partition("[")[0].rpartition(".")[2] in bases]
        declared = [one for text in generic or given for one in split_arguments(text.partition("[")[2])]
        if not generic:
            declared = [one for one in declared if not _is_class(analysis, one, owner)]
    named = (_VARIABLE.match(one) for one in declared)
    return tuple(dict.fromkeys(one[1] for one in named if one is not None))


def _is_class(analysis: Analysis, text: str, scope: int) -> bool:
    """Whether a type argument is no variable."""
    values = analysis.evaluate(_named(text), scope)
    return any(not is_symbol(one) or analysis.program.symbol(symbol_of(one)).kind != "type" for one in values)


def argument_of(
    analysis: Analysis, variable: tuple[int, int], receiver: Expression, scope: int, *, steps: int
) -> Written | None:
    """What stands for a variable of a class, by its place, in the type of an object."""
    owner, place = variable
    for below in _classes_of(analysis, receiver, scope):
        bound = _bound(analysis, below, owner, place)
        if isinstance(bound, Written):
            return bound
        if bound is None or not steps:
            continue
        name = analysis.program.symbol(below).name
        for text, at, known in _written(analysis, receiver, scope, steps=steps):
            given = arguments_of(text, name)
            if bound < len(given):
                return Written(given[bound], at, known)
    return None


def _classes_of(analysis: Analysis, receiver: Expression, scope: int) -> list[int]:
    if receiver is None:
        around = class_around(analysis, scope)
        return [] if around is None else [around]
    objects = [symbol_of(one) for one in analysis.evaluate(receiver, scope) if is_instance(one)]
    return objects[:_MOST_SOURCES]


def _bound(analysis: Analysis, below: int, owner: int, place: int) -> Written | int | None:
    """What a class gives for a variable of a class above it: a type, or one of its own variables by its place."""
    found = analysis.cached(("bound", below, owner, place), _find_bound, below, owner, place)
    return None if found == () else found


def _find_bound(analysis: Analysis, below: int, owner: int, place: int) -> Written | int | None:
    if below == owner:
        return place
    line = line_of_descent(analysis, below)
    if owner not in line or len(line) > _MOST_GENERATIONS:
        return None
    symbol = analysis.program.symbol(below)
    for position, base in enumerate(symbol.bases):
        for parent in base_values(analysis, below, position):
            if not is_symbol(parent) or symbol_of(parent) == below:
                continue
            above = _bound(analysis, symbol_of(parent), owner, place)
            if isinstance(above, Written):
                return above
            name = analysis.program.symbol(symbol_of(parent)).name
            given = arguments_of(base.text, name) or arguments_of(symbol.signature, name)
            if above is None or above >= len(given):
                continue
            own = analysis.cached(("variables", below), _find_variables, below)
            text = given[above].strip(_MARKS)
            return own.index(text) if text in own else Written(given[above], below)
    return None


def _written(analysis: Analysis, form: Expression, scope: int, *, steps: int) -> Iterator[Written]:
    """The types that are written for an expression, the nearest first."""
    if form is None or not steps:
        return
    match form[0]:
        case "name":
            yield from _written_of_name(analysis, form[1], scope, steps=steps - 1)
        case "member":
            yield from _written_of_member(analysis, form[1], form[2], scope, steps=steps - 1)
        case "result":
            number = (scope >> FILE_SHIFT << CALL_SHIFT) + form[1]
            yield from _written_of_call(analysis, number, steps=steps - 1)
        case "awaited" | "item":
            yield from _written(analysis, form[1], scope, steps=steps - 1)
        case "instance" if len(form) > _WITH_TEXT:
            yield Written(str(form[2]), scope)


def _written_of_name(analysis: Analysis, name: str, scope: int, *, steps: int) -> Iterator[Written]:
    program = analysis.program
    table, around = program.table_of(scope), scope & SYMBOL_MASK
    while True:
        definitions = program.definitions(table, around, name)
        if definitions:
            for one in definitions[:_MOST_SOURCES]:
                yield from _written_of_definition(analysis, one, table.first + around, steps=steps)
            return
        if not around:
            break
        around = table.symbols[around].parent
    owner = class_around(analysis, scope)
    if owner is not None and program.semantics_at(scope).has_implicit_this:
        yield from _written_of_field(analysis, owner, name, steps=steps)


def _written_of_definition(
    analysis: Analysis, definition: Definition, scope: int, *, steps: int
) -> Iterator[Written]:
    program = analysis.program
    if definition.kind == "parameter":
        parameters = program.symbol(scope).parameters
        if definition.number < len(parameters):
            text = parameters[definition.number].type_text
            yield Written(text or "", scope)
            yield from _written_around(analysis, scope, steps=steps) if not text else ()
    elif definition.kind == "symbol":
        number = program.table_of(scope).first + definition.number
        yield Written(program.symbol(number).signature, program.parent(number))
    elif definition.kind == "value":
        declared = definition.type
        if declared is not None and declared[0] == "instance" and len(declared) > _WITH_TEXT:
            yield Written(str(declared[2]), scope)
        yield from _written(analysis, definition.value, scope, steps=steps)


def _written_around(analysis: Analysis, function: int, *, steps: int) -> Iterator[Written]:
    """The types that are written for what a closure is handed to: what holds its parameter."""
    table, own = analysis.program.table_of(function), function & SYMBOL_MASK
    if analysis.program.symbol(function).name[:1] != "<":
        return
    analysis.program.note_calls(table, f"({table.symbols[own].name}")
    for number in table.calls_with.get(own, ())[:_MOST_SOURCES]:
        call = table.facts.calls[number]
        yield from _written(analysis, receiver_of(call.callee), table.first + call.scope, steps=steps)


def _written_of_member(
    analysis: Analysis, receiver: Expression, name: str, scope: int, *, steps: int
) -> Iterator[Written]:
    for owner in analysis.evaluate(receiver, scope):
        if is_instance(owner):
            yield from _written_of_field(analysis, symbol_of(owner), name, steps=steps)
        elif isinstance(owner, tuple) and owner[0] == "container":
            yield from _written(analysis, receiver, scope, steps=steps)


def _written_of_field(analysis: Analysis, owner: int, name: str, *, steps: int) -> Iterator[Written]:
    program = analysis.program
    for member in declared_members(analysis, owner, name):
        symbol = program.symbol(member)
        yield Written(symbol.return_text or symbol.signature, program.parent(member))
        yield from _written(analysis, symbol.value_type, program.parent(member), steps=steps)
    for above in line_of_descent(analysis, owner):
        if isinstance(above, int):
            table = program.table_of(above)
            program.note_name(table, above & SYMBOL_MASK, name)
            given = table.fields.get(above & SYMBOL_MASK, {}).get(name, [])
            for value, at in given[:_MOST_SOURCES]:
                yield from _written(analysis, value, at, steps=steps)


def _written_of_call(analysis: Analysis, number: int, *, steps: int) -> Iterator[Written]:
    program = analysis.program
    call = program.call(number)
    scope = (number >> CALL_SHIFT << FILE_SHIFT) + call.scope
    yield Written(call.text, scope)
    values = analysis.evaluate(call.callee, scope)[:_MOST_SOURCES]
    if not any(map(is_reference, values)):  # a stream of a list is written as that
        yield from _written(analysis, receiver_of(call.callee), scope, steps=steps)
    for value in values:
        if isinstance(value, tuple) and value[0] == "method":
            yield from _written(analysis, receiver_of(call.callee), scope, steps=steps)
        if not is_reference(value):
            continue
        function = symbol_of(value)
        text = program.symbol(function).return_text or ""
        yield with_variables(analysis, function, call, scope)
        owner = class_of(analysis, function)
        variables = () if owner is None else member_variables(analysis, function, owner)
        if owner is not None and text.strip(_MARKS) in variables:
            place = variables.index(text.strip(_MARKS))
            receiver = receiver_of(call.callee)
            argument = argument_of(analysis, (owner, place), receiver, scope, steps=steps)
            if argument is not None:
                yield argument


def receiver_of(callee: Expression) -> Expression:
    """The object whose member is called; None where that is the one whose method the call stands in."""
    return callee[1] if callee is not None and callee[0] == "member" else None
