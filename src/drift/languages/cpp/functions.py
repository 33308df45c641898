"""Functions as C and C++ define and declare them, and the walk through a body in its own scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.cpp.built_in import pointer_to
from drift.languages.cpp.declarators import Declared, path_form, plain_name, segments, unwrap
from drift.languages.cpp.entries import name_test, note_function
from drift.languages.cpp.modifiers import read_attributes, read_modifiers
from drift.languages.cpp.type_forms import declared_type, is_class_form, is_constant, is_holder, read_type
from drift.languages.cpp.walk import sorted_modifiers
from drift.languages.expressions import dict_of, list_of
from drift.languages.facts import BASE_CONSTRUCTING, Parameter, Store
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol

_STATEMENTS: Final = frozenset(
    {"for", "if", "switch", "while"}
)  # `#ifdef` before `else if (x) {` makes a function
_PARAMETERS: Final = frozenset(
    {"optional_parameter_declaration", "parameter_declaration", "variadic_parameter_declaration"}
)


class _Header(NamedTuple):
    """How a function is known before its parameters are read."""

    kind: SymbolKind
    name: str
    receiver: Parameter | None  # names the class of a method that stands outside of it
    modifiers: tuple[str, ...]


def _read_definition(cpp: CppWalk, node: Node) -> Expression:
    declared = unwrap(node.child_by_field_name("declarator"))
    is_statement = declared is not None and cpp.text.text(declared.name) in _STATEMENTS
    if declared is None or declared.function is None or is_statement:
        # Not a function, whatever the parser made of it: what is inside still counts.
        for child in node.named_children:
            cpp.visit(child)
        return None
    if (test := name_test(cpp, declared)) is not None:
        symbol = cpp.start("function", test.name, node)
        symbol = symbol._replace(doc=cpp.take_doc(symbol.line), value_type=test.fixture)
        number = define_function(cpp, symbol, node, None)  # the macro's arguments are no parameters
    else:
        header = _read_header(cpp, declared)
        symbol = _begin_function(cpp, node, declared, header)
        number = define_function(cpp, symbol, node, declared.function, receiver=header.receiver)
    note_function(cpp, number, is_test=test is not None)
    return ("symbol", number)


def declare_function(cpp: CppWalk, node: Node, declared: Declared, *, is_abstract: bool = False) -> int:
    """The number of a function that is declared here and defined elsewhere."""
    extra = ("abstract", "declaration") if is_abstract else ("declaration",)
    header = _read_header(cpp, declared)
    symbol = _begin_function(cpp, node, declared, header, extra=extra)
    return define_function(cpp, symbol, node, declared.function, receiver=header.receiver)


def _begin_function(
    cpp: CppWalk, node: Node, declared: Declared, header: _Header, *, extra: tuple[str, ...] = ()
) -> Symbol:
    symbol = cpp.start(header.kind, header.name, node)
    if cpp.is_slot and cpp.is_in_class:
        cpp.slots.add((cpp.class_name, header.name))
    modifiers = read_modifiers(cpp, node, declared.function)
    is_local = "static" in modifiers and header.kind == "function"
    if cpp.is_signal and cpp.is_in_class:
        extra = (*extra, "signal")
    outside = "private" if is_local or cpp.is_hidden else "public"
    return symbol._replace(
        doc=cpp.take_doc(symbol.line),
        decorators=read_attributes(cpp, node),
        visibility=cpp.access if cpp.is_in_class else outside,
        modifiers=sorted_modifiers(symbol.modifiers, modifiers, header.modifiers, extra),
        return_text=_return_text(cpp, node, declared),
    )


def _read_header(cpp: CppWalk, declared: Declared) -> _Header:
    node = declared.name
    names = segments(cpp, node) if node.type == "qualified_identifier" else [plain_name(cpp, node)]
    name, owners = names[-1], [part for part in names[:-1] if part]
    modifiers = ("destructor",) if name.startswith("~") else ()
    if owners and not all(owner in cpp.namespaces for owner in owners):
        kind: SymbolKind = "constructor" if name == owners[-1] else "method"
        receiver = Parameter("this", "receiver", "::".join(owners), path_form(owners))
        return _Header(kind, name, receiver, modifiers)
    if not cpp.is_in_class:
        return _Header("function", name, None, modifiers)
    return _Header("constructor" if name == cpp.class_name else "method", name, None, modifiers)


def _return_text(cpp: CppWalk, node: Node, declared: Declared) -> str | None:
    type_node = node.child_by_field_name("type")
    if type_node is None or type_node.start_byte > declared.name.start_byte:
        return None
    end = declared.name.start_byte
    return cpp.text.brief_slice(type_node.start_byte, end, limit=MOST_TEXT_CHARACTERS).strip() or None


def define_function(
    cpp: CppWalk, symbol: Symbol, node: Node, function: Node | None, *, receiver: Parameter | None = None
) -> int:
    """The number of a function's symbol, after gathering its signature and body in its scope."""
    number = cpp.keep(symbol)
    outer = (cpp.scope, cpp.known, cpp.objects, cpp.constant_name)
    # A lambda sees what is around it; a function in a class in a function does not.
    is_lambda = node.type == "lambda_expression"
    cpp.known, cpp.objects = (set(cpp.known), dict(cpp.objects)) if is_lambda else (set(), {})
    cpp.scope, cpp.constant_name = number, None
    parameters = read_parameters(cpp, function)
    if receiver is not None:
        parameters = (receiver, *parameters)
    cpp.known.update(parameter.name for parameter in parameters)
    trailing = None if function is None else _child(function, "trailing_return_type")
    returned = trailing or (None if is_lambda else node.child_by_field_name("type"))
    form = read_type(cpp, returned)
    body = node.child_by_field_name("body")
    initializers = _child(node, "field_initializer_list")
    end = node.end_byte if body is None else (initializers or body).start_byte
    text = cpp.text.brief_slice(symbol.start_byte, end, limit=MOST_SIGNATURE_CHARACTERS)
    return_text = symbol.return_text
    if trailing is not None:
        return_text = cpp.text.brief(trailing, MOST_TEXT_CHARACTERS).removeprefix("->").strip()
    cpp.symbols[number] = symbol._replace(
        signature=text.rstrip(" ;:{"),
        parameters=parameters,
        return_text=return_text,
        return_type=pointer_to(form) if return_text is not None and return_text.endswith("*") else form,
    )
    written = [] if initializers is None else _read_initializers(cpp, initializers)
    is_plain_default = (
        "default" in symbol.modifiers and not parameters
    )  # `Box() = default;` makes the fields all the same
    if symbol.kind == "constructor" and (body is not None or is_plain_default):
        _note_parts(cpp, node, written)
    if body is not None:
        cpp.visit(body)
    cpp.scope, cpp.known, cpp.objects, cpp.constant_name = outer
    return number


