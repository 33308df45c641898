"""Members: of modules, classes and objects along their line of descent, and of things outside."""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import keyed_values
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.names import definition_values, module_member, package_member, symbol_values
from drift.scan.link.returns import returned_values
from drift.scan.link.tables import CLASS_KINDS, FUNCTION_KINDS
from drift.scan.link.values import (
    BOUND,
    GENERATED,
    INSTANCE,
    NOTHING,
    SYMBOL,
    SYMBOL_MASK,
    Value,
    Values,
    external_member,
    merge,
)


def member_values(analysis: Analysis, values: Values, name: str) -> Values:
    """The member of that name of each of the values."""
    if len(values) == 1:
        return value_member(analysis, values[0], name)
    return merge(value_member(analysis, value, name) for value in values)


def value_member(analysis: Analysis, value: Value, name: str) -> Values:
    """The member of one value."""
    if isinstance(value, int):
        return _internal_member(analysis, value, name)
    if isinstance(value, str):
        return external_member(value, name)
    match value[0]:
        case "container":
            container = analysis.containers[value[1]]
            rules = analysis.program.rules(analysis.program.table_of(container.scope))
            held = keyed_values(analysis, value[1], name) if rules.has_object_literals else NOTHING
            return held or (("method", value, name),)
        case "literal":
            return (f"{value[2]}{value[1]}.{name}",)
        case "super":
            return _parent_member(analysis, value, name)
        case "package":
            return package_member(analysis, value, name)
        case "partial":
            return NOTHING
    return NOTHING


def _internal_member(analysis: Analysis, value: int, name: str) -> Values:
    owner, tag = value >> 2, value & 3
    if tag == INSTANCE:
        return analysis.remember(("object", owner, name), _object_member, owner, name)
    if tag == GENERATED:
        return (("method", value, name),)
    if tag == BOUND:
        return NOTHING
    kind = analysis.program.symbol(owner).kind
    if kind == "module":
        return module_member(analysis, owner, name)
    if kind in CLASS_KINDS:
        return analysis.remember(("class", owner, name), _class_member, owner, name)
    if kind == "namespace":
        return definition_values(analysis, owner, name)
    return _given_values(analysis, owner, name)


def _object_member(analysis: Analysis, owner: int, name: str) -> Values:
    line = line_of_descent(analysis, owner)
    return _find_member(analysis, line, name, receiver=owner, is_object=True)


def _class_member(analysis: Analysis, owner: int, name: str) -> Values:
    line = line_of_descent(analysis, owner)
    return _find_member(analysis, line, name, receiver=owner, is_object=False)


def _parent_member(analysis: Analysis, value: Value, name: str) -> Values:
    """A member as the parents of a class have it, for each class the method is called on."""
    assert isinstance(value, tuple)
    _, owner, method = value
    receivers = analysis.receivers_of(method)
    parts = []
    for receiver in dict.fromkeys((owner, *receivers)):
        line = line_of_descent(analysis, receiver)
        if owner in line:
            after = line[line.index(owner) + 1 :]
            parts.append(_find_member(analysis, after, name, receiver=receiver, is_object=True))
    return merge(parts)


def _find_member(
    analysis: Analysis, line: tuple[int | str, ...], name: str, *, receiver: int, is_object: bool
) -> Values:
    """The member of the first class in line that has it; outside ancestors have what no other has."""
    outside: str | None = None
    for owner in line:
        if isinstance(owner, str):
            outside = outside or owner
            continue
        values = _declared_member(analysis, owner, name)
        if values:
            return _bind(analysis, values, receiver=receiver, is_object=is_object)
    analysis.is_provisional = True  # a member may still be given from outside
    if outside is not None:
        return external_member(outside, name)
    rules = analysis.program.rules(analysis.program.table_of(receiver))
    if name in rules.root_members:
        return (f"{rules.builtin_prefix}object.{name}",)
    return NOTHING


def _declared_member(analysis: Analysis, owner: int, name: str) -> Values:
    """What a class itself says of a member: its body, its stores, and what is given from outside."""
    table = analysis.program.table_of(owner)
    number = owner & SYMBOL_MASK
    parts: list[Values] = []
    if name in table.names[number]:
        parts.append(definition_values(analysis, owner, name))
    for method in analysis.program.attached.get(owner, {}).get(name, ()):
        other = analysis.program.table_of(method)
        parts.append(symbol_values(analysis, other, method & SYMBOL_MASK))
    stores = table.fields.get(number)
    if stores is not None:
        parts.extend(_stored_values(analysis, owner, name, given) for given in stores.get(name, ()))
    if (owner, name) in analysis.given_members:
        parts.append(_given_values(analysis, owner, name))
    return parts[0] if len(parts) == 1 else merge(parts)


def _stored_values(
    analysis: Analysis, owner: int, name: str, given: tuple[tuple[object, ...] | None, int]
) -> Values:
    value, scope = given
    if value is not None and value[0] == "literal" and value[1] in {"list", "dict", "set", "tuple"}:
        found, _ = analysis.container((owner, name), str(value[1]), scope)
        return (found,)
    return analysis.evaluate(value, scope)


def _given_values(analysis: Analysis, owner: int, name: str) -> Values:
    analysis.is_provisional = True
    given = analysis.given_members.get((owner, name), ())
    return merge(analysis.evaluate(value, scope) for value, scope in given)


def _bind(analysis: Analysis, values: Values, *, receiver: int, is_object: bool) -> Values:
    """Make functions of a class methods of its objects, and properties what they give back."""
    program = analysis.program
    bound: list[Values] = []
    for value in values:
        if not isinstance(value, int) or value & 3 != SYMBOL:
            bound.append((value,))
            continue
        symbol = program.symbol(value >> 2)
        if symbol.kind not in FUNCTION_KINDS or program.class_of(value >> 2) is None:
            bound.append((value,))
        elif symbol.kind == "property":
            analysis.add_receiver(value >> 2, receiver)
            bound.append(returned_values(analysis, value >> 2) if is_object else (value,))
        elif "static" in symbol.modifiers:
            bound.append((value,))
        elif is_object or "classmethod" in symbol.modifiers:
            analysis.add_receiver(value >> 2, receiver)
            bound.append((value | BOUND,))
        else:
            bound.append((value,))
    return bound[0] if len(bound) == 1 else merge(bound)
