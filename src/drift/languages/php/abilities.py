"""Questions whether a user may do something: `$this->authorize('update', $post)`, `Gate::allows('see-reports')`.

A question is kept as an access of what is asked about, under a name that nothing else has; what answers it is found in linking.
What is defined for an ability of its own is kept as a variable that all files share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Binding
from drift.languages.frameworks import load_frameworks
from drift.languages.php.walk import value_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

    Values = tuple[tuple[str | None, Expression], ...]

_FRAMEWORKS: Final = load_frameworks("php")
_ASKING: Final = _FRAMEWORKS.names("abilities", "asking")
_DEFINING: Final = _FRAMEWORKS.names("abilities", "defining")
_ALL_ACTIONS: Final = _FRAMEWORKS.names("abilities", "all_actions")
_ACTIONS: Final = _FRAMEWORKS.texts("abilities", "actions")
_CLASS: Final = "class_constant_access_expression"
_NAMED: Final = _ASKING | _DEFINING | _ALL_ACTIONS

ABILITY: Final = "@can "
"""What the name of an access begins with that asks for an ability."""


def ability_variable(ability: str) -> str:
    """The name under which what answers for an ability is shared."""
    return f"$can['{ability}']"


def note_abilities(php: PhpWalk, callee: Expression, nodes: list[Node], *, values: Values) -> None:
    """Note the abilities that a call asks for or defines."""
    if callee is None or callee[0] != "member" or callee[2] not in _NAMED or not nodes:
        return
    if callee[2] in _ALL_ACTIONS:
        for action in _ACTIONS:
            _ask(php, nodes[0], values[0][1], action)
        return
    place = next((at for at, node in enumerate(nodes[:2]) if php.string_of(value_of(node))), None)
    if place is None:
        return
    ability = php.string_of(value_of(nodes[place])) or ""
    following = values[place + 1][1] if len(values) > place + 1 else None
    if callee[2] in _DEFINING:
        if following is not None:
            # A pair of a class and a method is a callable already.
            answering: Expression = following if following[0] == "partial" else ("partial", following)
            php.bindings.append(Binding(0, ability_variable(ability), answering, php.line(nodes[0])))
    else:
        _ask(php, nodes[min(place + 1, len(nodes) - 1)], following, ability)


def _ask(php: PhpWalk, node: Node, about: Expression, ability: str) -> None:
    given = value_of(node)
    if about is not None and about[0] == "list":
        about = about[1] if len(about) > 1 else None  # what is asked about, and what else decides
    elif given is not None and given.type == _CLASS and about is not None:
        about = ("instance", about)
    is_known = about is not None and about[0] != "literal"
    php.add_access(node, about if is_known else ("symbol", 0), f"{ABILITY}{ability}")
