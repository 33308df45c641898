"""Rust calls and constructions: what they are given, what they give back, and which read the environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.expressions import last_name, list_of
from drift.languages.facts import EnvironmentRead
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.rust.entries import REGISTERING_NAMES, note_registration
from drift.languages.rust.mounts import MOUNTING_NAMES, note_mount
from drift.languages.rust.programs import note_program
from drift.languages.rust.vocabulary import (
    LATE_WRAPPERS,
    LISTS,
    MAPS,
    PASSING_METHODS,
    SAME_VALUE_METHODS,
    UNWRAPPING_METHODS,
    WRAPPERS,
    WRAPPING_VARIANTS,
)
from drift.languages.rust.walk import COMMENTS, is_standard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.rust.walk import RustWalk

_ENVIRONMENT_READERS: Final = frozenset(
    {"std::env::var", "std::env::var_os", "env::var", "env::var_os", "dotenvy::var", "dotenv::var"}
)


def apply_call(rust: RustWalk, node: Node, callee: Expression) -> Expression:
    """The result of calling `callee` at a call node, after gathering its arguments."""
    function, argument_list = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or argument_list is None:
        return None
    argument, rust.type_argument = rust.type_argument, None
    nodes = [child for child in argument_list.named_children if child.type not in _SKIPPED]
    values = [_read_argument(rust, child, callee) for child in nodes]
    string = _first_string(rust, nodes)
    result = finish_call(rust, node, callee, text=rust.call_text(function), values=values, string=string)
    return _with_type_argument(result, argument)


def _with_type_argument(result: Expression, argument: Expression) -> Expression:
    """What `read::<T>()` gives: a T, where a function gives anything that has the traits of one."""
    if result is None or argument is None or argument[0] not in {"name", "member"}:
        return result
    called = result[1] if result[0] == "either" and len(result) > 1 else result
    return ("narrowed", called, argument)


def _read_argument(rust: RustWalk, node: Node, callee: Expression) -> Expression:
    if node.type == "closure_expression" and callee is not None and callee[0] == "member":
        receiver, name = callee[1], callee[2]
        if receiver is not None and name in PASSING_METHODS:
            rust.passed = ("passed", receiver, name)
    return rust.visit(node)


def finish_call(
    rust: RustWalk, node: Node, callee: Expression, *, text: str, values: list[Expression], string: str | None
) -> Expression:
    """The value of a call whose arguments have been read, after noting it."""
    if callee is not None and callee[0] == "name" and callee[1] in {"Ok", "Some", "Err"}:
        # Wrapping a value is no call to anything a project has.
        return values[0] if values and callee[1] in WRAPPING_VARIANTS else None
    place = _name_of(node)
    number = rust.add_call(place, callee, text=text, arguments=tuple([(None, value) for value in values]))
    if string is not None:
        rust.strings[number] = string
        note_program(rust, place, last_name(callee) or "", string)
    if callee is None:
        return ("result", number)
    if string and _full_path(rust, callee) in _ENVIRONMENT_READERS:
        rust.environment_reads.append(EnvironmentRead(rust.scope, rust.line(node), string))
        rust.environment_calls[number] = len(rust.environment_reads) - 1
    if callee[-1] in REGISTERING_NAMES:
        note_registration(rust, callee, values=values, call=number)
    if callee[-1] in MOUNTING_NAMES:
        note_mount(rust, callee, values=values, call=number)
    return _result_of(rust, node, callee, values=values, number=number)


def _name_of(node: Node) -> Node:
    """Where a call is seen: at the method's name, which in a chain may be lines below its start."""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "generic_function":
        function = function.child_by_field_name("function")
    field = None if function is None else function.child_by_field_name("field")
    return node if field is None else field


def _result_of(
    rust: RustWalk, node: Node, callee: tuple[Any, ...], *, values: list[Expression], number: int
) -> Expression:
    if callee[0] != "member":
        return ("result", number)
    receiver, name = callee[1], callee[2]
    if name in UNWRAPPING_METHODS and receiver is not None:
        _note_default(rust, node, receiver, name=str(name))
        return ("awaited", receiver)
    if name in SAME_VALUE_METHODS and receiver is not None and not values:
        return receiver if name == "clone" else ("either", ("result", number), receiver)
    if name in {"clone", "new"} and values and last_name(receiver) in WRAPPERS:
        is_made_late = last_name(receiver) in LATE_WRAPPERS and name == "new"
        return ("called", values[0]) if is_made_late else values[0]
    return _empty_container(rust, receiver, str(name)) or ("result", number)


