"""Go: what its syntax means.

A method stands below its type where the file declares it, else below the file; its receiver is the first
parameter (kind `receiver`, with the type), so that the linker can attach it. Functions without a name are
symbols `func1`, `func2` … as in Go's stack traces, or go by the variable they are given to. Types read as
`type_forms` says; of several results those with a predeclared type are left out of the return type.
"""

from drift.languages.facts import FileFacts
from drift.languages.golang.declarations import DECLARATION_HANDLERS, read_file
from drift.languages.golang.entries import settle_registrations
from drift.languages.golang.statements import STATEMENT_HANDLERS
from drift.languages.golang.type_forms import TYPE_HANDLERS
from drift.languages.golang.values import VALUE_HANDLERS
from drift.languages.golang.walk import GoWalk

__all__ = ["extract"]

_HANDLERS = {**TYPE_HANDLERS, **VALUE_HANDLERS, **STATEMENT_HANDLERS, **DECLARATION_HANDLERS}


def extract(source: bytes, path: str) -> FileFacts:
    """The facts of a Go file, whatever its bytes."""
    go = GoWalk(source, path)
    go.handlers = _HANDLERS
    with go.walking():
        read_file(go)
        settle_registrations(go)
    return go.finish("go")
