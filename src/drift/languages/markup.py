"""Elements of pages in files of code: JSX, markup of components, templates; and the style sheets beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.documents.elements import page_element
from drift.documents.markup import Tag, line_at, line_starts, read_attributes, read_tags
from drift.documents.readers.styles import read_styles
from drift.languages.facts import Element
from drift.languages.taken_pages import taken_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from drift.documents.items import Item
    from drift.languages.facts import FileFacts

_NO_LINE_END: Final = re.compile(rb"[^\r\n]")
_MOST_ELEMENTS: Final = 10_000
_MOST_STYLES: Final = 10_000
_BRACED_STYLES: Final = frozenset({b"", b"css", b"scss", b"less", b"postcss", b"pcss"})
"""The languages of style sheets that blocks are written in with braces."""


class Span(NamedTuple):
    """A stretch of a file in bytes, and which language it says to be in."""

    start: int
    end: int
    language: bytes = b""


class Page(NamedTuple):
    """Where a file of code has markup and style sheets."""

    markup: tuple[Span, ...] = ()
    styles: tuple[Span, ...] = ()


def opened_element(written: str, tag: str, *, scope: int, line: int) -> Element | None:
    """The element that a start tag is; None for one that says nothing."""
    attributes, _end = read_attributes(written, 1 + len(tag), len(written))
    found = page_element(Tag(0, tag, attributes), line)
    return None if found is None else Element(scope, *found)


def with_page(facts: FileFacts, source: bytes, page: Page) -> FileFacts:
    """The facts of a file with the elements of its markup, which stand in the file itself, and its styles."""
    elements = [*facts.elements, *_elements(source, page.markup)][:_MOST_ELEMENTS]
    styles = [item for span in page.styles for item in _styles(source, span)][:_MOST_STYLES]
    return facts._replace(elements=tuple(elements), styles=tuple(styles))


def page_facts(facts: FileFacts, source: bytes, ending: str) -> FileFacts:
    """The facts of a page that was read as a script: who it calls and names, what it takes in, and its elements.

    How a page is written says nothing of how code is, so that what conventions and copies are found by is left out.
    """
    plain = facts._replace(
        constants=taken_pages(source, ending),
        comments=(),
        entry_points=(),
        fingerprints=(),
        constructs=(),
        sites=(),
        problems=(),
    )
    return with_page(plain, source, Page((Span(0, len(source)),)))


def blanked(source: bytes) -> bytearray:
    """A file with nothing on its lines, each byte in its place."""
    return bytearray(_NO_LINE_END.sub(b" ", source))


def _elements(source: bytes, spans: Iterable[Span]) -> Iterator[Element]:
    for span in spans:
        text, above = _text_of(source, span)
        starts = line_starts(text)
        for tag in read_tags(text):
            # With a capital it is a component, which is called.
            found = None if tag.name[0].isupper() else page_element(tag, above + line_at(starts, tag.start))
            if found is not None:
                yield Element(0, *found)


def _styles(source: bytes, span: Span) -> Iterator[Item]:
    if span.language not in _BRACED_STYLES:
        return iter(())
    text, above = _text_of(source, span)
    is_plain = span.language in {b"", b"css"}
    return (
        item for item in read_styles(text, first_line=above + 1, has_line_comments=not is_plain) if item.name
    )


def _text_of(source: bytes, span: Span) -> tuple[str, int]:
    """The text of a span, and how many lines end before it."""
    return source[span.start : span.end].decode("utf-8", "replace"), source.count(b"\n", 0, span.start)
