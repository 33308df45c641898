"""Annotations as expressions: what a value of the written type is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import either_of, list_of
from drift.languages.python.strings import string_value
from drift.languages.python.walk import member_of
from drift.languages.syntax import SourceText, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Walk

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_MOST_QUOTED_CHARACTERS: Final = 500
_MOST_TYPE_LEVELS: Final = 40
_MOST_ALTERNATIVES: Final = 16

_LITERAL_TYPES: Final = {
    "str": "str", "int": "int", "float": "float", "bool": "bool", "bytes": "bytes", "None": "none",
    "list": "list", "dict": "dict", "set": "set", "tuple": "tuple", "frozenset": "set", "LiteralString": "str",
    "List": "list", "Dict": "dict", "Set": "set", "Tuple": "tuple", "FrozenSet": "set",
}  # fmt: skip
_UNKNOWN_TYPES: Final = frozenset({"Any", "object", "Callable", "Never", "NoReturn", "Hashable"})
_WRAPPERS: Final = frozenset(
    {
        "Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar",
        "Unpack", "TypeGuard", "TypeIs", "Mapped",
    }
)  # fmt: skip
_CONTAINERS: Final = frozenset(
    {
        "list", "List", "set", "Set", "frozenset", "FrozenSet", "Sequence", "MutableSequence", "Iterable",
        "Iterator", "Collection", "Generator", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "deque",
        "Deque", "AbstractSet", "MutableSet", "KeysView", "ValuesView", "Reversible", "Container",
    }
)  # fmt: skip
_MAPPINGS: Final = frozenset(
    {
        "dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "DefaultDict", "OrderedDict",
        "ChainMap", "ItemsView",
    }
)  # fmt: skip
_SETS_OF_MODELS: Final = frozenset({"QuerySet", "Manager", "BaseManager", "RelatedManager"})
_TUPLES: Final = frozenset({"tuple", "Tuple"})
_UNIONS: Final = frozenset({"Union"})
_CLASSES: Final = frozenset({"type", "Type"})
_AWAITABLES: Final = frozenset({"Awaitable", "Coroutine", "Future", "Task"})


def type_value(walk: Walk, node: Node) -> Expression:
    """What a value of the annotated type is; names in it become type references."""
    return _Reading(walk, walk.text, node).value(node, 0)


def aliased_classes(walk: Walk, union: Node) -> Expression:
    """The classes that a name for one of several types stands for: `Stop = Base | Callable[…]`."""
    value = type_value(walk, union)
    parts = value[1:] if value is not None and value[0] == "either" else (value,)
    classes: list[Expression] = [one[1] for one in parts if isinstance(one, tuple) and one[0] == "instance"]
    return _union(classes if len(classes) == len(parts) else [*classes, None])


def is_union(walk: Walk, node: Node) -> bool:
    """Whether a value can be nothing but one of several types: names alone may be numbers that are put together."""
    if node.type == "subscript":
        return walk.text.brief(node.children[0], 40).rpartition(".")[2] in _UNIONS
    if node.type != "binary_operator" or node.children[1].type != "|":
        return False
    sure = {"subscript", "none", "string"}
    return any(part.type in sure or is_union(walk, part) for part in node.named_children)


def named_type(walk: Walk, node: Node) -> Expression:
    """The class that a base or an exception clause names, without its type arguments."""
    return _Reading(walk, walk.text, node).head(node)


class _Reading:
    """One annotation being read. A quoted one has a text of its own, but stands where its string does."""

    def __init__(self, walk: Walk, text: SourceText, place: Node, *, is_quoted: bool = False) -> None:
        self._walk = walk
        self._text = text
        self._place = place
        self._is_quoted = is_quoted

    def value(self, node: Node, level: int) -> Expression:
        if level > _MOST_TYPE_LEVELS:
            return None
        match node.type:
            case "type" | "parenthesized_expression" | "expression_statement":
                inner = node.named_children
                return self.value(inner[0], level + 1) if inner else None
            case "identifier" | "attribute" | "member_type":
                return self._named(node)
            case "generic_type" | "subscript":
                return self._generic(node, level)
            case "binary_operator" | "union_type":
                return _union([self.value(part, level + 1) for part in node.named_children])
            case "string":
                return self._quoted(node, level)
            case "none":
                return ("literal", "none")
            case "list" | "tuple":
                self._refer_to_all(node, level)
            case "call" if not self._is_quoted:
                return self._walk.visit(node)
        return None

    def _refer_to_all(self, node: Node, level: int) -> None:
        """The parameter list of a Callable: its types are used, but are not the value's."""
        for part in node.named_children:
            self.value(part, level + 1)

    def head(self, node: Node) -> Expression:
        """The named class itself, with a reference to it."""
        while (
            node.type in {"subscript", "generic_type", "type", "parenthesized_expression"}
            and node.child_count
        ):
            if node.type in {"subscript", "generic_type"}:
                for argument in node.named_children[1:]:
                    self.value(argument, 1)
            node = node.named_children[0] if node.named_children else node.children[0]
        if node.type not in {"identifier", "attribute", "member_type"}:
            return self._walk.visit(node)
        path = dotted(self._text.text(node))
        if path is not None:
            self._refer(node, path)
        return path if path is not None else self._walk.visit(node)

    def _named(self, node: Node) -> Expression:
        written = self._text.text(node)
        last = written.rpartition(".")[2]
        if last in _LITERAL_TYPES and (last == written or written.startswith("typing.")):
            return ("literal", _LITERAL_TYPES[last])
        if last == "Self":
            return ("this",)
        if last in _UNKNOWN_TYPES:
            return None
        path = dotted(written)
        if path is None:
            return None
        self._refer(node, path)
        return ("instance", path)

    def _generic(self, node: Node, level: int) -> Expression:
        parts = node.named_children
        if not parts:
            return None
        last = self._text.text(parts[0]).rpartition(".")[2]
        if last == "Literal":
            return ("literal", "str")
        arguments = _arguments(parts)
        if last == "Annotated" and not self._is_quoted:
            for extra in arguments[1:]:
                self._walk.visit(extra)
            arguments = arguments[:1]
        values = [self.value(argument, level + 1) for argument in arguments]
        return self._shaped(last, values, parts[0])

    def _shaped(self, last: str, values: list[Expression], head: Node) -> Expression:
        first = values[0] if values else None
        if last in _WRAPPERS:
            return first
        if last in _UNIONS:
            return _union(values)
        if last in _CONTAINERS:
            return ("list", first) if first is not None else ("literal", "list")
        if last in _TUPLES:
            return list_of(values) if any(values) else ("literal", "tuple")
        if last in _MAPPINGS:
            known = values[-1] if len(values) > 1 else None
            return ("dict", (None, known)) if known is not None else ("literal", "dict")
        if last in _CLASSES:
            return first[1] if first is not None and first[0] == "instance" else None
        if last in _AWAITABLES:
            return values[-1] if values else None
        if last in _SETS_OF_MODELS and first is not None and first[0] == "instance":
            return ("own", self._named(head), ("all", first[1]))
        return self._named(head)

    def _quoted(self, node: Node, level: int) -> Expression:
        """A forward reference: read what stands between the quotes."""
        if self._is_quoted:
            return None
        inner = string_value(self._text.source[node.start_byte : node.end_byte])
        if not inner or len(inner) > _MOST_QUOTED_CHARACTERS:
            return None
        inner = inner.strip()
        source = inner.encode("utf-8", "replace")
        tree = parse("python", source)
        reading = _Reading(self._walk, SourceText(source), node, is_quoted=True)
        statements = tree.root_node.named_children
        return reading.value(statements[0], level + 1) if len(statements) == 1 else None

    def _refer(self, node: Node, path: Expression) -> None:
        place = self._place if self._is_quoted else node
        self._walk.refer(place.start_byte, path, "type")


