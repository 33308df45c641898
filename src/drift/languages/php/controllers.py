"""The methods that answer routes of PHP, in whatever way a route names them.

A closure, `[Users::class, 'show']`, `'Users@show'`, `'show'` in a group with a controller, a class that is called
itself, or any of these as the `uses` of an array. Names in strings are completed by the namespace of their group,
and by the framework's own where that names no controllers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.frameworks import load_frameworks
from drift.languages.php.arguments import name_callable, name_in_pair
from drift.languages.php.routers import chained_setting
from drift.languages.php.walk import qualify

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

_WORDS: Final = load_frameworks("php").words["routes"]
_NAMESPACE: Final = str(_WORDS["namespace"])
_HANDLER_KEY: Final = str(_WORDS["handler_key"])
_INVOKED: Final = "__invoke"


def answering_form(php: PhpWalk, node: Node | None, value: Expression, receiver: Expression) -> Expression:
    """What answers a route that is handed this value; None where nothing says it."""
    node, value = _used(php, node, value)
    text = php.string_of(node)
    if text is None:
        return _invoked(name_in_pair(php, node, value))
    if "@" in text or "::" in text:
        return _named_method(php, node, text, receiver)
    controller = chained_setting(php, receiver, "controller") or _group_controller(php)
    if controller is not None and not isinstance(controller, str):
        return ("member", controller, text)
    return name_callable(php, node)


def controller_form(php: PhpWalk, node: Node | None, value: Expression, receiver: Expression) -> Expression:
    """The class that answers the routes of a resource."""
    text = php.string_of(node)
    return value if text is None else qualify(_whole_name(php, text, receiver))


def _used(php: PhpWalk, node: Node | None, value: Expression) -> tuple[Node | None, Expression]:
    """The `uses` of `['uses' => 'Users@show', 'as' => 'show']`; anything else as it is."""
    if node is None or node.type != "array_creation_expression":
        return node, value
    for element in node.named_children:
        parts = element.named_children
        if len(parts) > 1 and php.string_of(parts[0]) == _HANDLER_KEY:
            given = dict(value[1:]) if value is not None and value[0] == "dict" else {}
            return parts[-1], given.get(_HANDLER_KEY)
    return node, value


def _invoked(value: Expression) -> Expression:
    """What runs where a class alone is named."""
    is_class = value is not None and value[0] in {"name", "member"} and value[-1][:1].isupper()
    return ("member", value, _INVOKED) if is_class else value


def _named_method(php: PhpWalk, node: Node | None, text: str, receiver: Expression) -> Expression:
    owner, _, method = text.replace("@", "::").partition("::")
    form: Expression = ("member", qualify(_whole_name(php, owner, receiver)), method)
    if node is not None:
        php.refer(node, form, "value")
    return form


def _whole_name(php: PhpWalk, name: str, receiver: Expression) -> str:
    """The name of a controller with the namespaces of the groups around it."""
    name = name.replace("\\\\", "\\")
    if name.startswith("\\"):
        return name
    chained = chained_setting(php, receiver, "namespace")
    around = [group.namespace for group in php.route_groups if group.namespace]
    spaces = [*around, *([chained] if isinstance(chained, str) else [])]
    whole = "\\".join((*(space.strip("\\").replace("\\\\", "\\") for space in spaces), name))
    is_whole = "controllers" in whole.lower().split("\\")[:-1] or not _is_application(php)
    return "\\" + (whole if is_whole else f"{_NAMESPACE}\\{whole}")


def _is_application(php: PhpWalk) -> bool:
    """Whether a file is one of those whose controllers the framework completes."""
    return f"/{php.path.lower()}".rpartition("/")[0].endswith("/routes")


def _group_controller(php: PhpWalk) -> Expression:
    return next((group.controller for group in reversed(php.route_groups) if group.controller), None)
