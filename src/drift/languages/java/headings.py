"""What stands before a declaration's name: annotations, visibility, modifiers, documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Decorator
from drift.languages.java.type_forms import name_type
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.objects import Annotation, Heading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from drift.languages.objects import ObjectWalk

_VISIBILITIES: Final = frozenset({"private", "protected", "public"})
_EVERYDAY_ANNOTATIONS: Final = frozenset({"Deprecated", "Override", "SafeVarargs", "SuppressWarnings"})


def read_heading(walk: ObjectWalk, node: Node) -> Heading:
    """The heading of a declaration; what its annotations are given is visited."""
    children = node.children
    modifiers = children[0] if children else None
    if modifiers is None or modifiers.type != "modifiers":
        return Heading(node.start_byte)
    # A comment behind the last annotation is none of the declaration's words.
    words_after = (child for child in children[1:] if not child.type.endswith("comment"))
    start = next((child.start_byte for child in words_after), node.start_byte)
    decorators: list[Decorator] = []
    annotations: list[Annotation] = []
    words: list[str] = []
    for child in modifiers.children:
        if child.type in {"annotation", "marker_annotation"}:
            _read_annotation(walk, child, decorators, annotations=annotations)
        elif not child.type.endswith("comment"):
            if not words:
                start = child.start_byte
            words.append(child.type)
    visibility = next((word for word in words if word in _VISIBILITIES), "")
    return Heading(start, tuple(decorators), tuple(annotations), visibility, frozenset(words) - _VISIBILITIES)


def _read_annotation(
    walk: ObjectWalk, node: Node, decorators: list[Decorator], *, annotations: list[Annotation]
) -> None:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    name = walk.text.text(name_node)
    simple = name.rpartition(".")[2]
    decorators.append(Decorator(name, walk.text.brief(node, MOST_TEXT_CHARACTERS), walk.line(node)))
    annotations.append(Annotation(simple, node))
    if simple not in _EVERYDAY_ANNOTATIONS:
        walk.refer(name_node, name_type(walk, name_node), "type")
    walk.visit_field(node, "arguments")


def take_doc(walk: ObjectWalk, node: Node) -> str:
    return walk.comments.take_doc(walk.line(node), ("/**",))


def visibility_of(walk: ObjectWalk, heading: Heading) -> str:
    """The visibility as written, or what the place of a declaration makes it."""
    if heading.visibility:
        return heading.visibility
    owner = walk.classes[-1] if walk.classes else None
    if owner is None:
        return "package"
    if walk.scope != owner.number:
        return "private"  # local to a method
    return "public" if owner.kind == "interface" else "package"


def modifiers_of(words: Iterable[str], *, is_exported: bool) -> tuple[str, ...]:
    """Modifiers as the facts have them: sorted, with `exported` for what can be named from anywhere."""
    return tuple(sorted({*words, "exported"} if is_exported else set(words)))