def dotted(written: str) -> Expression:
    """`a.b.c` as an expression; None for anything else."""
    if not _DOTTED.fullmatch(written):
        return None
    first, *rest = written.split(".")
    return member_of(("name", first), rest[::-1])


def either(values: Iterable[Expression]) -> Expression:
    """One of these, without what is unknown, `None`, or said twice."""
    known: list[Expression] = []
    for value in values:
        if value is None or value == ("literal", "none"):
            continue
        for part in value[1:] if value[0] == "either" else (value,):
            if part not in known and len(known) < _MOST_ALTERNATIVES:
                known.append(part)
    if not known:
        return None
    return known[0] if len(known) == 1 else either_of(known)


def _union(values: list[Expression]) -> Expression:
    """One of these types; a last alternative of None says that there are others nothing is known of."""
    known = either(values)
    if known is None or all(value is not None for value in values):
        return known
    return (*known, None) if known[0] == "either" else ("either", known, None)


def _arguments(parts: list[Node]) -> list[Node]:
    """Type arguments: below a type_parameter in a `type`, side by side in a plain subscript."""
    rest = parts[1:]
    if len(rest) == 1 and rest[0].type == "type_parameter":
        rest = rest[0].named_children
    if len(rest) == 1 and rest[0].type == "tuple":
        rest = rest[0].named_children
    return rest
