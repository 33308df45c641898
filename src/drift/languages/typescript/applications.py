"""What an application puts before the routes of all its controllers, and the modules that these are mounted in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Mount
from drift.languages.frameworks import join_route, load_frameworks
from drift.languages.typescript.decorated_paths import NEUTRAL
from drift.languages.typescript.literals import path_value, string_value
from drift.languages.typescript.row_loops import bare, declared_value, entry_of, expression_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Call
    from drift.languages.frameworks import MountRule
    from drift.languages.typescript.walk import Walk

APPLICATION_KINDS: Final = frozenset({"all", "application", "tree", "version"})
_FRAMEWORKS: Final = load_frameworks("typescript")
_TREE: Final = next(rule for rule in _FRAMEWORKS.mounts.values() if rule.kind == "tree")
_MODULES: Final = _FRAMEWORKS.mapping("routes", "modules")
_ROW_TYPES: Final = _FRAMEWORKS.names("routes", "module_rows")
_PACKAGES: Final = _FRAMEWORKS.names("routes", "module_packages")
_LEFT_OUT: Final = "exclude"
_IN_PATHS: Final = "URI"
_LISTS: Final = frozenset({"array"})
_DECLARATIONS: Final = frozenset({"lexical_declaration", "export_statement"})
_WRITTEN: Final = re.compile(r"[^/{}<>,]{1,60}")
_LEADING: Final = re.compile(r"[\w$.]{1,60}")
_MOST_WRITTEN: Final = 200
_MOST_ROWS: Final = 200


def note_application(walk: Walk, call: Call, rule: MountRule, arguments: Node) -> None:
    """Note what a call says of all routes of an application, or of those of its modules."""
    nodes = [child for child in arguments.named_children if child.type != "comment"]
    if rule.kind == "tree":
        rows = _known(walk, nodes[0]) if nodes else None
        if rows is not None:
            walk.mounts += _mounted_modules(walk, rows)
        return
    given: list[tuple[str, str]]
    if rule.kind == "application":
        given = [("application", "")]
    elif rule.kind == "version":
        given = [("version", _versions(walk, rule, nodes))]
    else:
        given = [("all", _prefix(walk, rule, nodes)), *(("except", each) for each in _left_out(walk, nodes))]
    walk.mounts += [Mount(walk.scope, call.line, kind, text) for kind, text in given]


def note_module(walk: Walk, decorators: list[Node], declared: int) -> None:
    """Note the controllers that a class lists in its decorator."""
    for decorator in decorators:
        call = next((child for child in decorator.named_children if child.type == "call_expression"), None)
        key = _MODULES.get(walk.name_of(call.child_by_field_name("function"))) if call is not None else None
        arguments = call.child_by_field_name("arguments") if call is not None else None
        if key is None or arguments is None or not arguments.named_child_count:
            continue
        listed = entry_of(walk, arguments.named_children[0], key)
        rows = _known(walk, listed) if listed is not None else None
        for each in _elements(walk, rows) if rows is not None else ():
            controller = expression_of(walk, each)
            if controller is not None:
                line = walk.line_of(each)
                walk.mounts.append(Mount(walk.scope, line, "under", "", controller, ("symbol", declared)))


def find_module_rows(walk: Walk, root: Node) -> Iterator[Mount]:
    """The modules in rows that a file declares as such, for another to mount."""
    if not any(each.module in _PACKAGES and each.name in _ROW_TYPES for each in walk.imports):
        return
    for statement in root.named_children:
        declaration = statement.child_by_field_name("declaration") or statement
        for declarator in declaration.named_children if statement.type in _DECLARATIONS else ():
            kind, value = declarator.child_by_field_name("type"), declarator.child_by_field_name("value")
            if kind is None or value is None or walk.name_of(kind).strip(": []") not in _ROW_TYPES:
                continue
            rows = bare(value)
            if rows.type in _LISTS:
                yield from _mounted_modules(walk, rows)


def _known(walk: Walk, node: Node) -> Node | None:
    """A list that is written out, here or where a name is declared."""
    found = declared_value(walk, node) if node.type == "identifier" else bare(node)
    return found if found is not None and found.type in _LISTS else None


def _elements(walk: Walk, rows: Node) -> Iterator[Node]:
    """The elements of a list, and those of lists that are spread in it."""
    waiting = list(reversed(rows.named_children[:_MOST_ROWS]))
    for _ in range(_MOST_ROWS):  # lists may be spread in each other
        if not waiting:
            return
        each = waiting.pop()
        inner = _known(walk, each.named_children[0]) if each.type == "spread_element" else None
        if inner is not None:
            waiting += reversed(inner.named_children[:_MOST_ROWS])
        elif each.type not in {"spread_element", "comment"}:
            yield each


def _mounted_modules(walk: Walk, rows: Node) -> Iterator[Mount]:
    """The modules of rows with their paths; those below have the path of what they are below."""
    waiting = [(rows, "")]
    for _ in range(_MOST_ROWS):  # rows may name each other
        if not waiting:
            return
        inside, before = waiting.pop()
        for row in _elements(walk, inside):
            module, path, below = _row(walk, row, before)
            if module is not None and path:
                yield Mount(0, walk.line_of(row), "under", path, module)
            if below is not None:
                waiting.append((below, path))


def _row(walk: Walk, row: Node, before: str) -> tuple[Expression, str, Node | None]:
    """The module of a row, its path, and the rows below it."""
    if row.type != "object":
        return expression_of(walk, row), before, None
    own, named, listed = (
        entry_of(walk, row, str(key)) for key in (*_TREE.prefix, *_TREE.router, *_TREE.members)
    )
    path = _text(walk, own) if own is not None else ""
    whole = join_route(before, path) if before and path else before or path
    module = expression_of(walk, named) if named is not None else None
    return module, whole, _known(walk, listed) if listed is not None else None


def _text(walk: Walk, node: Node) -> str:
    """What a path is: its text, that of the variable it names, else what is written, in angle brackets."""
    said = string_value(walk, node)
    if said is None and node.type == "identifier":
        value = declared_value(walk, node)
        said = string_value(walk, value) if value is not None else None
        node = value if value is not None and value.type != "identifier" and said is None else node
    if said is None and node.type in {"template_string", "binary_expression"}:
        said = path_value(walk, node)
    return said if said is not None else _written(walk.text.brief(node, _MOST_WRITTEN))


def _written(text: str) -> str:
    """An expression that is not known, short enough to stand in a path."""
    if _WRITTEN.fullmatch(text):
        return f"<{text}>"
    leading = _LEADING.match(text)
    return f"<{leading[0] if leading is not None else ''}…>"


def _prefix(walk: Walk, rule: MountRule, nodes: list[Node]) -> str:
    selector = rule.prefix[0]
    if isinstance(selector, int):
        return _text(walk, nodes[selector]) if selector < len(nodes) else ""
    found = next((entry_of(walk, node, selector) for node in nodes if node.type == "object"), None)
    return _text(walk, found) if found is not None else ""


def _left_out(walk: Walk, nodes: list[Node]) -> Iterator[str]:
    """The paths that a prefix leaves out, those for one method after it."""
    given = next((node for node in nodes if node.type == "object"), None)
    listed = entry_of(walk, given, _LEFT_OUT) if given is not None else None
    rows = _known(walk, listed) if listed is not None else None
    for row in _elements(walk, rows) if rows is not None else ():
        if row.type != "object":
            yield _text(walk, row)
            continue
        path, method = entry_of(walk, row, "path"), entry_of(walk, row, "method")
        verb = walk.name_of(method).rpartition(".")[2] if method is not None else ""
        if path is not None:
            yield f"{verb} {_text(walk, path)}" if verb.isalpha() and verb != "ALL" else _text(walk, path)


def _versions(walk: Walk, rule: MountRule, nodes: list[Node]) -> str:
    """What stands before a version in a path, and the version of routes that state none; empty for no place in paths."""
    given = next((node for node in nodes if node.type == "object"), None)
    kind, default, before = (
        entry_of(walk, given, key) if given is not None else None
        for key in ("type", str(rule.named[0]), str(rule.prefix[0]))
    )
    if kind is not None and not walk.name_of(kind).endswith(_IN_PATHS):
        return ""
    rows = _known(walk, default) if default is not None else None
    several = list(_elements(walk, rows)) if rows is not None else [default] if default is not None else []
    named = [NEUTRAL if walk.name_of(each).endswith(NEUTRAL) else _text(walk, each) for each in several]
    prefix = "" if before is not None and before.type == "false" else None
    if prefix is None:
        prefix = _text(walk, before) if before is not None else "v"
    return f"{prefix}:{','.join(named)}"
