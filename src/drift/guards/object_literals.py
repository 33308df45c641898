"""Objects that are written where they are made, whose members stand between their braces, and types that have any member."""

import re
from collections.abc import Sequence
from typing import Final

from drift.guards.overlay import Overlay
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.holders import ALL_MEMBERS
from drift.scan.link.links import Place
from drift.scan.link.values import Value, symbol_of

_INDEX_SIGNATURE: Final = re.compile(
    r"^\s{0,80}(?:readonly\s{1,5})?\[\s{0,5}\w{1,100}\s{0,5}:[^\]]{1,100}\]\s{0,5}[?:]", re.MULTILINE
)


def literal_functions(analysis: Analysis, values: Sequence[Value]) -> dict[str, Place] | None:
    """The functions of literals by their keys; None where a value is none, or may have keys that are not in sight."""
    found: dict[str, Place] = {}
    for value in values:
        if not isinstance(value, tuple) or value[0] != "container":
            return None
        made = analysis.containers[value[1]]
        is_literal = made.kind == "dict" and made.function is None
        if not is_literal or any(key is None or key == ALL_MEMBERS for key, _, _ in made.entries):
            return None
        first = analysis.program.table_of(made.scope).first
        for key, form, _ in made.entries:
            if key is not None and form is not None and form[0] == "symbol":
                found[key] = analysis.program.place(first + form[1])
    return found or None


def files_making(analysis: Analysis, values: Sequence[Value]) -> set[str]:
    """The files that make some literals."""
    numbers = (value[1] for value in values if isinstance(value, tuple) and value[0] == "container")
    return {analysis.program.table_of(analysis.containers[number].scope).path for number in numbers}


def has_index_signature(overlay: Overlay, value: Value) -> bool:
    """Whether a type, or one that it extends, says what any member of it is: `[key: string]: unknown`."""
    if not isinstance(value, int):
        return False
    analysis = overlay.linking.linker.analysis
    for ancestor in line_of_descent(analysis, symbol_of(value)):
        if isinstance(ancestor, str):
            continue
        if _INDEX_SIGNATURE.search("\n".join(_opened(_lines_of(overlay, analysis.program.place(ancestor))))):
            return True
    return False


def _lines_of(overlay: Overlay, place: Place) -> Sequence[str]:
    """The lines of a declaration; where a file stands as it is in the index, that knows its end."""
    known = None if place.path in overlay.files else overlay.symbol_id(place)
    symbol = overlay.symbol(place) if known is None else overlay.reader.symbols.get(known)
    lines = (overlay.linking.sources.text_of(place.path) or "").split("\n")
    return lines[symbol.line - 1 : symbol.end_line] if symbol is not None else ()


def _opened(lines: Sequence[str]) -> Sequence[str]:
    """The lines of a declaration with what stands behind its opening brace on a line of its own."""
    head, _, rest = lines[0].partition("{") if lines else ("", "", "")
    return (head, rest, *lines[1:])
