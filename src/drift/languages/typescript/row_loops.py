"""Loops over rows that a file writes out: `routes.forEach((each) => app.use(each.path, each.router))`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.typescript.literals import string_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Walk

_LOOPING: Final = frozenset({"forEach", "map"})
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression"})
_BLOCKS: Final = frozenset({"program", "statement_block"})
_DECLARATIONS: Final = frozenset({"lexical_declaration", "variable_declaration", "export_statement"})
_TYPED: Final = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})
_NAMES: Final = frozenset({"identifier", "member_expression"})
_MOST_LEVELS: Final = 8  # up to the loop
_MOST_ROWS: Final = 200


class RowLoop:
    """The loop around a call, with what it takes from each row."""

    def __init__(self, walk: Walk, pattern: Node, rows: list[Node]) -> None:
        self._walk = walk
        self._pattern = pattern
        self.rows = rows

    def value(self, row: Node, node: Node) -> Node:
        """What a part of the call is in the turn of a row: what stands in the row, else the part itself."""
        return self._in_row(row, node) or node

    def _in_row(self, row: Node, node: Node) -> Node | None:
        walk, pattern = self._walk, self._pattern
        if node.type not in _NAMES:
            return None
        if node.type == "member_expression":
            owner = walk.name_of(node.child_by_field_name("object"))
            is_row = pattern.type == "identifier" and owner == walk.name_of(pattern)
            return entry_of(walk, row, walk.name_of(node.child_by_field_name("property"))) if is_row else None
        name = walk.name_of(node)
        if pattern.type == "identifier":
            return row if name == walk.name_of(pattern) else None
        if pattern.type == "array_pattern" and row.type == "array":
            places = [walk.name_of(each) for each in pattern.named_children]
            place = places.index(name) if name in places else len(row.named_children)
            return row.named_children[place] if place < len(row.named_children) else None
        return next((entry_of(walk, row, key) for key, kept in _keys(walk, pattern) if kept == name), None)


def loop_around(walk: Walk, node: Node) -> RowLoop | None:
    """The nearest loop that a call stands in, if the rows it goes through are written in the file."""
    here: Node | None = node
    for _ in range(_MOST_LEVELS):
        here = here.parent if here is not None else None
        if here is None:
            return None
        if here.type == "for_in_statement":
            return _loop(walk, here.child_by_field_name("left"), here.child_by_field_name("right"))
        if here.type in _FUNCTIONS:
            return _loop_of_function(walk, here)
    return None


def expression_of(walk: Walk, node: Node) -> Expression:
    """What a name or a member of one is in linking; None for anything else."""
    if node.type in {"identifier", "shorthand_property_identifier"}:
        return ("name", walk.name_of(node))
    if node.type != "member_expression":
        return None
    owner = node.child_by_field_name("object")
    inner = expression_of(walk, owner) if owner is not None else None
    return None if inner is None else ("member", inner, walk.name_of(node.child_by_field_name("property")))


def texts_in_rows(walk: Walk, loop: RowLoop, node: Node) -> list[str]:
    """The text that a part of a call has in each turn; nothing where one of them is not known."""
    texts = [string_value(walk, loop.value(row, node)) for row in loop.rows]
    return [text for text in texts if text] if all(texts) else []


def _loop_of_function(walk: Walk, function: Node) -> RowLoop | None:
    call = function.parent.parent if function.parent is not None else None
    callee = (
        call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    )
    if callee is None or callee.type != "member_expression":
        return None
    if walk.name_of(callee.child_by_field_name("property")) not in _LOOPING:
        return None
    parameters = function.child_by_field_name("parameters")
    first = parameters.named_children[0] if parameters is not None and parameters.named_child_count else None
    if first is not None and first.type == "required_parameter":
        first = first.child_by_field_name("pattern")
    return _loop(
        walk, first or function.child_by_field_name("parameter"), callee.child_by_field_name("object")
    )


def _loop(walk: Walk, pattern: Node | None, rows: Node | None) -> RowLoop | None:
    if pattern is None or rows is None:
        return None
    array = declared_value(walk, rows) if rows.type == "identifier" else bare(rows)
    if array is None or array.type != "array" or array.named_child_count > _MOST_ROWS:
        return None
    return RowLoop(walk, pattern, [each for each in array.named_children if each.type != "comment"])


def declared_value(walk: Walk, name: Node) -> Node | None:
    """What the variable that a name means was declared with, where the blocks around it declare one."""
    wanted, here = walk.name_of(name), name.parent
    while here is not None:
        if here.type in _BLOCKS:
            for value in _values_of(walk, here, wanted):
                return bare(value)
        here = here.parent
    return None


def _values_of(walk: Walk, block: Node, wanted: str) -> Iterator[Node]:
    for statement in block.named_children:
        if statement.type not in _DECLARATIONS:
            continue
        inner = statement.child_by_field_name("declaration") or statement
        for declarator in inner.named_children:
            value = declarator.child_by_field_name("value")
            if value is not None and walk.name_of(declarator.child_by_field_name("name")) == wanted:
                yield value


def bare(node: Node) -> Node:
    """What is inside of types and parentheses; of a new map or set, the rows it is made of."""
    while node.type in _TYPED and node.named_child_count:
        node = node.named_children[0]
    given = node.child_by_field_name("arguments") if node.type == "new_expression" else None
    return given.named_children[0] if given is not None and given.named_child_count else node


def entry_of(walk: Walk, row: Node, key: str) -> Node | None:
    """What stands under a key of an object literal."""
    if row.type != "object":
        return None
    for part in row.named_children:
        if part.type == "shorthand_property_identifier" and walk.name_of(part) == key:
            return part
        if part.type == "pair" and walk.name_of(part.child_by_field_name("key")).strip("'\"") == key:
            return part.child_by_field_name("value")
    return None


def _keys(walk: Walk, pattern: Node) -> Iterator[tuple[str, str]]:
    """The keys of what a pattern takes apart, with the names they get."""
    for part in pattern.named_children if pattern.type == "object_pattern" else ():
        if part.type == "shorthand_property_identifier_pattern":
            yield walk.name_of(part), walk.name_of(part)
        elif part.type == "pair_pattern":
            yield (
                walk.name_of(part.child_by_field_name("key")),
                walk.name_of(part.child_by_field_name("value")),
            )
