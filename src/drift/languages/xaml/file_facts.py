"""The facts of a XAML file.

Read with expat, which gives places and is many times faster than a grammar of XML. A document type is
refused: XAML needs none, and its entities are how XML is attacked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from xml.parsers.expat import ExpatError, ParserCreate

from drift.languages.comments import Commentary
from drift.languages.facts import FileFacts, Problem
from drift.languages.lines import LineKinds
from drift.languages.syntax import SourceText
from drift.languages.xaml.walk import XamlWalk

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

_LANGUAGE: Final = "wpf"
_MOST_BYTES: Final = 4_000_000


class _RefusedError(Exception):
    """The file has a document type."""


def extract(source: bytes, path: str) -> FileFacts:
    """All facts of one XAML file; whatever its bytes, what stands before the first fault is kept."""
    text = SourceText(source)
    walk = XamlWalk(text, path)
    comments: list[tuple[int, int]] = []
    problems = _read(text, walk, comments)
    lines = LineKinds(text, comments)
    return FileFacts(
        language=_LANGUAGE,
        code_lines=lines.code_lines,
        comment_lines=lines.comment_lines,
        blank_lines=lines.blank_lines,
        symbols=tuple(walk.symbols),
        package=walk.package,
        imports=tuple(walk.imports),
        calls=tuple(walk.calls),
        references=tuple(walk.references),
        constants=tuple(walk.constants),
        elements=tuple(walk.elements),
        markup_bindings=tuple(walk.ties),
        comments=Commentary(text, comments).facts(),
        problems=problems,
    )


def _read(text: SourceText, walk: XamlWalk, comments: list[tuple[int, int]]) -> tuple[Problem, ...]:
    source = text.source
    if len(source) > _MOST_BYTES:
        return (Problem(1, f"larger than {_MOST_BYTES:,} bytes: not read"),)
    parser = ParserCreate()
    parser.ordered_attributes = True
    parser.buffer_text = True

    def place() -> int:
        return min(max(parser.CurrentByteIndex, 0), len(source))

    def start(name: str, attributes: list[str]) -> None:
        pairs = list(zip(attributes[::2], attributes[1::2], strict=True))
        walk.open_element(name, pairs, place())

    def end(_name: str) -> None:
        found = source.find(b">", place())
        walk.close_element(found + 1 if found >= 0 else len(source))

    def comment(data: str) -> None:
        most = place() + 4 * len(data) + len("<!---->")  # no character takes more than four bytes
        found = source.find(b"-->", place(), most)
        comments.append((place(), found + 3 if found >= 0 else min(most, len(source))))

    def refuse(*_declared: Any) -> None:
        raise _RefusedError

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CommentHandler = comment
    parser.StartDoctypeDeclHandler = refuse
    return _parse(parser, text)


def _parse(parser: XMLParserType, text: SourceText) -> tuple[Problem, ...]:
    try:
        parser.Parse(text.source, True)  # noqa: FBT003 (expat takes it by position only)
    except ExpatError as error:
        line = min(max(error.lineno, 1), text.line_count)
        return (Problem(line, str(error)),) if text.source.strip() else ()
    except (LookupError, ValueError) as error:  # an encoding that is unknown or has several bytes a character
        return (Problem(1, str(error)),)
    except _RefusedError:
        line = min(max(parser.CurrentLineNumber, 1), text.line_count)
        return (Problem(line, "a document type is not allowed in XAML"),)
    return ()
