"""Which interfaces the types of a file fit, and which of its methods so run in the place of theirs.

Told with the file of the method: what embeds its type fits with it, wherever that stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.folders import folder_of
from drift.scan.link.hierarchy import class_of, line_of_descent, outside_members, own_members
from drift.scan.link.keys import asking_key, mixing_key
from drift.scan.link.tables import FileTable
from drift.scan.link.values import SYMBOL_MASK

_LANGUAGE: Final = "go"
_MOST_EMBEDDING: Final = 20  # types that embed one, and so on: of a mixin of everything not all are looked at
_MOST_ASKING: Final = 200  # files with interfaces that begin with a method of one name
_QUALIFIER: Final = re.compile(r"\b[A-Za-z_]\w{0,80}\.")
_NAME_BEFORE: Final = re.compile(r"^(?!chan |func |map )[A-Za-z_]\w{0,80} (?=\S)")
_PARAMETER: Final = re.compile(
    r"\**[A-Z][A-Z0-9]?$"
)  # T, K2: what a generic interface calls the types it is given
_ANY: Final = re.compile(r"interface ?\{ ?\}")


def implementing_pairs(analysis: Analysis, table: FileTable) -> Iterator[tuple[int, int]]:
    """Methods of interfaces, each with a method of the file that may run in its place."""
    methods: dict[int, list[int]] = {}
    for number, symbol in enumerate(table.symbols):
        if symbol.kind == "method" and "abstract" not in symbol.modifiers:
            owner = class_of(analysis, table.first + number)
            if owner is not None:
                methods.setdefault(owner, []).append(table.first + number)
    for owner, own in methods.items():
        for holder in _with_embedding(analysis, owner):
            for interface in _fitted_interfaces(analysis, holder):
                yield from _pairs(analysis, interface, own)


def _pairs(analysis: Analysis, interface: int, own: list[int]) -> Iterator[tuple[int, int]]:
    symbol = analysis.program.symbol
    for method in own:
        for asked in own_members(analysis, interface, symbol(method).name):
            if _is_alike(analysis, method, asked):
                yield asked, method


def _with_embedding(analysis: Analysis, owner: int) -> list[int]:
    """A type, and those that have its methods by embedding it."""
    program, found = analysis.program, [owner]
    for one in found:  # grows on the way
        paths = program.providing(mixing_key(_LANGUAGE, program.symbol(one).name))
        for table in program.tables_at(paths[:_MOST_EMBEDDING]):
            found += [
                table.first + number
                for number, symbol in enumerate(table.symbols)
                if symbol.bases
                and symbol.kind == "struct"
                and table.first + number not in found
                and one in line_of_descent(analysis, table.first + number)
            ]
        if len(found) > _MOST_EMBEDDING:
            break
    return found[:_MOST_EMBEDDING]


def _fitted_interfaces(analysis: Analysis, owner: int) -> tuple[int, ...]:
    found: tuple[int, ...] = analysis.cached(("fitted", owner), _find_fitted, owner)
    return found


def _find_fitted(analysis: Analysis, owner: int) -> tuple[int, ...]:
    program = analysis.program
    methods = _methods_of(analysis, owner)
    found: dict[int, None] = {}
    for name in methods:
        paths = program.providing(asking_key(_LANGUAGE, name))
        for table in program.tables_at(paths if len(paths) <= _MOST_ASKING else ()):
            for interface in _asking(table, name):
                if interface not in found and _fits(analysis, owner, interface, methods=methods):
                    found[interface] = None
    return tuple(found)


def _asking(table: FileTable, name: str) -> Iterator[int]:
    """The interfaces of a file that ask for a method of that name."""
    for number, symbol in enumerate(table.symbols):
        if symbol.name == name and table.symbols[symbol.parent].kind == "interface" and number:
            yield table.first + symbol.parent


def _fits(analysis: Analysis, owner: int, interface: int, *, methods: dict[str, int]) -> bool:
    asked = _methods_of(analysis, interface)
    if not asked.keys() <= methods.keys():
        return False
    if any(not name[:1].isupper() for name in asked) and not _are_of_one_package(analysis, owner, interface):
        return False
    return all(_is_alike(analysis, methods[name], one) for name, one in asked.items())


def _are_of_one_package(analysis: Analysis, owner: int, interface: int) -> bool:
    paths = (analysis.program.table_of(one).path for one in (owner, interface))
    return len({folder_of(path) for path in paths}) == 1


def _methods_of(analysis: Analysis, owner: int) -> dict[str, int]:
    """The methods of a type or an interface by name, with those of what it embeds."""
    program = analysis.program
    found: dict[str, int] = {}
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, int):
            table, scope = program.table_of(ancestor), ancestor & SYMBOL_MASK
            program.note_members(table, scope)
            for name in (*table.names[scope], *outside_members(analysis, ancestor)):
                for member in own_members(analysis, ancestor, name):
                    if program.symbol(member).kind == "method":
                        found.setdefault(name, member)
    return found


def _is_alike(analysis: Analysis, method: int, asked: int) -> bool:
    """Whether a method takes and gives what is asked for; packages are called differently from elsewhere."""
    own, other = analysis.program.symbol(method), analysis.program.symbol(asked)
    taken, wanted = ([one.type for one in each.parameters if one.kind != "receiver"] for each in (own, other))
    given, due = _results(own.return_text), _results(other.return_text)
    return (
        len(taken) == len(wanted)
        and len(given) == len(due)
        and all(_may_be(one, each) for one, each in zip(taken, wanted, strict=True))
        and (len(due) != 1 or given == due or bool(_PARAMETER.match(due[0])))
    )


def _may_be(one: Expression, other: Expression) -> bool:
    """Whether two types are the same by what they are called in their packages; one that is not read may be any."""
    if one is None or other is None:
        return True
    if one[0] == other[0] == "instance":
        return _may_be(one[1], other[1])
    names = {form[-1] for form in (one, other) if form[0] in {"name", "member"}}
    if other[0] == "instance" and other[1] is not None and other[1][0] == "name":
        return bool(_PARAMETER.match(other[1][1]))
    if not names:
        return one[0] == other[0]
    return len(names) == 1 or (other[0] == "name" and bool(_PARAMETER.match(other[1])))


def _results(written: str | None) -> list[str]:
    """The types of the results; names stand before them where there are any."""
    text = (written or "").strip()
    if not text.startswith("("):
        return [_plain(text)] if text else []
    depth, parts = 0, [""]
    for letter in text[1:-1]:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [_plain(_NAME_BEFORE.sub("", part.strip())) for part in parts]


def _plain(text: str) -> str:
    return _QUALIFIER.sub("", _ANY.sub("any", " ".join(text.split())))
