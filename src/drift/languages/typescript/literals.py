"""Literals: strings, templates, numbers, and constant text read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Constant
from drift.languages.path_patterns import path_of_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Handler, Walk

_MOST_PARTS: Final = 20
_MOST_PART_CHARACTERS: Final = 60
_MOST_STRING_BYTES: Final = 2_000  # four times what is kept of a constant


def string_value(walk: Walk, node: Node | None) -> str | None:
    """The text of a constant string or of a template without substitutions; None for anything else."""
    if node is None or node.type not in {"string", "template_string"}:
        return None
    if node.type == "template_string" and any(
        child.type == "template_substitution" for child in node.children
    ):
        return None
    return _inside(walk, node)


def path_value(walk: Walk, node: Node | None) -> str | None:
    """The text of a path that is put together: what is computed elsewhere as written, in angle brackets.

    None where nothing of it is constant. Sums nest to the left, without limit.
    """
    parts: list[str] = []
    is_constant = False
    waiting = [node]
    while waiting and len(parts) < _MOST_PARTS:
        here = waiting.pop()
        if here is None:
            continue
        if here.type == "binary_expression" and walk.name_of(here.child_by_field_name("operator")) == "+":
            waiting += [here.child_by_field_name("right"), here.child_by_field_name("left")]
        elif here.type == "template_string":
            waiting += reversed(here.named_children)
        elif here.type == "template_substitution":
            waiting += here.named_children[:1]
        elif here.type in {"string", "string_fragment"}:
            text = string_value(walk, here) if here.type == "string" else walk.name_of(here)
            parts.append(text or "")
            is_constant = is_constant or bool(text)
        else:
            parts.append(f"<{walk.text.brief(here, _MOST_PART_CHARACTERS)}>")
    whole = "".join(parts)
    return whole.replace(">/", ">").replace(">", ">/").removesuffix("/") if is_constant else None


def _inside(walk: Walk, node: Node) -> str:
    start, end = node.start_byte + 1, max(node.start_byte + 1, node.end_byte - 1)
    return walk.text.slice(start, min(end, start + _MOST_STRING_BYTES))


def _string(walk: Walk, node: Node) -> Expression:
    walk.note_string(_inside(walk, node), node)
    return ("literal", "str")


def _template(walk: Walk, node: Node) -> Expression:
    walk.note_string(_inside(walk, node), node)
    for child in node.named_children:
        if child.type == "template_substitution":
            walk.visit_children(child)
    return ("literal", "str")


def _number(walk: Walk, node: Node) -> Expression:
    text = walk.name_of(node)
    walk.note_number(text, node)
    is_float = not text.startswith(("0x", "0X")) and any(mark in text for mark in ".eE")
    return ("literal", "float" if is_float else "int")


def _regex(walk: Walk, node: Node) -> Expression:
    pattern = node.child_by_field_name("pattern")
    if (
        pattern is not None
        and walk.source[pattern.start_byte : pattern.start_byte + 3].lstrip(b"^")[:2] == b"\\/"
    ):
        path = path_of_pattern(walk.name_of(pattern))
        if path is not None:
            walk.constants.append(
                Constant(walk.scope, walk.line_of(node), "page-pattern", path, walk.constant_name)
            )
    return ("literal", "regex")


def _boolean(_walk: Walk, _node: Node) -> Expression:
    return ("literal", "bool")


def _none(_walk: Walk, _node: Node) -> Expression:
    return ("literal", "none")


HANDLERS: Final[Mapping[str, Handler]] = {
    "string": _string,
    "template_string": _template,
    "number": _number,
    "regex": _regex,
    "true": _boolean,
    "false": _boolean,
    "null": _none,
    "undefined": _none,
}


def texts_of(walk: Walk, node: Node) -> dict[str, str]:
    """The constant strings of an object literal by key."""
    texts: dict[str, str] = {}
    for child in node.named_children:
        text = string_value(walk, child.child_by_field_name("value")) if child.type == "pair" else None
        if text is not None:
            texts[walk.name_of(child.child_by_field_name("key")).strip("'\"")] = text
    return texts