def _empty_container(rust: RustWalk, receiver: Expression, name: str) -> Expression:
    """What `Vec::new()` makes, if the name is the library's: what is put in later is found by the container."""
    if name not in _EMPTYING or receiver is None or receiver[0] != "name":
        return None
    written = receiver[1]
    path = rust.imported.get(written, written)
    last = path.rpartition("::")[2]
    if last not in LISTS and last not in MAPS:
        return None
    if path.partition("::")[0] in {"crate", "self", "super"} or rust.type_symbol(written) is not None:
        return None
    return list_of(()) if last in LISTS else ("dict",)


def _note_default(rust: RustWalk, node: Node, receiver: Expression, *, name: str) -> None:
    """Complete `env::var("X").unwrap_or(…)` with what stands in for the variable."""
    if receiver is None or receiver[0] != "result" or not name.startswith("unwrap_or"):
        return
    index = rust.environment_calls.get(receiver[1])
    arguments = node.child_by_field_name("arguments")
    if index is None or arguments is None:
        return
    text = rust.text.brief_slice(
        arguments.start_byte + 1,
        max(arguments.start_byte + 1, arguments.end_byte - 1),
        limit=MOST_TEXT_CHARACTERS,
    )
    rust.environment_reads[index] = rust.environment_reads[index]._replace(default_text=text or None)


def _full_path(rust: RustWalk, form: Expression) -> str:
    """A path of names as text, its first name replaced by what it was imported as."""
    names: list[str] = []
    while form is not None and form[0] == "member":
        names.append(str(form[2]))
        form = form[1]
    if form is None or form[0] not in {"name", "outer"} or (form[0] == "name" and form[1] in rust.locals):
        return ""
    names.append(rust.imported.get(form[1]) or str(form[1]))
    return "::".join(reversed(names))


def _first_string(rust: RustWalk, nodes: Sequence[Node]) -> str | None:
    return rust.string_of(nodes[0]) if nodes else None


def read_struct(rust: RustWalk, node: Node) -> Expression:
    """`T { a, b: 1, ..rest }`: a construction that stores its fields."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return None
    before = len(rust.references)
    form = rust.visit(name_node)
    # A construction is a call; the type's own name is then no second use.
    del rust.references[before : before + 1]
    rust.add_call(node, form, text=rust.call_text(name_node), kind="new")
    instance: Expression = ("instance", form)
    for field in () if body is None else body.named_children:
        _read_field(rust, field, form)
    return instance


def _read_field(rust: RustWalk, field: Node, form: Expression) -> None:
    instance: Expression = ("instance", form)
    if field.type == "shorthand_field_initializer":
        inner = next((child for child in field.named_children if child.type == "identifier"), None)
        if inner is not None:
            rust.store(field, instance, name=rust.text.text(inner), value=rust.visit(inner))
    elif field.type == "field_initializer":
        value = rust.visit_field(field, "value")
        name = field.child_by_field_name("field")
        if name is not None:
            rust.store(field, instance, name=rust.text.text(name), value=value)
    elif field.type == "base_field_initializer" and field.named_children:
        read_expected(rust, field.named_children[0], form)
    else:
        rust.visit(field)


def read_expected(rust: RustWalk, node: Node, form: Expression) -> Expression:
    """A value where one of a type is expected: `Default::default()` then is that type's."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is None or form is None or form[0] not in {"name", "member"}:
        return rust.visit(node)
    text = rust.call_text(function)
    if not text.endswith(_DEFAULT) or (text != _DEFAULT and not is_standard(text)):
        return rust.visit(node)
    return finish_call(rust, node, ("member", form, "default"), text=text, values=[], string=None)


_EMPTYING: Final = frozenset({"default", "new", "with_capacity"})
_DEFAULT: Final = "Default::default"
_SKIPPED: Final = frozenset({"attribute_item", *COMMENTS})
