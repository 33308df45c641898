"""Routes that a package adds by one call: `Auth::routes(['verify' => true])` of Laravel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.facts import Constant
from drift.languages.frameworks import join_route, load_frameworks
from drift.languages.kinds import ROUTE_NAME
from drift.languages.php.walk import Registration, qualify, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

_BUNDLES: Final[dict[tuple[str, str], dict[str, Any]]] = {
    (row["owner"], row["call"]): row for row in load_frameworks("php").words["bundles"]
}


def note_bundle(php: PhpWalk, number: int, *, nodes: list[Node]) -> None:
    """Note the routes that a call adds, each with what answers it and under its name."""
    callee = php.calls[number].callee
    if callee is None or callee[0] != "member" or callee[1] is None or callee[1][0] not in {"name", "member"}:
        return
    bundle = _BUNDLES.get((callee[1][-1], callee[2]))
    if bundle is None:
        return
    options = _options(php, value_of(nodes[0]) if nodes else None)
    line = php.calls[number].line
    for route in _added(bundle, options):
        method, path, answering, name = (*route.split(" "), "")[:4]
        owner, _, action = answering.partition("@")
        whole = join_route(*(group.prefix for group in php.route_groups), path)
        handler: Expression = ("member", qualify(f"\\{bundle['namespace']}\\{owner}"), action)
        php.registrations.append(Registration(handler, php.scope, "http", f"{method} {whole}", line))
        if name:
            php.constants.append(Constant(php.scope, line, ROUTE_NAME, f"{name} {method} {whole}"))


def _added(bundle: dict[str, Any], options: dict[str, str]) -> Iterator[str]:
    for option, routes in bundle["groups"].items():
        said = options.get(option, "false" if option in bundle["asked"] else "true")
        if said != "false":
            yield from routes


def _options(php: PhpWalk, node: Node | None) -> dict[str, str]:
    """The options of an array by their names, as they are written."""
    if node is None or node.type != "array_creation_expression":
        return {}
    pairs = (each.named_children for each in node.named_children if each.named_child_count > 1)
    return {php.string_of(pair[0]) or "": php.text.text(pair[-1]).lower() for pair in pairs}
