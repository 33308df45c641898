"""What Angular's `@Component` says of its template: one written in place is read here, one in a file finds its class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Binding
from drift.languages.typescript.angular_templates import read_template
from drift.languages.typescript.line_ends import parse_script
from drift.languages.typescript.literals import string_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.typescript.walk import Walk

_DECORATOR: Final = b"@Component"
_INLINE: Final = "template"
_FILE: Final = "templateUrl"


def note_template(walk: Walk, decorators: list[Node], component: int) -> None:
    """Note what the template of a component uses of it; the walk stands in the component."""
    for decorator in decorators:
        if not walk.source.startswith(_DECORATOR, decorator.start_byte):
            continue
        for name, value in _settings(walk, decorator):
            if name == _FILE and (path := string_value(walk, value)):
                known_as = path.rpartition("/")[2]
                walk.bindings.append(
                    Binding(0, known_as, ("instance", ("symbol", component)), walk.line_of(value))
                )
            elif name == _INLINE and value.type in {"string", "template_string"}:
                _read_inline(walk, value)


def _settings(walk: Walk, decorator: Node) -> Iterator[tuple[str, Node]]:
    """The pairs of the object that a decorator is given."""
    call = next((child for child in decorator.named_children if child.type == "call_expression"), None)
    arguments = call.child_by_field_name("arguments") if call is not None else None
    for given in arguments.named_children if arguments is not None else ():
        for pair in given.named_children if given.type == "object" else ():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None:
                yield walk.name_of(key), value


def _read_inline(walk: Walk, value: Node) -> None:
    template = read_template(walk.source, value.start_byte + 1, value.end_byte - 1)
    tree = parse_script("typescript", template.source)
    walk.component, walk.template_names = ("this",), template.declared
    walk.visit_children(tree.root_node)
    walk.component, walk.template_names = None, frozenset()
