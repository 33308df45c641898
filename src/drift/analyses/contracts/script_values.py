"""What expressions of JavaScript and TypeScript that make addresses come to; what is not known stands in braces."""

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.paths import data

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.syntax import SourceText

_MOST_DEPTH: Final = 12
_MOST_CHARACTERS: Final = 500
_BLOCKS: Final = frozenset({"statement_block", "class_body", "arrow_function", "function_declaration"})
_THROUGH: Final = frozenset(
    {
        "parenthesized_expression",
        "as_expression",
        "non_null_expression",
        "await_expression",
        "satisfies_expression",
    }
)
_TEXTS: Final = frozenset({"string", "template_string"})
_NAME: Final = re.compile(r"\A[\w$]{1,100}\Z")
# Calls whose result is a part of a path, whatever text they are given.
_ENCODING: Final = frozenset({"encodeURIComponent", "encodeURI", "String", "toString", "trim", "join"})

Outside = Callable[[str, str | None], str | None]
"""The text that a name from elsewhere stands for, or that a member of it does."""


class Values:
    """The names of one file and what they stand for."""

    def __init__(self, root: "Node", text: "SourceText", outside: Outside) -> None:
        self._text = text
        self._outside = outside
        self._names: dict[str, list[tuple[Node, Node]]] = {}  # the block it is known in, and what it is given
        self._fields: dict[str, Node] = {}
        self._imported: set[str] = set()  # names from other files
        self._gather(root)

    def _gather(self, root: "Node") -> None:
        waiting = [(root, root)]
        while waiting:
            node, block = waiting.pop()
            block = node if node.type in _BLOCKS else block
            if node.type in {"import_specifier", "shorthand_property_identifier_pattern", "import_clause"}:
                self._imported.add(self.text(node).rpartition(" ")[2])
            if node.type == "variable_declarator":
                name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
                if name is not None and value is not None:
                    self._names.setdefault(self.text(name), []).append((block, value))
            elif node.type in {"public_field_definition", "field_definition"}:
                name = node.child_by_field_name("name") or node.child_by_field_name("property")
                self._keep(self._fields, name, node.child_by_field_name("value"))
            elif node.type == "assignment_expression":
                left = node.child_by_field_name("left")
                if (
                    left is not None
                    and left.type == "member_expression"
                    and self.text(left).startswith("this.")
                ):
                    self._keep(
                        self._fields, left.child_by_field_name("property"), node.child_by_field_name("right")
                    )
            waiting.extend((each, block) for each in reversed(node.named_children))

    def _keep(self, into: dict[str, "Node"], name: "Node | None", value: "Node | None") -> None:
        if name is not None and value is not None:
            into.setdefault(self.text(name), value)

    def text(self, node: "Node") -> str:
        return self._text.brief(node, _MOST_CHARACTERS)

    def value_of(self, name: str, at: "Node") -> "Node | None":
        """What a name is given first in the nearest block around a place that declares it."""
        around = [
            (block.end_byte - block.start_byte, number, value)
            for number, (block, value) in enumerate(self._names.get(name, ()))
            if block.start_byte <= at.start_byte < block.end_byte
        ]
        return min(around, key=lambda each: each[:2])[2] if around else None

    def address(self, node: "Node", depth: int = 0) -> str:
        """The address that an expression makes."""
        if depth > _MOST_DEPTH:
            return "{…}"
        kind = node.type
        if kind == "string":
            return self.text(node)[1:-1]
        if kind in _THROUGH:
            return self.address(node.named_children[0], depth + 1) if node.named_children else "{…}"
        evaluate = {
            "template_string": self._template,
            "binary_expression": self._joined,
            "ternary_expression": self._chosen,
            "identifier": self._name,
            "shorthand_property_identifier": self._name,
            "member_expression": self._member,
            "call_expression": self._call,
            "new_expression": self._call,
        }.get(kind)
        return evaluate(node, depth) if evaluate is not None else "{…}"

    def _joined(self, node: "Node", depth: int) -> str:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return "{…}"
        if any(each.type == "+" for each in node.children):
            return self.address(left, depth + 1) + self.address(right, depth + 1)
        return self.address(left, depth + 1)

    def _chosen(self, node: "Node", depth: int) -> str:
        first = node.child_by_field_name("consequence")
        return self.address(first, depth + 1) if first is not None else "{…}"

    def _template(self, node: "Node", depth: int) -> str:
        parts: list[str] = []
        place = node.start_byte + 1
        for child in node.named_children:
            if child.type != "template_substitution":
                continue
            parts.append(self._text.slice(place, child.start_byte))
            inner = child.named_children
            parts.append(self.address(inner[0], depth + 1) if inner else "{…}")
            place = child.end_byte
        parts.append(self._text.slice(place, node.end_byte - 1))
        return "".join(parts)

    def _name(self, node: "Node", depth: int) -> str:
        name = self.text(node)
        value = self.value_of(name, node)
        if value is not None and value.start_byte > node.start_byte > value.start_byte - 1:
            return f"{{{name}}}"
        if value is not None:
            found = self.address(value, depth + 1)
            return found if found.strip("{}…") and not _is_open(found) else f"{{{name}}}"
        # Other files have names alike that mean nothing here.
        is_known = name in self._imported or name.isupper()
        return (self._outside(name, None) if is_known else None) or f"{{{name}}}"

    def _member(self, node: "Node", depth: int) -> str:
        holder, member = node.child_by_field_name("object"), node.child_by_field_name("property")
        if holder is None or member is None:
            return "{…}"
        name = self.text(member)
        if holder.type == "this":
            value = self._fields.get(name)
            found = self.address(value, depth + 1) if value is not None else "{…}"
            return found if not _is_open(found) else f"{{{name}}}"
        held = self.value_of(self.text(holder), node)
        found_in = _pair(held, name, self) if held is not None and held.type == "object" else None
        if found_in is not None:
            return self.address(found_in, depth + 1)
        known = self._outside(self.text(holder), name) if _NAME.match(self.text(holder)) else None
        return known or f"{{{name}}}"

    def _call(self, node: "Node", depth: int) -> str:
        called = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        arguments = node.child_by_field_name("arguments")
        last = self.text(called).rpartition(".")[2] if called is not None else ""
        given = arguments.named_children if arguments is not None else []
        texts = [each for each in given if each.type in _TEXTS or each.type == "binary_expression"]
        if last in _ENCODING or not texts:
            inner = next((each for each in given if each.type in {"member_expression", "identifier"}), None)
            if last not in _ENCODING and inner is not None:
                return _as_made(last, self.address(inner, depth + 1))
            return "{…}"
        return _as_made(last, self.address(texts[0], depth + 1))


@cache
def _makers() -> re.Pattern[str]:
    return re.compile(data()["script"]["makers"])


def _as_made(name: str, given: str) -> str:
    """The address that a function makes of a part of one: getEndpointFor('api/users').

    A word is a key, as in config.get('url'), unless the name says that it makes addresses: getApiPath('users').
    """
    if "/" in given:
        return given
    return f"/{given}" if _makers().search(name) and not given.startswith("{") else "{…}"


def _is_open(address: str) -> bool:
    """Whether nothing is known of an address."""
    return address.startswith("{") and address.endswith("}") and "/" not in address


def _pair(node: "Node", key: str, values: Values) -> "Node | None":
    """The value that an object has under a key."""
    for child in node.named_children:
        if child.type != "pair":
            continue
        name = child.child_by_field_name("key")
        if name is not None and values.text(name).strip("'\"") == key:
            return child.child_by_field_name("value")
    return None


def pair_of(node: "Node", keys: tuple[str, ...], values: Values) -> "Node | None":
    """The first value that an object has under one of some keys; also a name that stands for both."""
    for key in keys:
        found = _pair(node, key, values)
        if found is not None:
            return found
        for child in node.named_children:
            if child.type == "shorthand_property_identifier" and values.text(child) == key:
                return child
    return None
