"""Fields of models that lead to others, and what they give those in turn: `related_name`, `player_set`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import last_name
from drift.languages.frameworks import load_frameworks
from drift.languages.python.kinds import COMMENT
from drift.languages.python.strings import joined_value

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Walk

    Arguments = tuple[tuple[str | None, Expression], ...]

_WORDS: Final = load_frameworks("python")
_MANY: Final = frozenset(_WORDS.names("relations", "many"))
_UNIQUE: Final = frozenset(_WORDS.names("relations", "unique"))
RELATIONS: Final = frozenset(_WORDS.names("relations", "names")) | _MANY | _UNIQUE
_USERS: Final = frozenset(_WORDS.names("relations", "users"))
"""What names the model of users, which a setting says."""


def see_relation(walk: Walk, given: Node, arguments: Arguments, *, field: str) -> Expression:
    """What such a field gives of an object: an object of the other model, or all that it leads to."""
    nodes = [node for node in given.named_children if node.kind_id != COMMENT]
    if not nodes or len(nodes) != len(arguments) or walk.drafts[walk.scope].kind != "class":
        return None
    at = next((place for place, (keyword, _) in enumerate(arguments) if keyword == "to"), 0)
    keyword, target = arguments[at]
    model = _model(walk, nodes[at].children[-1] if keyword is not None else nodes[at], target)
    if model is None:
        return None
    _note_reverse(walk, nodes, arguments, model=model, field=field)
    return ("all", model) if field in _MANY else ("instance", model)


def _model(walk: Walk, node: Node, target: Expression) -> Expression:
    """The model that is named: as a class, by a text, or as that of users."""
    if target is not None and target[0] in {"name", "member"}:
        last = last_name(target)
        if last in _USERS:
            return ("model", last)
        return target if last[:1].isupper() else None  # SHOP_MODEL: a setting may say which
    if target is not None and target[0] == "result":
        last = last_name(walk.calls[target[1]].callee)
        return ("model", last) if last in _USERS else None
    text = joined_value(node, walk.source) if target == ("literal", "str") else None
    if text == "self":
        return ("symbol", walk.scope)
    name = (text or "").rpartition(".")[2]
    return ("model", text) if text and name.isidentifier() and name[:1].isupper() else None


def _note_reverse(
    walk: Walk, nodes: list[Node], arguments: Arguments, *, model: Expression, field: str
) -> None:
    """What the other model gets, under the name that is given or that the class has."""
    name = walk.drafts[walk.scope].name.lower() + ("" if field in _UNIQUE else "_set")
    for node, (keyword, _) in zip(nodes, arguments, strict=True):
        if keyword == "related_name":
            name = joined_value(node.children[-1], walk.source) or ""
    if name.isidentifier():
        own: Expression = ("symbol", walk.scope)
        value: Expression = ("instance", own) if field in _UNIQUE else ("all", own)
        walk.store(nodes[0], model, name=name, value=value)
