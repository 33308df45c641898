"""Variables, types by another name, and includes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.cpp.declarators import Declared, path_form, plain_name, segments, unwrap
from drift.languages.cpp.functions import declare_function
from drift.languages.cpp.modifiers import read_attributes, read_modifiers
from drift.languages.cpp.type_forms import (
    class_name,
    declared_type,
    is_class_form,
    is_constant,
    is_holder,
    read_type,
)
from drift.languages.cpp.walk import sorted_modifiers
from drift.languages.expressions import place_key, with_type_arguments
from drift.languages.facts import CONSTRUCTING, Binding, Import
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.expressions import Expression

_CLASSES: Final = frozenset({"class_specifier", "enum_specifier", "struct_specifier", "union_specifier"})


def read_declaration(cpp: CppWalk, node: Node) -> None:
    """Variables of a function, variables of a file, or functions defined elsewhere."""
    header, cpp.template = cpp.template, None
    type_node = node.child_by_field_name("type")
    declarators = node.children_by_field_name("declarator")
    if type_node is not None and type_node.type in _CLASSES and not declarators:
        cpp.template = header
    form = read_type(cpp, type_node)
    of_condition = node.child_by_field_name("value")  # while (Foo* x = next())
    for declarator in declarators:
        is_initialised = declarator.type == "init_declarator"
        inner = declarator.child_by_field_name("declarator") if is_initialised else declarator
        value = declarator.child_by_field_name("value") if is_initialised else of_condition
        declared = unwrap(inner)
        if declared is None:
            continue
        cpp.template = header
        if declared.function is not None and not cpp.is_in_function:
            declare_function(cpp, node, declared)
        elif declared.function is not None and cpp.is_cpp:
            is_class = not is_holder(cpp, type_node)
            _read_construction(cpp, declared, declared.function, form=form, is_class=is_class)
        elif declared.name.type == "structured_binding_declarator":
            _bind_parts(cpp, declared.name, value)
        else:
            _read_variable(cpp, node, declared, form=form, value=value)
    cpp.template = None


def _read_construction(
    cpp: CppWalk, declared: Declared, function: Node, *, form: Expression, is_class: bool
) -> None:
    """`Foo f(a, b);` in a function: to the grammar a declaration of f, to a reader an object made of a and b.

    `Foo* f(a);` and `Foo& f(a);` make none: f is what they are given.
    """
    name, listed = plain_name(cpp, declared.name), function.child_by_field_name("parameters")
    arguments = _values_listed(cpp, listed)
    given: Expression = None
    if declared.is_pointer or declared.is_reference:
        given = arguments[0] if len(arguments) == 1 else None
    elif is_class and form is not None and is_class_form(form):
        cpp.objects[name], cpp.object_types[name] = False, form
        given = construct(cpp, declared.name, form, arguments)
    cpp.known.add(name)
    cpp.bindings.append(Binding(cpp.scope, name, given, cpp.line(declared.name), form))


def _values_listed(cpp: CppWalk, listed: Node | None) -> list[Expression]:
    """The values that the grammar took for parameters."""
    children = [] if listed is None else [child for child in listed.named_children if child.type != "comment"]
    return [_value_meant(cpp, child) for child in children]


def _value_meant(cpp: CppWalk, node: Node) -> Expression:
    """A name that the grammar took for a type, or a call that it took for the type of a function: `Foo f(make(a));`."""
    if node.type != "parameter_declaration":
        return None
    parts = node.named_children
    form = _named(cpp, parts[0])
    if len(parts) == 1 or form is None:
        return form if len(parts) == 1 else None
    if parts[1].type != "abstract_function_declarator":
        return None
    given = _values_listed(cpp, parts[1].child_by_field_name("parameters"))
    arguments = tuple((None, value) for value in given)
    return ("result", cpp.add_call(parts[0], form, text=cpp.call_text(parts[0]), arguments=arguments))


def _named(cpp: CppWalk, node: Node) -> Expression:
    if node.type == "type_identifier":
        return ("name", cpp.text.text(node))
    return path_form(segments(cpp, node)) if node.type == "qualified_identifier" else None


def construct(cpp: CppWalk, node: Node, form: tuple[Any, ...], values: list[Expression]) -> Expression:
    """An object of the type `form`, made by calling its constructor."""
    text = class_name(cpp, form)
    arguments = tuple((None, value) for value in values)
    return ("result", cpp.add_call(node, form, text=text[:120], arguments=arguments, kind="new"))


def _bind_parts(cpp: CppWalk, pattern: Node, value: Node | None) -> None:
    """`auto [a, b] = pair;`."""
    whole = None if value is None else cpp.visit(value)
    for place, child in enumerate(pattern.named_children):
        name = cpp.text.text(child)
        cpp.known.add(name)
        part: Expression = None if whole is None else ("item", whole, place_key(place))
        cpp.bindings.append(Binding(cpp.scope, name, part, cpp.line(child)))


def _read_variable(
    cpp: CppWalk, node: Node, declared: Declared, *, form: Expression, value: Node | None
) -> None:
    name = plain_name(cpp, declared.name)
    kind = declared_type(form, declared)
    is_global = not cpp.is_in_function
    if is_global and name:
        _keep_variable(cpp, node, name, kind)
    if not is_global:
        cpp.known.add(name)
    outer, cpp.constant_name = cpp.constant_name, name if is_global else None
    type_node = node.child_by_field_name("type")
    is_pointer = declared.is_pointer or declared.is_array or is_holder(cpp, type_node)
    given = _read_initial(cpp, value, form, is_pointer=is_pointer or declared.is_reference)
    cpp.constant_name = outer
    if cpp.is_cpp and not is_pointer and is_class_form(form):
        _note_object(cpp, node, declared.name, form=form, has_value=value is not None)
    else:
        cpp.objects.pop(name, None)
    if not is_global or given is not None:
        is_fixed = cpp.is_cpp and is_class_form(kind) and is_constant(cpp, node)
        text = "" if type_node is None else cpp.text.text(type_node)
        declared_as: Expression = ("const", kind) if is_fixed else with_type_arguments(kind, text)
        if given is not None and cpp.is_in_function:
            given = cpp.given_object(name, given)
        cpp.bindings.append(Binding(cpp.scope, name, given, cpp.line(node), declared_as))


def _note_object(cpp: CppWalk, node: Node, name: Node, *, form: Expression, has_value: bool) -> None:
    """Note a variable that is an object; `Foo f;` runs the constructor of Foo that takes nothing."""
    if cpp.is_in_function:
        word = plain_name(cpp, name)
        cpp.objects[word], cpp.object_types[word] = is_constant(cpp, node), form
    if not has_value and not cpp.text.source.startswith(b"extern", node.start_byte):
        cpp.add_access(name, form, CONSTRUCTING + class_name(cpp, form))


def _read_initial(cpp: CppWalk, value: Node | None, form: Expression, *, is_pointer: bool) -> Expression:
    """The first value of a variable; `Foo f(1)` and `Foo f{1}` call a constructor."""
    if value is None:
        return None
    parts = [child for child in value.named_children if child.type != "comment"]
    if value.type == "initializer_list" and len(parts) == 1 and form is not None and form[0] == "literal":
        return cpp.visit(parts[0])  # int x{1}
    is_construction = cpp.is_cpp and not is_pointer and value.type in {"argument_list", "initializer_list"}
    # A look at the bytes before: asking a node for its sibling searches the whole tree.
    if cpp.text.source[max(0, value.start_byte - 40) : value.start_byte].rstrip().endswith(b"="):
        return cpp.visit(value)
    if not is_construction or form is None or not is_class_form(form):
        return cpp.visit(value)
    return construct(cpp, value, form, [cpp.visit(child) for child in parts])


def _keep_variable(cpp: CppWalk, node: Node, name: str, form: Expression) -> None:
    modifiers = read_modifiers(cpp, node, None)
    is_constant = bool({"const", "constexpr"} & set(modifiers))
    is_hidden = cpp.is_hidden or "static" in modifiers
    symbol = cpp.start("constant" if is_constant else "variable", name, node)
    extra = ("declaration",) if "extern" in modifiers else ()
    cpp.keep(
        symbol._replace(
            signature=cpp.text.brief(node, MOST_SIGNATURE_CHARACTERS).rstrip(" ;"),
            doc=cpp.take_doc(symbol.line, is_member=True),
            decorators=read_attributes(cpp, node),
            visibility="private" if is_hidden else "public",
            modifiers=sorted_modifiers(symbol.modifiers, modifiers, extra),
            value_type=form,
        )
    )


def _read_typedef(cpp: CppWalk, node: Node) -> None:
    """`typedef struct {…} Name;` names the struct; any other typedef is a type of its own."""
    type_node = node.child_by_field_name("type")
    declarators = [unwrap(child) for child in node.children_by_field_name("declarator")]
    named = [declared for declared in declarators if declared is not None]
    is_unnamed = (
        type_node is not None
        and type_node.type in _CLASSES
        and type_node.child_by_field_name("name") is None
        and type_node.child_by_field_name("body") is not None
    )
    if is_unnamed and named:
        cpp.given_name = plain_name(cpp, named[0].name)
        named = named[1:]
    form = read_type(cpp, type_node)
    cpp.given_name = ""
    own = cpp.symbols[form[1]].name if form is not None and form[0] == "symbol" else ""
    for declared in named:
        name = plain_name(cpp, declared.name)
        if name != own:  # `typedef struct node {…} node;`
            is_held = declared.is_pointer or declared.is_array or is_holder(cpp, type_node)
            keep_alias(cpp, node, name, form, *(("holder",) if is_held else ()))


def _read_alias(cpp: CppWalk, node: Node) -> None:
    name, header = node.child_by_field_name("name"), cpp.template
    cpp.template = None
    type_node = node.child_by_field_name("type")
    form = read_type(cpp, type_node)
    cpp.template = header
    if name is not None:
        keep_alias(cpp, node, cpp.text.text(name), form, *(("holder",) if _is_held(cpp, type_node) else ()))


def _is_held(cpp: CppWalk, node: Node | None) -> bool:
    """Whether `Foo*` or `std::unique_ptr<Foo>` is what another name is given to."""
    if node is not None and node.type == "type_descriptor":
        if node.child_by_field_name("declarator") is not None:
            return True
        node = node.child_by_field_name("type")
    return is_holder(cpp, node)


def keep_alias(cpp: CppWalk, node: Node, name: str, form: Expression, *modifiers: str) -> None:
    """Keep a type that stands for another."""
    symbol = cpp.start("type", name, node)
    visibility = cpp.access if cpp.is_in_class else "private" if cpp.is_hidden else "public"
    cpp.keep(
        symbol._replace(
            signature=cpp.text.brief(node, MOST_SIGNATURE_CHARACTERS).rstrip(" ;"),
            doc=cpp.take_doc(symbol.line),
            visibility=visibility,
            modifiers=sorted_modifiers(symbol.modifiers, modifiers),
            value_type=form,
        )
    )


def _read_include(cpp: CppWalk, node: Node) -> None:
    path = node.child_by_field_name("path")
    if path is not None:
        module = cpp.text.brief(path, MOST_SIGNATURE_CHARACTERS)
        cpp.imports.append(Import(cpp.scope, cpp.line(node), module, "*", None))


DECLARATION_HANDLERS: Final[dict[str, Handler]] = {
    "alias_declaration": _read_alias,
    "declaration": read_declaration,
    "preproc_include": _read_include,
    "type_definition": _read_typedef,
}
