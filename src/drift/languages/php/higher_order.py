"""Functions of PHP itself that call what they are given, and what they give back of the arrays they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import either_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

    Arguments = tuple[tuple[str | None, Expression], ...]

_ALL_AFTER: Final = -1  # what is handed on is all that follows the callable
_NOTHING: Final = -2  # what the callable is handed is no element of an argument

# Where the callable stands, and the array whose elements it is handed. Handlers that PHP keeps for later are none.
_APPLYING: Final = {
    "array_all": (1, 0), "array_any": (1, 0), "array_filter": (1, 0), "array_find": (1, 0),
    "array_find_key": (1, 0), "array_map": (0, 1), "array_reduce": (1, 0), "array_walk": (1, 0),
    "array_walk_recursive": (1, _NOTHING), "call_user_func": (0, _ALL_AFTER),
    "call_user_func_array": (0, _ALL_AFTER), "forward_static_call": (0, _ALL_AFTER),
    "forward_static_call_array": (0, _ALL_AFTER), "iterator_apply": (1, _NOTHING),
    "preg_replace_callback": (1, _NOTHING), "uasort": (1, 0), "uksort": (1, _NOTHING), "usort": (1, 0),
}  # fmt: skip
_COMPARING: Final = frozenset({"uasort", "usort"})
_GIVING_RESULT: Final = frozenset(
    {
        "array_reduce", "call_user_func", "call_user_func_array", "forward_static_call",
        "forward_static_call_array",
    }
)  # fmt: skip
# What these give back has the elements of their first argument, or of all of them.
_KEEPING: Final = frozenset(
    {
        "array_diff", "array_diff_key", "array_filter", "array_intersect_key", "array_pad", "array_reverse",
        "array_slice", "array_splice", "array_unique", "array_values",
    }
)  # fmt: skip
_JOINING: Final = frozenset({"array_merge", "array_replace"})
_PICKING: Final = frozenset(
    {"array_find", "array_pop", "array_shift", "current", "end", "next", "prev", "reset"}
)


def apply_callable(php: PhpWalk, name: str, place: Node, *, text: str, arguments: Arguments) -> int | None:
    """The number of the call that a function of that name makes of a callable it is given; None where it makes none."""
    where, source = _APPLYING.get(name, (0, _NOTHING))
    if name not in _APPLYING or len(arguments) <= where or any(keyword for keyword, _ in arguments):
        return None
    called = arguments[where][1]
    if called is None or called[0] in {"literal", "list", "dict", "item"}:
        return None
    handed = _handed(name, arguments, where=where, source=source)
    return php.add_call(place, called, text=text, arguments=handed, kind="implicit")


def _handed(name: str, arguments: Arguments, *, where: int, source: int) -> Arguments:
    if source == _ALL_AFTER:
        return arguments[where + 1 :]
    if source == _NOTHING or len(arguments) <= source:
        return ()
    if name == "array_map":
        return tuple((None, ("item", value)) for _, value in arguments[1:])
    element: tuple[str | None, Expression] = (None, ("item", arguments[source][1]))
    if name == "array_reduce":
        return ((None, arguments[2][1] if len(arguments) > 2 else None), element)  # noqa: PLR2004 - the third
    return (element, element) if name in _COMPARING else (element,)


def given_back(name: str, arguments: Arguments, applied: int | None) -> Expression:
    """What a function of PHP itself gives back of its arguments, or of what it called; None where that says nothing."""
    if applied is not None and name == "array_map":
        return ("list", ("result", applied))
    if applied is not None and name in _GIVING_RESULT:
        return ("result", applied)
    if not arguments or any(keyword for keyword, _ in arguments):
        return None
    first = arguments[0][1]
    if name in _KEEPING:
        return first
    if name in _JOINING:
        known = [value for _, value in arguments if value is not None]
        return known[0] if len(known) == 1 else either_of(known) if known else None
    return ("item", first) if name in _PICKING and first is not None else None
