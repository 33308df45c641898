"""Methods by names that are put together: `$name = 'update_' . $version; $this->$name()` is one of a family."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.php.walk import PhpWalk

# What ends at a word, or is long: `get` and `set` begin half of what a class has.
_BEGINNING: Final = re.compile(r"[A-Za-z_]\w{1,80}_|[A-Za-z_]\w{4,80}")
_TEXTS: Final = frozenset({"string", "encapsed_string"})
_MOST_PARTS: Final = 20  # of a name: what has more is a text
_PUT_TOGETHER: Final = frozenset({"binary_expression", "encapsed_string"})


def note_beginning(php: PhpWalk, target: Node, value: Node | None) -> None:
    """Note how the text begins that a variable is given."""
    if target.type == "variable_name" and value is not None and value.type in _PUT_TOGETHER:
        beginning = beginning_of(php, value)
        if beginning is not None:
            php.beginnings[php.scope, php.text.text(target)] = beginning


def beginning_of(php: PhpWalk, node: Node) -> str | None:
    """How a name begins whose end is known at run time only; None for other names."""
    if node.type == "variable_name":
        return php.beginnings.get((php.scope, php.text.text(node)))
    if node.type == "binary_expression":
        return _beginning_of_sum(php, node)
    first = node.named_children[0] if node.type == "encapsed_string" and node.named_child_count > 1 else None
    if first is None or first.type != "string_content":
        return None
    text = php.text.text(first)
    return text if _BEGINNING.fullmatch(text) else None


def _beginning_of_sum(php: PhpWalk, node: Node) -> str | None:
    left: Node | None = node
    for _ in range(_MOST_PARTS):
        if left is None or left.type != "binary_expression":
            break
        operator = left.child_by_field_name("operator")
        if operator is None or php.text.text(operator) != ".":
            return None
        left = left.child_by_field_name("left")
    text = php.string_of(left) if left is not None and left.type in _TEXTS else None
    return text if text is not None and _BEGINNING.fullmatch(text) else None
