"""Parameters whose values a framework has a function make: `store: Annotated[Store, Depends(get_store)]`.

The function runs whenever the one with the parameter does, so it is noted as something that runs there, whether the
parameter says so itself or has a type that stands for both, `StoreDep = Annotated[Store, Depends(get_store)]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import either_of, last_name
from drift.languages.frameworks import load_frameworks
from drift.languages.python.type_forms import dotted

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Call
    from drift.languages.python.walk import Walk

_FRAMEWORKS: Final = load_frameworks("python")
_PROVIDERS: Final = _FRAMEWORKS.names("injection", "providers")
_MARKS: Final = tuple(mark.encode() for mark in _FRAMEWORKS.texts("injection", "packages"))
_ANNOTATED: Final = b"Annotated"


def note_provided(
    walk: Walk, function: int, *, first_call: int, written: Node | None = None, declared: Expression = None
) -> None:
    """Note what makes the value of a parameter, by its default and its type, whose calls begin with `first_call`.

    A decorator may say so too: `@router.get("/", dependencies=[Depends(check_token)])`.
    """
    providers = [call for call in walk.calls[first_call:] if _is_provider(call)]
    for call in providers:
        given = call.arguments[0][1] if call.arguments else _class_of(declared)
        if given is not None:
            walk.add_provider(function, ("partial", given))
    is_name = written is not None and written.type == "type" and not providers
    if is_name and written is not None and any(mark in walk.source for mark in _MARKS):
        named = dotted(walk.text.text(written))
        if last_name(named)[:1].isupper():
            walk.add_provider(function, named)


def annotated_value(walk: Walk, parts: list[Node]) -> Expression:
    """What `Annotated[Store, Depends(get_store)]` is as a value: the type, and what makes objects of it; else nothing."""
    head = parts[0]
    if not walk.source.endswith(_ANNOTATED, head.start_byte, head.end_byte) or len(parts) == 1:
        return None
    walk.visit(head)
    first_call = len(walk.calls)
    values = [walk.visit(part) for part in parts[1:]]
    given = [
        call.arguments[0][1] for call in walk.calls[first_call:] if _is_provider(call) and call.arguments
    ]
    made: list[Expression] = [("partial", one) for one in given if one is not None]
    return either_of((values[0], *made)) if made else values[0]


def _is_provider(call: Call) -> bool:
    return last_name(call.callee) in _PROVIDERS


def _class_of(declared: Expression) -> Expression:
    """The class that a parameter is declared to be an object of: `Depends()` makes one."""
    return declared[1] if declared is not None and declared[0] == "instance" else None
