"""The facts of a C# file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.csharp.calls import CALL_HANDLERS
from drift.languages.csharp.conditions import read_one_branch
from drift.languages.csharp.declarations import DECLARATION_HANDLERS
from drift.languages.csharp.functions import FUNCTION_HANDLERS
from drift.languages.csharp.members import MEMBER_HANDLERS
from drift.languages.csharp.patterns import PATTERN_HANDLERS
from drift.languages.csharp.statements import STATEMENT_HANDLERS
from drift.languages.csharp.values import VALUE_HANDLERS

if TYPE_CHECKING:
    from drift.languages.csharp.walk import CsharpWalk
    from drift.languages.facts import FileFacts

_NAMESPACE: Final = re.compile(
    rb"^[ \t]*namespace[ \t]+([A-Za-z_][\w.]*)[ \t]*+[;{]?[ \t]*+\r?$", re.MULTILINE
)
_HANDLERS: Final = {
    **CALL_HANDLERS,
    **DECLARATION_HANDLERS,
    **FUNCTION_HANDLERS,
    **MEMBER_HANDLERS,
    **PATTERN_HANDLERS,
    **STATEMENT_HANDLERS,
    **VALUE_HANDLERS,
}


def extract(source: bytes, path: str) -> FileFacts:
    """All facts of one C# file; whatever its bytes, what can be understood is kept."""
    walk = read_one_branch(source, path)
    walk.handlers = _HANDLERS
    with walk.walking():
        walk.visit_children(walk.root)
        if _has_top_level_statements(walk):
            walk.enter_at(0, "main", "top-level statements")
        if not walk.package and not any(symbol.kind == "namespace" for symbol in walk.symbols):
            walk.package = _written_namespace(source)
        walk.settle_registrations()
    return walk.finish("csharp")


def _written_namespace(source: bytes) -> str:
    """The only namespace a text names, for files whose syntax the parser lost: `#if` may cut a class in two."""
    names = {found.decode("utf-8", "replace") for found in _NAMESPACE.findall(source)}
    return names.pop() if len(names) == 1 else ""


def _has_top_level_statements(walk: CsharpWalk) -> bool:
    return any(
        child.type == "global_statement"
        and child.named_child_count
        and child.named_children[0].type != "local_function_statement"
        for child in walk.root.named_children
    )
