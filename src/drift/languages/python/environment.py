"""Reads of environment variables in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import EnvironmentRead
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.python.strings import joined_value

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Walk

_MAPPINGS: Final = (("name", "environ"), ("member", ("name", "os"), "environ"))
_FUNCTIONS: Final = (("name", "getenv"), ("member", ("name", "os"), "getenv"))
# What reads a variable, by its last name; setdefault and pop give the value back as get does.
READERS: Final = frozenset({"get", "getenv", "pop", "setdefault"})


def note_call_read(walk: Walk, node: Node, *, callee: Expression, arguments: Node) -> None:
    """Note `os.environ.get("X", default)` and `os.getenv("X")`, however os was imported."""
    is_read = callee in _FUNCTIONS or (
        callee is not None and callee[0] == "member" and callee[2] != "getenv" and callee[1] in _MAPPINGS
    )
    given = [argument for argument in arguments.named_children if argument.type != "comment"]
    if not is_read or not given:
        return
    name = joined_value(given[0], walk.source)
    if name:
        default = given[1].children[-1] if len(given) > 1 and given[1].type == "keyword_argument" else None
        default = given[1] if default is None and len(given) > 1 else default
        _add(walk, node, name, default)


def note_subscript_read(walk: Walk, node: Node, *, value: Expression, index: list[Node]) -> None:
    """Note `os.environ["X"]`."""
    if value in _MAPPINGS and len(index) == 1:
        name = joined_value(index[0], walk.source)
        if name:
            _add(walk, node, name, None)


def _add(walk: Walk, node: Node, name: str, default: Node | None) -> None:
    text = walk.text.brief(default, MOST_TEXT_CHARACTERS) if default is not None else None
    walk.environment_reads.append(EnvironmentRead(walk.scope, walk.line(node), name, text))
