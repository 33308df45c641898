"""Functions that stand inside others and that no call leads to, which are handed out by what they stand in."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple, cast

from drift.index.ids import SymbolId, is_file
from drift.index.selection import Selection, as_list

# A function inside another that no call and no use of its name leads to: it is written where it is passed on. So are
# the methods of a class without a name.
_HANDED_OUT: Final = """
    SELECT inner_one.id, inner_one.parent_id, inner_one.name, inner_one.kind = 'method' FROM symbols AS inner_one
    JOIN symbols AS outer_one ON outer_one.id = inner_one.parent_id
    WHERE inner_one.kind IN ('function', 'method') AND instr(inner_one.modifiers, 'connected') = 0
        AND (outer_one.kind IN ('function', 'method', 'constructor', 'property', 'field', 'variable', 'constant')
            OR (outer_one.kind IN ('module', 'class') AND inner_one.name = '<lambda>'))
        -- A method stands in a function where an object is written there.
        AND NOT EXISTS (SELECT 1 FROM edges WHERE edges.callee_id = inner_one.id AND edges.confidence >= 5000)
    UNION ALL
    SELECT methods.id, outer_one.id, methods.name, 0 FROM symbols AS unnamed
    JOIN symbols AS outer_one ON outer_one.id = unnamed.parent_id
    JOIN symbols AS methods ON methods.parent_id = unnamed.id
    WHERE unnamed.name IN ('<anonymous>', 'class@anonymous') AND methods.kind = 'method'
        AND outer_one.kind IN ('function', 'method', 'constructor', 'property')
"""
# The same of scripts at the top of a file or in the body of a class: `const total = computed(() => sum(rows))`. What a
# framework is handed there (a test, a route, a listener) it calls itself.
_AT_TOP: Final = """
    SELECT inner_one.parent_id, inner_one.id, inner_one.start_byte, inner_one.end_byte, inner_one.name
    FROM symbols AS inner_one JOIN files ON files.id = inner_one.id >> 16
    JOIN symbols AS outer_one ON outer_one.id = inner_one.parent_id
    WHERE inner_one.kind = 'function' AND inner_one.name GLOB '<*' AND inner_one.name <> '<lambda>'
        AND files.language IN ('javascript', 'typescript') AND files.role <> 'test'
        AND outer_one.kind IN ('module', 'class')
        AND NOT EXISTS (SELECT 1 FROM edges WHERE edges.callee_id = inner_one.id AND edges.confidence >= 5000)
        AND NOT EXISTS (SELECT 1 FROM entry_points WHERE entry_points.symbol_id = inner_one.id)
        AND NOT EXISTS (SELECT 1 FROM handlers WHERE handlers.handler_id = inner_one.id)
    ORDER BY inner_one.id
"""
_HOLDERS: Final = """
    SELECT symbols.parent_id, symbols.start_byte, symbols.end_byte, symbols.id, symbols.kind FROM json_each(?1) AS wanted
    CROSS JOIN symbols ON symbols.parent_id = wanted.value
    WHERE symbols.kind IN ('constant', 'constructor', 'variable') ORDER BY symbols.parent_id, symbols.start_byte
"""
# Uses of an object that is written out at the top of a file or in a class, and of its members.
_OBJECTS: Final = """
    SELECT holders.id FROM json_each(?1) AS wanted CROSS JOIN symbols AS holders ON holders.id = wanted.value
    WHERE holders.kind IN ('constant', 'field', 'variable')
"""
_USES: Final = """
    SELECT refs.target_symbol_id, refs.symbol_id, refs.line FROM json_each(?1) AS wanted
    CROSS JOIN refs ON refs.target_symbol_id = wanted.value JOIN words ON words.id = refs.kind WHERE words.text <> 'type'
"""
_MEMBER_USES: Final = """
    SELECT members.parent_id, edges.caller_id, edges.line FROM json_each(?1) AS wanted
    CROSS JOIN symbols AS members ON members.parent_id = wanted.value
    CROSS JOIN edges ON edges.callee_id = members.id
    UNION
    SELECT members.parent_id, refs.symbol_id, refs.line FROM json_each(?1) AS wanted
    CROSS JOIN symbols AS members ON members.parent_id = wanted.value
    CROSS JOIN refs ON refs.target_symbol_id = members.id
