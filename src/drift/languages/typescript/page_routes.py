"""Pages of routers in the browser: rows with a path and what is shown there, of Angular, Vue and React.

`{ path: 'cart', loadComponent: () => import('./cart') }`, `{ path: '/cart', component: Cart, children: [...] }`,
`<Route path="/cart" element={<Cart />} />`. The path of a row is behind those of the rows around it; rows that another
file mounts below a row of its own get that path when the routes of all files are joined.
"""

from __future__ import annotations

from bisect import bisect
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import join_route, load_frameworks
from drift.languages.typescript.late_modules import given_late, taken_late
from drift.languages.typescript.literals import path_value, string_value
from drift.languages.typescript.row_loops import entry_of, expression_of
from drift.languages.typescript.walk import Registration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Walk

_FRAMEWORKS: Final = load_frameworks("typescript")
_SHOWN: Final = _FRAMEWORKS.texts("pages", "shown")
_LATE: Final = _FRAMEWORKS.texts("pages", "late")
_BESIDE: Final = _FRAMEWORKS.texts("pages", "beside")
_BELOW: Final = _FRAMEWORKS.names("pages", "below")
_MOUNTED: Final = _FRAMEWORKS.texts("pages", "mounted")
_ELEMENTS: Final = _FRAMEWORKS.names("pages", "elements")
_MARKS: Final = tuple(each.encode() for each in (*_SHOWN, "element=", "element:", *_LATE, *_MOUNTED))
_PATH: Final = "path"
_ANY: Final = "*"  # any path that no other row has
_FIRST: Final = "index"  # of React's row that is shown at the path of the row around it
PAGE: Final = "PAGE "
"""What the routes of pages begin with."""
_MOST_AROUND: Final = 40  # nodes between a row and the outermost list
_MOST_DETAIL: Final = 200
_NAMES: Final = frozenset({"identifier", "member_expression"})
_COMPONENTS: Final = frozenset({"called", "name", "member", "symbol"})
_ELEMENT: Final = "element"  # of React's rows: what is shown, written as markup
_OPENINGS: Final = frozenset({"jsx_opening_element", "jsx_self_closing_element"})
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression"})
_MOST_NODES: Final = 200


def may_have_pages(source: bytes) -> bool:
    """Whether a file has the words that rows of pages are written with."""
    return _PATH.encode() in source and any(mark in source for mark in _MARKS)


def note_rows(walk: Walk, array: Node, values: Sequence[Expression]) -> None:
    """Note the pages of a list, whose elements have these values."""
    rows = [child for child in array.named_children if child.type != "comment"]
    owner: tuple[Expression] | None = None
    inside = sorted(takewhile(lambda one: one[0] > array.start_byte, reversed(walk.page_rows)))
    for row, value in zip(rows, values, strict=False):
        if row.type != "object" or value is None or value[0] != "dict":
            continue
        entries = dict(value[1:])
        path = _path_of(walk, row)
        if path is None:
            continue
        shown = [*_shown(walk, entries), *_elements_in(walk, entry_of(walk, row, _ELEMENT))]
        mounted = list(_mounted(walk, entries))
        if not shown and not mounted:
            continue
        shown += _beside(entries)
        below = inside[bisect(inside, (row.start_byte,)) : bisect(inside, (row.end_byte,))]
        owner = owner or (_owner(walk, array),)
        whole = join_route(*_paths_around(walk, array, path))
        line = walk.line_of(row)
        _note(walk, shown, whole, line, router=owner[0])
        for _, path_below, line_below in below:  # what is below is shown in this
            _note(walk, shown, path_below, line_below, router=owner[0])
        walk.page_rows.append((row.start_byte, whole, line))
        walk.mounts += [Mount(scope, line, "under", whole, each, owner[0]) for scope, each in mounted]


def note_element(walk: Walk, opening: Node, attributes: Sequence[tuple[str | None, Expression]]) -> None:
    """Note the page of `<Route path="/cart" element={<Cart />} />`."""
    path = _attribute_path(walk, opening)
    if path is None:
        return
    openings = list(_openings_around(opening))
    around = [_attribute_path(walk, each) or "" for each in openings]
    shown = [*_shown(walk, dict(attributes)), *_elements_in(walk, _attribute(walk, opening, _ELEMENT))]
    shown += [one for each in openings for one in _elements_in(walk, _attribute(walk, each, _ELEMENT))]
    _note(walk, shown, join_route(*reversed(around), path), walk.line_of(opening), router=None)


def _openings_around(opening: Node) -> Iterator[Node]:
    """The tags of the elements that an element stands in, innermost first."""
    here = opening.parent
    for _ in range(_MOST_AROUND):
        if here is None:
            return
        outer = here.child_by_field_name("open_tag") if here.type == "jsx_element" else None
        if outer is not None and outer.id != opening.id:
            yield outer
        here = here.parent


def is_row_element(tag: str) -> bool:
    """Whether an element of this name is a row: `Route`, `PrivateRoute`."""
    return tag.endswith(tuple(_ELEMENTS))


def _note(walk: Walk, shown: Sequence[Expression], path: str, line: int, *, router: Expression) -> None:
    for each in shown:
        walk.registrations.append(
            Registration(walk.scope, each, "http", f"{PAGE}{path}"[:_MOST_DETAIL], line, router)
        )


