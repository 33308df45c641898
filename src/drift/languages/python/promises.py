"""What the head and the body of a Python function promise without saying it in so many words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.python.kinds import COMMENT, EXPRESSION_STATEMENT, STRING

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.python.walk import Draft, Walk

_UNWRITTEN: Final = b"NotImplementedError"
_NOT_WRITTEN: Final = re.compile(rb"raise\s+NotImplementedError\b")
_CLASS_OF: Final = re.compile(r"(?:\w+\.)?[Tt]ype\[(.*)\]", re.DOTALL)


def is_left_to_others(walk: Walk, body: Node, *, is_of_interface: bool) -> bool:
    """Whether a body only says that classes below have to write it: `raise NotImplementedError`, in a protocol `...`."""
    # Most bodies say nothing of the kind, which is told without a look at their statements.
    if not is_of_interface and walk.source.find(_UNWRITTEN, body.start_byte, body.end_byte) < 0:
        return False
    statements = [
        statement
        for statement in body.named_children
        if statement.kind_id != COMMENT and not _is_text(statement)
    ]
    if is_of_interface and all(map(_is_empty, statements)):
        return True
    if len(statements) != 1 or statements[0].type != "raise_statement":
        return False
    start, end = statements[0].start_byte, statements[0].end_byte
    return _NOT_WRITTEN.match(walk.source[start:end]) is not None


def _is_text(statement: Node) -> bool:
    if statement.kind_id != EXPRESSION_STATEMENT:
        return False
    parts = statement.named_children
    return len(parts) == 1 and parts[0].kind_id == STRING


def _is_empty(statement: Node) -> bool:
    if statement.type == "pass_statement":
        return True
    parts = statement.named_children
    return statement.kind_id == EXPRESSION_STATEMENT and len(parts) == 1 and parts[0].type == "ellipsis"


def gives_its_own_class(draft: Draft) -> bool:
    """Whether a method gives what its receiver is declared as: `(self: T) -> T`, `(cls: type[T]) -> T`."""
    if not draft.parameters or draft.parameters[0].kind != "receiver" or draft.return_text is None:
        return False
    declared = (draft.parameters[0].type_text or "").strip("\"'")
    inner = _CLASS_OF.fullmatch(declared)
    return (inner[1] if inner else declared).strip("\"'") == draft.return_text.strip("\"'")
