"""What Angular's `@Component` says of its template: one written in place is read here, one in a file finds its class.

What templates call a class by (the selector of a component or directive, the name of a pipe) becomes a name of the
file, with a mark that no source can write, which templates of other files ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Binding
from drift.languages.typescript.angular_markup import markup_uses, pipe_name, selected_names
from drift.languages.typescript.angular_templates import read_template
from drift.languages.typescript.line_ends import parse_script
from drift.languages.typescript.literals import string_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.typescript.walk import Walk

_DECORATORS: Final = (b"@Component", b"@Directive", b"@Pipe")
_COMPONENT: Final = b"@Component"
_SELECTOR: Final = "selector"
_PIPE: Final = b"@Pipe"
_PIPE_NAME: Final = "name"
_INLINE: Final = "template"
_FILE: Final = "templateUrl"


def note_template(walk: Walk, decorators: list[Node], component: int) -> None:
    """Note what the template of a component uses of it; the walk stands in the component."""
    for decorator in decorators:
        if not walk.source.startswith(_DECORATORS, decorator.start_byte):
            continue
        is_component = walk.source.startswith(_COMPONENT, decorator.start_byte)
        is_pipe = walk.source.startswith(_PIPE, decorator.start_byte)
        for name, value in _settings(walk, decorator):
            if name == (_PIPE_NAME if is_pipe else _SELECTOR):
                _note_name(walk, value, component, is_pipe=is_pipe)
            elif not is_component:
                continue
            elif name == _FILE and (path := string_value(walk, value)):
                known_as = path.rpartition("/")[2]
                walk.bindings.append(
                    Binding(0, known_as, ("instance", ("symbol", component)), walk.line_of(value))
                )
            elif name == _INLINE and value.type in {"string", "template_string"}:
                _read_inline(walk, value)


def _note_name(walk: Walk, value: Node, declared: int, *, is_pipe: bool) -> None:
    """Name a class as templates do; of a pipe there is an object, which they call."""
    text = string_value(walk, value) or ""
    own: Expression = ("symbol", declared)
    names = [pipe_name(text)] if is_pipe else selected_names(text)
    for name in names if text else ():
        walk.bindings.append(Binding(0, name, ("instance", own) if is_pipe else own, walk.line_of(value)))


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
    start, end = value.start_byte + 1, value.end_byte - 1
    template = read_template(walk.source, start, end)
    walk.reads += [
        (walk.scope, place, target, "value") for place, target in markup_uses(walk.source, start, end)
    ]
    tree = parse_script("typescript", template.source)
    walk.component, walk.template_names = ("this",), template.declared
    walk.visit_children(tree.root_node)
    walk.component, walk.template_names = None, frozenset()
