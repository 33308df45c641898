"""Edits that make a site do as the convention of its dimension says, where the text alone tells how."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from posixpath import dirname
from typing import Final

from drift.guards.mending.by_type import (
    array_form,
    builtin_generic,
    implicit_type,
    interface_as_type,
    no_result,
    null_pointer,
    union_with_none,
)
from drift.guards.mending.local_names import with_name
from drift.guards.text_checks import Subject
from drift.index.path_text import text_to_path
from drift.kernel.reading import read_text
from drift.quality.findings import Finding

Way = Callable[[Subject, Finding, str], Iterator[tuple[str, str]]]
"""Ways to do as a convention says, given what it wants: each as a title and the whole text after it."""

_MOST_TESTS: Final = 2_000
_MOST_BYTES: Final = 500_000
_MOST_DOC_LINES: Final = 30
_SHORTEST_TOLD: Final = 20
"""Characters of a message by which a test that expects it is known."""
_QUOTES: Final = re.compile("[\"'`]")
_FIRST_LETTER: Final = {
    "capital": re.compile("(?<=[\"'`])([a-z])([a-z]{0,29} [a-z])"),
    "small": re.compile("(?<=[\"'`])([A-Z])([a-z]{0,30} [a-z])"),
}
_STOP: Final = {
    "with": re.compile("([\"'`])([^\"'`\n]{1,400}[\\w)\\]])\\1"),
    "without": re.compile("([\"'`])([^\"'`\n]{1,400})\\.\\1"),
}
_RECEIVER: Final = re.compile(r"^func \((\w{1,60}) \*?(\w{1,100})")
_FLATTENED: Final = re.compile(
    r'(\bfmt\.Errorf\(\s{0,50}"[^"%\n]{0,300}(?:%[a-z][^"%\n]{0,300}){0,5})%[vs](",[^")\n]{1,300}\))'
)
_SHORT: Final = 3  # letters of a short receiver


def dimension_of(found: Finding) -> str:
    """The dimension whose convention a finding is about; empty where it is about none."""
    return re.split("[:@]", str((found.evidence or {}).get("convention", "")), maxsplit=1)[0]


def follow_convention(subject: Subject, found: Finding) -> Iterator[tuple[str, str]]:
    """What the convention of the finding's dimension wants, where there is a way to it."""
    way = _WAYS.get(dimension_of(found))
    if way is not None:
        yield from way(subject, found, str((found.evidence or {}).get("expected", "")))


