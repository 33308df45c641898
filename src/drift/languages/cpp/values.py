"""C and C++ expressions: what they are worth, and the names, calls and literals in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.cpp.declarators import path_form, plain_name, segments
from drift.languages.cpp.library_calls import held_value, note_environment, part_taken, value_of
from drift.languages.cpp.literals import LITERAL_HANDLERS, STRING
from drift.languages.cpp.made_types import note_given_types, note_made, type_made
from drift.languages.cpp.operators import note_operator, note_right_operand, note_truth
from drift.languages.cpp.signals import names_signals, read_connection
from drift.languages.cpp.type_forms import called_types, read_type, template_arguments
from drift.languages.cpp.walk import parts_of
from drift.languages.expressions import dict_of, either_of, library_shape, list_of
from drift.languages.limits import MOST_ELEMENTS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.expressions import Expression

_CASTS: Final = frozenset(
    {"bit_cast", "const_cast", "dynamic_cast", "dynamic_pointer_cast", "reinterpret_cast", "static_cast",
     "static_pointer_cast"}
)  # fmt: skip
_TAKERS: Final = frozenset({"any_cast", "get", "get_if"})
_MOVERS: Final = frozenset({"forward", "move"})
_ENVIRONMENT_READERS: Final = frozenset({"_wgetenv", "getenv", "secure_getenv"})
_TRUTHS: Final = frozenset({"!=", "&&", "<", "<=", "==", ">", ">=", "||", "and", "not_eq", "or"})
_JOINING: Final = frozenset({"&&", "||", "and", "or"})
_TYPE_WORDS: Final = frozenset({"char", "class", "const", "double", "float", "int", "long", "struct", "void"})


def _read_identifier(cpp: CppWalk, node: Node) -> Expression:
    name = cpp.text.text(node)
    if name in _TYPE_WORDS:
        return None  # a type that recovery took for a value
    form: Expression = ("name", name)
    if name not in cpp.known:
        cpp.refer(node, form, "value")
    return form


def _read_this(_cpp: CppWalk, _node: Node) -> Expression:
    return ("this",)


def _read_field(cpp: CppWalk, node: Node) -> Expression:
    argument, field = parts_of(node, "argument", "field")
    receiver = None if argument is None else cpp.visit(argument)
    return None if field is None else ("member", receiver, plain_name(cpp, field))


def _read_qualified(cpp: CppWalk, node: Node) -> Expression:
    form = _qualified_form(cpp, node)
    cpp.refer(node, form, "value")
    return form


def _qualified_form(cpp: CppWalk, node: Node) -> Expression:
    """`a::b::c` where it names a value; the types in its template arguments are gathered."""
    inner: Node | None = node
    while inner is not None and inner.type == "qualified_identifier":
        scope = inner.child_by_field_name("scope")
        if scope is not None and scope.type == "template_type":
            template_arguments(cpp, scope)
        elif scope is not None and inner == node and cpp.text.text(scope)[:1].isupper():
            cpp.refer(scope, ("name", cpp.text.text(scope)), "type")  # a namespace is seldom called so
        inner = inner.child_by_field_name("name")
    return path_form(segments(cpp, node))


def _read_call(cpp: CppWalk, node: Node) -> Expression:
    """A call, and those it is chained to, without recursion: builders make chains hundreds of links long."""
    links: list[tuple[Node, Node, Node | None]] = []
    waiting: Node | None = node
    while waiting is not None and waiting.type == "call_expression":
        function, listed = _call_parts(waiting)
        if function is None:
            break
        links.append((waiting, function, listed))
        waiting = parts_of(function, "argument", "field")[0] if function.type == "field_expression" else None
    value = None if waiting is None or waiting == node else cpp.visit(waiting)
    for call, function, listed in reversed(links):
        if function.type == "field_expression":
            field = function.child_by_field_name("field")
            callee = None if field is None else _member_called(cpp, field, value)
            value = _apply(cpp, call, function, listed=listed, callee=callee)
        else:
            value = _apply(cpp, call, function, listed=listed)
    return value


def _member_called(cpp: CppWalk, field: Node, value: Expression) -> Expression:
    """What is called of an object; `this->Base::run()` names the class whose method runs, whatever overrides that."""
    if field.type == "qualified_identifier":
        return path_form(segments(cpp, field))
    return ("member", value, plain_name(cpp, field))


def _call_parts(node: Node) -> tuple[Node | None, Node | None]:
    children = node.children
    if len(children) == 2:  # noqa: PLR2004 - a function and its arguments, unless a comment stands between
        return children[0], children[1]
    return node.child_by_field_name("function"), node.child_by_field_name("arguments")


def _apply(
    cpp: CppWalk, node: Node, function: Node, *, listed: Node | None, callee: Expression = None
) -> Expression:
    """The result of calling what `function` names; `callee` is its meaning where that is known."""
    last = function
    while last.type == "qualified_identifier" and (inner := last.child_by_field_name("name")) is not None:
        last = inner
    kind = last.type
    types = called_types(cpp, last)
    name = plain_name(cpp, last) if kind in {"identifier", "template_function"} else ""
    if name in _CASTS and types:
        _read_arguments(cpp, listed)
        return value_of(types[0])
    if kind == "primitive_type":  # int(x)
        _read_arguments(cpp, listed)
        return cpp.visit(function)
    if callee is None:
        callee = _read_callee(cpp, function)
    arguments = _read_arguments(cpp, listed, callee)
    if callee is not None and callee[0] == "literal":
        return callee  # `(unsigned)(x)`: a cast, whatever the parser made of it
    place = (function.child_by_field_name("field") or function) if kind == "field_expression" else function
    text = cpp.text.callee(function.start_byte, place.end_byte)
    number = cpp.add_call(place, callee, text=text, arguments=arguments)
    if (made := type_made(cpp, function, last, types, name=name)) is not None:
        cpp.add_call(place, made, text=text, arguments=arguments, kind="implicit")
        return ("instance", made)
    if types:
        note_given_types(cpp, place, callee, types)
    if name in _ENVIRONMENT_READERS and listed is not None:
        note_environment(cpp, node, listed)
    is_of_library = function.type == "qualified_identifier" and len(arguments) == 1
    if is_of_library and name in _TAKERS | _MOVERS:
        return _passed_on(cpp, last, types, arguments[0][1], name=name) or ("result", number)
    return ("result", number)


def _passed_on(
    cpp: CppWalk, last: Node, types: list[Expression], given: Expression, *, name: str
) -> Expression:
    """What `std::get<0>(pair)` and `std::move(box)` give, which is of what they are given."""
    if name in _TAKERS:
        return part_taken(cpp, last, types, given)
    # One of a single thing: who takes it knows by this that it was given away.
    return None if given is None else ("either", given)


def _read_callee(cpp: CppWalk, function: Node) -> Expression:
    """What is called. Its name is no reference of its own."""
    kind = function.type
    if kind == "identifier":
        return ("name", cpp.text.text(function))
    if kind == "qualified_identifier":
        return _qualified_form(cpp, function)
    if kind == "template_function":
        return ("name", plain_name(cpp, function))
    return cpp.visit(function)


def _read_arguments(
    cpp: CppWalk, listed: Node | None, callee: Expression = None
) -> tuple[tuple[str | None, Expression], ...]:
    if listed is None:
        return ()
    if names_signals(callee, listed):
        return read_connection(cpp, callee, listed, _read_argument)
    return tuple(
        (None, _read_argument(cpp, child)) for child in listed.named_children if child.type != "comment"
    )


def _read_argument(cpp: CppWalk, node: Node) -> Expression:
    """An argument. Of `*p` and `&x` it is marked that the type is not the one of the variable that is named."""
    value = cpp.visit(node)
    if node.type != "pointer_expression" or value is None or value[0] != "name" or value[1] not in cpp.known:
        return value
    return ("awaited", value)


def _read_new(cpp: CppWalk, node: Node) -> Expression:
    type_node, listed = node.child_by_field_name("type"), node.child_by_field_name("arguments")
    form = read_type(cpp, type_node)
    arguments = _read_arguments(cpp, listed)
    cpp.visit_field(node, "declarator")
    note_made(cpp, type_node)
    if type_node is None or type_node.type in {"primitive_type", "sized_type_specifier"}:
        return form
    text = cpp.call_text(type_node)
    return ("result", cpp.add_call(type_node, form, text=text, arguments=arguments, kind="new"))


def _read_compound_literal(cpp: CppWalk, node: Node) -> Expression:
    """`Foo{1}` constructs in C++; `(struct foo){1}` is a value of the type in C."""
    type_node, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    form = read_type(cpp, type_node)
    note_made(cpp, type_node)
    arguments = _read_arguments(cpp, value)
    if type_node is None or not cpp.is_cpp or type_node.type == "type_descriptor":
        return None if form is None else ("instance", form)
    if form is not None and form[0] == "literal":
        return form  # size_t{4}
    text = cpp.call_text(type_node)
    held = library_shape(form)
    if held is not None and (held[0] == "list" or held[0] == "dict"):
        path = path_form(segments(cpp, type_node)) if type_node.type == "qualified_identifier" else form
        cpp.add_call(type_node, path, text=text, arguments=arguments, kind="new")
        return ("instance", held_value(form))  # no bare list, which may be made into anything
    return ("result", cpp.add_call(type_node, form, text=text, arguments=arguments, kind="new"))


def _read_subscript(cpp: CppWalk, node: Node) -> Expression:
    argument = node.child_by_field_name("argument")
    value = None if argument is None else cpp.visit(argument)
    listed, index = node.child_by_field_name("indices"), cpp.visit_field(node, "index")
    if listed is not None:
        given = _read_arguments(cpp, listed)
        index = given[0][1] if len(given) == 1 else None
    if cpp.is_cpp and argument is not None:
        note_operator(cpp, argument, value, operator="[]", right=index)
    return ("item", value)


def _read_pointer(cpp: CppWalk, node: Node) -> Expression:
    """`*p` and `&x`: a pointer is what it points to."""
    children = node.children
    if len(children) != 2:  # noqa: PLR2004 - sign and operand
        return cpp.visit_field(node, "argument")
    sign, operand = children
    value = cpp.visit(operand)
    if cpp.is_cpp and operand.type == "identifier" and sign.type == "*":
        note_operator(cpp, operand, value, operator="*")
    return value


def _read_unary(cpp: CppWalk, node: Node) -> Expression:
    """`!x`, `-x` and `++x`: of a number one, of an object what its class says."""
    argument, operator = node.child_by_field_name("argument"), node.child_by_field_name("operator")
    value = None if argument is None else cpp.visit(argument)
    if cpp.is_cpp and argument is not None and operator is not None and value is not None:
        note_operator(cpp, argument, value, operator=operator.type)
        if operator.type in {"!", "not"}:
            note_truth(cpp, argument)
    return ("literal", "bool") if operator is not None and operator.type in {"!", "not"} else None


def _read_cast(cpp: CppWalk, node: Node) -> Expression:
    form = read_type(cpp, node.child_by_field_name("type"))
    cpp.visit_field(node, "value")
    return value_of(form)


def _read_conditional(cpp: CppWalk, node: Node) -> Expression:
    cpp.visit_field(node, "condition")
    note_truth(cpp, node.child_by_field_name("condition"))
    sides = [cpp.visit_field(node, field) for field in ("consequence", "alternative")]
    known = [side for side in dict.fromkeys(sides) if side is not None]
    return either_of(known) if len(known) > 1 else known[0] if known else None


def _read_binary(cpp: CppWalk, node: Node) -> Expression:
    """A chain of operators without recursion on its left side, which generated code makes very long."""
    operator = node.child_by_field_name("operator")
    waiting: Node | None = node
    operands: list[Node] = []
    signs: list[str] = []
    while waiting is not None and waiting.type == "binary_expression":
        sign = operator if waiting is node else waiting.child_by_field_name("operator")
        waiting, right = parts_of(waiting, "left", "right")
        if right is not None:
            operands.append(right)
            signs.append("" if sign is None else sign.type)
    if waiting is not None:
        operands.append(waiting)
    operands.reverse()
    signs.reverse()
    values = [cpp.visit(operand) for operand in operands]
    if cpp.is_cpp and waiting is not None and len(values) > 1:
        # Of a longer chain it is not known what its parts give, for which the later operators are.
        note_operator(cpp, waiting, values[0], operator=signs[0], right=values[1])
        _note_operands(cpp, operands, values, signs)
    if operator is not None and operator.type in _TRUTHS:
        return ("literal", "bool")
    is_joined = cpp.is_cpp and all(sign == "+" for sign in signs[: len(values) - 1])
    return STRING if is_joined and ("literal", "str") in values else None


def _note_operands(cpp: CppWalk, operands: list[Node], values: list[Expression], signs: list[str]) -> None:
    """Note the objects behind operators, and those that are asked whether they are true."""
    first = values[0]
    is_number = first is not None and first[0] == "literal"
    for sign, operand, value in zip(signs, operands[1:], values[1:], strict=True):
        if sign in _JOINING:
            note_truth(cpp, operand)
        else:
            note_right_operand(cpp, operand, value, operator=sign, first=first, is_number=is_number)
        is_number = False  # of what stands before the next nothing is known
    if signs[0] in _JOINING:
        note_truth(cpp, operands[0])


def _read_initializers(cpp: CppWalk, node: Node) -> Expression:
    pairs: list[tuple[str | None, Expression]] = []
    has_names = False
    for child in node.named_children:
        if child.type == "comment":
            continue
        name: str | None = None
        if child.type == "initializer_pair":
            designator = child.child_by_field_name("designator")
            if designator is not None and designator.type == "field_designator":
                name = cpp.text.text(designator).lstrip(". ")
                has_names = True
            value = cpp.visit_field(child, "value")
        else:
            value = cpp.visit(child)
        if len(pairs) < MOST_ELEMENTS:
            pairs.append((name, value))
    return dict_of(pairs) if has_names else list_of(value for _, value in pairs)


def _read_template_value(cpp: CppWalk, node: Node) -> Expression:
    """`f<int>` used as a value."""
    template_arguments(cpp, node)
    form: Expression = ("name", plain_name(cpp, node))
    cpp.refer(node, form, "value")
    return form


def _read_awaited(cpp: CppWalk, node: Node) -> Expression:
    return ("awaited", cpp.visit_field(node, "argument"))


def _read_inner(cpp: CppWalk, node: Node) -> Expression:
    value: Expression = None
    for child in node.named_children:
        if child.type != "comment":
            value = cpp.visit(child)
    return value


def _skip(_cpp: CppWalk, _node: Node) -> None:
    return


VALUE_HANDLERS: Final[dict[str, Handler]] = {
    **LITERAL_HANDLERS,
    "attribute_declaration": _skip,
    "attribute_specifier": _skip,
    "binary_expression": _read_binary,
    "call_expression": _read_call,
    "cast_expression": _read_cast,
    "co_await_expression": _read_awaited,
    "compound_literal_expression": _read_compound_literal,
    "conditional_expression": _read_conditional,
    "field_expression": _read_field,
    "field_identifier": _skip,
    "identifier": _read_identifier,
    "initializer_list": _read_initializers,
    "ms_declspec_modifier": _skip,
    "namespace_identifier": _skip,
    "new_expression": _read_new,
    "parenthesized_expression": _read_inner,
    "pointer_expression": _read_pointer,
    "preproc_call": _skip,
    "preproc_defined": _skip,
    "qualified_identifier": _read_qualified,
    "statement_identifier": _skip,
    "subscript_expression": _read_subscript,
    "template_function": _read_template_value,
    "this": _read_this,
    "unary_expression": _read_unary,
    "update_expression": _read_unary,
}
