"""Macros of a file that declare methods by names they are given, and what their uses in classes come to.

`#define GETTER(NAME, T) T NAME() { return value(#NAME); }` makes of `GETTER(path, Text)` a method `path`, and so does a
macro that is made of such macros. A use is read in place of what it comes to, and blanked for the parser.
Known limits: macros of other files, and those whose methods have names of their own.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

_DEFINITION: Final = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(([^()\n]{0,300})\)((?:[^\n\\]|\\\r?\n|\\[^\n\r])*+)",
    re.MULTILINE,
)
_CONTINUED: Final = re.compile(rb"\\\r?\n")
_COMMENT: Final = re.compile(rb"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//[^\n]*+")
_MEMBER_NAME: Final = (
    rb"(?:\w{1,200}+\s{0,40}+##\s{0,40}+){0,8}+\w{1,200}+(?:\s{0,40}+##\s{0,40}+\w{1,200}+){0,8}+"
)
_HEAD: Final = re.compile(
    rb"(?<![\w#])("
    + _MEMBER_NAME
    + rb")\s{0,40}+\([^()]{0,500}(?:\([^()]{0,200}\)[^()]{0,200}){0,5}\)\s{0,200}+"
    rb"(?:(?:const|noexcept|override|final)\b\s{0,200}+){0,4}(?:=\s{0,40}+(?:0|default|delete)\s{0,40}+)?(?:[{;]|\Z)"
)
_CALLED: Final = re.compile(rb"(?<![\w#])([A-Za-z_]\w*+)\s*+\(")
_WORD: Final = re.compile(rb"\w++")
_NO_TYPE: Final = frozenset({b"return", b"new", b"else", b"case", b"delete", b"throw", b"goto", b"emit"})
_LETTERS: Final = (string.ascii_letters + string.digits + "_").encode()
# Strings and single characters count as nothing; a brace, a parenthesis, or the end of a statement counts.
_TOKEN: Final = re.compile(
    rb"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//[^\n]*+|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?"
    rb"|^[ \t]*#(?:[^\n\\]|\\\r?\n|\\[^\n\r])*+|[{};]",
    re.MULTILINE,
)
_CLASS_HEAD: Final = re.compile(rb"(?<!enum )\b(?:class|struct|union)\b")
_BEFORE_HEAD: Final = re.compile(rb"[;{}=()]")
_BETWEEN: Final = re.compile(rb"\"(?:[^\"\\\n]|\\.)*+\"?|[(),]")
_PART: Final = re.compile(rb"\"(?:[^\"\\\n]|\\.)*+\"?|(##?)?\s{0,40}+\b([A-Za-z_]\w{0,200}+)")
_PASTING: Final = re.compile(rb"\s{0,40}+##\s{0,40}+")
_REST: Final = b"__VA_ARGS__"
_MOST_HEAD: Final = 1_000
_MOST_BEFORE: Final = 200
_MOST_BODY: Final = 20_000
_MOST_MACROS: Final = 200
_MOST_USES: Final = 2_000
_MOST_GIVEN: Final = 4_000  # bytes of one use
_MOST_LEVELS: Final = 4  # of macros in macros
_MOST_TEXT: Final = 300_000  # what all uses of a file come to


class _Macro(NamedTuple):
    parameters: tuple[bytes, ...]
    body: bytes


class MacroUse(NamedTuple):
    """A use of a macro that declares members: where it stands, and what it comes to."""

    name: str
    start: int
    end: int
    text: bytes


def find_declaring_uses(source: bytes) -> list[MacroUse]:
    """The uses in the bodies of classes, in their order."""
    macros = _declaring_macros(source) if b"class" in source or b"struct" in source else {}
    if not macros:
        return []
    called = re.compile(rb"(?<![\w#])(%s)\s*+\(" % b"|".join(map(re.escape, sorted(macros, reverse=True))))
    places, in_class = _levels(source)
    found: list[MacroUse] = []
    room, last = _MOST_TEXT, 0
    tried = 0
    for match in called.finditer(source):
        start = match.start()
        if start < last or not in_class[bisect_right(places, start) - 1]:
            continue
        tried += 1
        if tried > _MOST_USES:
            break
        given = _arguments(source, match.end())
        if given is None:
            continue
        text = _expanded(macros, match[1], given[0], _MOST_LEVELS)
        last = given[1]
        room -= len(text)
        if room < 0:
            break
        closed = source[last : last + 1] == b";"
        text, last = (text + b";", last + 1) if closed else (text, last)
        found.append(MacroUse(match[1].decode(), start, last, text))
    return found


def blanked(source: bytes, uses: list[MacroUse]) -> bytes:
    """The source with these uses as empty statements; every other byte keeps its place."""
    text = bytearray(source)
    for one in uses:
        kept = re.sub(rb"[^\r\n]", b" ", source[one.start : one.end])
        text[one.start : one.end] = b";" + kept[1:]
    return bytes(text)


def _declaring_macros(source: bytes) -> Mapping[bytes, _Macro]:
    every: dict[bytes, list[_Macro]] = {}
    for match in _DEFINITION.finditer(source):
        if len(every) < _MOST_MACROS and match[2].strip() and len(match[3]) <= _MOST_BODY:
            parameters = tuple(part.strip() for part in match[2].split(b","))
            body = _COMMENT.sub(b" ", _CONTINUED.sub(b"\n", match[3]))
            every.setdefault(match[1], []).append(_Macro(parameters, body))
    declaring: dict[bytes, _Macro] = {}
    for _ in range(_MOST_LEVELS):
        more = {
            name: one
            for name, some in every.items()
            if name not in declaring
            for one in some[:1]
            if _declares(one, declaring)
        }
        if not more:
            break
        declaring |= more
    return declaring


def _declares(macro: _Macro, known: Mapping[bytes, _Macro]) -> bool:
    """Whether a macro declares a function by a name it is given, itself or by a macro that is known to."""
    outline = _outline(macro.body)
    given = frozenset(macro.parameters)
    first = len(outline) - len(outline.lstrip())
    for head in _HEAD.finditer(outline):
        before = outline[max(0, head.start() - _MOST_BEFORE) : head.start()].rstrip(b" \t\r\n>*&")
        word = before[len(before.rstrip(_LETTERS)) :]
        is_typed = head.start() > first and bool(word) and word not in _NO_TYPE
        if is_typed and not given.isdisjoint(_WORD.findall(head[1])):
            return True
    return any(match[1] in known for match in _CALLED.finditer(outline))


def _outline(body: bytes) -> bytes:
    """A text without what stands in its braces, and without strings."""
    parts: list[bytes] = []
    depth, last = 0, 0
    for token in _TOKEN.finditer(body):
        mark = token[0]
        if not depth:
            parts.append(body[last : token.start()])
            if mark[:1] in b"{};":
                parts.append(mark)
        depth = depth + 1 if mark == b"{" else max(0, depth - 1) if mark == b"}" else depth
        last = token.end()
    return b"".join(parts) + (b"" if depth else body[last:])


def _levels(source: bytes) -> tuple[list[int], list[bool]]:
    """From which byte on what is innermost of all that is open is a class, or is none."""
    places, in_class = [0], [False]
    stack: list[bool] = []
    last = 0
    for token in _TOKEN.finditer(source):
        mark = token[0]
        if mark == b"{":
            head = source[max(last, token.start() - _MOST_HEAD) : token.start()]
            stack.append(_CLASS_HEAD.search(_BEFORE_HEAD.split(head)[-1]) is not None)
        elif mark == b"}" and stack:
            stack.pop()
        is_directive = mark.lstrip()[:1] == b"#"
        if mark in {b"{", b"}", b";"} or is_directive:
            last = token.end()
        if len(mark) > 1:  # a comment, a string or a directive: nothing is used in it
            places += [token.start(), token.end()]
            in_class += [False, bool(stack) and stack[-1]]
        elif mark != b";":
            places.append(token.end())
            in_class.append(bool(stack) and stack[-1])
    return places, in_class


def _arguments(source: bytes, start: int) -> tuple[list[bytes], int] | None:
    """What stands in parentheses, by commas, and where they end; None where they do not end soon."""
    found: list[bytes] = []
    depth, last = 0, start
    for match in _BETWEEN.finditer(source, start, start + _MOST_GIVEN):
        mark = match[0]
        if mark == b"(":
            depth += 1
        elif mark in {b",", b")"} and not depth:
            found.append(source[last : match.start()].strip())
            last = match.end()
            if mark == b")":
                return found, last
        elif mark == b")":
            depth -= 1
    return None


def _expanded(macros: Mapping[bytes, _Macro], name: bytes, given: list[bytes], levels: int) -> bytes:
    """What a use of a macro comes to, with the declaring macros in that."""
    macro = macros[name]
    values = dict(zip(macro.parameters, given, strict=False))
    values[_REST] = b", ".join(given[len([one for one in macro.parameters if one != b"..."]) :])
    text = _PASTING.sub(b"", _PART.sub(lambda part: _filled(part, values), macro.body))
    if levels == 1:
        return text
    parts: list[bytes] = []
    room = _MOST_BODY
    for part in _inner(macros, text, levels - 1):
        parts.append(part)
        room -= len(part) + 1
        if room < 0:
            break
    return b"".join(parts)[:_MOST_BODY]


def _filled(part: re.Match[bytes], values: Mapping[bytes, bytes]) -> bytes:
    """A name as what is given for it; `#name` as a string of that."""
    word = part[2]
    if word is None or word not in values:
        return part[0]
    value = values[word]
    if part[1] == b"#":
        return b'"' + value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    return part[0][: -len(word)] + value


def _inner(macros: Mapping[bytes, _Macro], text: bytes, levels: int) -> Iterator[bytes]:
    last = 0
    for match in _CALLED.finditer(text):
        if match.start() < last or match[1] not in macros:
            continue
        given = _arguments(text, match.end())
        if given is None:
            break
        yield text[last : match.start()]
        yield _expanded(macros, match[1], given[0], levels)
        last = given[1]
    yield text[last:]
