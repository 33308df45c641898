"""YAML and JSON as a tree of nodes with their lines: a small reader that makes no objects of what a text says.

It knows block and flow collections, quoted and block texts, comments, several documents in one text, and aliases, which
share the node they name and copy nothing. Tags are passed over. Depth and number of nodes are bounded.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from drift.documents.items import UnreadableError

_MOST_NODES: Final = 100_000
_MOST_DEPTH: Final = 50
_OPENING: Final = "{["
_QUOTES: Final = "\"'"


@dataclass(slots=True)
class Node:
    """A text, a list or a mapping; a text of nothing is null."""

    line: int
    text: str | None = None
    items: "list[Node] | None" = None
    entries: "list[tuple[str, Node]] | None" = None

    def get(self, *keys: str) -> "Node":
        """The node under keys, each in the mapping before it; an empty one where there is none."""
        node = self
        for key in keys:
            node = next((value for name, value in node.pairs() if name == key), _NOTHING)
        return node

    def pairs(self) -> "Iterator[tuple[str, Node]]":
        """The entries of a mapping, with those it merges; none of anything else."""
        merged = []
        for key, value in self.entries or ():
            if key == "<<":
                merged += value.items if value.items is not None else [value]
            else:
                yield key, value
        for each in merged:
            yield from each.entries or ()

    def children(self) -> "list[Node]":
        """The items of a list; none of anything else."""
        return self.items or []

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands there."""
        return self.text in {None, "", "null", "~"} and self.items is None and self.entries is None


_NOTHING: Final = Node(0)


def read_nodes(text: str) -> list[Node]:
    """The documents of a text. Raises UnreadableError."""
    return _Reading(text).documents()


class _FlowError(Exception):
    """What begins like a flow collection is none."""


