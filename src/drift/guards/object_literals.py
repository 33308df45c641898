"""Objects that are written where they are made, whose members stand between their braces, and types that have any member."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from drift.guards.class_families import is_helper
from drift.guards.overlay import Overlay
from drift.guards.slips import is_close, is_slip
from drift.kernel.similar import similar_names
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.holders import ALL_MEMBERS
from drift.scan.link.links import Place
from drift.scan.link.values import Value, symbol_of

_INDEX_SIGNATURE: Final = re.compile(
    r"^\s{0,80}(?:readonly\s{1,5})?\[\s{0,5}\w{1,100}\s{0,5}:[^\]]{1,100}\]\s{0,5}[?:]", re.MULTILINE
)


class Keys(NamedTuple):
    """The functions of literals by their keys. `is_open` where something else is put in that may have others."""

    functions: dict[str, Place]
    is_open: bool


def literal_functions(analysis: Analysis, values: Sequence[Value]) -> Keys | None:
    """The functions of literals; None where a value is none."""
    found: dict[str, Place] = {}
    is_open = False
    for value in values:
        if not isinstance(value, tuple) or value[0] != "container":
            return None
        made = analysis.containers[value[1]]
        if made.kind != "dict" or made.function is not None:
            return None
        is_open |= any(key is None or key == ALL_MEMBERS for key, _, _ in made.entries)
        first = analysis.program.table_of(made.scope).first
        for key, form, _ in made.entries:
            if key is not None and form is not None and form[0] == "symbol":
                found[key] = analysis.program.place(first + form[1])
    return Keys(found, is_open) if found else None


def slip_of_key(overlay: Overlay, name: str, keys: Keys, values: Sequence[Value]) -> str | None:
    """The key of literals of which a name is a slip, and no word in the files that make them is that name."""
    if name in keys.functions:
        return None
    slips = [one for one in keys.functions if is_slip(name, one)]
    if keys.is_open:
        slips = [
            one
            for one in slips
            if is_close(name, one, is_own=False) or is_helper(overlay, keys.functions[one])
        ]
    near = similar_names(name, slips, 1) or slips[:1]
    analysis = overlay.linking.linker.analysis
    texts = (overlay.linking.sources.text_of(path) or "" for path in files_making(analysis, values))
    if not near or any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts):
        return None
    return near[0]


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
