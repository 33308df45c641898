"""Ruby expressions: names, constants, members, operators, assignments, and what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import list_of
from drift.languages.facts import EnvironmentRead
from drift.languages.ruby.blocks import read_block_body
from drift.languages.ruby.calls import call_bare, call_super
from drift.languages.ruby.constants import path_form, refer_around
from drift.languages.ruby.declarations import define_constant
from drift.languages.ruby.functions import read_parameters
from drift.languages.ruby.statements import join_either
from drift.languages.ruby.targets import bind_target

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import Handler, RubyWalk

_TRUTHS: Final = frozenset({"==", "!=", "===", "<", ">", "<=", ">=", "=~", "!~", "!", "not", "defined?"})
_CHOOSING: Final = frozenset({"||", "or", "&&", "and"})
_IMPLICIT: Final = frozenset({"it", "_1"})  # the parameter of a block that names none
_PLACES: Final = frozenset({"__FILE__", "__LINE__", "__ENCODING__", "__dir__"})


def _read_identifier(ruby: RubyWalk, node: Node) -> Expression:
    name = ruby.text.text(node)
    bound = ruby.variables.get(name)
    if bound is not None:
        return ("name", bound)
    if name in _PLACES:
        return ("literal", "str")
    if name == "described_class" and ruby.described_class is not None:
        return ruby.described_class
    if name in _IMPLICIT and ruby.block_item is not None:
        return ruby.block_item
    return call_bare(ruby, node, name)


def _read_constant(ruby: RubyWalk, node: Node) -> Expression:
    form: Expression = ("name", ruby.text.text(node))
    ruby.refer(node, form, "value")
    return form


def _read_scoped(ruby: RubyWalk, node: Node) -> Expression:
    """`A::B`, and `::A`, which stands outside of all modules."""
    form = path_form(ruby, node)
    if form is None:
        scope = node.child_by_field_name("scope")
        name = node.child_by_field_name("name")
        receiver = None if scope is None else ruby.visit(scope)
        return None if name is None else ("member", receiver, ruby.text.text(name))
    ruby.refer(node, form, "value")
    refer_around(ruby, node)
    return form


def _read_self(ruby: RubyWalk, _node: Node) -> Expression:
    return ruby.self_form()


def _read_variable(ruby: RubyWalk, node: Node) -> Expression:
    return ruby.own_variable(ruby.text.text(node))


def _read_global(ruby: RubyWalk, node: Node) -> Expression:
    return ("name", ruby.text.text(node))


def _read_super(ruby: RubyWalk, node: Node) -> Expression:
    return call_super(ruby, node, ())


def _read_assignment(ruby: RubyWalk, node: Node) -> Expression:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return None if right is None else ruby.visit(right)
    if left.type in {"constant", "scope_resolution"}:
        return define_constant(ruby, node, left, right)
    if right is not None and right.type == "right_assignment_list":
        return _assign_each(ruby, left, right)
    value = None if right is None else ruby.visit(right)
    bind_target(ruby, left, value)
    return value


def _assign_each(ruby: RubyWalk, left: Node, right: Node) -> Expression:
    """`a, b = 1, 2`: each target its value, where the lists are of one length."""
    values = [ruby.visit(child) for child in right.named_children]
    targets = left.named_children if left.type == "left_assignment_list" else []
    if len(targets) != len(values) or any(target.type == "rest_assignment" for target in targets):
        bind_target(ruby, left, list_of(values))
    else:
        for target, value in zip(targets, values, strict=True):
            bind_target(ruby, target, value)
    return list_of(values)


def _read_operator_assignment(ruby: RubyWalk, node: Node) -> Expression:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    word = "" if operator is None else ruby.text.text(operator)[:-1]
    if left is None or right is None:
        return None
    if left.type in {"constant", "scope_resolution"}:
        return define_constant(ruby, node, left, right)
    is_new = left.type == "identifier" and ruby.text.text(left) not in ruby.variables
    before = None if is_new else ruby.visit(left)
    value = ruby.visit(right)
    if word in _CHOOSING:
        bind_target(ruby, left, value)
        return join_either([before, value])
    ruby.add_access(node, before, word)
    result: Expression = ("operated", before, value, word, "") if before is not None else None
    bind_target(ruby, left, before if result is None else result)
    return result


def _read_binary(ruby: RubyWalk, node: Node) -> Expression:
    """A chain of operators without recursion on its left side, which generated code makes very long."""
    chain: list[Node] = []
    waiting: Node | None = node
    while waiting is not None and waiting.type == "binary":
        chain.append(waiting)
        waiting = waiting.child_by_field_name("left")
    value = None if waiting is None else ruby.visit(waiting)
    for link in reversed(chain):
        operator = link.child_by_field_name("operator")
        word = "" if operator is None else ruby.text.text(operator)
        right = link.child_by_field_name("right")
        other = None if right is None else ruby.visit(right)
        value = _operate(ruby, link, word, (value, other))
    return value


def _operate(ruby: RubyWalk, node: Node, word: str, operands: tuple[Expression, Expression]) -> Expression:
    left, right = operands
    if word in _CHOOSING:
        return join_either([left, right]) if word in {"||", "or"} else right
    if word == "<<" and left is not None and left[0] != "literal":
        # A call like any other, as most containers are filled by it.
        text = ruby.text.callee(node.start_byte, node.end_byte)
        ruby.add_call(node, ("member", left, word), text=text, arguments=((None, right),), kind="implicit")
        return left
    ruby.add_access(node, left, "==" if word == "!=" else word)
    if word in _TRUTHS:
        return ("literal", "bool")
    # What a chain of operators makes is most often what its first one makes.
    if left is None or left[0] in {"literal", "operated"}:
        return left
    return ("operated", left, right, word, "")


def _read_unary(ruby: RubyWalk, node: Node) -> Expression:
    operator, operand = node.child_by_field_name("operator"), node.child_by_field_name("operand")
    word = "" if operator is None else ruby.text.text(operator)
    value = None if operand is None else ruby.visit(operand)
    if word in _TRUTHS:
        return ("literal", "bool")
    ruby.add_access(node, value, f"{word}@" if word in {"-", "+"} else word)
    return value if value is not None and value[0] == "literal" else None


def _read_element(ruby: RubyWalk, node: Node) -> Expression:
    owner = node.child_by_field_name("object")
    places = [child for child in node.named_children if child != owner]
    if owner is None:
        return None
    if owner.type == "constant" and ruby.text.text(owner) == "ENV" and places:
        name = ruby.string_of(places[0])
        if name:
            ruby.environment_reads.append(EnvironmentRead(ruby.scope, ruby.line(node), name))
            return ("literal", "str")
    receiver = ruby.visit(owner)
    for place in places:
        ruby.visit(place)
    ruby.add_access(node, receiver, "[]")
    return None if receiver is None else ("item", receiver)


def _read_lambda(ruby: RubyWalk, node: Node) -> Expression:
    """The code of a lambda is that of the method it stands in."""
    outer, item = dict(ruby.variables), ruby.block_item
    _take_parameters(ruby, node)
    body = node.child_by_field_name("body")
    if body is not None and ruby.hands_to_macro:
        with ruby.run_by_objects():
            read_block_body(ruby, body)
    elif body is not None:
        read_block_body(ruby, body)
    ruby.variables, ruby.block_item = outer, item
    return None


def _take_parameters(ruby: RubyWalk, node: Node) -> None:
    for parameter in read_parameters(ruby, node.child_by_field_name("parameters"), {}):
        if parameter.name.isidentifier():
            ruby.bind_parameter(node, parameter.name, None)


def _read_range(ruby: RubyWalk, node: Node) -> Expression:
    for child in node.named_children:
        ruby.visit(child)
    return ("literal", "list")


VALUE_HANDLERS: Final[dict[str, Handler]] = {
    "assignment": _read_assignment,
    "binary": _read_binary,
    "class_variable": _read_variable,
    "constant": _read_constant,
    "element_reference": _read_element,
    "global_variable": _read_global,
    "identifier": _read_identifier,
    "instance_variable": _read_variable,
    "lambda": _read_lambda,
    "operator_assignment": _read_operator_assignment,
    "range": _read_range,
    "scope_resolution": _read_scoped,
    "self": _read_self,
    "super": _read_super,
    "unary": _read_unary,
}
