"""Methods that do nothing but call another: aliases, delegation of Rails, Forwardable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.facts import Return
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS
from drift.languages.ruby.walk import CLASS_METHOD, arguments_of
from drift.languages.ruby.yard import constant_path

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import RubyWalk


def add_alias(ruby: RubyWalk, node: Node, new: str, old: str) -> None:
    """Another name for a method: a method that calls it."""
    if ruby.class_number is None:
        return
    _add_forwarding(
        ruby, node, new, callee=("member", ("this",), old), text=old, visibility=_visibility_of(ruby, old)
    )


def _visibility_of(ruby: RubyWalk, name: str) -> str:
    """That of a method of the class at hand: another name of it has the same."""
    found = (one for one in reversed(ruby.symbols) if one.parent == ruby.class_number and one.name == name)
    return next((one.visibility for one in found if one.kind == "method"), ruby.visibility)


def _add_forwarding(
    ruby: RubyWalk, node: Node, name: str, *, callee: Expression, text: str, visibility: str = "public"
) -> None:
    """A method that does nothing but call another; `private` before it does not hold for what a library defines."""
    modifiers = (CLASS_METHOD,) if ruby.is_singleton else ()
    symbol = ruby.begin("method", name, node)._replace(
        parent=ruby.class_number or 0,
        signature=ruby.text.brief(node, MOST_SIGNATURE_CHARACTERS),
        visibility=visibility,
        modifiers=tuple(sorted({*modifiers, "alias"})),
    )
    number = ruby.keep(symbol)
    with ruby.inside(number, is_class=False):
        given = ruby.add_call(node, callee, text=text[-100:], kind="implicit")
        ruby.returns.append(Return(number, ("result", given), symbol.line))


def delegate(ruby: RubyWalk, node: Node, _name: str) -> bool:
    """`delegate :name, :email, to: :user, prefix: true` of Rails."""
    arguments = arguments_of(node)
    options = options_of(ruby, arguments)
    to = ruby.string_of(options.get("to")) or ""
    if not to:
        return False
    prefix = options.get("prefix")
    before = "" if prefix is None else f"{ruby.string_of(prefix) or to}_"
    hidden = options.get("private")
    visibility: str = "private" if hidden is not None and hidden.type == "true" else "public"
    for argument in arguments:
        name = ruby.string_of(argument) if argument.type in {"simple_symbol", "string"} else None
        if name:
            callee: Expression = ("member", _reached(to), name)
            _add_forwarding(
                ruby, argument, f"{before}{name}", callee=callee, text=f"{to}.{name}", visibility=visibility
            )
    return True


def _reached(to: str) -> Expression:
    """What a delegation leads to: an instance variable, the class, or what a method gives."""
    if to.startswith("@"):
        return ("member", ("this",), to)
    if to in {"class", "self.class"}:
        return ("member", ("this",), "class")
    if to[:1].isupper():
        return constant_path(to)
    return ("called", ("member", ("this",), to))


def forward(ruby: RubyWalk, node: Node, name: str) -> bool:
    """`def_delegators :@items, :size, :each` and `def_delegator :@items, :size, :count` of Forwardable."""
    texts = [(argument, ruby.string_of(argument)) for argument in arguments_of(node)]
    names = [(argument, text) for argument, text in texts if text]
    if len(names) < 2:  # noqa: PLR2004 - the object and a method
        return False
    to = names[0][1]
    if name in {"def_delegator", "def_instance_delegator"}:
        names = [names[0], (names[1][0], names[1][1]), *names[2:3]]
        made = names[2][1] if len(names) > 2 else names[1][1]  # noqa: PLR2004 - a name of its own
        callee: Expression = ("member", _reached(to), names[1][1])
        _add_forwarding(ruby, names[1][0], made, callee=callee, text=f"{to}.{names[1][1]}")
        return True
    for argument, method in names[1:]:
        callee = ("member", _reached(to), method)
        _add_forwarding(ruby, argument, method, callee=callee, text=f"{to}.{method}")
    return True


def options_of(ruby: RubyWalk, arguments: list[Node]) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for argument in arguments:
        if argument.type == "pair":
            key, value = argument.child_by_field_name("key"), argument.child_by_field_name("value")
            name = ruby.string_of(key)
            if name and value is not None:
                found[name] = value
    return found
