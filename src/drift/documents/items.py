"""What a document says: the things it declares, each with its place. Values are not kept, only that one stands there."""

import re
from typing import Final, NamedTuple

MOST_ITEMS: Final = 20_000
LONGEST_TEXT: Final = 300
_SPACE: Final = re.compile(r"\s+")


class Item(NamedTuple):
    """Something a document declares or asks for.

    Which of the fields have a meaning depends on the kind, as docs/documents.md tells. What is not known is null.
    """

    line: int
    kind: str
    name: str
    owner: str | None = None
    """What it belongs to: the service of a variable, the table of a column, the message of a field."""
    type: str | None = None
    method: str | None = None
    path: str | None = None
    has_value: bool | None = None
    """Whether a value, or a default, stands there."""
    is_required: bool | None = None


class UnreadableError(Exception):
    """The text is not of the form that its kind has, or more than is read of one."""


def short(text: str) -> str:
    """A text on one line, of bounded length."""
    return _SPACE.sub(" ", text).strip()[:LONGEST_TEXT]
