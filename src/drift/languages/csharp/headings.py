"""What stands before a declaration's name: attributes, visibility, modifiers, documentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.csharp.attributes import short_name, whole_name
from drift.languages.csharp.type_forms import name_type
from drift.languages.csharp.walk import operands
from drift.languages.facts import Decorator
from drift.languages.limits import MOST_TEXT_CHARACTERS
from drift.languages.objects import Annotation, Heading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from drift.languages.csharp.walk import CsharpWalk
    from drift.languages.expressions import Expression

_VISIBILITIES: Final = frozenset({"file", "internal", "private", "protected", "public"})
_OPEN_KINDS: Final = frozenset({"enum", "interface"})  # whose members are public unless they say otherwise
_ATTRIBUTES: Final = frozenset({"attribute_list", "preproc_if_in_attribute_list"})
_BRANCHES: Final = frozenset({"preproc_elif", "preproc_else"})
_NAMED_TAG: Final = re.compile(r"""<(?:see|seealso|paramref|typeparamref)\s+\w+="([^"<>]*)"\s*/>""")
_PARAMETER_TAG: Final = re.compile(r"""<(?:param|typeparam|exception)\s+\w+="([^"<>]*)"\s*>""")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>")


def read_heading(walk: CsharpWalk, node: Node) -> Heading:
    """The heading of a declaration; what its attributes are given is visited."""
    decorators: list[Decorator] = []
    annotations: list[Annotation] = []
    words: list[str] = []
    start: int | None = None
    for child in node.children:
        if child.type in _ATTRIBUTES:
            for attribute in _attributes_in(child):
                _read_attribute(walk, attribute, decorators, annotations=annotations)
        elif child.type == "modifier":
            start = child.start_byte if start is None else start
            words.append(walk.text.text(child))
        elif child.type != "comment":
            start = child.start_byte if start is None else start
            break
    return Heading(
        node.start_byte if start is None else start,
        tuple(decorators),
        tuple(annotations),
        _visibility(words),
        frozenset(words) - _VISIBILITIES,
    )


def _attributes_in(node: Node) -> list[Node]:
    """The attributes of a list, and of the lists that stand between `#if` and `#endif`."""
    if node.type == "attribute_list":
        return node.named_children
    inside = [child for child in node.named_children if child.type in _ATTRIBUTES | _BRANCHES]
    return [found for child in inside for found in _attributes_in(child)]


def _visibility(words: list[str]) -> str:
    """The visibility in the words of the facts; `protected internal` is what subclasses elsewhere see of it."""
    if "public" in words:
        return "public"
    if "protected" in words:
        return "protected"
    if "internal" in words:
        return "package"
    return "private" if "private" in words or "file" in words else ""


def _read_attribute(
    walk: CsharpWalk, node: Node, decorators: list[Decorator], *, annotations: list[Annotation]
) -> None:
    name_node = node.child_by_field_name("name")
    if node.type != "attribute" or name_node is None:
        return
    target = name_type(walk, name_node)
    name = walk.text.brief(name_node, MOST_TEXT_CHARACTERS)
    decorators.append(Decorator(name, walk.text.brief(node, MOST_TEXT_CHARACTERS), walk.line(node)))
    annotations.append(Annotation(short_name(name.partition("<")[0].rpartition(".")[2]), node))
    walk.refer(name_node, target, "attribute")
    for argument, value in attribute_arguments(walk, node):
        if argument:
            _refer_to_property(walk, value, target, argument)
        walk.visit(value)


def _refer_to_property(walk: CsharpWalk, value: Node, attribute: Expression, name: str) -> None:
    """Note the property that an attribute is given: `[Guarded(Roles = "admin")]`."""
    place = value.parent.child_by_field_name("name") if value.parent is not None else None
    owner = whole_name(attribute)
    if place is not None and owner is not None:
        walk.refer(place, ("member", ("instance", owner), name), "value")


def attribute_arguments(walk: CsharpWalk, attribute: Node) -> list[tuple[str, Node]]:
    """The arguments of an attribute, each with its name, which is empty for those by position."""
    found: list[tuple[str, Node]] = []
    for listed in attribute.named_children:
        if listed.type != "attribute_argument_list":
            continue
        for argument in listed.named_children:
            name = argument.child_by_field_name("name")
            values = operands(argument)
            if values and (name is None or len(values) > 1):
                found.append((walk.text.text(name) if name is not None else "", values[-1]))
    return found


def take_doc(walk: CsharpWalk, node: Node) -> str:
    """The documentation above a declaration, with its XML tags made words."""
    doc = walk.comments.take_doc(walk.line(node), ("///", "/**"))
    if "<" not in doc:
        return doc
    doc = _PARAMETER_TAG.sub(r"\1: ", _NAMED_TAG.sub(r"\1", doc))
    lines = (line.strip() for line in _TAG.sub("", doc).splitlines())
    return "\n".join(line for line in lines if line)


def visibility_of(walk: CsharpWalk, heading: Heading) -> str:
    """The visibility as written, or what the place of a declaration makes it."""
    if heading.visibility:
        return heading.visibility
    owner = walk.classes[-1] if walk.classes else None
    if owner is None:
        return "package"
    return "public" if owner.kind in _OPEN_KINDS else "private"


def modifiers_of(words: Iterable[str], *, is_exported: bool) -> tuple[str, ...]:
    """Modifiers as the facts have them: sorted, with `exported` for what can be named from anywhere."""
    return tuple(sorted({*words, "exported"} if is_exported else set(words)))
