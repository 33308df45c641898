"""What functions and pointers of C++'s library give and call, as far as that is what they are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from drift.languages.expressions import ENTRY, Expression
from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import NOTHING, Arguments, Values, is_instance

_PAIR: Final = 2
_LIBRARY: Final = ("std.", "std.ranges.")
# An iterator is what it is at, so what finds one gives what it is given first.
_FINDING: Final = frozenset(
    [
        "adjacent_find",
        "as_const",
        "exchange",
        "find",
        "find_if",
        "find_if_not",
        "forward",
        "lower_bound",
        "max",
        "max_element",
        "min",
        "min_element",
        "move",
        "next",
        "partition",
        "prev",
        "ref",
        "cref",
        "remove_if",
        "unique",
        "upper_bound",
    ]  # a list of strings is harder to read
)
_GIVING_STRINGS: Final = frozenset(
    """
    std.istringstream.str std.ostringstream.str std.smatch.str std.string.append std.string.assign std.string.c_str
    std.string.data std.string.erase std.string.insert std.string.replace std.string.substr std.string_view.substr
    std.stringstream.str std.to_string std.to_wstring
    """.split()  # noqa: SIM905  # a list of strings is harder to read
)
_BEGINNING: Final = frozenset({"begin", "cbegin", "cend", "crbegin", "end", "rbegin", "rend"})
# Functions that call the last of their arguments with what the first is at; some with two of them.
_CALLING: Final = frozenset(
    [
        "all_of",
        "any_of",
        "count_if",
        "erase_if",
        "find_if",
        "find_if_not",
        "for_each",
        "generate",
        "max_element",
        "min_element",
        "none_of",
        "partition",
        "remove_if",
        "sort",
        "stable_sort",
        "stable_partition",
        "transform",
        "unique",
    ]  # a list of strings is harder to read
)
_HOLDERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "emplace": "optional", "exchange": "atomic", "expired": "weak_ptr", "get": "unique_ptr", "has_value": "optional",
        "load": "atomic", "lock": "weak_ptr", "release": "unique_ptr", "reset": "unique_ptr", "store": "atomic",
        "swap": "unique_ptr", "use_count": "shared_ptr", "value": "optional", "value_or": "optional",
    }
)  # fmt: skip


def known_result(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What a function of the library gives that gives what it is given, or a string; None for all others."""
    if name in _GIVING_STRINGS:
        return ("std.string",)
    if not name.startswith(_LIBRARY) or not call.arguments:
        return None
    last, first = name.rpartition(".")[2], call.arguments[0][1]
    if last in _BEGINNING and first is not None:
        return analysis.evaluate(("item", first, ENTRY), scope) or None
    return (analysis.evaluate(first, scope) or None) if last in _FINDING else None


def elements_given(name: str, call: Call) -> Iterator[tuple[int, Arguments]]:
    """The function that an algorithm calls with elements: its place, and what it is given."""
    if (
        not name.startswith(_LIBRARY)
        or name.rpartition(".")[2] not in _CALLING
        or len(call.arguments) < _PAIR
    ):
        return
    first, place = call.arguments[0][1], len(call.arguments) - 1
    value = call.arguments[place][1]
    if first is None or value is None or value[0] not in {"name", "member", "symbol"}:
        return
    # Of `many.begin()` the value is an element; a range is gone through.
    element: Expression = first if first[0] == "result" else ("item", first, ENTRY)
    yield place, ((None, element), (None, element))


def holder_method(analysis: Analysis, call: Call, scope: int) -> Values:
    """A method of a pointer, or of what may hold an object, that is asked of what it holds."""
    callee = call.callee
    if callee is None or callee[0] != "member" or callee[2] not in _HOLDERS:
        return NOTHING
    held = analysis.evaluate(callee[1], scope)
    return (f"std.{_HOLDERS[callee[2]]}.{callee[2]}",) if held and all(map(is_instance, held)) else NOTHING
