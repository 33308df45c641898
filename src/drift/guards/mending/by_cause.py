"""Edits that give an error the one that it is thrown for, so that the first is not lost."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from drift.guards.mending.by_dimension import dimension_of
from drift.guards.text_checks import Subject
from drift.kernel.reading import read_text
from drift.languages.facts import Handling, HandlingTrait
from drift.quality.findings import Finding

_DIMENSIONS: Final = frozenset({"", "errors/cause-kept"})
_MOST_BYTES: Final = 100_000
_EXCEPT: Final = re.compile(
    r"^(\s{0,200}except\s[^:]{1,300}?)(\s{1,5}as\s{1,5}(\w{1,100}))?(\s{0,5}:\s{0,20})$"
)
_THROW: Final = re.compile(r"\bthrow\s{1,5}new\s{1,5}([\w.\\]{1,200})\(")
_WITH_LIBRARY: Final = re.compile(r"\"(?:es|ES)(?:20(?:2[2-9]|[3-9]\d)|[Nn]ext)")
_ENDING: Final = re.compile(r"[\s;}]{0,200}")
_ERROR_TYPE: Final = re.compile(r"(?:Throwable|Exception|Error)\??$")
_BINDINGS: Final = {
    "javascript": (re.compile(r"\bcatch(?=\s{0,5}\{)"), "catch (error)", "error"),
    "typescript": (re.compile(r"\bcatch(?=\s{0,5}\{)"), "catch (error)", "error"),
    "csharp": (re.compile(r"\bcatch\s{0,5}\(([\w.]{1,200})\)"), r"catch (\1 exception)", "exception"),
}
"""How a handler that gives the error no name is given one."""
_SCRIPT_ERRORS: Final = frozenset(
    {"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError"}
)
_JAVA_ERRORS: Final = frozenset(
    {"Exception", "RuntimeException", "Error", "AssertionError", "IllegalStateException", "IllegalArgumentException",
     "UnsupportedOperationException", "SecurityException", "IOException", "GeneralSecurityException", "ExecutionException",
     "ConcurrentModificationException", "ServletException", "SQLException"}
)  # fmt: skip
_CSHARP_ERRORS: Final = frozenset(
    {"Exception", "InvalidOperationException", "ArgumentException", "NotSupportedException", "ApplicationException",
     "IOException", "FormatException", "TimeoutException", "InvalidDataException", "HttpRequestException",
     "KeyNotFoundException", "UnauthorizedAccessException", "NotImplementedException", "InvalidCastException"}
)  # fmt: skip
_PHP_ERRORS: Final = frozenset(
    {"Exception", "Error", "RuntimeException", "LogicException", "InvalidArgumentException", "DomainException",
     "LengthException", "OutOfRangeException", "OutOfBoundsException", "RangeException", "OverflowException",
     "UnderflowException", "UnexpectedValueException", "BadFunctionCallException", "BadMethodCallException", "TypeError"}
)  # fmt: skip


class _Made(NamedTuple):
    """An error that is made in a throw: its type, its arguments as written, and where they end in the text."""

    type: str
    arguments: tuple[str, ...]
    end: int


def keep_cause(subject: Subject, found: Finding) -> Iterator[tuple[str, str]]:
    """The first error as the cause of what a handler throws instead, as the language writes it."""
    way = _WAYS.get(subject.file.facts.language)
    if way is None or dimension_of(found) not in _DIMENSIONS:
        return
    for one in subject.file.facts.handlings:
        is_lost = one.traits & HandlingTrait.THROWS_OTHER and not one.traits & HandlingTrait.KEEPS_CAUSE
        thrown = [
            each
            for each in subject.file.facts.handlings
            if each.kind == "throw" and one.line <= each.line and each.end_line <= one.end_line
        ]
        is_here = one.line <= found.line <= one.end_line
        if one.kind == "catch" and is_lost and is_here and len(thrown) == 1:
            after = way(subject, one, thrown[0])
            if after is not None:
                yield "Keep the cause of the error", "\n".join(after)


def _raise_from(subject: Subject, handler: Handling, thrown: Handling) -> Sequence[str] | None:
    lines = list(subject.file.lines)
    head, last = _EXCEPT.match(lines[handler.line - 1]), thrown.end_line - 1
    if head is None or not lines[last].rstrip().endswith(")"):
        return None
    name = head[3] or "error"
    if head[3] is None and any(name in line for line in lines[handler.line - 1 : handler.end_line]):
        return None
    lines[handler.line - 1] = f"{head[1]}{head[2] or f' as {name}'}{head[4]}"
    lines[last] = f"{lines[last].rstrip()} from {name}"
    return lines


def _hand_over(subject: Subject, handler: Handling, thrown: Handling) -> Sequence[str] | None:
    """The error as one argument more of the one that is made."""
    language = subject.file.facts.language
    lines = list(subject.file.lines)
    name = handler.variable
    if not name:
        name = _bind(lines, handler, language)
    text = "\n".join(lines[thrown.line - 1 : thrown.end_line])
    made = _made_in(text)
    if name is None or made is None:
        return None
    more = _argument(subject, made, name)
    if more is None:
        return None
    joined = f", {more}" if made.arguments else more
    lines[thrown.line - 1 : thrown.end_line] = f"{text[: made.end]}{joined}{text[made.end :]}".split("\n")
    return lines


def _bind(lines: list[str], handler: Handling, language: str) -> str | None:
    """Give the error of a handler a name, in the lines; None where it has no place or the name is taken."""
    pattern, written, name = _BINDINGS.get(language, (None, "", ""))
    if pattern is None or any(
        re.search(rf"\b{name}\b", one) for one in lines[handler.line - 1 : handler.end_line]
    ):
        return None
    head, count = pattern.subn(written, lines[handler.line - 1], count=1)
    lines[handler.line - 1] = head
    return name if count else None


def _argument(subject: Subject, made: _Made, name: str) -> str | None:
    """What the error is given beside what it has; None where its type may take no cause there."""
    last = re.split(r"[.\\]", made.type)[-1]
    count = len(made.arguments)
    if _has_constructor(subject, last, count + 1):
        return name
    match subject.file.facts.language:
        case "java" if last in _JAVA_ERRORS and count < 2:  # noqa: PLR2004 - the message and the cause
            return name
        case "csharp" if last in _CSHARP_ERRORS and count == 1:
            return name
        case "php" if last in _PHP_ERRORS and count in {1, 2}:
            return name if count > 1 else f"0, {name}"
        case "javascript" if last in _SCRIPT_ERRORS and count == 1:
            return f"{{ cause: {name} }}"
        case "typescript" if last in _SCRIPT_ERRORS and count == 1 and _knows_causes(subject):
            return f"{{ cause: {name} }}"
    return None


def _has_constructor(subject: Subject, name: str, count: int) -> bool:
    """Whether the project has one class of this name, and a constructor of it takes so much, an error as the last."""
    reader = subject.overlay.reader
    classes = [one for one in reader.symbols.named(name) if one.kind == "class"]
    members = reader.symbols.members(classes[0].id) if len(classes) == 1 else ()
    return any(
        len(one.parameters) == count and _ERROR_TYPE.search(one.parameters[-1].type_text or "") is not None
        for one in members
        if one.kind == "constructor"
    )


def _knows_causes(subject: Subject) -> bool:
    """Whether the settings of the compiler next to a file name a library in which errors have causes."""
    for folder in PurePosixPath(subject.path).parents:
        try:
            text = read_text(subject.root, str(folder / "tsconfig.json"), _MOST_BYTES, follow_links=False)
        except (OSError, ValueError):
            continue
        return _WITH_LIBRARY.search(text) is not None
    return False


def _made_in(text: str) -> _Made | None:
    """The one error that a text makes to throw it; None where its arguments are not plain to see."""
    heads = list(_THROW.finditer(text))
    if len(heads) != 1:
        return None
    arguments, begun, depth, quote = [], heads[0].end(), 1, ""
    for at in range(begun, len(text)):
        letter = text[at]
        if quote:
            quote = "" if letter == quote and text[at - 1] != "\\" else quote
        elif letter in "\"'`":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        if (letter == "," and depth == 1 and not quote) or not depth:
            arguments.append(text[begun:at].strip())
            begun = at + 1
        if not depth:
            is_last = _ENDING.fullmatch(text, at + 1) is not None
            given = tuple(one for one in arguments if one)
            end = at - (len(text[:at]) - len(text[:at].rstrip().rstrip(",").rstrip()))
            return _Made(heads[0][1], given, end) if is_last else None
    return None


_WAYS: Final[dict[str, Callable[[Subject, Handling, Handling], Sequence[str] | None]]] = {
    "python": _raise_from,
    "java": _hand_over,
    "csharp": _hand_over,
    "php": _hand_over,
    "javascript": _hand_over,
    "typescript": _hand_over,
}
