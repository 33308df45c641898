"""Members: of modules, classes and objects along their line of descent, and of things outside."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.container_methods import is_of_framework
from drift.scan.link.containers import entry_values, keyed_values, pair_part
from drift.scan.link.data_fields import field_values
from drift.scan.link.definition_values import symbol_values
from drift.scan.link.destinations import import_destination
from drift.scan.link.expected_errors import raised_member
from drift.scan.link.given_members import given_values
from drift.scan.link.hierarchy import class_of, line_of_descent, outside_members
from drift.scan.link.holders import ALL_MEMBERS, stored_members
from drift.scan.link.metaclasses import metaclasses
from drift.scan.link.named_containers import named_container
from drift.scan.link.names import (
    definition_values,
    destination_values,
    module_member,
    package_member,
    space_member,
    space_of,
)
from drift.scan.link.partials import other_parts
from drift.scan.link.promised_members import giving_ancestors
from drift.scan.link.returns import returned_values
from drift.scan.link.settled_types import is_settled
from drift.scan.link.tables import FileTable, is_outside_method
from drift.scan.link.values import (
    BOUND,
    GENERATED,
    INSTANCE,
    NOTHING,
    SYMBOL_MASK,
    ContainerValue,
    PackageValue,
    SuperValue,
    Value,
    Values,
    as_bound,
    external_member,
    instance_value,
    is_instance,
    is_internal,
    is_symbol,
    merge,
    symbol_of,
    symbol_value,
    tag_of,
)

if TYPE_CHECKING:
    from drift.scan.link.semantics import Semantics

_OF_FUNCTIONS: Final = frozenset({"apply", "bind", "call"})
_OF_MAPS: Final = frozenset(
    {"clear", "delete", "entries", "forEach", "get", "has", "keys", "set", "size", "values"}
)


def member_values(analysis: Analysis, values: Values, name: str) -> Values:
    """The member of that name of each of the values."""
    if len(values) == 1:
        return value_member(analysis, values[0], name)
    parts = [(value, value_member(analysis, value, name)) for value in values]
    if any(is_internal(one) for _, found in parts for one in found):
        # A parent outside might have the member too, of a class that is not known to; here another has it.
        parts = [part for part in parts if not is_internal(part[0]) or any(map(is_internal, part[1]))]
    return merge(found for _, found in parts)


def value_member(analysis: Analysis, value: Value, name: str) -> Values:
    """The member of one value."""
    if isinstance(value, int):
        return _internal_member(analysis, value, name)
    if isinstance(value, str):
        return external_member(value, name)
    match value[0]:
        case "container":
            return _container_member(analysis, value, name)
        case "literal":
            return (f"{value[2]}{value[1]}.{name}",)
        case "super":
            return _parent_member(analysis, value, name)
        case "raised":
            return raised_member(value, name)
        case "package":
            return package_member(analysis, value, name)
        case "partial":
            return NOTHING
    return NOTHING


def _container_member(analysis: Analysis, value: ContainerValue, name: str) -> Values:
    container = analysis.containers[value[1]]
    rules = analysis.program.semantics(analysis.program.table_of(container.scope))
    if rules.has_object_literals:
        return analysis.memoised((value, name), _object_literal_member, value, name, rules.root_members)
    if is_of_framework(container.kind) and name not in rules.set_methods:
        return NOTHING
    if name in rules.pair_members:
        return entry_values(analysis, value[1])
    if rules.has_nameless_structs and container.under(name):
        return keyed_values(analysis, value[1], name)
    if name in rules.pointed_types:
        return (value,) if container.kind == "dict" else _types_of(entry_values(analysis, value[1]))
    if name in rules.pair_keys and (container.kind == "dict" or name.isdigit()):
        part = pair_part if container.kind == "dict" else keyed_values
        return part(analysis, value[1], rules.pair_keys[name])
    return (("method", value, name),)


def _types_of(values: Values) -> Values:
    """The classes of objects, and what is none as it is."""
    return tuple(symbol_value(symbol_of(one)) if is_instance(one) else one for one in values)


def _object_literal_member(
    analysis: Analysis, value: ContainerValue, name: str, known: frozenset[str]
) -> Values:
    """A member of a container of a script: a key it is made with, one that is set later, or a built-in method."""
    container = analysis.containers[value[1]]
    found = keyed_values(analysis, value[1], name) or stored_members(
        analysis, value, name, scope=container.scope
    )
    if not found and container.under(ALL_MEMBERS):
        found = member_values(analysis, keyed_values(analysis, value[1], ALL_MEMBERS), name)
    if not found and name not in _OF_MAPS and name not in known:
        found = _listed_values(analysis, value[1])
    # A plain object has no methods but those it is given, maybe under names that are computed.
    is_plain = container.kind == "dict" and not container.under(None)
    return found or (NOTHING if is_plain and name not in known else (("method", value, name),))


def _listed_values(analysis: Analysis, number: int) -> Values:
    """What a container is declared to hold under any name: `Record<string, User>`, `{ [name: string]: User }`."""
    container = analysis.containers[number]
    if container.kind != "dict":
        return NOTHING
    return merge(
        analysis.evaluate(value, scope)
        for _, value, scope in container.under(None)
        if value is not None and value[0] == "instance"
    )


def _set_members(analysis: Analysis, value: Value, name: str, scope: int) -> Values:
    return stored_members(analysis, value, name, scope=scope)


def _internal_member(analysis: Analysis, value: int, name: str) -> Values:
    owner, tag = symbol_of(value), tag_of(value)
    if tag == INSTANCE:
        if name == analysis.program.semantics_at(owner).class_member:
            return (symbol_value(owner),)
        return analysis.memoised(("object", owner, name), _object_member, owner, name)
    if tag == GENERATED:
        return (("method", value, name),)
    if tag == BOUND:
        return NOTHING
    kind = analysis.program.symbol(owner).kind
    if kind == "module":
        return module_member(analysis, owner, name)
    is_script = analysis.program.semantics(analysis.program.table_of(owner)).has_object_literals
    if kind in TYPE_KINDS:
        if is_script and name == "prototype":
            return (instance_value(owner),)
        return analysis.memoised(("class", owner, name), _class_member, owner, name)
    if kind == "namespace":
        return definition_values(analysis, owner, name) or _member_passed_on(analysis, owner, name)
    return _function_member(analysis, value, name) if is_script else given_values(analysis, owner, name)


def _member_passed_on(analysis: Analysis, space: int, name: str) -> Values:
    """What a module that is written inside a file has of others that it uses whole: `mod face { pub use crate::inner::*; }`."""
    program = analysis.program
    table = program.table_of(space)
    if not program.semantics(table).has_modules_apart:
        return NOTHING
    program.note_stars(table)
    if (space & SYMBOL_MASK) not in table.stars:
        return NOTHING
    return analysis.memoised(("passed on", space, name), _find_passed_on, table, space, name)


def _find_passed_on(analysis: Analysis, table: FileTable, space: int, name: str) -> Values:
    parts: list[Values] = []
    for number in table.stars[space & SYMBOL_MASK]:
        destination = import_destination(analysis, table, number)
        values = destination_values(analysis, destination, table.facts.language)
        parts.append(space_member(analysis, tuple(one for one in values if not isinstance(one, str)), name))
    return merge(parts)


def _function_member(analysis: Analysis, value: int, name: str) -> Values:
    """A member of a function of a script, which may have been given any."""
    owner = symbol_of(value)
    found = analysis.memoised(("set", value, name), _set_members, value, name, owner)
    if name in _OF_FUNCTIONS and not any(map(is_internal, found)):
        return (f"globalThis.Function.{name}",)
    return found


def _object_member(analysis: Analysis, owner: int, name: str) -> Values:
    line = line_of_descent(analysis, owner)
    return _find_member(analysis, line, name, receiver=owner, is_object=True)


def _class_member(analysis: Analysis, owner: int, name: str) -> Values:
    line = line_of_descent(analysis, owner)
    found = _find_member(analysis, line, name, receiver=owner, is_object=False)
    if any(map(is_internal, found)):
        return found
    # A class is an object of its metaclass.
    made_by = (member_values(analysis, (instance_value(one),), name) for one in metaclasses(analysis, owner))
    return merge(made_by) or _space_member(analysis, owner, name) or found


def _space_member(analysis: Analysis, owner: int, name: str) -> Values:
    """What the namespace that is called like a class has, where a name can mean either."""
    program = analysis.program
    table = program.table_of(owner)
    rules = program.semantics(table)
    if not rules.has_spaces_named_as_classes:
        return NOTHING
    symbol = program.symbol(owner)
    inner = rules.submodule(None, space_of(analysis, owner), symbol.name)
    if inner is None or inner.package is None:
        return NOTHING
    package: PackageValue = ("package", table.facts.language, inner.package)
    return tuple(filter(is_internal, package_member(analysis, package, name)))


def _parent_member(analysis: Analysis, value: SuperValue, name: str) -> Values:
    """A member as the parents of a class have it."""
    owner = value[1]
    line, rules = line_of_descent(analysis, owner), analysis.program.semantics_at(owner)
    above = line[1:]
    if rules.parent_passes_traits:
        above = tuple(dropwhile(lambda one: isinstance(one, int) and _is_trait(analysis, one), above))
    found = _find_member(analysis, above, name, receiver=owner, is_object=True)
    if any(map(is_internal, found)):
        return found
    beside = rules.parent_members_beside(analysis, line, name)
    return _bind(analysis, beside, is_object=True) if beside else found


def _is_trait(analysis: Analysis, symbol: int) -> bool:
    return analysis.program.symbol(symbol).kind == "trait"


def _find_member(
    analysis: Analysis, line: tuple[int | str, ...], name: str, *, receiver: int, is_object: bool
) -> Values:
    """The member of the first class in line that has it; outside ancestors have what no other has."""
    rules = analysis.program.semantics_at(receiver)
    for owner in line:
        if isinstance(owner, str):
            continue
        semantics = analysis.program.semantics_at(owner)
        values = _declared_member(analysis, owner, name)
        values = semantics.reachable_members(analysis, values, is_object=is_object) if values else values
        if values:
            parts = [
                semantics.reachable_members(
                    analysis, _declared_member(analysis, part, name), is_object=is_object
                )
                for part in other_parts(analysis, owner)
            ]
            if is_object:
                values = semantics.read_member(analysis, owner, name, values=values)
            values = rules.with_receiver(analysis, receiver, values=values)
            return _bind(analysis, merge([values, *parts]) if parts else values, is_object=is_object)
    lent = rules.lent_members(analysis, line, name)
    if lent:
        return lent
    late = rules.late_members(analysis, line, name)
    if late:
        return _bind(analysis, late, is_object=is_object)
    outside = [one for one in line if isinstance(one, str) and one not in rules.memberless]
    if outside and not rules.has_members_of_interfaces:
        giving = giving_ancestors(analysis, receiver)
        outside = [one for one in outside if one in giving]
    if outside:
        first = external_member(outside[0], name)
        return _of_alike(rules, first, outside[1:], name) if rules.mixes_in_outside else first
    if name in rules.root_members:
        return (f"{rules.builtin_prefix}object.{name}",)
    return NOTHING


def _of_alike(rules: Semantics, first: Values, others: Iterable[str], name: str) -> Values:
    """A member of any of several parents outside; where the nearest may be of the project, of those that may, too."""
    is_known = rules.outside_names.is_known
    members = [one for other in others for one in external_member(other, name)]
    is_first_known = any(isinstance(one, str) and is_known(one) for one in first)
    alike = [one for one in members if isinstance(one, str) and is_known(one) == is_first_known]
    return merge([first, tuple(alike)])


def _declared_member(analysis: Analysis, owner: int, name: str) -> Values:
    """What a class itself says of a member: its body, its stores, and what is given from outside."""
    program = analysis.program
    table = program.table_of(owner)
    number, semantics = owner & SYMBOL_MASK, program.semantics(table)
    parts: list[Values] = []
    is_in_body = program.definitions(table, number, name) is not None
    if is_in_body:
        own = definition_values(analysis, owner, name)
        if semantics.has_settled_types and is_settled(analysis, own):
            return own
        parts.append(own)
    if semantics.has_outside_methods:
        parts.extend(
            symbol_values(analysis, program.table_of(method), method & SYMBOL_MASK)
            for method in outside_members(analysis, owner).get(name, ())
        )
    stores = table.fields.get(number)
    if stores is not None:
        parts.extend(_stored_values(analysis, owner, name, given) for given in stores.get(name, ()))
    parts.append(given_values(analysis, owner, name))
    if is_in_body:
        parts.append(field_values(analysis, owner, name))
    if table.symbols[number].decorators:  # read with its parents by whoever knows that it is in line
        parts.append(semantics.decorated_members(analysis, owner, name))
    parts = [part for part in parts if part]
    if not parts and (inner := semantics.outside_class(analysis, owner, name)) is not None:
        return (symbol_value(inner),)
    values = parts[0] if len(parts) == 1 else merge(parts)
    if len(values) < 2:  # noqa: PLR2004  # one is no choice
        return values
    return semantics.preferred_members(analysis, values)


def _stored_values(analysis: Analysis, owner: int, name: str, given: tuple[Expression, int]) -> Values:
    value, scope = given
    made = named_container(analysis, value, scope, key=(owner, name))
    return (made,) if made is not None else analysis.evaluate(value, scope)


def _bind(analysis: Analysis, values: Values, *, is_object: bool) -> Values:
    """Make functions of a class methods of its objects, and properties what they give back."""
    program = analysis.program
    bound: list[Values] = []
    is_declared_static = len(values) > 1 and any(_is_static(analysis, value) for value in values)
    for value in values:
        if not is_symbol(value):
            bound.append((value,))
            continue
        symbol = program.symbol(symbol_of(value))
        if symbol.kind not in CODE_KINDS or class_of(analysis, symbol_of(value)) is None:
            bound.append((value,))
        elif symbol.kind == "property":
            is_read = is_object or _is_static_getter(analysis, symbol_of(value))
            bound.append(returned_values(analysis, symbol_of(value)) if is_read else (value,))
        elif "static" in symbol.modifiers or (is_declared_static and _stands_outside(analysis, value)):
            bound.append((value,))
        elif is_object or "classmethod" in symbol.modifiers:
            bound.append((as_bound(value),))
        else:
            bound.append((value,))
    return bound[0] if len(bound) == 1 else merge(bound)


def _is_static(analysis: Analysis, value: Value) -> bool:
    return is_symbol(value) and "static" in analysis.program.symbol(symbol_of(value)).modifiers


def _stands_outside(analysis: Analysis, value: int) -> bool:
    """Whether a method is defined outside its class, where nothing repeats that it is static."""
    table = analysis.program.table_of(symbol_of(value))
    return is_outside_method(table.facts, symbol_of(value) & SYMBOL_MASK)


def _is_static_getter(analysis: Analysis, number: int) -> bool:
    """Whether a class of a script is asked for a member by running a function of it."""
    is_script = analysis.program.semantics(analysis.program.table_of(number)).has_object_literals
    return is_script and "static" in analysis.program.symbol(number).modifiers
