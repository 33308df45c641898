"""What a string literal of Python holds."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import place_key
from drift.languages.python.kinds import ATTRIBUTE, IDENTIFIER, INTEGER

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_KEY_CHARACTERS: Final = 100
_MOST_DIGITS: Final = 6
_MOST_FILLED: Final = 200
_QUOTES: Final = frozenset({b'"', b"'"})
_PAIRS: Final = frozenset({b'""', b"''"})
_PATH: Final = re.compile(r"[a-zA-Z_]\w{0,60}(?:\.[a-zA-Z_]\w{0,60}){0,8}[.:][a-zA-Z_]\w{0,60}")


def string_value(raw: bytes) -> str | None:
    """The text of a plain string literal without its quotes; None for bytes and f-strings.

    Escapes are resolved where there are any. A broken literal is given as it stands.
    """
    # Most literals are short, plain and on one line; raw[1:3] tells those of three quotes and the empty ones.
    if (
        raw[:1] in _QUOTES
        and raw[-1:] == raw[:1]
        and b"\\" not in raw
        and raw[1:3] not in _PAIRS
        and len(raw) > 1
    ):
        return raw[1:-1].decode("utf-8", "replace")
    start = min((place for place in (raw.find(b'"'), raw.find(b"'")) if place >= 0), default=-1)
    if start < 0:
        return None
    prefix = raw[:start].lower()
    if b"b" in prefix or b"f" in prefix or b"t" in prefix:
        return None
    quote = raw[start : start + 1]
    width = 3 if raw[start : start + 3] == quote * 3 else 1
    inner = raw[start + width :]
    inner = inner.removesuffix(quote * width)
    text = inner.decode("utf-8", "replace")
    if "\\" not in text or b"r" in prefix:
        return text
    return _unescaped(raw.decode("utf-8", "replace"), text)


def is_path(text: str) -> bool:
    """Whether a text may name something in full: in settings, routes of tasks, entry points, patches."""
    return ("." in text or ":" in text) and _PATH.fullmatch(text) is not None


def _unescaped(literal: str, otherwise: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape is the file's affair
            value = ast.literal_eval(literal)
    except (ValueError, SyntaxError, MemoryError):
        return otherwise
    # A lone surrogate is legal in Python and in nothing we write to.
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else otherwise


def constant_key(node: Node, source: bytes) -> str | None:
    """The constant that an element is kept or asked for under, as expressions have it; None for all others."""
    kind = node.kind_id
    if kind == INTEGER:
        raw = source[node.start_byte : node.end_byte]
        return place_key(int(raw)) if raw.isdigit() and len(raw) <= _MOST_DIGITS else None
    if kind in (IDENTIFIER, ATTRIBUTE):
        return None
    key = joined_value(node, source)
    # What begins with a bracket would look like a place.
    return key if key and len(key) <= _MOST_KEY_CHARACTERS and key[0] != "[" else None


def filled_value(node: Node, source: bytes) -> str | None:
    """The text of an f-string, with what is filled in as written in angle brackets; None for what is none."""
    if node.type != "string" or not any(child.type == "interpolation" for child in node.children):
        return None
    parts: list[str] = []
    for child in node.children[1:-1]:
        text = source[child.start_byte : child.end_byte].decode("utf-8", "replace")
        if child.type == "interpolation":
            inner = child.named_children[0] if child.named_child_count else child
            text = f"<{source[inner.start_byte : inner.end_byte].decode('utf-8', 'replace')}>"
        parts.append(text)
    return "".join(parts)[:_MOST_FILLED]


def joined_value(node: Node, source: bytes) -> str | None:
    """The text of a string node, or of several written side by side; None where a part is not plain."""
    if node.type == "string":
        return string_value(source[node.start_byte : node.end_byte])
    if node.type == "concatenated_string":
        parts = [joined_value(part, source) for part in node.named_children if part.type == "string"]
        return None if None in parts else "".join(part for part in parts if part is not None)
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        inner = node.named_children[0]
        return joined_value(inner, source) if inner.type in {"string", "concatenated_string"} else None
    return None
