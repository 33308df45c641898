"""Objects that a container gives by the name of a class, or by one of their own: `app(Cart::class)`, `app('cart')`.

What is bound to a name of its own is kept as a variable that all files share, `$app['cart']`, as one could also write it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import last_name
from drift.languages.facts import Binding
from drift.languages.frameworks import load_frameworks
from drift.languages.php.walk import value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

    Values = tuple[tuple[str | None, Expression], ...]

_FRAMEWORKS: Final = load_frameworks("php")
_GIVING_FUNCTIONS: Final = _FRAMEWORKS.names("container", "giving_functions")
_GIVING_METHODS: Final = _FRAMEWORKS.names("container", "giving_methods")
_GIVING_BY_NAME: Final = _FRAMEWORKS.names("container", "giving_by_name")
_BINDING: Final = _FRAMEWORKS.names("container", "binding")
_SETTING: Final = _FRAMEWORKS.names("container", "setting")
_CONTAINER: Final = "container"
_ACCESSORS: Final = _FRAMEWORKS.names("facades", "accessors")
_BOUND_ARGUMENTS: Final = 2  # a name and what is bound to it


def given_by_container(
    php: PhpWalk, callee: Expression, nodes: list[Node], *, values: Values, result: Expression
) -> Expression:
    """What a call gives that may ask a container for something; nothing of a call that does not."""
    if callee is None or not nodes or callee[0] not in {"name", "member"}:
        return None
    is_of_container = _is_container(callee)
    if callee[-1] in _BINDING or (is_of_container and callee[-1] in _SETTING):
        _note_bound(php, nodes, values)
        return None
    if callee[-1] not in (_GIVING_FUNCTIONS if callee[0] == "name" else _GIVING_METHODS):
        return None
    given, asked = value_of(nodes[0]), values[0][1]
    if given is not None and given.type == "class_constant_access_expression":
        # A class by its name is a name or a member of a namespace; so is a constant, but that is none of the names.
        is_class = asked is not None and (asked[0] == "name" or asked[0] == "member")
        return ("instance", asked) if is_class else None
    name = php.string_of(given) if is_of_container or callee[-1] in _GIVING_BY_NAME else None
    return ("first", _shared(name), result) if name else None


def _is_container(callee: Expression) -> bool:
    """Whether a method is called of something that is called a container: `$this->container->get('cart')`."""
    if callee is None or callee[0] != "member":
        return False
    return last_name(callee[1]).lower().endswith(_CONTAINER)


def accessed_by_facade(php: PhpWalk, node: Node | None, value: Expression) -> Expression:
    """What a method gives back that names the object behind a facade; other values as they are."""
    if php.symbols[php.scope].name not in _ACCESSORS:
        return value
    name = php.string_of(node)
    return _shared(name) if name else value


def _note_bound(php: PhpWalk, nodes: list[Node], values: Values) -> None:
    name = php.string_of(value_of(nodes[0]))
    if not name or len(nodes) < _BOUND_ARGUMENTS:
        return
    bound, node = values[1][1], value_of(nodes[1])
    is_class_name = node is not None and node.type == "class_constant_access_expression"
    value: Expression = bound
    if is_class_name:
        value = ("instance", bound)
    elif bound is not None and bound[0] == "symbol":
        value = ("called", bound)
    if value is not None:
        php.bindings.append(Binding(0, _variable(name), value, php.line(nodes[0])))


def _shared(name: str) -> Expression:
    return ("member", ("symbol", 0), _variable(name))


def _variable(name: str) -> str:
    return f"$app['{name}']"