def read_parameters(cpp: CppWalk, function: Node | None) -> tuple[Parameter, ...]:
    """Every parameter of a function declarator; one without a name is called `_`."""
    listed = None if function is None else _parameter_list(function)
    found: list[Parameter] = []
    for child in () if listed is None else listed.children:
        if child.type in {"...", "variadic_parameter"}:
            found.append(Parameter("...", "rest"))
        elif child.type == "identifier":
            found.append(Parameter(cpp.text.text(child)))  # as C was written before types stood here
        elif child.type in _PARAMETERS:
            found.append(_read_parameter(cpp, child))
    is_void = len(found) == 1 and found[0].name == "_" and found[0].type_text == "void"
    return () if is_void else tuple(found)


def _parameter_list(function: Node) -> Node | None:
    if function.type == "operator_cast":
        inner = function.child_by_field_name("declarator")
        return None if inner is None else inner.child_by_field_name("parameters")
    return function.child_by_field_name("parameters")


def _read_parameter(cpp: CppWalk, node: Node) -> Parameter:
    type_node, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    default = node.child_by_field_name("default_value")
    declared = unwrap(declarator)
    name = "_" if declared is None else plain_name(cpp, declared.name)
    form = read_type(cpp, type_node)
    if default is not None:
        cpp.visit(default)
    is_value = declared is not None and not (declared.is_pointer or declared.is_array or declared.function)
    if cpp.is_cpp and is_value and is_class_form(form) and not is_holder(cpp, type_node):
        cpp.objects[name] = is_constant(cpp, node)
        cpp.object_types[name] = form
    end = node.end_byte if default is None else default.start_byte
    text = cpp.text.brief_slice(node.start_byte, end, limit=MOST_TEXT_CHARACTERS).rstrip(" =")
    if declared is not None and text.endswith(name):
        text = text.removesuffix(name).rstrip()
    return Parameter(
        name,
        "rest" if node.type == "variadic_parameter_declaration" else "plain",
        text or None,
        pointer_to(form) if declared is None and text.endswith("*") else declared_type(form, declared),
        None if default is None else cpp.text.brief(default, MOST_TEXT_CHARACTERS),
    )


