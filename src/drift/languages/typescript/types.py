"""Type annotations: which types they name, as expressions, and the references that makes.

The expression of a type names the type: `User` is ("name", "User"). Containers keep what they hold, so that
`User[]` is ("list", ("name", "User")); a promise is what it gives; a union is one of its parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Taken, dict_of, either_of, list_of, signature_of
from drift.languages.typescript.literals import string_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Handler, Walk

_PREDEFINED: Final[Mapping[str, Expression]] = {
    "string": ("literal", "str"),
    "number": ("literal", "float"),
    "bigint": ("literal", "int"),
    "boolean": ("literal", "bool"),
    "void": ("literal", "none"),
}
# Generic types that are no more than what they hold.
_TRANSPARENT: Final = frozenset(
    {
        "Awaited", "DeepPartial", "NonNullable", "Omit", "Partial", "Pick", "Promise", "PromiseLike",
        "Readonly", "Required",
    }
)  # fmt: skip
_LISTS: Final = frozenset(
    {
        "Array", "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Generator", "Iterable", "Iterator",
        "ReadonlyArray", "ReadonlySet", "Set",
    }
)  # fmt: skip
_DICTS: Final = frozenset({"Map", "ReadonlyMap", "Record", "WeakMap"})
LIBRARY_TYPES: Final = _TRANSPARENT | _LISTS | _DICTS
# What is made of the type of a value: an object of the class, what the function gives back.
_OF_VALUES: Final[Mapping[str, Callable[[Expression], Expression]]] = {
    "InstanceType": lambda value: value,
    "ReturnType": lambda value: ("first", ("called", value), ("instance", ("name", "ReturnType"))),
}
_ANYTHING: Final = ("literal", "none")  # what is held says nothing, but that something is held does
_MOST_ALTERNATIVES: Final = 8
_PARAMETERS: Final = frozenset({"required_parameter", "optional_parameter"})
_MOST_PARAMETERS: Final = 8  # a function type of more says nothing more
_TYPES_ONLY: Final = ("type", "return_type", "constraint")


def read_type_parameters(walk: Walk, node: Node | None) -> None:
    """Put the type parameters of a declaration in force; the caller restores those of before."""
    if node is None:
        return
    names = dict(walk.type_parameters)
    parameters = [child for child in node.named_children if child.type == "type_parameter"]
    for parameter in parameters:
        names[walk.name_of(parameter.child_by_field_name("name"))] = None
    walk.type_parameters = names
    for parameter in parameters:
        name = walk.name_of(parameter.child_by_field_name("name"))
        for field in ("constraint", "value"):
            child = parameter.child_by_field_name(field)
            if child is not None and child.named_child_count:
                value = walk.visit(child.named_children[-1])
                if field == "constraint":
                    names[name] = value


def dotted(names: list[str]) -> Expression:
    """`a.b.c` as an expression."""
    value: Expression = ("name", names[0])
    for name in names[1:]:
        value = ("member", value, name)
    return value


def _annotation(walk: Walk, node: Node) -> Expression:
    value: Expression = None
    for child in node.named_children:
        if child.type != "comment":
            value = walk.visit(child)
    return value


def _predicate(walk: Walk, node: Node) -> Expression:
    for child in node.named_children:
        _visit_types(walk, child)
    return ("literal", "bool")


def _visit_types(walk: Walk, node: Node) -> None:
    """Visit what stands in type positions below a node that also holds names which are no values."""
    for field in _TYPES_ONLY:
        child = node.child_by_field_name(field)
        if child is not None:
            walk.visit(child)


def _function_type(walk: Walk, node: Node) -> Expression:
    outer = walk.type_parameters
    read_type_parameters(walk, node.child_by_field_name("type_parameters"))
    parameters = node.child_by_field_name("parameters")
    given = [
        _parameter_type(walk, parameter)
        for parameter in (parameters.named_children if parameters is not None else ())
        if parameter.type in _PARAMETERS
    ]
    _visit_types(walk, node)
    walk.type_parameters = outer
    return signature_of(given) if any(given) and len(given) <= _MOST_PARAMETERS else None


def _parameter_type(walk: Walk, node: Node) -> Taken:
    declared = walk.visit_field(node, "type")
    pattern = node.child_by_field_name("pattern")
    is_rest = pattern is not None and pattern.type == "rest_pattern"
    return ("rest", declared) if is_rest else declared


def _call_signature(walk: Walk, node: Node) -> Expression:
    """A way to call an object of the interface at hand: one of the function types that it stands for."""
    found = _function_type(walk, node)
    owner = walk.symbols[walk.scope]
    if found is not None and owner.kind in {"interface", "type"}:
        walk.symbols[walk.scope] = owner._replace(value_type=either((owner.value_type, found)))
    return found


def _constructor_type(walk: Walk, node: Node) -> Expression:
    _function_type(walk, node)
    return None


def _type_identifier(walk: Walk, node: Node) -> Expression:
    name = walk.name_of(node)
    if name in walk.type_parameters:
        return walk.type_parameters[name]
    walk.read(("name", name), node, "type")
    return ("name", name)


def _nested_identifier(walk: Walk, node: Node) -> Expression:
    target = dotted([part.strip() for part in walk.name_of(node).split(".")])
    walk.read(target, node, "type")
    return target


def _generic(walk: Walk, node: Node) -> Expression:
    name_node = node.child_by_field_name("name")
    arguments_node = node.child_by_field_name("type_arguments")
    name = walk.name_of(name_node)
    arguments = type_arguments(walk, arguments_node)
    last = arguments[-1] if arguments else None
    if name in _OF_VALUES and last is not None and last[0] == "typeof":
        return _OF_VALUES[name](last[1])
    if name not in LIBRARY_TYPES:
        return walk.visit(name_node) if name_node is not None else None
    held = _held_type(name, arguments)
    if name_node is None or not walk.own_names.may_be_own(name):
        return held
    return ("own", walk.visit(name_node), held)


def _held_type(name: str, arguments: list[Expression]) -> Expression:
    """What a generic type of the library holds, as a container where it is one."""
    first = arguments[0] if arguments else None
    if name in _TRANSPARENT:
        return first
    if name in _LISTS:
        return ("list", first)
    return ("dict", (None, (arguments[-1] if arguments else None) or _ANYTHING))


def type_arguments(walk: Walk, node: Node | None) -> list[Expression]:
    """The types between angle brackets."""
    if node is None:
        return []
    return [walk.visit(child) for child in node.named_children if child.type != "comment"]


def _array(walk: Walk, node: Node) -> Expression:
    return ("list", _annotation(walk, node))


def _tuple(walk: Walk, node: Node) -> Expression:
    return list_of([walk.visit(child) for child in node.named_children])


def _union(walk: Walk, node: Node) -> Expression:
    """One of the parts. Unions nest to the left, without limit."""
    parts: list[Expression] = []
    stack = [node]
    while stack:
        here = stack.pop()
        if here.type == node.type:
            stack.extend(reversed(here.named_children))
        else:
            parts.append(walk.visit(here))
    return either(part for part in parts if part != ("literal", "none"))


def either(values: Iterable[Expression]) -> Expression:
    """One of some values or types; what is not known is left out."""
    parts: dict[Expression, None] = {}
    for value in values:
        if value is None:
            continue
        for part in value[1:] if value[0] == "either" else (value,):
            parts[part] = None
    known = list(parts)[:_MOST_ALTERNATIVES]
    if not known:
        return None
    return either_of(known) if len(known) > 1 else known[0]


def _predefined(walk: Walk, node: Node) -> Expression:
    return _PREDEFINED.get(walk.name_of(node))


_LITERALS: Final[Mapping[str, Expression]] = {
    "string": ("literal", "str"),
    "number": ("literal", "float"),
    "unary_expression": ("literal", "float"),
    "true": ("literal", "bool"),
    "false": ("literal", "bool"),
    "null": ("literal", "none"),
    "undefined": ("literal", "none"),
}


def _literal(_walk: Walk, node: Node) -> Expression:
    kind = node.named_children[0].type if node.named_child_count else ""
    return _LITERALS.get(kind)


def _object_type(walk: Walk, node: Node) -> Expression:
    entries: list[tuple[str | None, Expression]] = []
    for child in node.named_children:
        if child.type == "property_signature":
            name = walk.name_of(child.child_by_field_name("name"))
            entries.append((name, walk.visit_field(child, "type")))
        elif child.type in {"method_signature", "call_signature", "construct_signature"}:
            _function_type(walk, child)
        elif child.type == "index_signature":
            entries.append((None, walk.visit_field(child, "type") or _ANYTHING))
    return dict_of(entries)


def _opaque(walk: Walk, node: Node) -> Expression:
    walk.visit_children(node)
    return None


def _type_query(walk: Walk, node: Node) -> Expression:
    """`typeof x`: the type of whatever x is. Its names are uses of types: nothing of it is there at run time."""
    reads, accesses, imports = len(walk.reads), len(walk.accesses), len(walk.imports)
    value = _annotation(walk, node)
    walk.imports[imports:] = [each._replace(is_type_only=True) for each in walk.imports[imports:]]
    walk.reads[reads:] = [(scope, byte, target, "type") for scope, byte, target, _ in walk.reads[reads:]]
    while len(walk.accesses) > accesses:
        walk.accesses.popitem()
    return ("typeof", value) if value is not None and value[0] in {"name", "member"} else None


def _lookup_type(walk: Walk, node: Node) -> Expression:
    """`(typeof x)['y']`: the type of a member; of other types nothing is said."""
    parts = [child for child in node.named_children if child.type != "comment"]
    forms = [walk.visit(child) for child in parts]
    owner = forms[0] if forms else None
    key = parts[-1].named_children[0] if len(parts) > 1 and parts[-1].named_child_count == 1 else None
    name = string_value(walk, key)
    if owner is None or owner[0] != "typeof" or name is None:
        return None
    return ("typeof", ("member", owner[1], name))


def _this_type(_walk: Walk, _node: Node) -> Expression:
    return ("this",)


HANDLERS: Final[Mapping[str, Handler]] = {
    "type_annotation": _annotation,
    "type_arguments": _annotation,
    "omitting_type_annotation": _annotation,
    "opting_type_annotation": _annotation,
    "type_predicate_annotation": _predicate,
    "asserts_annotation": _predicate,
    "type_predicate": _predicate,
    "asserts": _predicate,
    "type_identifier": _type_identifier,
    "nested_type_identifier": _nested_identifier,
    "generic_type": _generic,
    "array_type": _array,
    "tuple_type": _tuple,
    "readonly_type": _annotation,
    "optional_type": _annotation,
    "rest_type": _annotation,
    "parenthesized_type": _annotation,
    "constraint": _annotation,
    "default_type": _annotation,
    "union_type": _union,
    "intersection_type": _union,
    "predefined_type": _predefined,
    "literal_type": _literal,
    "object_type": _object_type,
    "function_type": _function_type,
    "constructor_type": _constructor_type,
    "call_signature": _call_signature,
    "type_query": _type_query,
    "lookup_type": _lookup_type,
    "conditional_type": _opaque,
    "this_type": _this_type,
}