def _shown(walk: Walk, entries: dict[Any, Expression]) -> Iterator[Expression]:
    for key in (*_SHOWN, *_LATE):
        value = entries.get(key)
        # Views by their names stand in an object.
        several = [each for _, each in value[1:]] if value is not None and value[0] == "dict" else [value]
        for each in several:
            found = given_late(walk, each) or (None if key in _LATE else each)
            if found is not None and found[0] in _COMPONENTS:
                yield _late_variable(walk, found)


def _beside(entries: dict[Any, Expression]) -> Iterator[Expression]:
    """The functions of a row that run before it is shown: guards, resolvers, loaders."""
    for key in _BESIDE:
        value = entries.get(key)
        inner: tuple[Any, ...] = ()
        if value is not None and value[0] == "dict":
            inner = tuple(each for _, each in value[1:])
        elif value is not None and value[0] == "list":
            inner = value[1:]
        for each in inner or (value,):
            if each is not None and each[0] in _COMPONENTS:
                yield each


def _late_variable(walk: Walk, found: Expression) -> Expression:
    """What a variable loads when it is shown, if it does; else the variable."""
    held = walk.values_by_name.get(found[1]) if found is not None and found[0] == "name" else None
    owner = held[1] if held is not None and held[0] == "member" else held
    return held if owner is not None and owner[0] == "called" else found


def _mounted(walk: Walk, entries: dict[Any, Expression]) -> Iterator[tuple[int, Expression]]:
    """The routers that a row names, each with the scope in which it has that name: loaded late, or listed elsewhere."""
    for key in _MOUNTED:
        late = taken_late(walk, entries.get(key))
        if late is not None:
            yield late
    for key in sorted(_BELOW):
        value = entries.get(key)
        if value is not None and value[0] in {"name", "member"}:
            yield walk.scope, value
        for each in value[1:] if value is not None and value[0] == "list" else ():
            if isinstance(each, tuple) and each[0] == "item" and each[1] is not None:
                yield walk.scope, each[1]


def _path_of(walk: Walk, row: Node) -> str | None:
    """The path that a row says; of one that is the first of those below another, none more."""
    node = entry_of(walk, row, _PATH)
    if node is None:
        return "" if entry_of(walk, row, _FIRST) is not None else None
    return _written(walk, node)


def _written(walk: Walk, node: Node) -> str | None:
    text = string_value(walk, node)
    if text is None:
        text = path_value(walk, node)
    if text is None and node.type in _NAMES:
        text = f"<{walk.text.brief(node, _MOST_DETAIL)}>"
    if text is None or text == _ANY:
        return text
    return text.removesuffix("/*").removesuffix("*")


def _attribute_path(walk: Walk, opening: Node) -> str | None:
    node = _attribute(walk, opening, _PATH)
    if node is not None:
        return _written(walk, node)
    return "" if _attribute(walk, opening, _FIRST) is not None else None


def _attribute(walk: Walk, opening: Node, wanted: str) -> Node | None:
    """What an attribute is given; the name itself where that is all."""
    for child in opening.named_children:
        if child.type == "jsx_attribute" and walk.name_of(child.named_children[0]) == wanted:
            value = child.named_children[-1]
            is_inner = value.type == "jsx_expression" and value.named_child_count
            return value.named_children[0] if is_inner else value
    return None


def _elements_in(walk: Walk, node: Node | None) -> Iterator[Expression]:
    """The components of markup, each with those in it: `<Guarded><Cart /></Guarded>`."""
    waiting, seen = [node] if node is not None else [], 0
    while waiting and seen < _MOST_NODES:
        here, seen = waiting.pop(), seen + 1
        name = here.child_by_field_name("name") if here.type in _OPENINGS else None
        is_component = name is not None and walk.name_of(name)[:1].isupper()
        component = expression_of(walk, name) if name is not None and is_component else None
        if component is not None:
            yield _late_variable(walk, component)
        if here.type not in _FUNCTIONS:
            waiting += here.named_children


def _paths_around(walk: Walk, array: Node, path: str) -> list[str]:
    """The paths of the rows around a list, outermost first, and of a row in it; one from the root stands alone."""
    found = [path]
    here: Node | None = array
    for _ in range(_MOST_AROUND):
        pair = here.parent if here is not None else None
        is_below = (
            pair is not None
            and pair.type == "pair"
            and walk.name_of(pair.child_by_field_name("key")).strip("'\"") in _BELOW
        )
        if not is_below or pair is None or pair.parent is None or found[-1].startswith("/"):
            break
        found.append(_path_of(walk, pair.parent) or "")
        here = pair.parent.parent
    return found[::-1]


def _owner(walk: Walk, array: Node) -> Expression:
    """What holds the outermost list: a variable, or the file that gives it as its default."""
    here: Node | None = array
    for _ in range(_MOST_AROUND):
        above = here.parent if here is not None else None
        if above is None:
            return None
        if above.type == "variable_declarator":
            name = above.child_by_field_name("name")
            return ("name", walk.name_of(name)) if name is not None and name.type == "identifier" else None
        if above.type == "export_statement":
            return ("symbol", 0)
        if above.type in {"statement_block", "class_body", "program"}:
            return None
        here = above
    return None