"""
_MEMBERS: Final = "SELECT id, text FROM words WHERE text GLOB '*.*'"
_CALLED: Final = """
    SELECT DISTINCT calls.text FROM calls JOIN files ON files.id = calls.caller_id >> 16
    JOIN words ON words.id = calls.outcome
    WHERE calls.text IN (SELECT value FROM json_each(?)) AND files.role <> 'test' AND words.text <> 'external'
"""
_MOST_BYTES: Final = 1 << 62
_BREAK: Final = re.compile(r"\W")


class HandedOut(NamedTuple):
    """A function inside another, what it stands in, and whether the product calls members of its name."""

    inner: SymbolId
    outer: SymbolId
    name: str
    is_called_by_name: bool


def handed_out(selection: Selection) -> list[HandedOut]:
    """Functions inside others that no call leads to."""
    rows = cast("list[tuple[SymbolId, SymbolId, str, bool]]", selection.rows(_HANDED_OUT))
    called = _called_members(selection, {name for _, _, name, is_method in rows if is_method})
    having = users_of_objects(selection, {outer for _, outer, _, is_method in rows if is_method})
    return [
        *(
            HandedOut(inner, user, name, bool(is_method) and name in called)
            for inner, outer, name, is_method in rows
            for user in (having.get(outer, (outer,)) if is_method else (outer,))
        ),
        *_at_top(selection),
    ]


def users_of_objects(
    selection: Selection, outer: Collection[SymbolId]
) -> dict[SymbolId, Collection[SymbolId]]:
    """Who has the whole of an object, of those of which a member is read by its name somewhere.

    `Keys.page(1)` runs one function of `Keys`; only who reads what is not told, or hands the object on, may run others.
    """
    objects = [one for (one,) in selection.rows(_OBJECTS, (as_list(outer),))] if outer else []
    by_name = set(selection.rows(_MEMBER_USES, (as_list(objects),))) if objects else set()
    known = {one for one, _, _ in by_name}
    found: dict[SymbolId, set[SymbolId]] = {}
    for use in selection.rows(_USES, (as_list(known),)) if known else ():
        users = found.setdefault(use[0], set())
        if use not in by_name:
            users.add(use[1])
    # What a file hands on has whoever imports it: that is told by the object.
    return {one: users for one, users in found.items() if not any(map(is_file, users))}


def _at_top(selection: Selection) -> Iterator[HandedOut]:
    """Functions of scripts that stand in no other, with the variable whose value they are a part of, else what is around."""
    rows = cast("list[tuple[SymbolId, SymbolId, int, int, str]]", selection.rows(_AT_TOP))
    spans: dict[SymbolId, list[tuple[int, int, SymbolId]]] = defaultdict(list)
    around = sorted({parent for parent, *_ in rows})
    made: dict[SymbolId, SymbolId] = {}
    for parent, start, end, one, kind in selection.rows(_HOLDERS, (as_list(around),)) if rows else ():
        if kind == "constructor":
            made[parent] = one  # what fields of a class are given runs where it is made
        else:
            spans[parent].append((start, end, one))
    for parent, inner, start, end, name in rows:
        place = bisect_right(spans[parent], (start, _MOST_BYTES)) - 1
        holder = spans[parent][place] if place >= 0 else None
        is_held = holder is not None and holder[1] >= end
        outer = holder[2] if holder is not None and is_held else made.get(parent, parent)
        yield HandedOut(inner, outer, name, is_called_by_name=False)


def _called_members(selection: Selection, names: set[str]) -> set[str]:
    """Those of the names by which the product calls a member of something that is not outside."""
    if not names:
        return set()
    texts: dict[int, str] = {}
    for number, text in selection.rows(_MEMBERS):
        last = _BREAK.split(text)[-1]
        if last in names:
            texts[number] = last
    return {texts[number] for (number,) in selection.rows(_CALLED, (as_list(texts),))}
