"""What migrations of Django name of each other: `dependencies = [("shop", "0001_initial")]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.python.kinds import ASSIGNMENT
from drift.languages.python.strings import joined_value
from drift.languages.python.walk import part_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.python.walk import Walk

MIGRATION: Final = "Migration"
"""The class of a migration."""
_NAMING: Final = frozenset({"dependencies", "replaces", "run_before"})
_FOLDER: Final = "migrations"
_PAIR: Final = 2  # an application and the file of one of its migrations


def note_migrations(walk: Walk, body: Node) -> None:
    """Note the files that a migration depends on, replaces or runs before, as uses of them by their whole names."""
    folders = walk.path.replace("\\", "/").split("/")[:-1]
    if folders[-1:] != [_FOLDER]:
        return
    for statement in body.named_children:
        given = part_of(statement, ASSIGNMENT)
        if given is None or walk.name(given.children[0]) not in _NAMING:
            continue
        for pair in given.children[-1].named_children:
            texts = [joined_value(one, walk.source) for one in pair.named_children]
            if pair.type == "tuple" and len(texts) == _PAIR and texts[0] and texts[1]:
                # An application goes by its last name, also where it stands in a folder of others.
                around = ".".join(folders[:-2])
                for before in dict.fromkeys((f"{around}." if around else "", "")):
                    path = f"{before}{texts[0]}.{_FOLDER}.{texts[1]}"
                    walk.refer(pair.start_byte, ("path", path), "string")