@dataclass(slots=True)
class _Reading:
    source: str
    lines: list[str] = field(init=False)
    starts: list[int] = field(init=False)
    at: int = 0
    count: int = 0
    anchors: dict[str, Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.source = self.source.removeprefix("\ufeff").replace("\r\n", "\n")
        self.lines = self.source.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def documents(self) -> list[Node]:
        found = []
        while self._skip_blank():
            line = self.lines[self.at]
            if line.startswith(("---", "...", "%")):
                self.at += 1
                rest = line[3:].strip()
                if line.startswith("---") and rest and not rest.startswith("#"):
                    self.at -= 1
                    self.lines[self.at] = f"   {line[3:]}"
                continue
            before = self.at
            found.append(self._node(-1, 0))
            if self.at == before:
                raise UnreadableError(f"line {before + 1} is not understood")
        return found

    def _make(self, line: int, depth: int) -> Node:
        self.count += 1
        if self.count > _MOST_NODES:
            raise UnreadableError(f"more than {_MOST_NODES:,} values")
        if depth > _MOST_DEPTH:
            raise UnreadableError(f"nested more than {_MOST_DEPTH} levels deep")
        return Node(line + 1)

    def _skip_blank(self) -> bool:
        """Go to the next line that says something; whether there is one."""
        while self.at < len(self.lines):
            stripped = self.lines[self.at].lstrip(" \t")
            if stripped and not stripped.startswith("#") and stripped != "\r":
                return True
            self.at += 1
        return False

    def _indent(self) -> int:
        line = self.lines[self.at]
        return len(line) - len(line.lstrip(" "))

    def _ends(self) -> bool:
        return self.lines[self.at].startswith(("---", "..."))

    def _node(self, above: int, depth: int) -> Node:
        """The node that begins on this line, which stands deeper than `above`."""
        node = self._make(self.at, depth)
        indent = self._indent()
        text = self.lines[self.at][indent:]
        if _is_dash(text):
            node.items = []
            self._fill_list(node.items, indent, depth)
        elif text[:1] not in _OPENING and _split_key(text) is not None:
            node.entries = []
            self._fill_mapping(node.entries, indent, depth)
        else:
            return self._value(text, indent, above, depth=depth)
        return node

    def _fill_list(self, items: list[Node], indent: int, depth: int) -> None:
        while self._skip_blank() and self._indent() == indent and _is_dash(self.lines[self.at][indent:]):
            line = self.lines[self.at]
            rest = line[indent + 1 :].lstrip(" ")
            column = len(line) - len(rest)
            if not rest or rest.startswith("#"):
                items.append(self._nested(indent, depth))
            elif rest[:1] in "&!" or not (_is_dash(rest) or _split_key(rest)) or rest[:1] in _OPENING:
                items.append(self._value(rest, column, indent, depth=depth + 1))
            else:
                self.lines[self.at] = " " * column + rest  # what follows the dash stands as deep as it begins
                items.append(self._node(indent, depth + 1))

    def _fill_mapping(self, entries: list[tuple[str, Node]], indent: int, depth: int) -> None:
        while self._skip_blank() and self._indent() == indent and not (indent == 0 and self._ends()):
            text = self.lines[self.at][indent:]
            split = None if _is_dash(text) else _split_key(text)
            if split is None:
                return
            key, rest = split
            value = self._value(rest, indent + len(text) - len(rest), indent, depth=depth + 1)
            entries.append((key, value))

    def _nested(self, above: int, depth: int, *, is_in_mapping: bool = False) -> Node:
        """What stands below a key or a dash that nothing follows on its line."""
        line = self.at
        self.at += 1
        if self._skip_blank() and not (self._ends() and self._indent() == 0):
            indent = self._indent()
            is_list_below = is_in_mapping and indent == above and _is_dash(self.lines[self.at][indent:])
            if indent > above or is_list_below:
                node = self._node(above, depth + 1)
                if is_in_mapping:
                    node.line = line + 1  # a value is found where its key is
                return node
        return self._make(line, depth + 1)

    def _value(self, text: str, column: int, above: int, *, depth: int) -> Node:
        """The value that `text`, at a column of this line, begins."""
        anchor = None
        while text[:1] in ("&", "!"):
            word, _, rest = text.partition(" ")
            anchor = word[1:] if word[0] == "&" else anchor
            text = rest.lstrip(" ")
            column = len(self.lines[self.at]) - len(text)
        node = self._unnamed_value(text, column, above, depth)
        if anchor:
            self.anchors[anchor] = node
        return node

    def _unnamed_value(self, text: str, column: int, above: int, depth: int) -> Node:
        line = self.at
        if not text or text.startswith("#"):
            return self._nested(above, depth, is_in_mapping=True)
        if text[0] == "*":
            self.at += 1
            return self.anchors.get(text[1:].split(" ", maxsplit=1)[0]) or self._make(line, depth)
        if text[0] in _OPENING:
            try:
                return self._flow(column, depth)
            except _FlowError:
                self.at = line
        node = self._make(line, depth)
        if text[0] in "|>":
            node.text = self._block_text(above)
        elif text[0] in _QUOTES:
            node.text = self._quoted(column)
        else:
            node.text = text.split(" #", maxsplit=1)[0].strip()
            self._block_text(above)
        return node

    def _block_text(self, above: int) -> str:
        """The lines below this one that stand deeper than `above`: a text, whatever it looks like."""
        kept = []
        self.at += 1
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip() and len(line) - len(line.lstrip(" ")) <= above:
                break
            kept.append(line.strip())
            self.at += 1
        return "\n".join(kept).strip("\n")

    def _quoted(self, column: int) -> str:
        try:
            text, end = _read_quoted(self.source, self.starts[self.at] + column)
        except _FlowError:
            raise UnreadableError(f"a quote of line {self.at + 1} is not closed") from None
        self.at = bisect_right(self.starts, end - 1)
        return text

    def _flow(self, column: int, depth: int) -> Node:
        node, end = self._flow_node(self.starts[self.at] + column, depth)
        self.at = bisect_right(self.starts, end - 1)
        return node

    def _flow_node(self, at: int, depth: int) -> tuple[Node, int]:
        at = _skip_space(self.source, at)
        node = self._make(bisect_right(self.starts, at) - 1, depth)
        mark = self.source[at : at + 1]
        if mark == "{":
            node.entries = []
            return node, self._flow_entries(node.entries, at + 1, depth)
        if mark == "[":
            node.items = []
            return node, self._flow_items(node.items, at + 1, depth)
        node.text, end = _flow_text(self.source, at)
        if mark == "*":
            return self.anchors.get(node.text[1:], node), end
        return node, end

    def _flow_items(self, items: list[Node], at: int, depth: int) -> int:
        while True:
            at = _skip_space(self.source, at)
            if self.source[at] == "]":
                return at + 1
            item, at = self._flow_node(at, depth + 1)
            items.append(item)
            at = _skip_space(self.source, at)
            if self.source[at] == ":":  # a pair in a list, which nobody here asks for
                _, at = self._flow_node(at + 1, depth + 1)
                at = _skip_space(self.source, at)
            if self.source[at] == ",":
                at += 1
            elif self.source[at] != "]":
                raise _FlowError

    def _flow_entries(self, entries: list[tuple[str, Node]], at: int, depth: int) -> int:
        while True:
            at = _skip_space(self.source, at)
            if self.source[at] == "}":
                return at + 1
            if self.source[at] in "{[":
                raise _FlowError  # a template's braces
            key, at = _flow_text(self.source, at)
            at = _skip_space(self.source, at)
            if self.source[at] == ":":
                value, at = self._flow_node(at + 1, depth + 1)
            else:
                value = self._make(bisect_right(self.starts, at) - 1, depth)
            entries.append((key, value))
            at = _skip_space(self.source, at)
            if self.source[at] == ",":
                at += 1
            elif self.source[at] != "}":
                raise _FlowError


def _is_dash(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _split_key(text: str) -> tuple[str, str] | None:
    """The key that a line begins with and what follows it; None where it has none."""
    if text[:1] in _QUOTES and text:
        try:
            key, end = _read_quoted(text, 0)
        except _FlowError:
            return None
        rest = text[end:].lstrip(" ")
        is_key = rest == ":" or rest.startswith(": ")
        return (key, rest[1:].lstrip(" ")) if is_key else None
    if text[:1] in "#|>@`%" and text:
        return None
    head, colon, rest = text.partition(": ")
    if not colon:
        stripped = text.rstrip()
        if not stripped.endswith(":"):
            return None
        head, rest = stripped[:-1], ""
    if " #" in head:
        return None
    return head.removeprefix("? ").strip(), rest.strip(" ")


def _skip_space(text: str, at: int) -> int:
    """The place of the next character that is neither space nor comment. Raises _FlowError at the end."""
    while at < len(text):
        mark = text[at]
        if mark in " \t\n\r":
            at += 1
        elif mark == "#" or text.startswith("//", at):
            at = _beyond(text, "\n", at)
        elif text.startswith("/*", at):
            at = _beyond(text, "*/", at)
        else:
            return at
    raise _FlowError


def _beyond(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)


def _flow_text(text: str, at: int) -> tuple[str, int]:
    if text[at] in _QUOTES:
        return _read_quoted(text, at)
    end = at
    while end < len(text) and text[end] not in ",]}\n":
        if text[end] == ":" and text[end + 1 : end + 2] in (" ", "\n", ",", "]", "}", ""):
            break
        if text[end] in "{[" or text[end : end + 2] == " #":
            break
        end += 1
    if end == at:
        raise _FlowError
    return text[at:end].strip(), end


def _read_quoted(text: str, at: int) -> tuple[str, int]:
    """The text in quotes that begins at a place, and the place behind it; escapes stay as they are written."""
    quote, end = text[at], at + 1
    while end < len(text):
        if text[end] == "\\" and quote == '"':
            end += 2
        elif text[end] == quote:
            if quote == "'" and text[end + 1 : end + 2] == "'":
                end += 2
                continue
            return text[at + 1 : end], end + 1
        else:
            end += 1
    raise _FlowError
