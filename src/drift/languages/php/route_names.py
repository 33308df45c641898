"""Names of routes: what is said of one (`->name('home')`), behind the names of its groups, and those of resources (`orders.index`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Constant
from drift.languages.kinds import ROUTE_NAME
from drift.languages.php.routers import calls_behind, chained_setting, text_in_array
from drift.languages.php.walk import value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

_NAMING: Final = ("name", "as", "setName", "setname")
_OF_RESOURCE: Final = ("name", "as", "names")
_OPTIONS: Final = 2  # the place of a resource's options
_BETWEEN: Final = "."


def note_name(php: PhpWalk, number: int, *, nodes: list[Node], receiver: Expression, route: str) -> None:
    """Note the name of a route: called on it, under a key of its options, or behind its handler."""
    said = next(
        (
            php.string_of(given[0]) or ""
            for name, given in calls_behind(php, nodes[0])
            if name in _NAMING and given
        ),
        "",
    ) or next((text for node in nodes if (text := text_in_array(php, value_of(node), "as"))), "")
    if not said and len(nodes) > _OPTIONS:
        said = php.string_of(value_of(nodes[-1])) or ""
    name = f"{_outer(php)}{_chained(php, receiver)}{said}"
    if said or _chained(php, receiver):
        _note(php, number, name, route)


class ResourceNames:
    """The names of the routes of a resource: `Route::resource('orders', …)`, with what its options say of them."""

    def __init__(self, php: PhpWalk, number: int, *, nodes: list[Node], receiver: Expression) -> None:
        self._php, self._number = php, number
        options = value_of(nodes[_OPTIONS]) if len(nodes) > _OPTIONS else None
        behind = [given[0] for name, given in calls_behind(php, nodes[0]) if name in _OF_RESOURCE and given]
        self._names = behind[0] if behind else _value_in(php, options, "names")
        resource = (php.string_of(value_of(nodes[0])) or "").rpartition("/")[2]
        given = php.string_of(self._names) if self._names is not None else ""
        before = _outer(php) + _chained(php, receiver)
        prefix = text_in_array(php, options, "as")
        self._base = before + (given or _BETWEEN.join(part for part in (prefix, resource) if part))
        self._before = before

    def note(self, action: str, route: str) -> None:
        """Note the name of the route that runs this action, by its methods and its path."""
        said = text_in_array(self._php, self._names, action)
        _note(self._php, self._number, f"{self._before}{said}" if said else f"{self._base}.{action}", route)


def _outer(php: PhpWalk) -> str:
    return "".join(group.name for group in php.route_groups)


def _chained(php: PhpWalk, receiver: Expression) -> str:
    said = chained_setting(php, receiver, "name") or chained_setting(php, receiver, "as")
    return said if isinstance(said, str) else ""


def _value_in(php: PhpWalk, node: Node | None, key: str) -> Node | None:
    """What stands under a key of `['names' => [...]]`."""
    if node is None or node.type != "array_creation_expression":
        return None
    for element in node.named_children:
        parts = element.named_children
        if len(parts) > 1 and php.string_of(parts[0]) == key:
            return parts[-1]
    return None


def _note(php: PhpWalk, number: int, name: str, route: str) -> None:
    php.constants.append(Constant(php.scope, php.calls[number].line, ROUTE_NAME, f"{name} {route}"))
