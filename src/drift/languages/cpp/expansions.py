"""Members that macros of the file declare in a class: read from what the use of a macro comes to, and kept at the use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.cpp.walk import CppWalk
from drift.languages.facts import Reference

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.declaring_macros import MacroUse

_BORROWED: Final = ("comments", "lines", "survey", "text", "written")
_LISTS: Final = (
    "bindings", "calls", "constants", "entry_points", "environment_reads", "handlings", "imports", "references",
    "returns", "stores", "symbols",
)  # fmt: skip


def skip_uses(cpp: CppWalk, before: int) -> None:
    """Leave out uses that stand before a byte, which are of no class that was read."""
    while cpp.expansions and cpp.expansions[0].start < before:
        cpp.expansions.popleft()


def read_uses(cpp: CppWalk, before: int) -> None:
    """Read what macros declare before a byte, as members of the class at hand."""
    while cpp.expansions and cpp.expansions[0].start < before:
        _read_use(cpp, cpp.expansions.popleft())


def _read_use(cpp: CppWalk, use: MacroUse) -> None:
    snippet = b"struct %s {\n%s\n};\n" % (cpp.class_name.encode(), use.text)
    other = CppWalk(snippet, cpp.path, is_cpp=True)
    sizes = {name: len(getattr(cpp, name)) for name in _LISTS}
    known = set(cpp.accesses)
    own = {name: getattr(cpp, name) for name in _BORROWED}
    try:
        for name in _BORROWED:
            setattr(cpp, name, getattr(other, name))
        for member in _members(other.root):
            cpp.visit(member)
    finally:
        for name, value in own.items():
            setattr(cpp, name, value)
    _move_to_use(cpp, use, sizes, known)


def _members(root: Node) -> list[Node]:
    whole = root.named_children[0] if root.named_child_count else None
    body = None if whole is None else whole.child_by_field_name("body")
    return [] if body is None else [child for child in body.named_children if child.type != "ERROR"]


def _move_to_use(cpp: CppWalk, use: MacroUse, sizes: dict[str, int], known: set[Any]) -> None:
    """Let all that was read stand where the macro is used."""
    line = cpp.text.line_of(use.start)
    place = {
        "line": line,
        "column": use.start - cpp.text.line_start(line),
        "start_byte": use.start,
        "end_byte": use.end,
        "end_line": cpp.text.line_of(use.end - 1),
    }
    for name, size in sizes.items():
        listed = getattr(cpp, name)
        for number in range(size, len(listed)):
            listed[number] = _moved(listed[number], place)
    for key in [key for key in cpp.accesses if key not in known]:
        cpp.accesses[key] = _moved(cpp.accesses[key], place)
    cpp.references.append(Reference(cpp.scope, line, place["column"], ("name", use.name), "value"))


def _moved(fact: Any, place: dict[str, int]) -> Any:
    return fact._replace(**{name: value for name, value in place.items() if name in fact._fields})