def _read_initializers(cpp: CppWalk, node: Node) -> list[tuple[str, Expression]]:
    """What `: Base(x), field_{y}` of a constructor names, with what it gives to them.

    In a class it is known which are its bases: these are calls, for which None stands, and the others stores.
    """
    own = cpp.symbols[cpp.scope]
    parent = cpp.symbols[own.parent]
    bases = {base.text.rpartition("::")[2].partition("<")[0] for base in parent.bases}
    written: list[tuple[str, Expression]] = []
    for initializer in node.named_children:
        if initializer.type != "field_initializer" or not initializer.named_child_count:
            continue
        target = initializer.named_children[0]
        values = [
            cpp.visit(child) for part in initializer.named_children[1:] for child in part.named_children
        ]
        names = segments(cpp, target) if target.type == "qualified_identifier" else [plain_name(cpp, target)]
        is_base = names[-1] in bases or target.type != "field_identifier"
        if is_base or names[-1] == own.name:
            written.append((names[-1], None))
            arguments = tuple((None, value) for value in values)
            cpp.add_call(
                target, path_form(names), text=cpp.call_text(target), arguments=arguments, kind="implicit"
            )
            continue
        written.append((names[-1], list_of(values)))
        if values:
            value = values[0] if len(values) == 1 else None
            cpp.stores.append(Store(cpp.scope, ("this",), names[-1], value, cpp.line(initializer)))
    return written


def _note_parts(cpp: CppWalk, node: Node, written: list[tuple[str, Expression]]) -> None:
    """Note that a constructor runs those of bases and fields; one that leaves the work to another of its class does not."""
    own = cpp.symbols[cpp.scope]
    if cpp.is_cpp and all(name != own.name for name, _ in written):
        cpp.add_access(node, dict_of(written), BASE_CONSTRUCTING)


def _read_lambda(cpp: CppWalk, node: Node) -> Expression:
    captures = node.child_by_field_name("captures")
    for capture in () if captures is None else captures.named_children:
        if capture.type == "lambda_capture_initializer":
            cpp.visit_field(capture, "right")
            left = capture.child_by_field_name("left")
            cpp.known.add("" if left is None else cpp.text.text(left))
    symbol = cpp.begin("function", "<lambda>", node)
    return ("symbol", define_function(cpp, symbol, node, node.child_by_field_name("declarator")))


def _child(node: Node, kind: str) -> Node | None:
    return next((child for child in node.named_children if child.type == kind), None)


FUNCTION_HANDLERS: Final[dict[str, Handler]] = {
    "function_definition": _read_definition,
    "inline_method_definition": _read_definition,
    "lambda_expression": _read_lambda,
}
