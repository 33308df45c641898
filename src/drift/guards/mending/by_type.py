"""Edits of how types are written, as the convention of their dimension says: they mean the same before and after."""

import re
from collections.abc import Iterator
from typing import Final

from drift.guards.text_checks import Subject
from drift.quality.findings import Finding

_PLAIN_TYPE: Final = r"[A-Za-z_$][\w$.]{0,100}"
_ARRAY: Final = {
    "brackets": (re.compile(rf"\bArray<({_PLAIN_TYPE})>"), r"\1[]"),
    "generic": (re.compile(rf"(?<![\w$.)\]>])({_PLAIN_TYPE})\[\](?!\[)"), r"Array<\1>"),
}
_INTERFACE: Final = re.compile(
    r"^(\s{0,40}(?:export\s{1,4})?(?:declare\s{1,4})?)interface\s{1,4}(\w{1,100})\s{0,4}\{"
)
_NEW_OBJECT: Final = re.compile(
    r"^(\s{0,200})([A-Z][\w.]{0,100}(?:<[\w.<>, ]{1,100}>)?)\s{1,5}(\w{1,100})\s{0,5}=\s{0,5}new\s{1,5}\2\s{0,5}[({]"
)
_BUILTIN: Final = re.compile(r"(?<![\w.])(?:typing\.)?(List|Dict|Set|Tuple|FrozenSet|Type)\[")
_OPTIONAL: Final = re.compile(r"(?<![\w.\[])(?:typing\.)?Optional\[([A-Za-z_][\w.]{0,100})\](?![\w\]])")
_LATER: Final = "from __future__ import annotations"
_HEAD: Final = re.compile(
    r"^(\s{0,100}(?:async\s{1,4})?def\s{1,4}\w{1,100}\([^\n]{0,400}\))(:\s{0,10}(?:#[^\n]{0,200})?)$"
)
_GIVING: Final = re.compile(
    r"^\s{0,200}return\s{0,4}[^\s#]|\byield\b|\bNotImplementedError\b|^\s{0,200}\.\.\."
)


def array_form(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    """The other form of an array's type, where a line has one of a plain name."""
    pattern, form = _ARRAY.get(expected, (None, ""))
    line = subject.file.lines[found.line - 1]
    if pattern is not None and found.line == found.end_line and len(pattern.findall(line)) == 1:
        yield (
            f"Write the array {'with brackets' if expected == 'brackets' else 'as Array<…>'}",
            with_line(subject, found.line, pattern.sub(form, line)),
        )


def implicit_type(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    """`var` for a local variable that is given a new object of its type: no other type could be meant."""
    line = subject.file.lines[found.line - 1]
    head = _NEW_OBJECT.match(line)
    if expected == "var" and head is not None:
        yield (
            f"Declare {head[3]} with var",
            with_line(subject, found.line, f"{head[1]}var {line[head.start(3) :]}"),
        )


def interface_as_type(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    """A type in the place of an interface that extends nothing, stands alone, and that no class implements."""
    head = _INTERFACE.match(subject.file.lines[found.line - 1])
    if expected != "type" or head is None or subject.file.lines[found.end_line - 1].strip() != "}":
        return
    known = subject.overlay.reader.symbols.named(head[2], limit=2)
    is_alone = len(known) <= 1 and not any(subject.overlay.reader.symbols.derived(one.id) for one in known)
    if is_alone and f"implements {head[2]}" not in subject.file.text:
        line = subject.file.lines[found.line - 1]
        yield (
            f"Declare {head[2]} as a type",
            with_line(subject, found.line, f"{head[1]}type {head[2]} = {{{line[head.end() :]}"),
        )


def builtin_generic(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    """`list[…]` in the place of `List[…]`, on a line where all such names are of typing."""
    line = subject.file.lines[found.line - 1]
    if expected == "builtin" and found.line == found.end_line and _BUILTIN.search(line):
        after = _BUILTIN.sub(lambda name: f"{name[1].lower()}[", line)
        yield "Use the built-in types of collections", with_line(subject, found.line, after)


def union_with_none(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    """`X | None` in the place of `Optional[X]`, where annotations are not evaluated when the file is loaded."""
    line = subject.file.lines[found.line - 1]
    is_fine = _LATER in subject.file.text and found.line == found.end_line and line.count("Optional[") == 1
    if expected == "union" and is_fine and _OPTIONAL.search(line):
        yield (
            "Write the type as a union with None",
            with_line(subject, found.line, _OPTIONAL.sub(r"\1 | None", line)),
        )


def no_result(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    """`-> None` behind a function that gives nothing back."""
    symbols = [
        one
        for one in subject.file.facts.symbols
        if one.line == found.line and one.kind in {"function", "method"}
    ]
    if (
        expected != "with"
        or len(symbols) != 1
        or "abstractmethod" in {one.name for one in symbols[0].decorators}
    ):
        return
    head = _HEAD.match(subject.file.lines[found.line - 1])
    body = subject.file.lines[found.line : symbols[0].end_line]
    if head is not None and body and not any(_GIVING.search(line) for line in body):
        yield (
            "Declare that it gives nothing back",
            with_line(subject, found.line, f"{head[1]} -> None{head[2]}"),
        )


def null_pointer(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    """`nullptr` in the place of `NULL`."""
    line = subject.file.lines[found.line - 1]
    if expected == "nullptr" and found.line == found.end_line:
        after = re.sub(r"\bNULL\b", "nullptr", line)
        yield "Write nullptr", with_line(subject, found.line, after)


def with_line(subject: Subject, line: int, new: str) -> str:
    """The text with another line in the place of one."""
    lines = list(subject.file.lines)
    lines[line - 1] = new
    return "\n".join(lines)
