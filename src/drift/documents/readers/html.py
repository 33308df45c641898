"""Pages and their templates: the elements they put somewhere, what their style sheets declare, and what they say of code."""

from collections.abc import Iterator

from drift.documents.elements import PageElement, page_element
from drift.documents.items import Item
from drift.documents.markup import line_at, line_starts, read_tags
from drift.documents.page_code import read_page_code
from drift.documents.readers.styles import read_styles


def read(text: str, _kind: str) -> Iterator[Item | PageElement]:
    """The elements in the order of the text, after a `style` what it declares, and at the end what is said of code."""
    starts = line_starts(text)
    for tag in read_tags(text):
        line = line_at(starts, tag.start)
        element = page_element(tag, line)
        if element is not None:
            yield element
        if tag.content is not None and tag.name.lower() == "style":
            first = line_at(starts, tag.content[0])
            yield from read_styles(text[slice(*tag.content)], first_line=first)
    yield from read_page_code(text)
