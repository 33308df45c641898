"""Routes that are written inside others: `path("shop/", include([path("carts/", carts)]))`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.frameworks import load_frameworks
from drift.languages.python.strings import joined_value

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.python.walk import Walk

_RULES: Final = load_frameworks("python").mounts
_INCLUDING: Final = frozenset(word for rule in _RULES.values() for word in rule.through)
# What may stand between a route and the call that takes it in.
_BETWEEN: Final = frozenset(
    {
        "list",
        "tuple",
        "argument_list",
        "keyword_argument",
        "list_splat",
        "binary_operator",
        "parenthesized_expression",
    }
)
_MOST_STEPS: Final = 60
_MOST_CHARACTERS: Final = 100


def outer_path(walk: Walk, node: Node) -> str:
    """What the calls around a route put before its path; empty where it stands in a list of the file's own."""
    parts: list[str] = []
    here: Node | None = node.parent
    for _ in range(_MOST_STEPS):
        if here is None or (here.type not in _BETWEEN and here.type != "call"):
            break
        if here.type == "call":
            name = walk.text.brief(here.children[0], _MOST_CHARACTERS).rpartition(".")[2]
            if name in _RULES:
                parts.append(_first_text(walk, here))
            elif name not in _INCLUDING:
                return ""  # the list is handed to something else
        here = here.parent
    return "".join(f"{part.strip('/^$')}/" for part in reversed(parts) if part.strip("/^$"))


def _first_text(walk: Walk, call: Node) -> str:
    given = [child for child in call.children[-1].named_children if child.type != "comment"]
    return (joined_value(given[0], walk.source) or "") if given else ""


def list_around(walk: Walk, node: Node) -> str:
    """The variable of the file that is given the list a route stands in: `api_urls = [path(…)]`; nothing if none is."""
    around = node.parent
    if around is None or around.type != "list":
        return ""
    given = around.parent
    is_at_top = given is not None and given.type in {"assignment", "augmented_assignment"} and walk.scope == 0
    target = given.children[0] if given is not None and is_at_top else None
    return walk.name(target) if target is not None and target.type == "identifier" else ""
