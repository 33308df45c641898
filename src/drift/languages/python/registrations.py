"""Entry points of Python code: what the outside world calls, and how it was told to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.kernel.text import shorten
from drift.languages.expressions import last_name
from drift.languages.facts import EntryPoint
from drift.languages.python.frameworks import DECORATORS, FUNCTIONS, Way
from drift.languages.python.strings import joined_value
from drift.languages.python.type_forms import dotted

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Decorator
    from drift.languages.python.walk import Walk

REGISTRARS: Final = frozenset(FUNCTIONS)
_MOST_DETAIL_CHARACTERS: Final = 200


def note_decorated(walk: Walk, symbol: int, *, decorator: Decorator, node: Node) -> None:
    """Note an entry point if the decorator makes its function one. `node` is the decorator's expression."""
    receiver, _, last = decorator.name.rpartition(".")
    way = DECORATORS.get(last)
    if way is None or not _applies(way, receiver, is_call=node.type == "call"):
        return
    arguments = node.children[-1] if node.type == "call" else None
    detail = _argument(walk, arguments, way.detail) if arguments is not None else None
    text = _text(walk, detail)
    if way.needs_path and not _is_path(walk, detail):
        return
    word = _methods(walk, arguments) if way.kind == "http" and not way.word else way.word
    words = " ".join(part for part in (word, text) if part)
    walk.entry_points.append(EntryPoint(symbol, way.kind, words, decorator.line))


def note_registration(walk: Walk, node: Node, *, last: str, callee: Expression, arguments: Node) -> None:
    """Note a callable that a call like `path("users/", users)` registers; it is found by name at the end."""
    way = FUNCTIONS[last]
    receiver = _receiver(callee)
    if not _applies(way, receiver, is_call=True):
        return
    handler = _argument(walk, arguments, way.handler)
    if handler is None or handler.type not in {"identifier", "attribute", "call"}:
        return
    detail = _argument(walk, arguments, way.detail)
    text = _text(walk, detail)
    if way.kind == "http" and (detail is None or joined_value(detail, walk.source) is None):
        return
    if way.needs_path and not _is_path(walk, detail):
        return
    target = _handler_name(walk, handler)
    if target is None:
        return
    word = way.word or _methods(walk, arguments)
    words = " ".join(part for part in (word, text) if part or way.kind == "http").strip()
    walk.handler_names.append((target, way.kind, words, walk.line(node)))


def resolve_registrations(walk: Walk) -> None:
    """Turn registered names into entry points; one from elsewhere stands with the file, named in the detail."""
    by_name = {
        draft.name: number
        for number, draft in enumerate(walk.drafts)
        if number and draft.parent == 0 and draft.kind in {"function", "class"}
    }
    for target, kind, detail, line in walk.handler_names:
        number = by_name.get(target.partition(".")[0])
        if number is not None:
            walk.entry_points.append(EntryPoint(number, kind, detail, line))
        elif kind == "http":
            words = shorten(f"{detail} -> {target}".strip(), _MOST_DETAIL_CHARACTERS)
            walk.entry_points.append(EntryPoint(0, kind, words, line, dotted(target)))


def _applies(way: Way, receiver: str, *, is_call: bool) -> bool:
    if way.needs_call and not is_call:
        return False
    if way.receivers and receiver.rpartition(".")[2] not in way.receivers:
        return False
    return bool(receiver) or not way.needs_receiver


def _receiver(callee: Expression) -> str:
    """The word before the last dot, `?` where it is no plain path, empty where there is no dot."""
    if callee is None or callee[0] != "member":
        return ""
    return last_name(callee[1]) or "?"


def _argument(walk: Walk, arguments: Node, wanted: int | str | None) -> Node | None:
    if wanted is None or arguments.type != "argument_list":
        return None
    place = 0
    for argument in arguments.named_children:
        if argument.type == "comment":
            continue
        if argument.type == "keyword_argument":
            if walk.name(argument.children[0]) == wanted:
                return argument.children[-1]
        elif place == wanted:
            return argument
        else:
            place += 1
    return None


def _text(walk: Walk, node: Node | None) -> str:
    if node is None:
        return ""
    value = joined_value(node, walk.source)
    return shorten(value, _MOST_DETAIL_CHARACTERS) if value is not None else walk.text.brief(node, 80)


def _is_path(walk: Walk, node: Node | None) -> bool:
    value = joined_value(node, walk.source) if node is not None else None
    return value is not None and (not value or value.startswith("/"))


def _methods(walk: Walk, arguments: Node | None) -> str:
    """The methods of `methods=["GET", "POST"]`; ANY without."""
    methods = _argument(walk, arguments, "methods") if arguments is not None else None
    if methods is None:
        return "ANY"
    names = [joined_value(element, walk.source) for element in methods.named_children]
    return ",".join(name.upper() for name in names if name) or "ANY"


def _handler_name(walk: Walk, node: Node) -> str | None:
    """`views.index`, also where it is wrapped or made by a call: `login_required(index)`, `Index.as_view()`."""
    if node.type in {"identifier", "attribute"}:
        return walk.text.brief(node, 100)
    function = node.children[0]
    name = walk.text.brief(function, 100)
    if name.endswith(".as_view"):
        return name.removesuffix(".as_view")
    if name.rpartition(".")[2] == "include":
        return None
    inner = _argument(walk, node.children[-1], 0)
    return (
        walk.text.brief(inner, 100)
        if inner is not None and inner.type in {"identifier", "attribute"}
        else None
    )
