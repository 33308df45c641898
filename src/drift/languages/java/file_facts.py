"""The facts of a Java file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.java.calls import CALL_HANDLERS
from drift.languages.java.declarations import DECLARATION_HANDLERS
from drift.languages.java.statements import STATEMENT_HANDLERS
from drift.languages.java.type_forms import TYPE_HANDLERS
from drift.languages.java.values import VALUE_HANDLERS
from drift.languages.java.vocabulary import VOCABULARY
from drift.languages.objects import ObjectWalk

if TYPE_CHECKING:
    from drift.languages.facts import FileFacts

_HANDLERS: Final = {
    **CALL_HANDLERS,
    **DECLARATION_HANDLERS,
    **STATEMENT_HANDLERS,
    **TYPE_HANDLERS,
    **VALUE_HANDLERS,
}


def extract(source: bytes, path: str) -> FileFacts:
    """All facts of one Java file; whatever its bytes, what can be understood is kept."""
    walk = ObjectWalk(source, path, VOCABULARY)
    walk.handlers = _HANDLERS
    with walk.walking():
        walk.visit_children(walk.root)
        walk.settle_registrations()
    return walk.finish("java")