def _message_case(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    text, pattern = _span(subject, found), _FIRST_LETTER.get(expected)
    places = list(pattern.finditer(text)) if pattern is not None else []
    if len(places) != 1 or _is_tested(subject, _QUOTES.split(text[places[0].start() :], maxsplit=1)[0]):
        return
    if expected == "capital" and _is_name(subject, found, re.split(r"\W", places[0][0], maxsplit=1)[0]):
        return
    first = places[0][1]
    after = first.upper() if expected == "capital" else first.lower()
    at = places[0].start()
    yield f"Begin the message with {after}", _with_span(subject, found, text[:at] + after + text[at + 1 :])


def _is_name(subject: Subject, found: Finding, word: str) -> bool:
    """Whether the code around a message has something of the name that the message begins with."""
    around = [
        one
        for one in subject.file.facts.symbols[1:]
        if one.line <= found.line and found.end_line <= one.end_line
    ]
    first, last = (around[-1].line, around[-1].end_line) if around else (1, len(subject.file.lines))
    lines = [
        line
        for number, line in enumerate(subject.file.lines[first - 1 : last], first)
        if not found.line <= number <= found.end_line
    ]
    used = rf"([\"']){word}\1|[$.(]{word}\b|\b{word}(?:\s{{0,3}}[=:\[(]|\.\w)"
    return re.search(used, "\n".join(lines)) is not None


def _message_stop(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    text, pattern = _span(subject, found), _STOP.get(expected)
    place = pattern.search(text) if pattern is not None else None
    # A message in several parts ends in the last of them, which only a reader of the language could tell.
    if place is None or len(_QUOTES.findall(text)) > len("''") or _is_tested(subject, place[2]):
        return
    stop, title = (
        (".", "End the message with a stop") if expected == "with" else ("", "End the message without a stop")
    )
    yield (
        title,
        _with_span(
            subject,
            found,
            f"{text[: place.start()]}{place[1]}{place[2]}{stop}{place[1]}{text[place.end() :]}",
        ),
    )


def _summary_stop(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    symbols = [one for one in subject.file.facts.symbols if one.doc and one.line == found.line]
    if len(symbols) != 1:
        return
    summary, _, rest = symbols[0].doc.strip().partition("\n")
    summary = summary.strip()
    if rest.partition("\n")[0].strip().strip("*/# "):
        return  # the sentence may go on in the next line
    at = symbols[0].line
    # Python writes it below the head, the nearest first; others above it.
    is_below = subject.file.facts.language == "python"
    near = range(at, at + _MOST_DOC_LINES) if is_below else range(at - 2, at - 2 - _MOST_DOC_LINES, -1)
    texts = subject.file.lines
    place = next((n for n in near if summary and 0 <= n < len(texts) and summary in texts[n]), None)
    if place is None:
        return
    lines = list(subject.file.lines)
    after = f"{summary}." if expected == "with" else summary.rstrip(".")
    lines[place] = lines[place].replace(summary, after, 1)
    yield f"End the summary {expected} a full stop", "\n".join(lines)


def _caught_name(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    for one in subject.file.facts.handlings:
        if one.kind != "catch" or one.line != found.line or not one.variable:
            continue
        around = subject.file.facts.symbols[one.scope]
        whole = (around.line, around.end_line) if one.scope else (1, len(subject.file.lines))
        old = one.variable.lstrip("$*&")
        after = with_name(subject.file.lines, old, expected, inside=(one.line, one.end_line), whole=whole)
        if after is not None:
            yield f"Call the error {expected}", "\n".join(after)


def _wrap_error(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    after, count = _FLATTENED.subn(r"\1%w\2", _span(subject, found))
    if expected == "errorf" and count == 1:
        yield "Keep the error that is told", _with_span(subject, found, after)


def _receiver_name(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    head = _RECEIVER.match(subject.file.lines[found.line - 1])
    if head is None or expected != "short":
        return
    others = Counter(
        each[1]
        for line in subject.file.lines
        if (each := _RECEIVER.match(line)) and each[2] == head[2] and len(each[1]) <= _SHORT
    )
    new = others.most_common(1)[0][0] if others else head[2][0].lower()
    span = (found.line, found.end_line)
    after = with_name(subject.file.lines, head[1], new, inside=span, whole=span)
    if after is not None:
        yield f"Call the receiver {new}", "\n".join(after)


def _node_prefix(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    modules = {one.module for one in subject.file.facts.imports if one.line == found.line}
    if len(modules) != 1:
        return
    old = modules.pop()
    new = f"node:{old}" if expected == "with" else old.removeprefix("node:")
    text = _span(subject, found)
    # What stands in for a module in tests is known by the name it is imported under.
    if any(_is_tested(subject, f"mock({quote}{old}{quote}", shortest=0) for quote in "\"'"):
        return
    after, count = re.subn(rf"([\"']){re.escape(old)}\1", rf"\g<1>{new}\g<1>", text)
    if count == 1:
        yield f"Import {new}", _with_span(subject, found, after)


def _import_style(subject: Subject, found: Finding, expected: str) -> Iterator[tuple[str, str]]:
    """A Python import through the package, or from where the file stands."""
    here = [(one, link) for one, link in subject.file.imports() if one.line == found.line]
    modules = {one.module for one, _ in here}
    files = {link.file for _, link in here}
    line = subject.file.lines[found.line - 1]
    if len(modules) != 1 or len(files) != 1 or None in files or not line.lstrip().startswith("from "):
        return
    old, target = modules.pop(), str(files.pop())
    new = _relative(subject.path, target, old) if expected == "relative" else _absolute(subject, old)
    if new is None:
        return
    after, count = re.subn(
        rf"^(\s{{0,200}}from\s{{1,5}}){re.escape(old)}(?=\s{{1,5}}import\b)", rf"\g<1>{new}", line
    )
    if count:
        lines = list(subject.file.lines)
        lines[found.line - 1] = after
        yield f"Import from {new}", "\n".join(lines)


def _relative(path: str, target: str, module: str) -> str | None:
    """The module of a file as another file of its package names it."""
    own, wanted = dirname(path).split("/"), target.removesuffix(".py").removesuffix("/__init__").split("/")
    same = next(
        (n for n, (one, other) in enumerate(zip(own, wanted, strict=False)) if one != other),
        min(len(own), len(wanted)),
    )
    # Only within one package: its name has to be part of both.
    if module.partition(".")[0] not in own[:same] or not module.endswith(".".join(wanted[same:])):
        return None
    return "." * (len(own) - same + 1) + ".".join(wanted[same:])


def _absolute(subject: Subject, module: str) -> str | None:
    """A module that is named from where the file stands, by the names of its packages."""
    dots = len(module) - len(module.lstrip("."))
    folder = dirname(subject.path)
    names: list[str] = []
    while folder and subject.overlay.reader.files.at(f"{folder}/__init__.py") is not None:
        folder, _, name = folder.rpartition("/")
        names.insert(0, name)
    if not dots or dots > len(names):
        return None
    return ".".join([*names[: len(names) - dots + 1], *filter(None, [module.lstrip(".")])])


def _is_tested(subject: Subject, told: str, shortest: int = _SHORTEST_TOLD) -> bool:
    """Whether a test says these words, or their beginning or end where they are long: it may expect them as they are."""
    parts = {told} if len(told) <= shortest or not shortest else {told[:shortest], told[-shortest:]}
    tests = [one.path for one in subject.overlay.reader.files.stamps() if one.role == "test"]
    if len(tests) > _MOST_TESTS:
        return True
    for path in tests:
        try:
            text = read_text(subject.root, text_to_path(path), _MOST_BYTES, follow_links=False)
        except (OSError, ValueError):
            return True  # a test that cannot be read may say anything
        if any(part in text for part in parts):
            return True
    return False


def _span(subject: Subject, found: Finding) -> str:
    return "\n".join(subject.file.lines[found.line - 1 : found.end_line])


def _with_span(subject: Subject, found: Finding, text: str) -> str:
    lines = list(subject.file.lines)
    lines[found.line - 1 : found.end_line] = text.split("\n")
    return "\n".join(lines)


_WAYS: Final[dict[str, Way]] = {
    "documentation/summary-stop": _summary_stop,
    "errors/go-wrapping": _wrap_error,
    "errors/message-case": _message_case,
    "errors/message-stop": _message_stop,
    "errors/variable-name": _caught_name,
    "logging/message-case": _message_case,
    "structural/import-node": _node_prefix,
    "structural/import-style": _import_style,
    "structural/receiver-name": _receiver_name,
    "types/array-form": array_form,
    "types/cpp-null": null_pointer,
    "types/csharp-var": implicit_type,
    "types/interface-or-type": interface_as_type,
    "types/python-annotations": no_result,
    "types/python-generic": builtin_generic,
    "types/python-optional": union_with_none,
}
"""Dimensions that have a way. What else a convention wants is advice."""
