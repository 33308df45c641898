"""What each form evaluates to: those of `languages/expressions.py`, and those of linking (`Form`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from drift.languages.expressions import (
    CastForm,
    DerivedForm,
    DictForm,
    Expression,
    GenericForm,
    LiteralForm,
    MemberForm,
    NameForm,
    NumberForm,
    ObjectForm,
    OperatedForm,
    PairForm,
    PartsForm,
    Tag,
    WideLiteralForm,
)
from drift.languages.facts import Symbol
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis, Evaluator
from drift.scan.link.arities import classes_taking, is_other_class
from drift.scan.link.arrow_members import arrow_members
from drift.scan.link.calling import call_result
from drift.scan.link.closure_arguments import passed_values
from drift.scan.link.container_methods import called_values
from drift.scan.link.containers import entry_values, item_values, keyed_values
from drift.scan.link.families import family_values
from drift.scan.link.flows import parameter_values
from drift.scan.link.hidden_types import hidden_types, receiver_values
from drift.scan.link.hierarchy import class_around, line_of_descent, method_around
from drift.scan.link.holders import holder_values
from drift.scan.link.members import member_values, value_member
from drift.scan.link.names import definition_values, free_values, name_values
from drift.scan.link.operations import operated_values
from drift.scan.link.outer_names import outer_values
from drift.scan.link.own_types import own_values
from drift.scan.link.program import Program
from drift.scan.link.tables import FileTable
from drift.scan.link.type_arguments import field_objects
from drift.scan.link.values import (
    CALL_SHIFT,
    FILE_SHIFT,
    INSTANCE,
    NOTHING,
    SYMBOL,
    SYMBOL_MASK,
    Form,
    HeldForm,
    KeyForm,
    OfForm,
    ParameterForm,
    Values,
    as_instance,
    instance_value,
    is_instance,
    is_internal,
    is_symbol,
    merge,
    symbol_of,
    symbol_value,
    tagged_value,
)

FormTag = Tag | Literal["of", "parameter", "key", "held"]

_FEW: Final = 2
# A value declared to be of one of these can be anything.
_SHAPELESS: Final = ("typing.", "typing_extensions.", "collections.abc.Callable")


def _name(analysis: Analysis, expression: NameForm, scope: int) -> Values:
    values = name_values(analysis, expression[1], scope)
    if not values or not analysis.program.semantics_at(scope).tells_classes_by_arity:
        return values
    table = analysis.program.table_of(scope)
    return _classes_named(analysis, values, table, name=expression[1], count=0)


def _outer(analysis: Analysis, expression: NameForm, scope: int) -> Values:
    return outer_values(analysis, expression[1], scope)


def _member(analysis: Analysis, expression: MemberForm, scope: int) -> Values:
    owners = receiver_values(analysis, expression[1], scope)
    if not owners and expression[1] is not None and expression[1][0] == "instance":
        return _variant_fields(analysis, expression[1][1], expression[2], scope=scope)
    values = member_values(analysis, owners, expression[2]) if owners else NOTHING
    if owners and not any(map(is_internal, values)):
        values = field_objects(analysis, owners, expression, scope) or values
        values = values or arrow_members(analysis, owners, expression, scope)
    return values if len(values) < _FEW else _bare_classes(analysis, values, scope)


def _variant_fields(analysis: Analysis, variant: Expression, name: str, *, scope: int) -> Values:
    """What a field of the variants that an expression names holds: a pattern takes them apart."""
    found = analysis.program.semantics_at(scope).named_variants(analysis, variant, scope)
    return merge(definition_values(analysis, one, name) for one in found) if found else NOTHING


def _bare_classes(analysis: Analysis, values: Values, scope: int) -> Values:
    """What a name means that is given no type arguments, where that tells classes of one name apart."""
    if not analysis.program.semantics_at(scope).tells_classes_by_arity:
        return values
    return classes_taking(analysis, values, 0)


def _classes_named(analysis: Analysis, values: Values, table: FileTable, *, name: str, count: int) -> Values:
    """The classes of a name that take so many type arguments; a file may declare one, others of its package another."""
    if all(is_other_class(analysis, value, count) for value in values):
        further = free_values(analysis, table, name)
        fitting = classes_taking(analysis, further, count)
        if fitting and not any(is_other_class(analysis, value, count) for value in fitting):
            return fitting
    return classes_taking(analysis, values, count) if len(values) >= _FEW else values


def _generic(analysis: Analysis, expression: GenericForm, scope: int) -> Values:
    named = expression[1]
    if named is None:
        return NOTHING
    if named[0] == "name":
        table, values = analysis.program.table_of(scope), name_values(analysis, named[1], scope)
        return _classes_named(analysis, values, table, name=named[1], count=expression[2])
    if named[0] != "member":
        return NOTHING
    owners = analysis.evaluate(named[1], scope)
    return classes_taking(analysis, member_values(analysis, owners, named[2]), expression[2])


def _result(analysis: Analysis, expression: NumberForm, scope: int) -> Values:
    return call_result(analysis, (scope >> FILE_SHIFT << CALL_SHIFT) + expression[1])


def _same(analysis: Analysis, expression: DerivedForm, scope: int) -> Values:
    return analysis.evaluate(expression[1], scope)


def _instance(analysis: Analysis, expression: DerivedForm | CastForm, scope: int) -> Values:
    found = _objects_of(analysis, analysis.evaluate(expression[1], scope))
    return found or _objects_of(analysis, hidden_types(analysis, expression[1], scope))


def _objects_of(analysis: Analysis, types: Values) -> Values:
    program = analysis.program
    found: list[Values] = []
    for value in types:
        if isinstance(value, str):
            if not value.startswith(_SHAPELESS):
                found.append((value,))
        elif isinstance(value, int):
            if is_symbol(value) and _has_objects(program, symbol_of(value)):
                aliased = program.symbol(symbol_of(value)).value_type
                is_of_value = aliased is not None and aliased[0] == "typeof"
                own = (as_instance(value),)
                if aliased is not None and aliased[0] == "literal":
                    number = program.semantics_at(symbol_of(value)).number_of_alias
                    if (named := number(analysis, aliased, program.parent(symbol_of(value)))) is not None:
                        found.append(named)
                        continue
                found.append(
                    analysis.evaluate(aliased, program.parent(symbol_of(value))) if is_of_value else own
                )
        elif value[0] == "container":
            found.append((value,))
    return found[0] if len(found) == 1 else merge(found)


def _has_objects(program: Program, number: int) -> bool:
    """Whether a symbol is a type that says something of its objects; a type variable does not."""
    symbol = program.symbol(number)
    if symbol.kind != "type":
        return symbol.kind in TYPE_KINDS
    table = program.table_of(number)
    program.note_members(table, number & SYMBOL_MASK)
    has_own = bool(table.names[number & SYMBOL_MASK])
    return has_own or bool(symbol.bases) or _is_of_objects(symbol.value_type)


def _is_of_objects(form: Expression) -> bool:
    """Whether a type is other than one of functions alone."""
    if form is None or form[0] != "either":
        return form is not None and form[0] != "signature"
    return any(map(_is_of_objects, form[1:]))


def _symbol(_analysis: Analysis, expression: NumberForm, scope: int) -> Values:
    return (symbol_value((scope & ~SYMBOL_MASK) + expression[1]),)


def _this(analysis: Analysis, _expression: ObjectForm, scope: int) -> Values:
    table = analysis.program.table_of(scope)
    known = table.objects.get(scope & SYMBOL_MASK) or _note_object(analysis, table, scope & SYMBOL_MASK)
    if known is None:
        return analysis.memoised_for_file(("this", scope), _this_values, scope)
    analysis.program.note(known[1])
    return known[0]


def _note_object(analysis: Analysis, table: FileTable, scope: int) -> tuple[Values, int] | None:
    """What `this` is in a scope, and the key that rests on; None where more than a method says what it is."""
    owner, method = table.class_around(scope), table.method_around(scope)
    if owner is None or method is None:
        return None
    tag = _tag_in(analysis.program.symbol(table.first + method))
    known = table.objects[scope] = (
        (tagged_value((table.first + owner), tag),),
        table.interface_keys[method],
    )
    return known


def _this_values(analysis: Analysis, scope: int) -> Values:
    owner = class_around(analysis, scope)
    if owner is None:
        return holder_values(analysis, scope)
    method = method_around(analysis, scope)
    if method is None:
        return (instance_value(owner),)
    return (tagged_value(owner, _tag_in(analysis.program.symbol(method))),)


def _tag_in(method: Symbol) -> int:
    """Whether `this` in a method is an object or the class."""
    return SYMBOL if "classmethod" in method.modifiers or "static" in method.modifiers else INSTANCE


def _super(analysis: Analysis, _expression: ObjectForm, scope: int) -> Values:
    owner = class_around(analysis, scope)
    return NOTHING if owner is None else (("super", owner),)


def _literal(analysis: Analysis, expression: LiteralForm | WideLiteralForm, scope: int) -> Values:
    if expression[1] == "none":
        return NOTHING
    rules = analysis.program.semantics(analysis.program.table_of(scope))
    return (("literal", expression[1], rules.builtin_prefix, *expression[2:]),)


def _list(analysis: Analysis, expression: PartsForm, scope: int) -> Values:
    value, made = analysis.container((scope, expression), "list", scope)
    if made is not None:
        made.fill(expression[1:], scope)
    return (value,)


def _dict(analysis: Analysis, expression: DictForm, scope: int) -> Values:
    value, made = analysis.container((scope, expression), "dict", scope)
    if made is not None:
        made.entries.extend((key, element, scope) for key, element in expression[1:] if element is not None)
    return (value,)


def _either(analysis: Analysis, expression: PartsForm, scope: int) -> Values:
    return merge([analysis.evaluate(part, scope) for part in expression[1:]])


def _first(analysis: Analysis, expression: PairForm, scope: int) -> Values:
    return analysis.evaluate(expression[1], scope) or analysis.evaluate(expression[2], scope)


def _own(analysis: Analysis, expression: PairForm, scope: int) -> Values:
    own = own_values(analysis, expression[1], scope)
    return own or analysis.evaluate(expression[2], scope)


def _narrowed(analysis: Analysis, expression: PairForm, scope: int) -> Values:
    """What is both one of the values and of the type; an object can have two unrelated ones if one is an interface."""
    kinds = analysis.evaluate(("instance", expression[2]), scope)
    types = {symbol_of(kind) for kind in kinds if isinstance(kind, int)}
    values = [value for value in analysis.evaluate(expression[1], scope) if isinstance(value, int)]
    lines = {
        value: set(line_of_descent(analysis, symbol_of(value))) for value in values if is_instance(value)
    }
    below = tuple(value for value, line in lines.items() if line & types)
    if below:
        return below
    above = {one for kind in types for one in line_of_descent(analysis, kind)}
    has_class = any(analysis.program.symbol(kind).kind == "class" for kind in types)
    unrelated = (
        value
        for value in lines
        if symbol_of(value) not in above
        and not (has_class and analysis.program.symbol(symbol_of(value)).kind == "class")
    )
    return merge([tuple(unrelated), kinds])


def _passed(analysis: Analysis, expression: MemberForm, scope: int) -> Values:
    return passed_values(analysis, analysis.evaluate(expression[1], scope), expression[2])


def _family(analysis: Analysis, expression: MemberForm, scope: int) -> Values:
    return family_values(analysis, analysis.evaluate(expression[1], scope), expression[2])


def _partial(analysis: Analysis, expression: DerivedForm, scope: int) -> Values:
    return tuple(
        value if isinstance(value, str) else ("partial", value)
        for value in analysis.evaluate(expression[1], scope)
    )


def _operated(analysis: Analysis, expression: OperatedForm, scope: int) -> Values:
    _, left, right, method, turned_method = expression
    lefts, rights = analysis.evaluate(left, scope), analysis.evaluate(right, scope)
    return operated_values(analysis, (lefts, rights), method=method, turned_method=turned_method)


def _of(analysis: Analysis, expression: OfForm, _scope: int) -> Values:
    return value_member(analysis, expression[1], expression[2])


def _parameter(analysis: Analysis, expression: ParameterForm, scope: int) -> Values:
    return parameter_values(analysis, scope, expression[1])


def _key(analysis: Analysis, expression: KeyForm, scope: int) -> Values:
    return merge(
        keyed_values(analysis, value[1], expression[2])
        for value in analysis.evaluate(expression[1], scope)
        if isinstance(value, tuple) and value[0] == "container"
    )


def _held(analysis: Analysis, expression: HeldForm, _scope: int) -> Values:
    return entry_values(analysis, expression[1])


def _nothing(_analysis: Analysis, _expression: Form, _scope: int) -> Values:
    """Of a function type only the types of its parameters are asked for."""
    return NOTHING


def _mapped(analysis: Analysis, expression: NameForm | DerivedForm, scope: int) -> Values:
    return analysis.program.semantics_at(scope).mapped_values(analysis, expression, scope)


def _path(analysis: Analysis, expression: NameForm, scope: int) -> Values:
    return analysis.program.semantics_at(scope).path_values(analysis, expression[1], scope)


def _called(analysis: Analysis, expression: DerivedForm, scope: int) -> Values:
    return called_values(analysis, expression[1], scope)


EVALUATORS: Final[Mapping[FormTag, Evaluator]] = {
    "name": _name,
    "outer": _outer,
    "member": _member,
    "generic": _generic,
    "result": _result,
    "item": item_values,
    "awaited": _same,
    "instance": _instance,
    "symbol": _symbol,
    "this": _this,
    "super": _super,
    "literal": _literal,
    "list": _list,
    "dict": _dict,
    "either": _either,
    "first": _first,
    "own": _own,
    "narrowed": _narrowed,
    "partial": _partial,
    "passed": _passed,
    "family": _family,
    "operated": _operated,
    "of": _of,
    "parameter": _parameter,
    "key": _key,
    "held": _held,
    "called": _called,
    "model": _mapped,
    "all": _mapped,
    "path": _path,
    "signature": _nothing,
    "typed": _nothing,
    "typeof": _same,
    "const": _instance,
}
